/** What every world begins with: the records of a scenario, shared and never changed. */
import { addToIndex, type Index } from './positions.js'
import { type Key, StoredRecord, type Values } from './stored-record.js'

/** The records of one collection, oldest first; a position is an index into them. */
export interface Base {
  readonly records: readonly StoredRecord[]
  positionOf(key: Key): number | undefined
  /** Ascending positions of the records whose property has the value; an index is made on first use. */
  positionsWith(property: string, value: unknown): readonly number[]
  /** Answers that hold for every world that has changed nothing. */
  readonly answers: Map<string, unknown>
  /** The greatest key below 2^53, for the next one. */
  readonly highestKey: number
}

/** @param values in any order; integer keys are put in theirs */
export function createBase(values: readonly Values[], key: string): Base {
  const isNumeric = values.every((each) => typeof each[key] === 'number' || typeof each[key] === 'bigint')
  const ordered = isNumeric ? sortByKey(values, key) : values
  const records = ordered.map((each) => new StoredRecord(each))
  const indexes = new Map<string, Index>()
  let positions: Map<Key, number> | undefined

  return {
    records,
    answers: new Map(),
    highestKey: records.reduce((highest, { values: { [key]: own } }) => {
      return typeof own === 'number' && own > highest ? own : highest
    }, 0),
    positionOf(wanted) {
      positions ??= new Map(records.map((record, position) => [record.values[key] as Key, position]))
      return positions.get(wanted)
    },
    positionsWith(property, value) {
      let index = indexes.get(property)
      if (!index) {
        index = new Map()
        for (const [position, record] of records.entries()) addToIndex(index, record.values[property], position)
        indexes.set(property, index)
      }
      return index.get(value) ?? []
    },
  }
}

function sortByKey(values: readonly Values[], key: string): readonly Values[] {
  const keyOf = (each: Values) => each[key] as number | bigint
  const isSorted = values.every((each, index) => {
    const before = values[index - 1]
    return before === undefined || keyOf(before) < keyOf(each)
  })
  if (isSorted) return values
  return values.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0))
}
