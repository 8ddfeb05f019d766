/** Keeps what a world holds at one time, to put it into a world again. It shares the records, which never change. */
import type { ExactValue } from '../json/exact-value.js'
import { restoreClock, snapshotWorld } from './snapshot-world.js'
import { StoredAnswers } from './stored-answers.js'
import type { Besides } from './stored-besides.js'
import type { StoredCollection } from './stored-collection.js'
import type { StoredRecord } from './stored-record.js'
import type { StoredWorld } from './stored-world.js'
import type { WorldState } from './world-state.js'

/** The differences of a world from its scenario, as its own records. */
export interface Capture {
  /** The same as plain data. The values are shared: do not change them. */
  state: WorldState
  collections: CapturedCollection[]
  besides: Besides | undefined
}

interface CapturedCollection {
  name: string
  server: string
  nextKey: number
  changed: [position: number, record: StoredRecord | undefined][]
  added: (StoredRecord | undefined)[]
}

export function captureWorld(world: StoredWorld): Capture {
  const collections = world.opened().flatMap(({ name, server, collection }): CapturedCollection[] => {
    const { changes, nextKey, context } = collection
    const isUnchanged = !changes && nextKey === context.base.highestKey + 1
    const { changed = [], added = [] } = changes ?? {}
    return isUnchanged ? [] : [{ name, server, nextKey, changed: [...changed], added: [...added] }]
  })
  return { state: snapshotWorld(world), collections, besides: copyBesides(world.besides) }
}

/** Puts a world of the same sandbox into what was captured. Nothing is checked: every record was in a world. */
export function restoreCapture(world: StoredWorld, { state, collections, besides }: Capture): void {
  const restored = collections.map(({ name, server, ...captured }) => {
    const collection = world.createCollection(name, server)
    fillCollection(collection, captured)
    return { name, server, collection }
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

function fillCollection(
  collection: StoredCollection,
  { nextKey, changed, added }: Omit<CapturedCollection, 'name' | 'server'>,
): void {
  const { length } = collection.context.base.records
  for (const [position, record] of changed) collection.put(position, record)
  for (const [index, record] of added.entries()) collection.put(length + index, record)
  collection.nextKey = nextKey
}

/** Answers are added to their map; files get another one with each change. */
function copyBesides(besides: Besides | undefined): Besides | undefined {
  return besides?.answers ? { ...besides, answers: new StoredAnswers(besides.answers.values()) } : besides
}
