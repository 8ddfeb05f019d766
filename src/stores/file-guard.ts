/**
 * Notices that the files of an open database were removed, replaced or changed by others: SQLite would continue with files that
 * have no name, or with a log that the next start reads only up to the first wrong byte.
 */
import { statSync, utimesSync } from 'node:fs'
import { SandboxError } from '../contract/sandbox-error.js'

export interface FileGuard {
  /**
   * Must be called before a transaction. Once it has thrown, it always throws.
   * @throws SandboxError `STORE_UNAVAILABLE`
   */
  check(): void
  /** Must be called after a transaction. @throws like `check` */
  keep(): void
  /** Lets `check` throw. @returns its error */
  lose(why: string): SandboxError
}

type Known = NonNullable<ReturnType<typeof identify>>

/** Of even seconds: no file system counts in larger steps. */
const step = 2_000_000_000n

/** @param isOwned whether no other process has taken the database over */
export function guardFiles(path: string, isOwned: () => boolean): FileGuard {
  const known = new Map([path, `${path}-wal`].map((each) => [each, identify(each)]))
  let loss: SandboxError | undefined

  function lose(why: string): SandboxError {
    const wayOut = 'Put the right file there, or move it away with its log for an empty store, and start again'
    const reason = `${why}. Nothing more is written to it. ${wayOut}`
    loss ??= new SandboxError('STORE_UNAVAILABLE', `Failed to use the store "${path}": ${reason}`)
    return loss
  }

  function compare(isOwn: boolean): void {
    if (loss) throw loss
    if (!isOwned()) throw lose('another process has taken it over, or its file of the owner was removed')
    for (const [each, before] of known) {
      const now = identify(each)
      // The log is made by the first transaction.
      const what = before && describeChange(before, now, isOwn)
      if (what) throw lose(`the file "${each}" was ${what} while it was open`)
      known.set(each, now && isOwn ? mark(each, now) : now)
    }
  }

  return { check: () => compare(false), keep: () => compare(true), lose }
}

function describeChange(before: Known, now: Known | undefined, isOwn: boolean): string | undefined {
  if (!now) return 'removed'
  if (now.id !== before.id) return 'replaced'
  // SQLite never makes them shorter while they are open.
  if (now.size < before.size) return `cut from ${before.size} to ${now.size} bytes`
  return isOwn || (now.time === before.time && now.size === before.size) ? undefined : 'changed by another program'
}

/** Returns undefined if there is no file. The time is in nanoseconds since 1970. */
function identify(path: string): { id: string; size: bigint; time: bigint } | undefined {
  // Numbers of files may have more than 53 bits.
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && { id: `${found.dev} ${found.ino}`, size: found.size, time: found.mtimeNs }
}

/** Gives a file a time that no later write gives it: times of writes in a row may be equal. */
function mark(path: string, now: Known): Known {
  if (now.time % step === 0n) return now
  const time = now.time - (now.time % step) - step
  try {
    const seconds = Number(time / 1_000_000_000n)
    utimesSync(path, seconds, seconds)
    return { ...now, time }
  } catch {
    // Only the owner of a file may do so.
    return now
  }
}
