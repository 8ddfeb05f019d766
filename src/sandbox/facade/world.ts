/** The public API of a world. */
import type { RequestContract } from '../../contract/contract.js'
import type { AnyDocument, CollectionName, DocumentTypes } from '../../contract/document-types.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import { quote } from '../../contract/violations.js'
import { copyValue } from '../../json/copy.js'
import { type Clock, freezeClock, moveClockTo, resumeClock, toTime } from '../../state/clock.js'
import { type Capture, captureWorld, isCopy, restoreCapture } from '../../state/snapshots/capture-world.js'
import { restoreWorld, snapshotWorld } from '../../state/snapshots/snapshot-world.js'
import { checkWorldState, type WorldState } from '../../state/snapshots/world-state.js'
import { findCollection, type StoredWorld } from '../../state/stored-world.js'
import { resetWorld } from '../../state/world-content.js'
import { namesOf, type WorldId } from '../../state/world-id.js'
import type { Keys } from '../credentials/valid-keys.js'
import { Refusal } from '../outcome.js'
import type { Deliveries } from '../webhooks/schedule.js'
import type { WorldChange } from '../world-changes.js'
import type { Worlds } from '../worlds.js'
import type { EffectInput } from '../writes/effect-input.js'
import { type Collection, createCollection } from './collection.js'

/**
 * A world is what one key sees: collections and a clock. The object has no state of its own, so it stays valid after
 * `reset()`.
 *
 * @example
 * const world = sandbox.world('sandbox-worker-7')
 * await world.clock.travelTo('2030-12-05T00:00:00Z')
 * await world.collection('books').size() // 20
 */
export interface World<Types extends DocumentTypes = AnyDocument> {
  /** The key that opens the world, or the user. */
  readonly key: string
  /** The clock of the world. It follows the clock of the sandbox until it is moved. */
  readonly clock: WorldClock
  /**
   * Returns a collection.
   * @param environment name of a server of the document. @default the first server that has the collection
   * @throws SandboxError `INVALID_OPTION` for an unknown collection or environment
   */
  readonly collection: FindCollection<Types>
  /**
   * Resolves to all differences from the scenario as plain data, for `restore()`.
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
  /**
   * Resolves to the records that differ from an earlier state. What was changed and changed back does not differ. The time it takes
   * depends on the changes, not on the records.
   * @param since what `snapshot()` resolved to. @default the scenario
   * @throws SandboxError `INVALID_OPTION` for anything else
   * @example
   * const before = await world.snapshot()
   * await world.collection('books').remove(3)
   * await world.changes(before) // [{ kind: 'removed', collection: 'books', environment: 'production', before: { id: 3, … } }]
   */
  changes(since?: WorldState): Promise<WorldChange[]>
  /**
   * Gives another world the state of this one, and resolves to it. Both share what neither changes.
   * @param to the key of the other world, or the user, who has the same listed key
   * @throws SandboxError `INVALID_OPTION` for an invalid key
   * @example
   * const copy = await world.fork('sandbox-copy')
   */
  fork(to: string): Promise<World<Types>>
  /** Resets the data to the scenario, and the clock to the clock of the sandbox. */
  reset(): Promise<void>
}

/**
 * Finds a collection by its name. Both overloads are methods, so that a typed world is assignable to an untyped one.
 */
export type FindCollection<Types extends DocumentTypes> =
  string extends CollectionName<Types> ? AnyCollections['find'] : NamedCollections<Types>['find']

interface AnyCollections {
  find(name: string, environment?: string): Collection
}

interface NamedCollections<Types extends DocumentTypes> {
  find<Name extends CollectionName<Types>>(name: Name, environment?: string): Collection<Types['collections'][Name]>
}

/** The clock of a world or a sandbox. It can be moved, and runs until it is frozen. */
export interface WorldClock {
  /** Resolves to milliseconds since 1970. */
  now(): Promise<number>
  /**
   * Moves the clock to an instant: a `Date`, RFC 3339 text or milliseconds since 1970.
   * @throws RangeError for anything else, and beyond the years 0000 to 9999
   */
  travelTo(time: Date | string | number): Promise<void>
  /** Moves the clock forward by milliseconds, or back if negative. @throws RangeError like `travelTo` */
  advance(milliseconds: number): Promise<void>
  /** Stops the clock: time only passes with `travelTo` and `advance`. */
  freeze(): Promise<void>
  /** Lets a frozen clock continue from its current time. */
  resume(): Promise<void>
  /** Makes the clock follow its source again: for a world the clock of the sandbox, for a sandbox the option `now`. */
  reset(): Promise<void>
}

