/** The records of one collection as one world sees them: a shared base, and the world's own changes on top. */
import { getOrInsert } from '../contract/get-or-insert.js'
import type { Base, KeptAnswer } from './base.js'
import { addToIndex, type Index, removeFromIndex } from './positions.js'
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

/** What one world has made other than the base. */
interface Changes {
  /** Records at positions of the base that are others now, or none. */
  changed: Map<number, StoredRecord | undefined>
  /** Records at the positions after the base. */
  added: (StoredRecord | undefined)[]
  /** Positions of added records. */
  positions: Map<Key, number>
  /** Positions of changed and added records by value. */
  indexes: Map<string, Index>
}

/**
 * Each record has a position: that of the base, or one after all before it. A changed record keeps its position, a
 * removed one leaves it empty. Newest first is from the greatest position down.
 */
export class Collection {
  readonly #base: Base
  readonly #key: string
  /** None for one that nobody has changed, of which there may be many. */
  #changes: Changes | undefined
  #answers: Map<string, KeptAnswer>
  /** The number that the next integer key will be: one more than the greatest ever below 2^53. */
  nextKey: number
  /** How many records there are. */
  size: number

  constructor(base: Base, key: string) {
    this.#base = base
    this.#key = key
    this.nextKey = base.highestKey + 1
    this.size = base.records.length
    this.#answers = base.answers
  }

  get(key: Key): StoredRecord | undefined {
    return this.#at(this.#positionOf(key) ?? -1)
  }

  /** Takes the next number whose key was never there, for keys that are text. */
  takeNumber(toKey: (number: number) => Key): number {
    while (this.get(toKey(this.nextKey))) this.nextKey++
    return this.nextKey++
  }

  /** Adds a record. Its key must be free. */
  add(values: Values): StoredRecord {
    const record = new StoredRecord(values)
    const key = values[this.#key] as Key
    const position = this.#end
    this.#own().positions.set(key, position)
    this.#put(position, record)
    if (typeof key === 'number' && key >= this.nextKey) this.nextKey = key + 1
    return record
  }

  /** Puts other values in the place of a record. @returns nothing where there is no such record */
  replace(key: Key, values: Values): StoredRecord | undefined {
    const position = this.get(key) && this.#positionOf(key)
    if (position === undefined) return undefined
    const record = new StoredRecord(values)
    this.#put(position, record)
    return record
  }

  /** @returns the record that was there */
  remove(key: Key): StoredRecord | undefined {
    const record = this.get(key)
    if (record) {
      this.#put(this.#positionOf(key) as number, undefined)
      const { added, positions } = this.#own()
      positions.delete(key)
      // What is empty at the end need not be passed by each list.
      while (added.length > 0 && !added.at(-1)) added.pop()
    }
    return record
  }

  /** The newest first, at most `limit`, that pass every filter. */
  select(filters: readonly Filter[], limit: number = Number.POSITIVE_INFINITY): StoredRecord[] {
    const found: StoredRecord[] = []
    if (limit > 0) for (const record of this.#newestFirst(filters)) if (found.push(record) >= limit) break
    return found
  }

  /** How many records pass every filter. */
  count(filters: readonly Filter[]): number {
    return filters.length === 0 ? this.size : this.select(filters).length
  }

  /**
   * An answer that depends on nothing but its id and these records, kept until they change.
   * Worlds that have changed nothing share what they keep.
   */
  answer(id: string, make: () => string): KeptAnswer {
    const known = this.#answers.get(id)
    if (known) return known
    const text = make()
    const made = { text, bytes: new TextEncoder().encode(text) }
    return id.length + text.length > maxAnswerLength ? made : getOrInsert(this.#answers, id, () => made, maxAnswers)
  }

  /** The position that comes next. */
  get #end(): number {
    return this.#base.records.length + (this.#changes?.added.length ?? 0)
  }

  #own(): Changes {
    this.#changes ??= { changed: new Map(), added: [], positions: new Map(), indexes: new Map() }
    return this.#changes
  }

  #positionOf(key: Key): number | undefined {
    return this.#changes?.positions.get(key) ?? this.#base.positionOf(key)
  }

  #at(position: number): StoredRecord | undefined {
    const { records } = this.#base
    const { changed, added } = this.#changes ?? {}
    if (position >= records.length) return added?.[position - records.length]
    return changed?.has(position) ? changed.get(position) : records[position]
  }

  #put(position: number, record: StoredRecord | undefined): void {
    const before = this.#at(position)
    const ofBase = this.#base.records[position]
    const { changed, added, indexes } = this.#own()
    for (const [property, index] of indexes) {
      if (before && before !== ofBase) removeFromIndex(index, before.values[property], position)
      if (record) addToIndex(index, record.values[property], position)
    }
    if (ofBase) changed.set(position, record)
    else added[position - this.#base.records.length] = record
    this.size += (record ? 1 : 0) - (before ? 1 : 0)
    if (this.#answers === this.#base.answers || this.#answers.size > 0) this.#answers = new Map()
  }

  /** Goes down the positions. One filter by a single value is looked up; all are tried. */
  *#newestFirst(filters: readonly Filter[]): Generator<StoredRecord> {
    const first = filters.find(({ values }) => values.length === 1)
    for (const position of first ? this.#positionsWith(first) : this.#allPositions()) {
      const record = this.#at(position)
      if (record && filters.every((filter) => passes(record, filter))) yield record
    }
  }

  *#allPositions(): Generator<number> {
    for (let left = this.#end; left > 0; ) yield --left
  }

  /** Of records that have a value, greatest first: both lists ascend, and are gone through from their ends. */
  *#positionsWith({ property, values: [value] }: Filter): Generator<number> {
    const own = this.#indexOf(property).get(value) ?? []
    const base = this.#base.positionsWith(property, value)
    let ownLeft = own.length
    let baseLeft = base.length
    while (ownLeft + baseLeft > 0) {
      const ownPosition = own[ownLeft - 1] ?? -1
      const basePosition = base[baseLeft - 1] ?? -1
      if (ownPosition > basePosition) {
        ownLeft--
        yield ownPosition
      } else {
        baseLeft--
        if (!this.#changes?.changed.has(basePosition)) yield basePosition
      }
    }
  }

  #indexOf(property: string): Index {
    const { changed, added, indexes } = this.#own()
    return getOrInsert(indexes, property, () => {
      const index: Index = new Map()
      for (const [position, record] of changed) if (record) addToIndex(index, record.values[property], position)
      for (const [place, record] of added.entries()) {
        if (record) addToIndex(index, record.values[property], this.#base.records.length + place)
      }
      return index
    })
  }
}

function passes(record: StoredRecord, { property, values }: Filter): boolean {
  const value = record.values[property]
  return Array.isArray(value) ? value.some((item) => values.includes(item)) : values.includes(value)
}
