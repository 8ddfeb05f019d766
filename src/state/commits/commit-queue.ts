/**
 * Commits the changes of one world to a store. Attempts are applied at once, one after another. Each resolves, in
 * order, when everything that it read or changed is committed. On a conflict all of them are undone, the world is
 * brought up to date, and they run again in the same order.
 */

import { SandboxError } from '../../contract/sandbox-error.js'
import { restoreWorld, snapshotWorld } from '../snapshots/snapshot-world.js'
import type { StoredWorld } from '../stored-world.js'
import { resetWorld, undoTo } from '../world-content.js'
import type { Commit, CommittedWorld, Later, Store } from './store.js'

/** A function that reads or changes a world, and whose result waits for a commit. */
interface Attempt {
  run(): unknown
  /** The result or error of the last run. */
  outcome: { result: unknown } | { error: unknown } | undefined
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** After this many consecutive conflicts the attempts fail: other processes write faster than this one can follow. */
const maxConflicts = 100
/** Maximum number of tries of a commit whose response was lost. */
const maxTries = 3

export class CommitQueue {
  readonly world: StoredWorld
  readonly #store: Store
  /** The version in the store that the world has without its uncommitted changes. */
  #version = 0
  /** Increases with each change of `#version`. A read of the store that began in an earlier epoch is out of date. */
  #epoch = 0
  #attempts: Attempt[] = []
  /** Resolves when all waiting changes are committed. Absent if none wait. */
  #committing: Promise<void> | undefined
  /** Whether the world must not be used: its changes are undone, but those of other processes are not loaded yet. */
  #isBehind = false

  constructor(world: StoredWorld, store: Store) {
    this.world = world
    this.#store = store
  }

  /** Brings the world up to date with the store. @throws any error of the store */
  async open(): Promise<void> {
    // Other processes may have committed after the running commit.
    await this.#committing
    const epoch = this.#epoch
    const committed = await this.#store.open(this.world.key)
    // A commit that began in the meantime checks by itself whether others have committed.
    if (epoch === this.#epoch && !this.#committing) this.#bringUpToDate(committed)
  }

  /** Runs a function that may change the world. Resolves when everything that its result depends on is committed. */
  attempt<T>(run: () => T): Later<T> {
    const attempt: Attempt = { run, outcome: undefined, resolve: ignore, reject: ignore }
    if (!this.#isBehind) this.#run(attempt)
    if (this.world.log.length === 0 && this.#attempts.length === 0 && attempt.outcome)
      return toResult<T>(attempt.outcome)
    return new Promise<T>((resolve, reject) => {
      attempt.resolve = resolve as Attempt['resolve']
      attempt.reject = reject
      this.#attempts.push(attempt)
      this.#committing ??= this.#commitAll()
    })
  }

  /** Runs an attempt, and undoes its changes if it fails. */
  #run(attempt: Attempt): void {
    const before = this.world.log.length
    try {
      attempt.outcome = { result: attempt.run() }
    } catch (error) {
      undoTo(this.world, before)
      attempt.outcome = { error }
    }
  }

  async #commitAll(): Promise<void> {
    let conflicts = 0
    while (this.#attempts.length > 0) {
      const answered = this.#attempts.length
      const changes = this.world.log.length
      try {
        if (changes > 0 && (await this.#commit()) === 'conflict') {
          if (++conflicts > maxConflicts) throw unavailable(`${maxConflicts} conflicts in a row`)
          await this.#startOver()
          continue
        }
        conflicts = 0
        this.world.log.splice(0, changes)
        for (const attempt of this.#attempts.splice(0, answered)) settle(attempt)
      } catch (error) {
        this.#fail(error)
      }
    }
    this.#committing = undefined
  }

  /** Commits all recorded changes. After a lost response the commit is looked up, and retried if it is missing. */
  async #commit(): Promise<'committed' | 'conflict'> {
    const { key } = this.world
    const commit: Commit = { id: crypto.randomUUID(), version: this.#version, state: snapshotWorld(this.world) }
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

  /** @returns undefined if the commit must be retried */
  async #tryCommit(key: string, commit: Commit, tries: number): Promise<'committed' | 'conflict' | undefined> {
    try {
      const outcome = await this.#store.commit(key, commit)
      // The conflict may be with the same commit, stored by a try whose response was lost.
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

  /** Undoes all changes, loads the changes of other processes, and runs the attempts again. */
  async #startOver(): Promise<void> {
    undoTo(this.world, 0)
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
    if (committed) restoreWorld(this.world, committed.state)
    else resetWorld(this.world)
    // Restoring records changes, but they are committed already.
    this.world.log.length = 0
    this.#version = version
    this.#epoch++
  }

  /** The content of the store is unknown: all uncommitted attempts fail, and the next request reads the store again. */
  #fail(error: unknown): void {
    undoTo(this.world, 0)
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
