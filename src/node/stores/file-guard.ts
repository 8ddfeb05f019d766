/**
 * Notices that the files of an open database were removed, replaced or cut: SQLite would continue with files that have no name, or
 * with a log that the next start reads only up to the cut. It never makes them shorter while they are open.
 */
import { statSync } from 'node:fs'
import { SandboxError } from '../../contract/sandbox-error.js'

export interface FileGuard {
  /**
   * Must be called before a transaction, and after its commit. Once it has thrown, it always throws.
   * @throws SandboxError `STORE_UNAVAILABLE`
   */
  check(): void
  /** Whether `check` has thrown. */
  readonly isLost: boolean
}

/** @param isOwned whether no other process has taken the database over */
export function guardFiles(path: string, isOwned: () => boolean): FileGuard {
  const wal = `${path}-wal`
  const known = new Map([path, wal].map((each) => [each, identify(each)]))
  let loss: string | undefined

  function findLoss(): string | undefined {
    if (!isOwned()) return 'another process has taken it over, or its file of the owner was removed'
    for (const [each, before] of known) {
      const now = identify(each)
      // The log is made by the first transaction.
      if (before === undefined) known.set(each, now)
      else if (now === undefined) return `the file "${each}" was removed while it was open`
      else if (now.id !== before.id) return `the file "${each}" was replaced while it was open`
      else if (now.size < before.size)
        return `the file "${each}" was cut from ${before.size} to ${now.size} bytes while it was open`
      else known.set(each, now)
    }
    return undefined
  }

  return {
    check() {
      loss ??= findLoss()
      if (loss === undefined) return
      const wayOut = 'Nothing more is written to it. Put the right file there, and start the program again'
      throw new SandboxError('STORE_UNAVAILABLE', `Failed to write to the store "${path}": ${loss}. ${wayOut}`)
    },
    get isLost() {
      return loss !== undefined
    },
  }
}

/** Returns undefined if there is no file. */
function identify(path: string): { id: string; size: bigint } | undefined {
  // Numbers of files may have more than 53 bits.
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && { id: `${found.dev} ${found.ino}`, size: found.size }
}
