/**
 * Commits the changes of one world to a store. Attempts are applied at once, one after another, and answered in order
 * as soon as everything that they read or changed is committed. On a conflict all of them are taken back, the world is
 * brought up to date, and they run again in the same order.
 */
import { SandboxError } from '../contract/sandbox-error.js'
import type { ChangeLog } from './change-log.js'
import type { Commit, CommittedWorld, Later, Store } from './store.js'
import type { StoredWorld } from './stored-world.js'

/** Something that reads or changes a world, whose result waits for a commit. */
interface Attempt {
  run(): unknown
  /** What `run` gave when it ran last: a result or an error. */
  outcome: { result: unknown } | { error: unknown } | undefined
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** Conflicts in a row after which the attempts fail: others write faster than this process can follow. */
const maxConflicts = 100
/** Tries of one commit whose answer was lost. */
const maxTries = 3

export class CommitQueue {
  readonly world: StoredWorld
  readonly #log: ChangeLog
  readonly #store: Store
  /** The version that the world, without its uncommitted changes, has in the store. */
  #version = 0
  /** Goes up with each change of `#version`: what was read of the store before is out of date. */
  #epoch = 0
  #attempts: Attempt[] = []
  /** Resolves when everything is committed that waits for it; absent if nothing does. */
  #committing: Promise<void> | undefined
  /** The world is not usable: its changes are taken back, and what others have committed is not there yet. */
  #isBehind = false

  /** @param log the one that the world notes its changes in */
  constructor(world: StoredWorld, log: ChangeLog, store: Store) {
    this.world = world
    this.#log = log
    this.#store = store
  }

  /** Brings the world up to date with the store. @throws what the store throws */
  async open(): Promise<void> {
    // Others may have committed after the commit that is under way.
    await this.#committing
    const epoch = this.#epoch
    const committed = await this.#store.open(this.world.key)
    // A commit that began meanwhile finds out by itself whether others have committed.
    if (epoch === this.#epoch && !this.#committing) this.#bringUpToDate(committed)
  }

  /** Runs something that may change the world. The result comes when all that it depends on is committed. */
  attempt<T>(run: () => T): Later<T> {
    const attempt: Attempt = { run, outcome: undefined, resolve: ignore, reject: ignore }
    if (!this.#isBehind) this.#run(attempt)
    if (this.#log.length === 0 && this.#attempts.length === 0 && attempt.outcome) return toResult<T>(attempt.outcome)
    return new Promise<T>((resolve, reject) => {
      attempt.resolve = resolve as Attempt['resolve']
      attempt.reject = reject
      this.#attempts.push(attempt)
      this.#committing ??= this.#commitAll()
    })
  }

  /** What an attempt changed before it failed is taken back. */
  #run(attempt: Attempt): void {
    const before = this.#log.length
    try {
      attempt.outcome = { result: attempt.run() }
    } catch (error) {
      this.#log.undoTo(before)
      attempt.outcome = { error }
    }
  }

  async #commitAll(): Promise<void> {
    let conflicts = 0
    while (this.#attempts.length > 0) {
      const answered = this.#attempts.length
      const changes = this.#log.length
      try {
        if (changes > 0 && (await this.#commit()) === 'conflict') {
          if (++conflicts > maxConflicts) throw unavailable(`others changed it ${maxConflicts} times in a row`)
          await this.#startOver()
          continue
        }
        conflicts = 0
        this.#log.forget(changes)
        for (const attempt of this.#attempts.splice(0, answered)) settle(attempt)
      } catch (error) {
        this.#fail(error)
      }
    }
    this.#committing = undefined
  }

  /** Commits all changes that are noted now. After a lost answer the commit is looked up, and made again if it is missing. */
  async #commit(): Promise<'committed' | 'conflict'> {
    const { key } = this.world
    const commit: Commit = { id: crypto.randomUUID(), version: this.#version, state: this.world.snapshot() }
    for (let tries = 1; ; tries++) {
      const outcome = await this.#tryCommit(key, commit, tries)
      if (outcome === undefined) continue
      if (outcome === 'committed') {
        this.#version = commit.version + 1
        this.#epoch++
      }
      return outcome
    }
  }

  /** @returns undefined if the commit is to be made again */
  async #tryCommit(key: string, commit: Commit, tries: number): Promise<'committed' | 'conflict' | undefined> {
    try {
      const outcome = await this.#store.commit(key, commit)
      // What conflicts may be the same commit, stored by a try whose answer was lost.
      const isStored = outcome === 'conflict' && tries > 1 && (await this.#store.isCommitted(key, commit.id))
      return isStored ? 'committed' : outcome
    } catch (error) {
      if (await this.#isStored(key, commit.id)) return 'committed'
      if (tries >= maxTries) throw unavailable((error as Error).message)
      return undefined
    }
  }

  async #isStored(key: string, id: string): Promise<boolean> {
    try {
      return await this.#store.isCommitted(key, id)
    } catch (error) {
      throw unavailable((error as Error).message)
    }
  }

  /** Takes all changes back, reads what others have committed, and runs the attempts again. */
  async #startOver(): Promise<void> {
    this.#log.undoTo(0)
    this.#isBehind = true
    try {
      this.#bringUpToDate(await this.#store.open(this.world.key))
    } catch (error) {
      throw unavailable((error as Error).message)
    } finally {
      this.#isBehind = false
    }
    for (const attempt of this.#attempts) this.#run(attempt)
  }

  #bringUpToDate(committed: CommittedWorld | undefined): void {
    const version = committed?.version ?? 0
    if (version === this.#version) return
    if (committed) this.world.restore(committed.state)
    else this.world.reset()
    // That is no change of its own.
    this.#log.forget(this.#log.length)
    this.#version = version
    this.#epoch++
  }

  /** Nobody knows what the store has: all that is not committed fails, and the next request reads it anew. */
  #fail(error: unknown): void {
    this.#log.undoTo(0)
    this.#version = -1
    this.#epoch++
    for (const attempt of this.#attempts.splice(0)) attempt.reject(error)
  }
}

function ignore(): void {}

function toResult<T>(outcome: NonNullable<Attempt['outcome']>): T {
  if ('error' in outcome) throw outcome.error
  return outcome.result as T
}

function settle({ outcome, resolve, reject }: Attempt): void {
  if (!outcome || 'error' in outcome) reject(outcome?.error)
  else resolve(outcome.result)
}

function unavailable(why: string): SandboxError {
  return new SandboxError('STORE_UNAVAILABLE', `Failed to commit the changes of a world: ${why}. Try again`)
}
