/** A world, as users of the package see it. */
import type { RequestContract } from '../contract/contract.js'
import { SandboxError } from '../contract/sandbox-error.js'
import { copyValue } from '../json/copy.js'
import { checkWorldState } from '../state/check-world-state.js'
import type { Clock } from '../state/clock.js'
import { findCollection, type StoredWorld } from '../state/stored-world.js'
import type { WorldState } from '../state/world-state.js'
import { type Collection, createCollection } from './collection.js'
import { Refusal } from './outcome.js'
import type { Worlds } from './worlds.js'

/**
 * What one key sees: collections and a clock. It holds no state of its own, so it survives `reset()`.
 *
 * @example
 * const world = sandbox.world('sandbox-worker-7')
 * await world.clock.travelTo('2030-12-05T00:00:00Z')
 * await world.collection('books').size() // 20
 */
export interface World {
  /** The key that opens it. */
  readonly key: string
  readonly clock: WorldClock
  /**
   * @param environment name of a server of the document. @default the first that has the collection
   * @throws SandboxError `INVALID_OPTION` for a collection or environment that the document does not have
   */
  collection(name: string, environment?: string): Collection
  /**
   * Everything in which the world differs from its scenario, as plain data; for `restore()`.
   * @example
   * const before = await world.snapshot()
   * await world.restore(before)
   */
  snapshot(): Promise<WorldState>
  /**
   * Puts the world into a state that `snapshot()` gave, here or in another world of the same contract and scenario.
   * @throws SandboxError `INVALID_OPTION` for anything else; the world stays as it is
   */
  restore(state: WorldState): Promise<void>
  /** Puts data and clock back to the beginning. */
  reset(): Promise<void>
}

/** The clock of a world or of a sandbox; it runs on, from wherever it was put. */
export interface WorldClock {
  /** Milliseconds since 1970. */
  now(): Promise<number>
  /**
   * Puts the clock to an instant: a `Date`, RFC 3339 text or milliseconds since 1970.
   * @throws RangeError for what is not a time
   */
  travelTo(time: Date | string | number): Promise<void>
  /** Puts the clock forward by milliseconds, or back if the number is negative. @throws RangeError for no number */
  advance(milliseconds: number): Promise<void>
  /** Follows its source again: the clock of the sandbox for that of a world, else the option `now`. */
  reset(): Promise<void>
}

export function createWorld(contract: RequestContract, worlds: Worlds, key: string): World {
  async function use<T>(work: (world: StoredWorld) => T): Promise<T> {
    const opened = worlds.open(key)
    // In memory nothing waits: what is not awaited is done all the same when the call returns.
    const world = opened instanceof Promise ? await opened : opened
    if (world instanceof Refusal) throw new SandboxError('INVALID_OPTION', world.message)
    return worlds.attempt(world, () => work(world))
  }

  return {
    key,
    clock: createWorldClock((work) => use(({ clock }) => work(clock))),
    collection(name, environment) {
      const model = findCollection(contract, name, environment)
      return createCollection(model, (work) => use((world) => work(world.collection(name, environment))))
    },
    snapshot: () => use((world) => copyValue(world.snapshot())),
    restore: (state) => use((world) => world.restore(copyValue(checkWorldState(state)))),
    reset: () => use((world) => world.reset()),
  }
}

export function createWorldClock(use: <T>(work: (clock: Clock) => T) => Promise<T>): WorldClock {
  return {
    now: () => use((clock) => clock.now()),
    travelTo: (time) => use((clock) => clock.travelTo(time)),
    advance: (milliseconds) => use((clock) => clock.advance(milliseconds)),
    reset: () => use((clock) => clock.reset()),
  }
}
