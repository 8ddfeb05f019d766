/** The state of a world as plain data: what it has changed of the scenario that it began with. */
import type { Values } from './stored-record.js'

/**
 * Only the differences from the base: a world that has changed nothing has no collections here. Integers beyond
 * ±(2^53−1) are bigints; `writeByShape` writes all of it as JSON that `parseExactJson` reads again without loss.
 */
export interface WorldState {
  /** Milliseconds by which the clock of the world is ahead of the clock of the sandbox. */
  clockOffset: number
  collections: CollectionState[]
}

export interface CollectionState {
  name: string
  /** Name of the server whose collection it is. */
  server: string
  /** The next integer key. */
  nextKey: number
  /** Records at positions of the base that are others now; null for one that was removed. */
  changed: [position: number, values: Values | null][]
  /** Records after those of the base, in the order of their creation; null for one that was removed. */
  added: (Values | null)[]
}
