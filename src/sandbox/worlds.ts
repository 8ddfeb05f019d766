/** The worlds of a sandbox by key, in memory: opened on first use. */
import type { Later } from '../state/store.js'
import type { StoredWorld, WorldFactory } from '../state/stored-world.js'
import { Refusal } from './outcome.js'

export interface Worlds {
  /** The world of a key, up to date. Waits only for a store. */
  open(key: string): Later<StoredWorld | Refusal>
  /** Runs something that reads or changes a world. With a store the result comes when the changes are committed. */
  attempt<T>(world: StoredWorld, run: () => T): Later<T>
  /** Forgets all worlds: the next use of a key opens a new one. */
  clear(): Later<void>
}

export interface WorldsOptions {
  factory: WorldFactory
  /** Worlds that may be open at the same time. */
  maxWorlds: number
}

export type CreateWorlds = (options: WorldsOptions) => Worlds

export function createWorlds({ factory, maxWorlds }: WorldsOptions): Worlds {
  const worlds = new Map<string, StoredWorld>()
  return {
    open(key) {
      const known = worlds.get(key)
      if (known) return known
      if (worlds.size >= maxWorlds) return refuseMore(maxWorlds)
      const world = factory.create(key)
      worlds.set(key, world)
      return world
    },
    attempt: (_, run) => run(),
    clear: () => worlds.clear(),
  }
}

export function refuseMore(maxWorlds: number): Refusal {
  return new Refusal('unavailable', `There are ${maxWorlds} worlds already; use a key that was used before`)
}
