/** Keeps what a world holds at one time, to put it into a world again. It shares the records, which never change. */
import type { ExactValue } from '../json/exact-value.js'
import { OwnChanges } from './own-changes.js'
import { restoreClock, snapshotWorld } from './snapshot-world.js'
import { StoredAnswers } from './stored-answers.js'
import type { Besides } from './stored-besides.js'
import type { CollectionContext, StoredCollection } from './stored-collection.js'
import type { StoredWorld } from './stored-world.js'
import type { WorldState } from './world-state.js'

/** The differences of a world from its scenario, as its own records. */
export interface Capture {
  /** The same as plain data. The values are shared: do not change them. */
  state: WorldState
  collections: CapturedCollection[]
  besides: Besides | undefined
}

export interface CapturedCollection {
  name: string
  server: string
  nextKey: number
  size: number
  changes: OwnChanges | undefined
}

export function captureWorld(world: StoredWorld): Capture {
  const collections = world.opened().flatMap(({ name, server, collection }): CapturedCollection[] => {
    const { changes, nextKey, size, context } = collection
    const isUnchanged = !changes && nextKey === context.base.highestKey + 1
    return isUnchanged ? [] : [{ name, server, nextKey, size, changes: changes && copyChanges(changes, context) }]
  })
  return { state: snapshotWorld(world), collections, besides: copyBesides(world.besides) }
}

/** Puts a world of the same sandbox into what was captured. Nothing is checked: every record was in a world. */
export function restoreCapture(world: StoredWorld, { state, collections, besides }: Capture): void {
  const restored = collections.map((captured) => {
    return { name: captured.name, server: captured.server, collection: fillCollection(world, captured) }
  })
  restoreClock(world.clock, state.clockOffset, state.frozenAt)
  world.replaceAll(restored, copyBesides(besides))
}

/** Whether nobody has changed a state since it was copied from that of a capture. */
export function isStateOf(state: unknown, capture: Capture): state is WorldState {
  return isCopy(state, capture.state)
}

/** Whether a value is exactly another one, with the same properties. Allocates nothing: there may be many records. */
function isCopy(value: unknown, original: ExactValue): boolean {
  if (value === original) return true
  if (typeof value !== 'object' || typeof original !== 'object' || value === null || original === null) return false
  if (Array.isArray(value) !== Array.isArray(original)) return false
  let more = 0
  for (const name in original) {
    more++
    if (!isCopy((value as Members)[name], (original as Members)[name])) return false
  }
  for (const _ in value) more--
  return more === 0
}

type Members = Record<string, ExactValue>

/** Creates a collection with what was captured. */
export function fillCollection(
  world: StoredWorld,
  { name, server, ...captured }: CapturedCollection,
): StoredCollection {
  const { nextKey, size, changes } = captured
  const collection = world.createCollection(name, server)
  collection.nextKey = nextKey
  if (!changes) return collection
  const { context } = collection
  const copy = copyChanges(changes, context)
  collection.changes = copy
  collection.size = size
  // Writing one of the changes again gives the collection another id of its state.
  const [position] = copy.added.length > 0 ? [context.base.records.length + copy.added.length - 1] : copy.changed.keys()
  if (position !== undefined) collection.put(position, copy.at(position))
  return collection
}

/** Copies tables as they are: writing hundreds of thousands of records one by one takes seconds. */
function copyChanges(
  { changed, added, positions }: OwnChanges,
  { base, key, identity }: CollectionContext,
): OwnChanges {
  const copy = new OwnChanges(base, key, identity)
  for (const [position, record] of changed) copy.changed.set(position, record)
  for (const record of added) copy.added.push(record)
  for (const [own, position] of positions) copy.positions.set(own, position)
  return copy
}

/** Answers are added to their map; files get another one with each change. */
function copyBesides(besides: Besides | undefined): Besides | undefined {
  return besides?.answers ? { ...besides, answers: new StoredAnswers(besides.answers.values()) } : besides
}
