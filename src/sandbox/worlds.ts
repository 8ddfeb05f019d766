/** Keeps the worlds of a sandbox in memory. */
import type { Change } from '../state/change.js'
import type { Run } from '../state/commits/commit-queue.js'
import type { Later, ListedWorld } from '../state/commits/store.js'
import type { LoadShared, PutShared } from '../state/commits/shared-table.js'
import type { StoredWorld, WorldFactory } from '../state/stored-world.js'
import type { Authenticate } from './authenticate.js'
import { Refusal } from './outcome.js'

/** What all worlds share, in addition to their base. */
export interface Shared {
  /** Runs a function that reads or changes it. With a store, it is brought up to date before, and its changes are committed. */
  use<T>(run: (put: PutShared) => T): Later<T>
  /** Takes over the entries of a kind from the store, now and later. */
  connect(kind: string, load: LoadShared): void
}

export interface Worlds {
  /** Opens the world of a key, and brings it up to date. Returns a promise only with a store. */
  open(key: string): Later<StoredWorld | Refusal>
  /** Runs a function that reads or changes a world. With a store, resolves when the changes are committed. */
  attempt<T>(world: StoredWorld, run: Run<T>): Later<T>
  /** The keys of the worlds that are in memory. */
  keys(): Iterable<string>
  /** Lists the worlds of a store: see `Store.list`. Absent without a store. */
  list?(after: string | undefined, limit: number): Later<ListedWorld[]>
  /** Removes a world. The next use of its key opens a new one. */
  remove(key: string): Later<void>
  /** Removes all worlds. The next use of a key opens a new world. */
  clear(): Later<void>
  shared: Shared
  /** Brings what all worlds share up to date. Absent without a store. */
  refresh?(): Later<void>
  /** Does the same before each request is authenticated, because keys may be revoked. */
  wrapAuthenticate?(authenticate: Authenticate): Authenticate
  /** The refusal for an error of the store. Undefined for any other error. Absent without a store. */
  refuseFailure?(error: unknown): Refusal | undefined
}

export interface WorldsOptions {
  factory: WorldFactory
  /** The maximum number of worlds in memory. */
  maxWorlds: number
  /** Whether a world must stay in memory, because something waits for its clock. @default none must */
  isInUse?: (key: string) => boolean
}

export type CreateWorlds = (options: WorldsOptions) => Worlds

export function createWorlds({ factory, maxWorlds }: WorldsOptions): Worlds {
  const worlds = new Map<string, StoredWorld>()
  // Everything is synchronous here, so one log is enough for all worlds.
  const log: Change[] = []
  return {
    open(key) {
      const known = worlds.get(key)
      if (known) return known
      if (worlds.size >= maxWorlds) return refuseMore(maxWorlds)
      const world = factory.create(key, log)
      worlds.set(key, world)
      return world
    },
    attempt(_, run) {
      const result = run(0)
      // Setting a length leaves compiled code, even if it stays the same.
      if (log.length > 0) log.length = 0
      return result
    },
    keys: () => worlds.keys(),
    remove: (key) => void worlds.delete(key),
    clear: () => worlds.clear(),
    shared: { use: (run) => run(ignore), connect: ignore },
  }
}

function ignore(): void {}

export function refuseMore(maxWorlds: number): Refusal {
  return new Refusal(
    'unavailable',
    `The limit of ${maxWorlds} worlds is reached; use an existing key, or remove worlds`,
  )
}
