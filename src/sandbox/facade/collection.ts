/** The public API of a collection. */
import type { CollectionModel } from '../../contract/contract.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import { copyValue } from '../../json/copy.js'
import { findNonJson } from '../../json/find-non-json.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { removedMark } from '../../json/path-property.js'
import { withinOf } from '../../state/identity.js'
import { makeKey, type StoredCollection } from '../../state/stored-collection.js'
import { type Key, passes, type StoredRecord, type Values } from '../../state/stored-record.js'
import type { EffectInput } from '../writes/effect-input.js'

/**
 * Reads and changes the records of a collection without a request. The object has no state of its own, so it stays
 * valid after `reset()`. Records are copies: to change one, call `replace`. Integers beyond ±(2^53−1) are bigints.
 *
 * @example
 * const books = sandbox.world().collection('books')
 * const { id } = await books.add({ title: 'Emma' })
 * await books.get(id) // { id: 21, title: 'Emma' }
 *
 * @typeParam Item the type of a record. @default an object with anything
 */
export interface Collection<Item = Values> {
  readonly name: string
  /** Resolves to the record, or to undefined if no record has the key. */
  get(key: Key): Promise<Item | undefined>
  /**
   * Resolves to the matching records, newest first.
   * @example await books.list({ filter: { language: 'en' }, limit: 10 })
   */
  list(options?: ListOptions<Item>): Promise<Item[]>
  /**
   * Adds a record, and makes a key if the values have none. Resolves to the record with its key.
   * @throws SandboxError `DUPLICATE_KEY` if the key is taken, `INVALID_RECORD` for values that are no JSON, and
   * a key that is no string or integer
   */
  add(values: Partial<Item>): Promise<Item>
  /** Replaces all values of a record except its key. Resolves to the record, or to undefined if the key is unknown. */
  replace(key: Key, values: Partial<Item>): Promise<Item | undefined>
  /** Removes a record and resolves to it, or to undefined if no record has the key. */
  remove(key: Key): Promise<Item | undefined>
  /** Resolves to the number of records. */
  size(): Promise<number>
  /** Removes all records. */
  clear(): Promise<void>
}

export interface ListOptions<Item = Values> {
  /**
   * Only records whose properties have these values. A list of values matches any of them, and a property that is an
   * array matches by any of its items.
   * @default {}
   */
  filter?: { readonly [Property in keyof Item]?: unknown }
  /** The maximum number of records, 0 or more. @default unlimited */
  limit?: number
}

/**
 * Runs a function on the stored collection: opens the world before, and commits changes after. `now` is the time of its
 * clock.
 */
export type UseCollection = <T>(work: (collection: StoredCollection, now: number) => T) => Promise<T>

export function createCollection(
  model: CollectionModel,
  use: UseCollection,
  openProgress: EffectInput['openProgress'],
): Collection {
  const atTime = (record: StoredRecord, now: number) => openProgress?.(model, now).read(record) ?? record
  return {
    name: model.name,
    get: (key) =>
      use((collection, now) => {
        const record = find(collection, key)
        return copy(existing(record && atTime(record, now)))
      }),
    list: (options = {}) =>
      use((collection, now) => {
        const { filter = {}, limit } = checkListOptions(options)
        const filters = Object.entries(filter).map(([each, value]) => ({ property: each, values: [value].flat() }))
        const isPassing = (record: StoredRecord) => filters.every((each) => passes(record, each))
        const going = () => collection.select([]).map((record) => atTime(record, now))
        const found = model.progress ? going().filter(isPassing).slice(0, limit) : collection.select(filters, limit)
        const records = found.filter(existing)
        return records.map(({ values }) => copyValue(values))
      }),
    add: (values) =>
      use((collection) => {
        checkValues(values)
        return copyValue(addRecord(collection, model, copyValue(values as Values)).values)
      }),
    replace: (key, values) =>
      use((collection) => {
        checkValues(values)
        return copy(collection.replace(key, copyValue(values), scopeOf(collection, key))?.values)
      }),
    remove: (key) => use((collection) => copy(collection.remove(key, scopeOf(collection, key))?.values)),
    size: () => use((collection) => collection.size),
    clear: () => use((collection) => collection.clear()),
  }
}

/** The record of a key. If several owners have a record with this key, the newest one. */
function find(collection: StoredCollection, key: Key): StoredRecord | undefined {
  const { key: property, scope } = collection.context
  if (!scope) return collection.get(key)
  const typed = collection.toKey(key)
  return typed === undefined ? undefined : collection.select([{ property, values: [typed] }], 1)[0]
}

function scopeOf(collection: StoredCollection, key: Key): unknown[] | undefined {
  const { scope } = collection.context
  return scope && withinOf(find(collection, key)?.values ?? {}, scope)
}

/** The values of a record that was not removed. */
function existing(record: StoredRecord | undefined): Values | undefined {
  return record?.values[removedMark] === true ? undefined : record?.values
}

function copy(values: Values | undefined): Values | undefined {
  return values && copyValue(values)
}

/** @throws SandboxError `INVALID_RECORD` */
function checkValues(values: unknown): void {
  const wrong = isObject(values) ? findNonJson(values) : 'no object'
  if (wrong === undefined) return
  throw new SandboxError('INVALID_RECORD', `Failed to store a record: its values must be a JSON object (got ${wrong})`)
}

/** @throws SandboxError `INVALID_OPTION` */
function checkListOptions(options: unknown): ListOptions {
  const {
    filter = {},
    limit = 0,
    ...others
  } = (options ?? { filter: null }) as { [name in keyof ListOptions]?: unknown }
  const isKnown = Object.keys(others).length === 0
  if (isKnown && typeof filter === 'object' && filter !== null && typeof limit === 'number' && limit >= 0)
    return options as ListOptions
  throw new SandboxError('INVALID_OPTION', 'list() takes { filter?: an object, limit?: a number of at least 0 }')
}

/**
 * @param values are kept: do not change them
 * @param check throws if the record, with its key, may not be added
 * @throws SandboxError `INVALID_RECORD` for a wrong key or owner, `DUPLICATE_KEY` for one that is taken
 */
export function addRecord(
  collection: StoredCollection,
  { name, key: property, keyKind }: CollectionModel,
  values: Values,
  check: (record: Values) => void = () => {},
): StoredRecord {
  const fail = (key: unknown, why: string) => {
    const message = `Failed to add a record with ${property} ${String(key)}: ${why}`
    return new SandboxError('INVALID_RECORD', message)
  }
  const given = ownValue(values, property)
  const key = given === undefined ? makeKey(collection, keyKind) : collection.toKey(given)
  if (key === undefined && given === undefined) throw fail(given, 'no integer below 2^53 is left; give one')
  if (key === undefined) throw fail(given, 'it must be a string or an integer')
  const { scope } = collection.context
  for (const { property: owner, isOpen } of scope ?? []) {
    const value = ownValue(values, owner)
    if (value === undefined && isOpen) continue
    if (value === undefined) throw fail(key, `${owner} is required, because its owner has that key`)
    if (!['string', 'number', 'bigint'].includes(typeof value))
      throw fail(key, `${owner} must be a string or an integer, as the key of its owner is`)
  }
  const record = { ...values, [property]: key }
  check(record)
  if (collection.get(key, scope && withinOf(values, scope))) {
    const message = `Failed to add a record to "${name}": a record with ${property} ${key} already exists`
    throw new SandboxError('DUPLICATE_KEY', `${message}. Use another ${property} or replace that one`)
  }
  return collection.add(record)
}
