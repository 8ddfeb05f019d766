/** The records of one collection as one world sees them: a shared base, and the world's own changes on top. */
import type { Base } from './base.js'
import { addToIndex, type Index, insertPosition, removeFromIndex, removePosition } from './positions.js'
import { type Key, StoredRecord, type Values } from './stored-record.js'

/** Only records whose property has one of these values, or an array that holds one. */
export interface Filter {
  property: string
  values: readonly unknown[]
}

/** How many different answers are kept until the next change. */
const maxAnswers = 256
/** A longer answer is not kept: many of them would fill the memory. */
const maxAnswerLength = 64 * 1024

/**
 * Each record has a position: that of the base, or one after all before it. A changed record keeps its position, a
 * removed one leaves it empty. Newest first is from the greatest position down.
 */
export class Collection {
  readonly #base: Base
  readonly #key: string
  /** Own records by position: added ones, and base records as they are now. */
  readonly #own = new Map<number, StoredRecord>()
  /** Positions of the base that count no more: changed or removed. */
  readonly #hidden = new Set<number>()
  readonly #positions = new Map<Key, number>()
  readonly #indexes = new Map<string, Index>()
  #ownPositions: number[] = []
  #next: number
  #nextKey: number
  #answers: Map<string, string> | undefined

  constructor(base: Base, key: string) {
    this.#base = base
    this.#key = key
    this.#next = base.records.length
    this.#nextKey = base.highestKey + 1
  }

  /** How many records there are. */
  get size(): number {
    return this.#base.records.length - this.#hidden.size + this.#own.size
  }

  get(key: Key): StoredRecord | undefined {
    const position = this.#positionOf(key)
    return position === undefined ? undefined : this.#at(position)
  }

  /** The number that the next integer key will be: one more than the greatest ever below 2^53. */
  get nextKey(): number {
    return this.#nextKey
  }

  /** Takes the next number whose key was never there, for keys that are text. */
  takeNumber(toKey: (number: number) => Key): number {
    while (this.get(toKey(this.#nextKey))) this.#nextKey++
    return this.#nextKey++
  }

  /** Adds a record. Its key must be free. */
  add(values: Values): StoredRecord {
    const record = new StoredRecord(values)
    const key = values[this.#key] as Key
    const position = this.#next++
    this.#put(position, key, record)
    if (typeof key === 'number' && key >= this.#nextKey) this.#nextKey = key + 1
    return record
  }

  /** Puts other values in the place of a record. @returns nothing where there is no such record */
  replace(key: Key, values: Values): StoredRecord | undefined {
    const position = this.#positionOf(key)
    if (position === undefined) return undefined
    this.#take(position)
    const record = new StoredRecord(values)
    this.#put(position, key, record)
    return record
  }

  /** @returns the record that was there */
  remove(key: Key): StoredRecord | undefined {
    const position = this.#positionOf(key)
    if (position === undefined) return undefined
    const record = this.#at(position)
    this.#take(position)
    this.#positions.delete(key)
    this.#answers = undefined
    return record
  }

  /** The newest first, at most `limit`, that pass every filter. */
  select(filters: readonly Filter[], limit: number = Number.POSITIVE_INFINITY): StoredRecord[] {
    const found: StoredRecord[] = []
    if (limit <= 0) return found
    for (const record of this.#newestFirst(filters)) {
      if (found.push(record) >= limit) break
    }
    return found
  }

  /** How many records pass every filter. */
  count(filters: readonly Filter[]): number {
    return filters.length === 0 ? this.size : this.select(filters).length
  }

  /**
   * An answer that depends on nothing but these records, kept until they change.
   * Worlds that have changed nothing share what they keep.
   */
  answer(id: string, make: () => string): string {
    const isPristine = this.#own.size === 0 && this.#hidden.size === 0
    if (!isPristine) this.#answers ??= new Map()
    const answers = isPristine ? this.#base.answers : (this.#answers ?? this.#base.answers)
    const known = answers.get(id)
    if (known !== undefined) return known
    const made = make()
    if (made.length > maxAnswerLength) return made
    if (answers.size >= maxAnswers) answers.clear()
    answers.set(id, made)
    return made
  }

  #positionOf(key: Key): number | undefined {
    const own = this.#positions.get(key)
    if (own !== undefined) return own
    const position = this.#base.positionOf(key)
    return position === undefined || this.#hidden.has(position) ? undefined : position
  }

  #at(position: number): StoredRecord | undefined {
    return this.#own.get(position) ?? this.#base.records[position]
  }

  #put(position: number, key: Key, record: StoredRecord): void {
    this.#own.set(position, record)
    this.#positions.set(key, position)
    insertPosition(this.#ownPositions, position)
    for (const [property, index] of this.#indexes) addToIndex(index, record.values[property], position)
    this.#answers = undefined
  }

  /** Takes a record out of its position, so that another can be put there. */
  #take(position: number): void {
    const own = this.#own.get(position)
    if (position < this.#base.records.length) this.#hidden.add(position)
    if (!own) return
    this.#own.delete(position)
    removePosition(this.#ownPositions, position)
    for (const [property, index] of this.#indexes) removeFromIndex(index, own.values[property], position)
  }

  /** Goes down own and base positions at once. One filter by a single value is looked up, the others are tried. */
  *#newestFirst(filters: readonly Filter[]): Generator<StoredRecord> {
    const { records } = this.#base
    const first = filters.find(({ values }) => values.length === 1)
    const others = filters.filter((filter) => filter !== first)
    const own = first ? (this.#indexOf(first.property).get(first.values[0]) ?? []) : this.#ownPositions
    const base = first ? this.#base.positionsWith(first.property, first.values[0]) : undefined
    let ownLeft = own.length
    let baseLeft = base ? base.length : records.length
    while (ownLeft > 0 || baseLeft > 0) {
      const ownPosition = own[ownLeft - 1] ?? -1
      const basePosition = baseLeft === 0 ? -1 : base ? (base[baseLeft - 1] ?? -1) : baseLeft - 1
      const isOwn = ownPosition > basePosition
      if (isOwn) ownLeft--
      else baseLeft--
      const record = isOwn
        ? this.#own.get(ownPosition)
        : this.#hidden.has(basePosition)
          ? undefined
          : records[basePosition]
      if (record && others.every((filter) => passes(record, filter))) yield record
    }
  }

  #indexOf(property: string): Index {
    const known = this.#indexes.get(property)
    if (known) return known
    const index: Index = new Map()
    for (const position of this.#ownPositions) addToIndex(index, this.#own.get(position)?.values[property], position)
    this.#indexes.set(property, index)
    return index
  }
}

function passes(record: StoredRecord, { property, values }: Filter): boolean {
  const value = record.values[property]
  return Array.isArray(value) ? value.some((item) => values.includes(item)) : values.includes(value)
}
