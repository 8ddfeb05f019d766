/** Captures the content of a world, to restore it later. Shares the records, which never change. */

import { OwnChanges } from '../base-records.js'
import type { RunningClock } from '../clock.js'
import { type Extras, StoredAnswers } from '../stored-answers.js'
import type { StoredCollection } from '../stored-collection.js'
import type { StoredWorld } from '../stored-world.js'
import { createCollection, openedCollections, replaceAll } from '../world-content.js'
import { isChanged, restoreClock } from './snapshot-world.js'

/** The differences of a world from its scenario, with its own record objects. */
export interface Capture {
  clock: Pick<RunningClock, 'offset' | 'frozenAt'>
  collections: CapturedCollection[]
  extras: Extras | undefined
}

export interface CapturedCollection {
  name: string
  server: string
  nextKey: number
  size: number
  /** Shared: the collection copies them before its next change. */
  changes: OwnChanges | undefined
}

export function captureWorld(world: StoredWorld): Capture {
  const collections = openedCollections(world).flatMap(({ name, server, collection }): CapturedCollection[] => {
    const { nextKey, size } = collection
    const changes = shareChanges(collection)
    const isUnchanged = !changes && !isChanged(collection)
    return isUnchanged ? [] : [{ name, server, nextKey, size, changes }]
  })
  const { offset, frozenAt } = world.clock
  return { clock: { offset, frozenAt }, collections, extras: copyExtras(world.extras) }
}

/** Restores a capture in a world of the same sandbox. Checks nothing: every record was already in a world. */
export function restoreCapture(world: StoredWorld, { clock, collections, extras }: Capture): void {
  const restored = collections.map((captured) => {
    return { name: captured.name, server: captured.server, collection: fillCollection(world, captured) }
  })
  restoreClock(world.clock, clock.offset, clock.frozenAt)
  replaceAll(world, restored, copyExtras(extras))
}

/** Whether two values are equal, with the same properties. Allocates nothing, because there may be many records. */
export function isCopy(value: unknown, original: unknown): boolean {
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

type Members = Record<string, unknown>

export function fillCollection(
  world: StoredWorld,
  { name, server, nextKey, size, changes }: CapturedCollection,
): StoredCollection {
  const collection = createCollection(world, name, server)
  collection.nextKey = nextKey
  // Writing a record again gives the collection a new state id.
  collection.put(0, collection.at(0))
  collection.changes = changes
  collection.size = size
  return collection
}

/** The current changes of a collection. The collection copies them before its next change. */
export function shareChanges({ changes, context }: StoredCollection): OwnChanges | undefined {
  const { base, key, identity } = context
  if (changes) changes.copy = () => copyChanges(changes, new OwnChanges(base, key, identity))
  return changes
}

/** Copies whole tables, because writing hundreds of thousands of records one by one takes seconds. */
function copyChanges({ changed, added, positions }: OwnChanges, copy: OwnChanges): OwnChanges {
  for (const [position, record] of changed) copy.changed.set(position, record)
  for (const record of added) copy.added.push(record)
  for (const [own, position] of positions) copy.positions.set(own, position)
  return copy
}

/** Copies answers, which change in place. Files get a new map with each change. */
function copyExtras(extras: Extras | undefined): Extras | undefined {
  return extras?.answers ? { ...extras, answers: new StoredAnswers(extras.answers.values()) } : extras
}
