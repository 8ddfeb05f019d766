/** The records of one collection in one world: a shared base, and the changes of the world. */
import type { CollectionModel } from '../contract/contract.js'
import { toTyped } from '../json/typed-value.js'
import { type Base, mergeDescending, OwnChanges } from './base-records.js'
import type { Change, NextKeyChange, RecordChange } from './change.js'
import type { Identity, Scope } from './identity.js'
import { type Filter, type Key, passes, StoredRecord, type Values } from './stored-record.js'

/** The part of a collection that all worlds share. */
export interface CollectionContext {
  name: string
  server: string
  base: Base
  /** Name of the key property. */
  key: string
  /** The properties that identify a record in addition to its key. Absent if the key is enough. */
  scope?: Scope | undefined
  /** Identifies records by key and scope. */
  identity?: Identity | undefined
  /** JSON types of keys, the preferred one first. */
  keyTypes: readonly string[]
  /** Returns a number that is unique for a state of a collection. */
  newStateId(): number
}

/**
 * Each record has a position: its position in the base, or the next one after all others. A changed record keeps its
 * position, and a removed one leaves it empty. Newest first means from the greatest position down.
 */
export class StoredCollection {
  declare readonly context: CollectionContext
  /** The changes of the world since it was committed. */
  readonly #log: Change[]
  /** The differences from the base. Absent until the first change: most collections are never changed. */
  changes: OwnChanges | undefined
  /** The `stateId`. Absent after a change, until it is read. */
  state: number | undefined
  /** The next integer key: the greatest key so far below 2^53, plus 1. */
  declare nextKey: number
  /** The number of records. */
  declare size: number

  constructor(context: CollectionContext, log: Change[]) {
    this.context = context
    this.#log = log
    this.state = context.base.stateId
    this.nextKey = context.base.highestKey + 1
    this.size = context.base.records.length
  }

  /** Collections with the same id have the same records, so that results computed from them can be reused. */
  get stateId(): number {
    this.state ??= this.context.newStateId()
    return this.state
  }

