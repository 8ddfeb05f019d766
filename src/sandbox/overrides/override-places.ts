/** The places of overrides in files, for messages. */
import type { Overrides } from './override-types.js'

const places = Symbol.for('petstore-sandbox.places')

/** Keeps where the code of each override is. @param find returns `file:line` */
export function keepPlaces(overrides: Overrides, find: (name: string) => string | undefined): void {
  Object.defineProperty(overrides, places, { value: find, configurable: true })
}

export function placeOf(overrides: Overrides, name: string): string | undefined {
  return (overrides as { [places]?: (name: string) => string | undefined })[places]?.(name)
}

/** The innermost place in the team's code that an error names: `sandbox.overrides.ts:12:5`. Undefined if it names none. */
export function placeIn(error: Error): string | undefined {
  const frames = stackOf(error)
    .split('\n')
    .flatMap((line) => /^\s*at .*?\(?((?:\w+:)?[^\s()]+:\d+:\d+)\)?$/.exec(line)?.[1] ?? [])
  const own = frames.find((frame) => !/^node\W/.test(frame) && !frame.includes('node_modules'))
  const folder = globalThis.process?.cwd?.()
  const path = own?.replace(/^file:\/\//, '')
  return folder !== undefined && path?.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
}

/** What was thrown may be anything. */
function stackOf(error: Error): string {
  try {
    return String(error.stack ?? '')
  } catch {
    return ''
  }
}

/** The message of what was thrown. */
export function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message) : String(thrown)
  } catch {
    return 'Error'
  }
}
