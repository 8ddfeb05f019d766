/** Lets one process own a database until it ends, however it ends. */
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { SandboxError } from '../contract/sandbox-error.js'
import { type Claim, claimsOf, type Life, lifeOf, makeClaim } from './claim.js'

export interface OwnerLock {
  /** Whether this process still owns the database. */
  isHeld(): boolean
  release(): Promise<void>
}

/** The process that owns a database. */
export type Owner = Pick<Claim, 'host' | 'pid'>

export interface OwnerLockOptions {
  /** Milliseconds in which the process of another machine shows a sign of life. @default 10 000 */
  watchMs?: number
  /** Called before it waits for that. */
  onWatch?: (owner: Owner) => void
}

/**
 * Takes a database. A process makes a claim, and then looks for others. If no process of another claim runs, it is the owner:
 * of two processes, at least one sees the claim of the other. Of processes that start at the same time, the first one stays, and waits
 * for the others to go. Claims are never used again, so those of processes that have ended can be removed at any time.
 * @param path without symbolic links
 * @returns the owner if there is another one
 */
export async function takeOwnership(path: string, options: OwnerLockOptions = {}): Promise<OwnerLock | Owner> {
  const { watchMs = 10_000, onWatch = () => {} } = options
  const own = await makeClaim(path)
  try {
    for (let attempt = 0; ; attempt++) {
      const others = claimsOf(path).filter(({ name }) => name !== own.name)
      const lives = await Promise.all(others.map((claim) => lifeOf(claim, watchMs, () => onWatch(claim))))
      const having = (life: Life) => others.filter((_, at) => lives[at] === life)
      for (const { path: claim } of having('ended')) rmSync(claim, { force: true })
      const alive = having('alive')
      const [owner] = alive
      if (!owner) {
        for (const silent of having('silent')) shutOut(silent, path)
        return { isHeld: () => existsSync(own.path), release: () => own.release() }
      }
      const isLast = attempt >= (lives.includes('silent') ? 1 : 100)
      if (isLast || alive.some(({ name }) => name < own.name)) {
        await own.release()
        return owner
      }
      await wait(20)
    }
  } catch (error) {
    await own.release()
    throw error
  }
}

/**
 * Takes the database from a process that may be suspended: it keeps the old file, and finds its claim gone when it goes on.
 * What it was writing then does not reach the new file.
 */
function shutOut(claim: Claim, path: string): void {
  rmSync(claim.path, { force: true })
  try {
    for (const end of ['', '-wal', '-journal']) if (existsSync(`${path}${end}`)) replaceByCopy(`${path}${end}`)
  } catch (error) {
    writeFileSync(claim.path, '')
    throw error
  }
}

function replaceByCopy(path: string): void {
  const copy = `${path}.copy`
  copyFileSync(path, copy, constants.COPYFILE_FICLONE)
  const file = openSync(copy, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(copy, path)
}

/** Says why a start takes longer. @param path as the user gave it */
export function describeWait(path: string, { pid, host }: Owner): string {
  return `The store "${path}" was left open by process ${pid} of the host ${host}. Looking for 10 s whether it still runs`
}

/** @param path as the user gave it */
export function ownedError(path: string, { pid, host }: Owner): SandboxError {
  const wayOut = 'Stop it, or give another path; several processes can share a store in Redis'
  const reason = `process ${pid} of the host ${host} has it open`
  return new SandboxError('UNREADABLE_FILE', `Failed to open the store "${path}": ${reason}. ${wayOut}`)
}
