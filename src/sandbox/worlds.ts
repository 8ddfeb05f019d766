/** Keeps the worlds of a sandbox in memory. */
import type { Change } from '../state/change.js'
import type { Clock, RunningClock } from '../state/clock.js'
import type { LoadShared, PutShared } from '../state/commits/shared-table.js'
import type { Later, Stamp } from '../state/commits/store.js'
import type { StoredWorld, WorldFactory } from '../state/stored-world.js'
import type { WorldId } from '../state/world-id.js'
import { Refusal } from './outcome.js'

export interface Worlds {
  /** Opens a world, and brings it up to date. Returns a promise only with a store. */
  open(id: WorldId): Later<StoredWorld | Refusal>
  /**
   * Runs a function that reads or changes a world. With a store, resolves when the changes are committed, and may run it more
   * than once.
   * @param context gets another seed if another process has committed a request with this one
   */
  attempt<T>(world: StoredWorld, run: () => T, context?: { seed: number }): Later<T>
  /** The worlds that are in memory. */
  ids(): Iterable<WorldId>
  /**
   * The number of all worlds of a store, and some of them, in the order of their hashes. A page goes on after the one that ended at
   * its offset, whatever was added or removed since the first one. Absent without a store.
   */
  list?(offset: number, limit: number): Promise<{ total: number; ids: WorldId[] }>
  /** The world that lists show by an id: an own key, or the first 16 digits of its hash. Absent without a store. */
  find?(shown: string): Promise<WorldId | undefined>
  /** Refuses all changes of requests that have a world by now. @param shown its id in lists. Absent without a store */
  end?(shown: string): void
  /** Removes a world. The next use of its key opens a new one. */
  remove(id: WorldId): Later<void>
  /** Removes all worlds. The next use of a key opens a new world. */
  clear(): Later<void>
  /** Runs a function that reads or moves the clock of all worlds. With a store, resolves when that is committed. */
  useClock<T>(work: (clock: Clock) => T): Later<T>
  /** The hash of the id of a world, by which a store knows it. Absent without a store. */
  hashOf?(world: StoredWorld): string
  /** What a world that is open is at, without changes that wait. Undefined before its first commit. Absent without a store. */
  stampOf?(world: StoredWorld): Stamp | undefined
  /** What a store may keep of an id: the hash, unless the key is not secret. Absent without a store. */
  hide?(id: WorldId): Promise<WorldId>
  /** What all worlds share in a store. Absent without one. */
  shared?: Shared
  /** Brings what all worlds share up to date. Absent without a store. */
  refresh?(): Later<void>
  /** Calls the listener with each world that is opened, when it is up to date. Absent without a store. */
  onOpened?(listener: (world: StoredWorld) => void): void
  /** The refusal for an error of the store. Undefined for any other error. Absent without a store. */
  refuseFailure?(error: unknown): Refusal | undefined
}

export interface WorldsOptions {
  factory: WorldFactory
  /** The clock that the clocks of all worlds follow. */
  clock: RunningClock
  /** Sets it to its start. */
  resetClock: () => void
  /** The maximum number of worlds in memory. */
  maxWorlds: number
}

export type CreateWorlds = (options: WorldsOptions) => Worlds

export function createWorlds({ factory, clock, maxWorlds }: WorldsOptions): Worlds {
  const worlds = new Map<WorldId, StoredWorld>()
  // Everything is synchronous here, so one log is enough for all worlds.
  const log: Change[] = []
  return {
    open(id) {
      const known = worlds.get(id)
      if (known) return known
      if (worlds.size >= maxWorlds) return refuseMore(maxWorlds)
      const world = factory.create(id, log)
      worlds.set(id, world)
      return world
    },
    attempt(_, run) {
      const result = run()
      // Setting a length leaves compiled code, even if it stays the same.
      if (log.length > 0) log.length = 0
      return result
    },
    ids: () => worlds.keys(),
    remove: (id) => void worlds.delete(id),
    clear: () => worlds.clear(),
    useClock: (work) => work(clock),
  }
}

export function refuseMore(maxWorlds: number): Refusal {
  return new Refusal('unavailable', `The limit of ${maxWorlds} worlds is reached; remove one or use its key`)
}

/** What all worlds of a store share. */
export interface Shared {
  /** Runs a function that reads or changes it, when it is up to date. Resolves when the changes are committed. */
  use<T>(run: (put: PutShared) => T): Later<T>
  /** Takes over the entries of a kind, now and later. */
  connect(kind: string, load: LoadShared): void
}

/** Runs a function that reads or changes what all worlds share. @param run gets a function that puts changes into a store */
export function useShared<T>({ shared }: { shared?: Shared }, run: (put: PutShared) => T): Later<T> {
  return shared ? shared.use(run) : run(ignore)
}

function ignore(): void {}
