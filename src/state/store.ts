/** Where worlds are kept outside of this process. Each method may answer at once or later. */
import type { WorldState } from './world-state.js'

export interface Store {
  /** The committed state of a world; undefined if nothing was ever committed. */
  open(key: string): Later<CommittedWorld | undefined>
  /**
   * Stores a new state of a world durably, if nobody else has committed since `version`. A promise that rejects means
   * that nobody knows: the same commit may be stored or not.
   */
  commit(key: string, commit: Commit): Later<'committed' | 'conflict'>
  /** Whether a commit is stored. Asked after a commit was rejected, before anything is applied again. */
  isCommitted(key: string, id: string): Later<boolean>
  /** Forgets all worlds. */
  clear(): Later<void>
}

/** A value, or a promise of it. */
export type Later<T> = T | Promise<T>

export interface CommittedWorld {
  /** Goes up by 1 with each commit; 1 after the first. */
  version: number
  state: WorldState
}

export interface Commit {
  /** Unique. It is stored with the version. */
  id: string
  /** The version that the changes build on; 0 for a world that was never committed. */
  version: number
  /** The whole state after the changes. */
  state: WorldState
}
