/**
 * Detects changes of files by polling their size and time, because file system notifications miss files that editors
 * replace, and changes on container volumes.
 */
import { type BigIntStats, statSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { SandboxError } from '../contract/sandbox-error.js'
import { isInherited } from './read-text-file.js'

export interface FileWatcher {
  /** Watches a file from now on, whether it exists or not. A URL of http or https is not watched. */
  add(location: string): void
  /** Whether a file changed since it was added or last seen. */
  hasChanged(location: string): boolean
  /** Calls a function with the files that changed since they were added or last seen. One call ends before the next one. */
  start(onChange: (files: readonly string[]) => Promise<void>): void
  /** Resolves when the last call has ended. */
  close(): Promise<void>
}

/** Polling interval in milliseconds. */
const intervalMs = 200

/** Whether a location is that of a file. */
function isWatchable(location: string): boolean {
  return !/^https?:/i.test(location)
}

/**
 * @param advice how the caller names a file, for the message
 * @throws SandboxError `INVALID_OPTION` if none of the locations is a file, or one can be read only once
 */
export function checkWatchable(locations: readonly string[], advice: string): void {
  const pipe = locations.find(isInherited)
  if (pipe !== undefined)
    throw new SandboxError('INVALID_OPTION', `Failed to watch "${pipe}": it can be read only once. Name a file`)
  if (!locations.some(isWatchable)) throw new SandboxError('INVALID_OPTION', `There is no file to watch: ${advice}`)
}

export function createFileWatcher(): FileWatcher {
  const seen = new Map<string, string | undefined>()
  /** Changed files that are not reported yet. */
  const waiting = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let running: Promise<void> | undefined

  async function look(onChange: (files: readonly string[]) => Promise<void>): Promise<void> {
    const now = await Promise.all([...seen.keys()].map(async (path) => [path, await stateOf(path)] as const))
    const changed = now.filter(([path, state]) => seen.get(path) !== state)
    for (const [path, state] of changed) {
      seen.set(path, state)
      waiting.add(path)
    }
    // A program may still be writing a file that has just changed.
    if (changed.length > 0 || waiting.size === 0 || isClosed) return
    const files = [...waiting]
    waiting.clear()
    await onChange(files)
  }

  return {
    add(location) {
      if (!isWatchable(location)) return
      const path = /^file:/i.test(location) ? fileURLToPath(location) : location
      seen.set(path, stateNow(path))
      waiting.delete(path)
    },
    hasChanged: (path) => waiting.has(path) || (seen.has(path) && seen.get(path) !== stateNow(path)),
    start(onChange) {
      timer = setInterval(() => {
        running ??= look(onChange).finally(() => {
          running = undefined
        })
      }, intervalMs)
      timer.unref()
    },
    async close() {
      isClosed = true
      clearInterval(timer)
      await running
    },
  }
}

/** @returns undefined if there is no such file */
function stateNow(path: string): string | undefined {
  try {
    return toState(statSync(path, { bigint: true }))
  } catch {
    return undefined
  }
}

async function stateOf(path: string): Promise<string | undefined> {
  return stat(path, { bigint: true }).then(toState, () => undefined)
}

function toState({ ino, mtimeNs, size }: BigIntStats): string {
  return `${ino} ${mtimeNs} ${size}`
}
