/** A store keeps worlds outside of this process. */
import type { WorldState } from '../snapshots/world-state.js'

/** Keeps worlds outside of this process. Each method may return its result or a promise of it. */
export interface Store {
  /** Returns the committed state of a world, or undefined if nothing was ever committed. */
  open(key: string): Later<CommittedWorld | undefined>
  /**
   * Stores a new state of a world durably, unless another commit was stored since `version`: then returns `conflict`.
   * If the promise rejects, it is unknown whether the commit was stored.
   */
  commit(key: string, commit: Commit): Later<'committed' | 'conflict'>
  /** Whether a commit is stored. Called after a commit was rejected, before anything is applied again. */
  isCommitted(key: string, id: string): Later<boolean>
  /** Removes all worlds. */
  clear(): Later<void>
}

/** A value, or a promise of it. */
export type Later<T> = T | Promise<T>

/** The committed state of a world, with its version. */
export interface CommittedWorld {
  /** 1 after the first commit. Increases by 1 with each commit. */
  version: number
  state: WorldState
}

/** A change of a world for a store. */
export interface Commit {
  /** Unique. The store keeps it with the version. */
  id: string
  /** The version that the changes are based on. 0 for a world that was never committed. */
  version: number
  /** The whole state after the changes. */
  state: WorldState
}
