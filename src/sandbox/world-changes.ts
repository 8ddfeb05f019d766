/** What differs between two states of a world. The time of a comparison depends on the changes, not on the records. */
import type { CollectionModel, RequestContract } from '../contract/contract.js'
import { unknownName } from '../contract/sandbox-error.js'
import { reachedMark } from '../json/path-property.js'
import { isSameJson } from '../json/same-json.js'
import { createPause } from '../json/steps.js'
import { withinOf } from '../state/identity.js'
import {
  type Capture,
  type CapturedCollection,
  fillCollection,
  shareChanges,
} from '../state/snapshots/capture-world.js'
import { restoreCollection } from '../state/snapshots/snapshot-world.js'
import type { CollectionState } from '../state/snapshots/world-state.js'
import type { StoredCollection } from '../state/stored-collection.js'
import type { Values } from '../state/stored-record.js'
import type { StoredWorld } from '../state/stored-world.js'
import { createCollection, openedCollections } from '../state/world-content.js'
import { atTime } from './writes/progress.js'
import { isRemoved } from './writes/sampled-record.js'

/** A record that was added, changed or removed. */
export interface WorldChange {
  kind: 'added' | 'changed' | 'removed'
  /** Its name. */
  collection: string
  /** The server whose records they are. */
  environment: string
  before?: Values
  after?: Values
}

/** A collection of one server. */
export interface Place {
  name: string
  server: string
}

export function isSamePlace(one: Place, other: Place): boolean {
  return one.name === other.name && one.server === other.server
}

/** @param environment @default the first one that has each collection */
export function placesOf({ collections, servers: all }: RequestContract, environment: string | undefined): Place[] {
  const names = all.map(({ name }) => name)
  if (environment !== undefined && !names.includes(environment)) throw unknownName('environment', environment, names)
  return collections.flatMap(({ name, servers }) => {
    if (environment !== undefined && !servers.includes(environment)) return []
    return [{ name, server: environment ?? servers[0] ?? '' }]
  })
}

/** A state to compare with: what a capture has, at a time in milliseconds since 1970. */
export type PastState = { at: number } & Pick<Capture, 'collections'>

/** A collection at a time in milliseconds since 1970. */
interface Moment {
  collection: StoredCollection
  now: number
}

/** A collection before and after. */
export interface ComparedCollection {
  place: Place
  before: Moment
  after: Moment
}

/**
 * The collections of a world that may differ from those that it is compared with. They do not change during the comparison.
 * @param places @default all that were used
 * @param base @default the starting data
 */
export function pairCollections(world: StoredWorld, places?: readonly Place[], base?: PastState): ComparedCollection[] {
  const now = world.clock.now()
  const captured = base?.collections ?? []
  // A collection that was never opened has no changes.
  const touched = [...openedCollections(world), ...captured].map(({ name, server }) => ({ name, server }))
  const isFirst = (place: Place, index: number) => touched.findIndex((each) => isSamePlace(each, place)) === index
  const compared = places?.filter((place) => touched.some((each) => isSamePlace(each, place)))
  return (compared ?? touched.filter(isFirst)).map((place) => {
    const known = captured.find((each) => isSamePlace(each, place))
    const before = known ? fillCollection(world, known) : createCollection(world, place.name, place.server)
    const collection = world.collection(place.name, place.server)
    const { nextKey, size } = collection
    const after = fillCollection(world, { ...place, nextKey, size, changes: shareChanges(collection) })
    return { place, before: { collection: before, now: base?.at ?? now }, after: { collection: after, now } }
  })
}

/** A collection of a snapshot, to compare with. @throws SandboxError `INVALID_OPTION` */
export function toCaptured(world: StoredWorld, { name, server, ...differences }: CollectionState): CapturedCollection {
  const collection = createCollection(world, name, server)
  restoreCollection(collection, differences)
  const { nextKey, size, changes, context } = collection
  return { name, server: context.server, nextKey, size, changes }
}

/** All differences, in the order of the collections of the contract. */
export async function compareAll(
  { collections }: RequestContract,
  pairs: readonly ComparedCollection[],
): Promise<WorldChange[]> {
  const found: WorldChange[] = []
  for (const model of collections)
    for (const pair of pairs) if (pair.place.name === model.name) found.push(...(await compareCollection(model, pair)))
  return found
}

/** Both sides have the same base and do not change during the comparison. */
export async function compareCollection(
  model: CollectionModel,
  { place, before, after }: ComparedCollection,
  pause: () => Promise<void> | undefined = createPause(),
): Promise<WorldChange[]> {
  const own = { collection: place.name, environment: place.server }
  const positions = new Set<number>()
  for (const { changes, context } of [before.collection, after.collection]) {
    for (const position of changes?.changed.keys() ?? []) positions.add(position)
    for (const index of changes?.added.keys() ?? []) positions.add(context.base.records.length + index)
    await pause()
  }
  const { key, scope = [] } = after.collection.context
  /** The values as a request would show them. */
  const valuesAt = ({ collection, now }: Moment, position: number): Values | undefined => {
    const record = collection.at(position)
    if (!record || isRemoved(record)) return undefined
    if (!model.progress) return record.values
    const { [reachedMark]: _, ...values } = atTime(model, record, now).values
    return values
  }
  const identify = (values: Values) =>
    scope.length === 0 ? String(values[key]) : JSON.stringify([values[key], withinOf(values, scope)].map(String))
  // A record that was removed and added again counts as the same one, and two worlds add different ones in one position.
  const isSame = (one: Values | undefined, other: Values) =>
    one !== undefined && (one === other || identify(one) === identify(other))
  const old = new Map<string, Values>()
  for (const position of positions) {
    const one = valuesAt(before, position)
    const other = valuesAt(after, position)
    if (one && !(other && isSame(one, other))) old.set(identify(one), one)
    await pause()
  }
  const found: WorldChange[] = []
  for (const position of positions) {
    await pause()
    const one = valuesAt(before, position)
    const other = valuesAt(after, position)
    if (!other) continue
    const isInPlace = isSame(one, other)
    const known = isInPlace ? one : old.get(identify(other))
    if (!known) found.push({ kind: 'added', ...own, after: other })
    else if (!isSameJson(known, other)) found.push({ kind: 'changed', ...own, before: known, after: other })
    if (!isInPlace) old.delete(identify(other))
  }
  return [...found, ...[...old.values()].map((values): WorldChange => ({ kind: 'removed', ...own, before: values }))]
}
