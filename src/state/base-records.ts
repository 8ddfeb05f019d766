/** The base of every world: the records of a scenario, shared and never changed; and what one world changes of them. */
import { getOrInsert, ownValue } from '../json/own-value.js'
import type { Identity } from './identity.js'
import { type Key, StoredRecord, type Values } from './stored-record.js'

/** The records of one collection, oldest first. A position is an index into them. */
export interface Base {
  readonly records: readonly StoredRecord[]
  positionOf(key: Key): number | undefined
  /** Ascending positions of the records whose property has the value. Builds an index on first use. */
  positionsWith(property: string, value: unknown): readonly number[]
  /** The `stateId` of every collection without changes. */
  readonly stateId: number
  /** The greatest integer key below 2^53, from which the next key is counted. */
  readonly highestKey: number
}

/** @param values sorted by key if all keys are integers, else used in their given order */
export function createBase(values: readonly Values[], key: string, stateId: number, identity?: Identity): Base {
  const isNumeric = values.every((each) => typeof each[key] === 'number' || typeof each[key] === 'bigint')
  const ordered = isNumeric ? sortByKey(values, key) : values
  const records = ordered.map((each) => new StoredRecord(each))
  const first = identity ? undefined : firstOfCounted(ordered, key)
  const indexes = new Map<string, Index>()
  let positions: Map<Key, number> | undefined

  return {
    records,
    stateId,
    highestKey: records.reduce((highest, { values: { [key]: own } }) => {
      return typeof own === 'number' && own > highest && Number.isSafeInteger(own) ? own : highest
    }, 0),
    positionOf(sought) {
      if (first !== undefined) {
        const position = typeof sought === 'number' ? sought - first : -1
        return position in records ? position : undefined
      }
      positions ??= toPositions(records, key, identity)
      return positions.get(sought)
    },
    positionsWith(property, value) {
      const index = getOrInsert(indexes, property, () => {
        const made: Index = new Map()
        for (let position = 0; position < records.length; position++) {
          addToIndex(made, ownValue(records[position]?.values ?? {}, property), position)
        }
        return made
      })
      return index.get(value) ?? []
    },
  }
}

function sortByKey(values: readonly Values[], key: string): readonly Values[] {
  const keyOf = (each: Values) => each[key] as number | bigint
  return values.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

/** The first key if all keys are consecutive integers, as generated keys are. These need no table. */
function firstOfCounted(ordered: readonly Values[], key: string): number | undefined {
  const first = ordered[0]?.[key]
  if (typeof first !== 'number') return undefined
  return ordered.every((each, position) => each[key] === first + position) ? first : undefined
}

function toPositions(records: readonly StoredRecord[], key: string, identity: Identity | undefined): Map<Key, number> {
  const positions = new Map<Key, number>()
  for (const [position, { values }] of records.entries())
    positions.set(identity?.of(values) ?? (values[key] as Key), position)
  return positions
}

/** Positions by the value of a property, or by each item if the value is an array. */
export type Index = Map<unknown, number[]>

export function addToIndex(index: Index, value: unknown, position: number): void {
  for (const each of itemsOf(value)) insertPosition(getOrInsert(index, each, newPositions), position)
}

export function removeFromIndex(index: Index, value: unknown, position: number): void {
  for (const each of itemsOf(value)) removePosition(index.get(each) ?? [], position)
}

function itemsOf(value: unknown): Iterable<unknown> {
  return Array.isArray(value) ? new Set(value) : [value]
}

function newPositions(): number[] {
  return []
}

function insertPosition(positions: number[], position: number): void {
  if (position > (positions.at(-1) ?? -1)) positions.push(position)
  else positions.splice(lowerBound(positions, position), 0, position)
}

function removePosition(positions: number[], position: number): void {
  const place = lowerBound(positions, position)
  if (positions[place] === position) positions.splice(place, 1)
}

/** The index of the first position that is not less than the given one. */
function lowerBound(positions: readonly number[], position: number): number {
  let low = 0
  let high = positions.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((positions[middle] ?? 0) < position) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Merges the positions of two ascending lists, greatest first.
 * @param isReplaced whether to skip a position of the second list because the first list replaces it
 */
export function* mergeDescending(
  one: readonly number[],
  other: readonly number[],
  isReplaced: (position: number) => boolean,
): Generator<number> {
  let left = one.length
  let otherLeft = other.length
  while (left + otherLeft > 0) {
    const position = one[left - 1] ?? -1
    const otherPosition = other[otherLeft - 1] ?? -1
    if (position > otherPosition) {
      left--
      yield position
    } else {
      otherLeft--
      if (!isReplaced(otherPosition)) yield otherPosition
    }
  }
}

export class OwnChanges {
  readonly #base: Base
  /** Name of the key property. */
  readonly #key: string
  readonly #identity: Identity | undefined
  /** Changed records by their position in the base. Undefined for a removed record. */
  readonly changed: Map<number, StoredRecord | undefined> = new Map()
  /** Records at the positions after the base. Undefined for a removed record. */
  readonly added: (StoredRecord | undefined)[] = []
  /** Positions of added records. */
  readonly positions: Map<Key, number> = new Map()
  /** Positions of changed and added records by value. */
  readonly #indexes: Map<string, Index> = new Map()

  /** Copies these tables before the next change. Absent unless something else shares them. */
  declare copy?: () => OwnChanges

  constructor(base: Base, key: string, identity: Identity | undefined) {
    this.#base = base
    this.#key = key
    this.#identity = identity
  }

  /** The position of an added record. */
  positionOf(key: Key): number | undefined {
    return this.positions.get(key)
  }

  at(position: number): StoredRecord | undefined {
    const { records } = this.#base
    if (position >= records.length) return this.added[position - records.length]
    return this.changed.has(position) ? this.changed.get(position) : records[position]
  }

  /**
   * Puts a record at a position, or empties the position. Putting the record of the base undoes a change.
   * @returns the record that was there
   */
  put(position: number, record: StoredRecord | undefined): StoredRecord | undefined {
    const before = this.at(position)
    const ofBase = this.#base.records[position]
    for (const [property, index] of this.#indexes) {
      // Records of the base are in its own indexes.
      if (before && before !== ofBase) removeFromIndex(index, ownValue(before.values, property), position)
      if (record && record !== ofBase) addToIndex(index, ownValue(record.values, property), position)
    }
    if (!ofBase) this.#putAdded(position, record, before)
    else if (record === ofBase) this.changed.delete(position)
    else this.changed.set(position, record)
    return before
  }

  /** Positions of changed and added records by the value of a property. */
  indexOf(property: string): Index {
    return getOrInsert(this.#indexes, property, () => {
      const index: Index = new Map()
      const { length } = this.#base.records
      const add = (record: StoredRecord | undefined, position: number) => {
        if (record) addToIndex(index, ownValue(record.values, property), position)
      }
      for (const [position, record] of this.changed) add(record, position)
      for (const [place, record] of this.added.entries()) add(record, length + place)
      return index
    })
  }

  #identify({ values }: StoredRecord): Key {
    return this.#identity?.of(values) ?? (values[this.#key] as Key)
  }

  #putAdded(position: number, record: StoredRecord | undefined, before: StoredRecord | undefined): void {
    const { added } = this
    const place = position - this.#base.records.length
    // Fill holes: they make arrays slow.
    while (added.length < place) added.push(undefined)
    added[place] = record
    if (before) this.positions.delete(this.#identify(before))
    if (record) this.positions.set(this.#identify(record), position)
    // Drop empty positions at the end, so that lists need not skip them.
    while (added.length > 0 && !added.at(-1)) added.pop()
  }
}
