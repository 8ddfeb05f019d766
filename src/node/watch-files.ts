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
  close(): void
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

/** @param onChange called with the files that changed since they were added or last seen */
export function watchFiles(onChange: (files: readonly string[]) => void): FileWatcher {
  const seen = new Map<string, string | undefined>()
  /** Changed files that are not reported yet. */
  const waiting = new Set<string>()
  let isLooking = false

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    const now = await Promise.all([...seen.keys()].map(async (path) => [path, await stateOf(path)] as const))
    isLooking = false
    const changed = now.filter(([path, state]) => seen.get(path) !== state)
    for (const [path, state] of changed) {
      seen.set(path, state)
      waiting.add(path)
    }
    // A program may still be writing a file that has just changed.
    if (changed.length > 0 || waiting.size === 0) return
    const files = [...waiting]
    waiting.clear()
    onChange(files)
  }

  const timer = setInterval(look, intervalMs)
  timer.unref()
  return {
    add(location) {
      if (!isWatchable(location)) return
      const path = /^file:/i.test(location) ? fileURLToPath(location) : location
      seen.set(path, stateNow(path))
    },
    close: () => clearInterval(timer),
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