/** What the worlds of a sandbox share. */
export interface WorldSource {
  contract: RequestContract
  worlds: Worlds
  keys: Pick<Keys, 'idOf' | 'defaultKey'>
  deliveries: Deliveries | undefined
  openProgress: EffectInput['openProgress']
  /** The originals of the states that `snapshot()` returned. Restoring an unchanged state then needs no copy. */
  captures: WeakMap<WorldState, { capture: Capture; original: WorldState }>
}

/** The world of a key, or of a user: see `Sandbox.world`. @throws SandboxError `INVALID_OPTION` */
export function findWorld({ idOf, defaultKey }: WorldSource['keys'], key: string, apiKey?: string): WorldId {
  const id = typeof key === 'string' ? idOf(key, apiKey) : undefined
  if (id !== undefined) return id
  throw new SandboxError('INVALID_OPTION', `Invalid key ${quote(key)}; use "${defaultKey}"`)
}

export function createWorld(source: WorldSource, own: WorldId): World {
  const { contract, worlds, keys, deliveries, captures, openProgress } = source
  const { key, apiKey } = namesOf(own)
  const use = <T>(work: (world: StoredWorld) => T): Promise<T> => useOther(own, work)

  async function useOther<T>(id: WorldId, work: (world: StoredWorld) => T): Promise<T> {
    const refreshing = worlds.refresh?.()
    if (refreshing) await refreshing
    const opened = worlds.open(id)
    // In memory nothing is asynchronous: a change is complete when the call returns, even without `await`.
    const world = opened instanceof Promise ? await opened : opened
    if (world instanceof Refusal) throw new SandboxError('INVALID_OPTION', world.message)
    return worlds.attempt(world, () => work(world))
  }

  /** Cancels pending webhooks, as they belong to the previous state. */
  async function replace(id: WorldId, work: (world: StoredWorld) => void): Promise<void> {
    await useOther(id, work)
    deliveries?.cancel(id)
  }

  return {
    key,
    clock: createWorldClock(
      (work) => use(({ clock }) => work(clock)),
      () => deliveries?.check(own),
    ),
    collection(name, environment) {
      const model = findCollection(contract, name, environment)
      return createCollection(
        model,
        (work) => use((world) => work(world.collection(name, environment), world.clock.now())),
        openProgress,
      )
    },
    snapshot: () =>
      use((world) => {
        const original = snapshotWorld(world)
        const state = copyValue(original)
        captures.set(state, { capture: captureWorld(world), original })
        return state
      }),
    restore: (state) =>
      replace(own, (world) => {
        const known = captures.get(state)
        if (known && isCopy(state, known.original)) restoreCapture(world, known.capture)
        else restoreWorld(world, copyValue(checkWorldState(state)))
      }),
    async changes(since) {
      const { compareAll, pairCollections, toCaptured } = await import('../world-changes.js')
      const known = since && captures.get(since)
      const pairs = await use((world) => {
        const isKnown = known && since && isCopy(since, known.original)
        const own = isKnown ? known.capture.collections : undefined
        const collections =
          own ?? (since ? checkWorldState(since).collections : []).map((each) => toCaptured(world, each))
        return pairCollections(world, undefined, { at: world.clock.now(), collections })
      })
      return copyValue((await compareAll(contract, pairs)) as never)
    },
    async fork(to) {
      const id = findWorld(keys, to, apiKey)
      const capture = await use(captureWorld)
      if (id !== own) await replace(id, (world) => restoreCapture(world, capture))
      return createWorld(source, id)
    },
    reset: () => replace(own, resetWorld),
  }
}

/** @throws RangeError for anything but a number */
function toMilliseconds(value: number): number {
  if (typeof value === 'number') return value
  throw new RangeError(`A clock advances by a number of milliseconds (got ${String(value)})`)
}

/** @param onMoved called after each change */
export function createWorldClock(
  use: <T>(work: (clock: Clock) => T) => Promise<T>,
  onMoved: () => void = () => {},
): WorldClock {
  async function move(work: (clock: Clock) => void): Promise<void> {
    await use(work)
    onMoved()
  }

  return {
    now: () => use((clock) => clock.now()),
    travelTo: (time) => move((clock) => moveClockTo(clock, toTime(time))),
    advance: (milliseconds) => move((clock) => moveClockTo(clock, clock.now() + toMilliseconds(milliseconds))),
    freeze: () => move(freezeClock),
    resume: () => move(resumeClock),
    reset: () => move((clock) => clock.setOffset(0)),
  }
}
