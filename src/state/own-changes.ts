/** The changes of one world to the records of a base: tables by position, key and value. */
import { getOrInsert, ownValue } from '../json/own-value.js'
import { addToIndex, type Base, type Index, removeFromIndex } from './base-records.js'
import type { Identity } from './identity.js'
import type { Key, StoredRecord } from './stored-record.js'

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