  /**
   * @param key in the key type of the collection, or a text or number that can be converted to it
   * @param within values of the properties of the scope, if the collection has one
   */
  get(key: Key, within?: readonly unknown[]): StoredRecord | undefined {
    return this.at(this.#positionOf(key, within) ?? -1)
  }

  /**
   * A value as a key of this collection: `'12'` is 12 if its keys are integers.
   * @returns undefined for a value that is neither a string nor an exact integer
   */
  toKey(value: unknown): Key | undefined {
    if (typeof value === 'boolean' || (typeof value === 'number' && !Number.isSafeInteger(value))) return undefined
    const typed = toTyped(value, this.context.keyTypes)
    if (typeof typed === 'string' || Number.isSafeInteger(typed)) return typed as Key
    if (typeof typed !== 'bigint') return undefined
    return Number.isSafeInteger(Number(typed)) ? Number(typed) : typed
  }

  /** Adds a record. Its key must be unused and have the form that `toKey` returns. */
  add(values: Values): StoredRecord {
    const record = new StoredRecord(values)
    const key = this.#keyOf(record)
    this.#write(this.#end, record)
    // A fraction cannot be incremented to the next key.
    if (typeof key === 'number' && key >= this.nextKey && Number.isSafeInteger(key)) this.nextKey = key + 1
    return record
  }

  /** Skips an integer key, for keys that are derived from it. */
  skipKey(): void {
    const { name: collection, server } = this.context
    this.#log.push({ kind: 'nextKey', collection, server, before: this.nextKey, after: ++this.nextKey })
  }

  /** Replaces the values of a record except its key and owners. @returns undefined if the record does not exist */
  replace(key: Key, values: Values, within?: readonly unknown[]): StoredRecord | undefined {
    const position = this.#positionOf(key, within) ?? -1
    const before = this.at(position)
    if (!before) return undefined
    const { key: name, identity } = this.context
    const kept = identity ? identity.keep(values, before.values) : values
    const record = new StoredRecord({ ...kept, [name]: this.#keyOf(before) })
    this.#write(position, record)
    return record
  }

  /** @returns the removed record, or undefined if it does not exist */
  remove(key: Key, within?: readonly unknown[]): StoredRecord | undefined {
    const position = this.#positionOf(key, within) ?? -1
    const record = this.at(position)
    if (record) this.#write(position, undefined)
    return record
  }

  /** Removes all records. */
  clear(): void {
    for (const position of [...this.#allPositions()]) if (this.at(position)) this.#write(position, undefined)
  }

  /** Returns at most `limit` records that pass every filter, newest first unless `isOldestFirst`. */
  select(
    filters: readonly Filter[],
    limit: number = Number.POSITIVE_INFINITY,
    isOldestFirst?: boolean,
  ): StoredRecord[] {
    const found: StoredRecord[] = []
    if (limit > 0) for (const [, record] of this.entries(filters, isOldestFirst)) if (found.push(record) >= limit) break
    return found
  }

  /** Counts the records that pass every filter. */
  count(filters: readonly Filter[]): number {
    return filters.length === 0 ? this.size : this.select(filters).length
  }

  /** The position of the next record. */
  get #end(): number {
    return this.context.base.records.length + (this.changes?.added.length ?? 0)
  }

  #keyOf(record: StoredRecord): Key {
    // Every record has a key: it was checked or made before.
    return record.values[this.context.key] as Key
  }

  #positionOf(key: Key, within: readonly unknown[] | undefined): number | undefined {
    const typed = this.toKey(key)
    if (typed === undefined) return undefined
    const { identity } = this.context
    return identity ? identity.find(typed, within, this) : this.find(typed)
  }

  /** The position of the record with an identity, even if it was removed. */
  find(identity: Key): number | undefined {
    return this.changes?.positionOf(identity) ?? this.context.base.positionOf(identity)
  }

  at(position: number): StoredRecord | undefined {
    return this.changes ? this.changes.at(position) : this.context.base.records[position]
  }

  /** Puts a record at a position, or empties the position, and logs the change. */
  #write(position: number, record: StoredRecord | undefined): void {
    const { name: collection, server } = this.context
    const before = this.put(position, record)?.values
    const { nextKey } = this
    this.#log.push({ kind: 'record', collection, server, position, before, after: record?.values, nextKey })
  }

  /** Undoes a change, which must be the last one. Not logged. */
  undo(change: RecordChange | NextKeyChange): void {
    if (change.kind === 'record') this.put(change.position, change.before && new StoredRecord(change.before))
    this.nextKey = change.kind === 'record' ? change.nextKey : change.before
  }

  /** Puts a record at a position, or empties the position. Not logged. @returns the previous record */
  put(position: number, record: StoredRecord | undefined): StoredRecord | undefined {
    const { base, key, identity } = this.context
    this.changes = this.changes?.copy?.() ?? this.changes ?? new OwnChanges(base, key, identity)
    const before = this.changes.put(position, record)
    this.size += (record ? 1 : 0) - (before ? 1 : 0)
    this.state = undefined
    return before
  }

  /**
   * Yields positions and their records, the greatest first unless `isAscending`. The first filter with a single value uses
   * an index; all are applied.
   */
  *entries(filters: readonly Filter[], isAscending?: boolean): Generator<[position: number, record: StoredRecord]> {
    const first = filters.find(({ values }) => values.length === 1)
    const found = first && this.positionsWith(first)
    for (const position of (isAscending && found ? [...found].reverse() : found) ?? this.#allPositions(isAscending)) {
      const record = this.at(position)
      if (record && filters.every((filter) => passes(record, filter))) yield [position, record]
    }
  }

  *#allPositions(isAscending = false): Generator<number> {
    const end = this.#end
    for (let count = 0; count < end; count++) yield isAscending ? count : end - 1 - count
  }

  /** Positions of the records that have the value of a filter, greatest first. */
  positionsWith({ property, values: [value] }: Filter): Iterable<number> {
    const own = this.changes?.indexOf(property).get(value) ?? []
    const base = this.context.base.positionsWith(property, value)
    return mergeDescending(own, base, (position) => this.changes?.changed.has(position) === true)
  }
}

/** The part of a collection that is needed to make keys. */
export type KeyedRecords = Pick<StoredCollection, 'nextKey' | 'get' | 'skipKey'>

/**
 * Makes a key for a new record: the highest integer so far plus 1, or a text with a counter.
 * @returns undefined if all integers below 2^53 are used up
 */
export function makeKey(collection: KeyedRecords, kind: CollectionModel['keyKind']): Key | undefined {
  if (kind === 'integer') return Number.isSafeInteger(collection.nextKey) ? collection.nextKey : undefined
  while (collection.get(toKey(collection.nextKey, kind))) collection.skipKey()
  const key = toKey(collection.nextKey, kind)
  collection.skipKey()
  return key
}

/** Converts a number to a key: the number itself, or a text that contains it. */
export function toKey(number: number, kind: CollectionModel['keyKind']): Key {
  if (kind === 'integer') return number
  return kind === 'uuid' ? toUuid(number) : String(number)
}

/** A number in the form of a UUID, version 4 (RFC 9562). */
function toUuid(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
}
