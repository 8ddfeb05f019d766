/** The effects on one record: create, read, replace, update, remove. */
import type { CollectionModel, CreateEffect, Fill, KeyedEffect, RequestContract } from '../contract/contract.js'
import { shorten } from '../contract/violations.js'
import { writeByShape } from '../json/write-by-shape.js'
import type { Collection } from '../state/collection.js'
import { toKey } from '../state/keys.js'
import type { Key, StoredRecord, Values } from '../state/stored-record.js'
import type { Answer, Applied } from './applied.js'
import { isRefusal, type Refusal } from './refusal.js'

export function create({ contract, effect, world, server, request }: Applied<CreateEffect>): Answer | Refusal {
  const collection = world.collection(effect.collection, server)
  const model = modelOf(contract, effect.collection)
  const given = (request.body.value ?? {}) as Values
  const sent = given[model.key] as Key | undefined
  if (sent !== undefined && collection.get(sent))
    return { reason: 'conflict', message: `There is a record with ${model.key} ${shorten(String(sent))} already` }
  const key = sent ?? nextKey(collection, model)
  if (typeof key === 'object') return key
  const values = { ...fill(effect.fills, world.clock.now()), ...given, [model.key]: key }
  collection.add(values)
  // The text of a record is kept from the first time on that somebody reads it.
  return answer(effect, () => writeByShape(values, contract.shapes, effect.shape))
}

export function read(applied: Applied<KeyedEffect>): Answer | Refusal {
  const found = find(applied)
  return isRefusal(found) ? found : show(applied, found.record)
}

/** What the service itself writes stays; everything else is as the body has it. */
export function replace(applied: Applied<KeyedEffect>): Answer | Refusal {
  const { effect, world, request } = applied
  return change(applied, ({ values }) => ({
    ...fill(effect.fills, world.clock.now()),
    ...kept(values, effect.fills),
    ...(request.body.value as Values),
  }))
}

/** JSON Merge Patch (RFC 7396): null removes a property, an object is merged, everything else is put in its place. */
export function update(applied: Applied<KeyedEffect>): Answer | Refusal {
  const { effect, world, request } = applied
  const again = effect.fills.filter((each) => each.again)
  return change(applied, ({ values }) => ({
    ...(mergePatch(values, request.body.value ?? {}) as Values),
    ...fill(again, world.clock.now()),
  }))
}

export function remove(applied: Applied<KeyedEffect>): Answer | Refusal {
  const found = find(applied)
  if (isRefusal(found)) return found
  found.collection.remove(found.key)
  return show(applied, found.record)
}

function change(applied: Applied<KeyedEffect>, make: (record: StoredRecord) => Values): Answer | Refusal {
  const { contract, effect } = applied
  const found = find(applied)
  if (isRefusal(found)) return found
  const { collection, key, record } = found
  const changed = collection.replace(key, { ...make(record), [modelOf(contract, effect.collection).key]: key })
  return show(applied, changed ?? record)
}

interface Found {
  collection: Collection
  key: Key
  record: StoredRecord
}

function find({ contract, effect, world, server, request }: Applied<KeyedEffect>): Found | Refusal {
  const collection = world.collection(effect.collection, server)
  const key = request.path[effect.parameter] as Key
  const record = collection.get(key)
  if (record) return { collection, key, record }
  const { key: property, name } = modelOf(contract, effect.collection)
  return {
    reason: 'not_found',
    message: `There is no record with ${property} ${shorten(String(key))} in ${name}`,
  }
}

function show({ contract, effect }: Applied<KeyedEffect>, record: StoredRecord): Answer {
  return answer(effect, () => record.text(contract.shapes, effect.shape))
}

function answer({ status, mediaType }: CreateEffect | KeyedEffect, write: () => string): Answer {
  return mediaType === undefined ? { status } : { status, mediaType, body: write() }
}

/** An effect is compiled for a collection that there is. */
function modelOf({ collections }: RequestContract, name: string): CollectionModel {
  return collections.find((collection) => collection.name === name) as CollectionModel
}

/** One more than the highest integer ever; for text, one that counts up. */
function nextKey(collection: Collection, { keyKind, key }: CollectionModel): Key | Refusal {
  if (keyKind !== 'integer') {
    const toText = (number: number) => toKey(number, keyKind)
    return toText(collection.takeNumber(toText))
  }
  const number = collection.nextKey
  if (Number.isSafeInteger(number)) return number
  return { reason: 'unavailable', message: `No ${key} is left: the highest below 2^53 is taken` }
}

function fill(fills: readonly Fill[], now: number): Values {
  const values: Record<string, unknown> = {}
  for (const { property, with: kind, value } of fills) {
    if (kind === 'now') values[property] = new Date(now).toISOString()
    else if (kind === 'constant') values[property] = value
  }
  return values
}

/** The properties that only the service writes, as they are. */
function kept(values: Values, fills: readonly Fill[]): Values {
  const names = fills.filter((each) => each.owned && !each.again).map(({ property }) => property)
  return Object.fromEntries(names.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]))
}

function mergePatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const isObject = typeof target === 'object' && target !== null && !Array.isArray(target)
  const merged = new Map<string, unknown>(isObject ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  return Object.fromEntries(merged)
}
