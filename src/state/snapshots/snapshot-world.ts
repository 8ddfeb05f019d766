/** Returns the state of a world as plain data, and restores it. */
import { isWritable } from '../../contract/parse-time.js'
import { decodeBytes, encodeBytes } from '../../json/base64.js'
import { ownValue } from '../../json/own-value.js'
import type { FilePart } from '../../media/fields.js'
import type { RunningClock } from '../clock.js'
import { withinOf } from '../identity.js'
import { type Extras, StoredAnswers } from '../stored-answers.js'
import type { StoredCollection } from '../stored-collection.js'
import { type Key, StoredRecord, type Values } from '../stored-record.js'
import type { StoredWorld } from '../stored-world.js'
import { createCollection, openedCollections, replaceAll } from '../world-content.js'
import { type CollectionState, type FileState, invalidState, type WorldState } from './world-state.js'

type Differences = Omit<CollectionState, 'name' | 'server'>

/** Returns all differences from the scenario. The values are shared: do not change them. */
export function snapshotWorld(world: StoredWorld): WorldState {
  const collections = openedCollections(world).flatMap(({ name, server, collection }) => {
    const differences = snapshotCollection(collection)
    return differences ? [{ name, server, ...differences }] : []
  })
  const { offset: clockOffset, frozenAt } = world.clock
  return {
    clockOffset,
    ...(frozenAt !== undefined && { frozenAt }),
    collections,
    ...snapshotExtras(world.extras),
  }
}

export function snapshotExtras(extras: Extras | undefined): Pick<WorldState, 'files' | 'answers' | 'own'> {
  const files = [...(extras?.files ?? [])].map(toFileState)
  const answers = [...(extras?.answers?.values() ?? [])]
  const { own } = extras ?? {}
  return { ...(files.length > 0 && { files }), ...(answers.length > 0 && { answers }), ...(own && { own }) }
}

/**
 * Puts a world into a state that `snapshotWorld` returned.
 * @throws SandboxError `INVALID_OPTION` for any other state; the world stays as it is
 */
export function restoreWorld(world: StoredWorld, state: WorldState): void {
  const { clockOffset, frozenAt, collections, files, answers, own } = state
  const restored = collections.map(({ name, server, ...differences }) => {
    const collection = createCollection(world, name, server)
    restoreCollection(collection, differences)
    return { name, server: collection.context.server, collection }
  })
  const twice = restored.find(({ name, server }, index) =>
    restored.some((other, place) => place < index && other.name === name && other.server === server),
  )
  if (twice) throw invalidState(`it has the collection "${twice.name}" of "${twice.server}" twice`)
  restoreClock(world.clock, clockOffset, frozenAt)
  const extras = {
    ...(files && { files: new Map(files.map((file) => [file.path, toFilePart(file)])) }),
    ...(answers && { answers: new StoredAnswers(answers) }),
    ...(own && { own }),
  }
  replaceAll(world, restored, files || answers || own ? extras : undefined)
}

function toFileState([path, file]: [string, FilePart | null]): FileState {
  if (!file) return { path, base64: null }
  const { bytes, type, name } = file
  return { path, base64: encodeBytes(bytes), type, ...(name !== undefined && { name }) }
}

function toFilePart({ path, base64, type = 'application/octet-stream', name }: FileState): FilePart | null {
  const bytes = base64 === null ? null : decodeBytes(base64)
  if (bytes === undefined) throw invalidState(`the file ${path} is not Base64`)
  return bytes && { bytes, type, ...(name !== undefined && { name }) }
}

/** @throws SandboxError `INVALID_OPTION` beyond the years 0000 to 9999 */
export function restoreClock(clock: RunningClock, offset: number, frozenAt: number | undefined): void {
  if (!isWritable(clock.source() + offset) || !isWritable(frozenAt ?? 0))
    throw invalidState('A clock must stay in the years 0000 to 9999')
  clock.setOffset(offset, frozenAt)
}

/** Whether anything differs from the base. */
export function isChanged({ context, changes, nextKey }: StoredCollection): boolean {
  const { changed, added } = changes ?? { changed: new Map(), added: [] }
  return changed.size > 0 || added.length > 0 || nextKey !== context.base.highestKey + 1
}

/** Returns the differences from the base, or undefined without any. The values are shared: do not change them. */
export function snapshotCollection(collection: StoredCollection): Differences | undefined {
  if (!isChanged(collection)) return undefined
  const { changes, nextKey } = collection
  const { changed = new Map<number, undefined>(), added = [] } = changes ?? {}
  const toValues = (record: StoredRecord | undefined) => record?.values ?? null
  return {
    nextKey,
    changed: [...changed].map(([position, record]) => [position, toValues(record)]),
    added: added.map(toValues),
  }
}

/** Applies differences from the base to a new collection. @throws SandboxError `INVALID_OPTION` */
export function restoreCollection(collection: StoredCollection, { nextKey, changed, added }: Differences): void {
  const { records, highestKey } = collection.context.base
  const seen = new Set<number>()
  for (const [position, values] of changed) {
    const base = records[position]
    if (!base) throw invalidState(`its scenario has no record number ${position}`)
    if (seen.has(position)) throw invalidState(`record number ${position} of its scenario is changed twice`)
    seen.add(position)
    const key = ownValue(base.values, collection.context.key)
    if (values && checkKey(collection, values) !== key) {
      throw invalidState(`record number ${position} has another ${collection.context.key} than in its scenario`)
    }
    collection.put(position, toRecord(values))
  }
  for (const [index, values] of added.entries()) {
    const key = values && checkKey(collection, values)
    const { scope } = collection.context
    if (values && collection.get(key as Key, scope && withinOf(values, scope)))
      throw invalidState(`two records have the ${collection.context.key} ${key}`)
    collection.put(records.length + index, toRecord(values))
  }
  // 2^53 comes back from JSON as a bigint.
  const next = Number(nextKey)
  const isTaken =
    next <= highestKey || added.some((values) => values && isFrom(next, ownValue(values, collection.context.key)))
  if (isTaken) throw invalidState(`its nextKey ${next} does not follow all keys`)
  collection.nextKey = next
}

function isFrom(next: number, key: unknown): boolean {
  return typeof key === 'number' && key >= next
}

function toRecord(values: Values | null): StoredRecord | undefined {
  return values === null ? undefined : new StoredRecord(values)
}

/** The key of a record, in the form that look-ups use. @throws SandboxError `INVALID_OPTION` */
function checkKey(collection: StoredCollection, values: Values): string | number | bigint {
  const key = ownValue(values, collection.context.key)
  const typed = collection.toKey(key)
  if (typed === undefined || typed !== key) throw invalidState(`a record has no valid ${collection.context.key}`)
  return typed
}
