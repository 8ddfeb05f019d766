/** Identifies records in their collection by their key and the keys of their owners. */
import type { ScopePart } from '../contract/contract.js'
import { ownValue } from '../json/own-value.js'
import type { Filter, Key, StoredRecord, Values } from './stored-record.js'

/** The properties that identify a record together with its key. */
export type Scope = readonly ScopePart[]

/** How the records of a collection are identified. Absent if their keys are enough. */
export interface Identity {
  of(values: Values): Key
  /** Keeps the owners of a record when its values change. */
  keep(values: Values, before: Values): Values
  /** Finds a record. @param within known values of the properties of the scope, in their order */
  find(key: Key, within: readonly unknown[] | undefined, records: KeyedPositions): number | undefined
}

/** Finds records and their positions: see `StoredCollection`. */
export interface KeyedPositions {
  find(identity: Key): number | undefined
  at(position: number): StoredRecord | undefined
  positionsWith(filter: Filter): Iterable<number>
}

/** Makes the identity of a collection. @param key name of the key property */
export type CreateIdentity = (key: string, scope: Scope) => Identity

export const createIdentity: CreateIdentity = (key, scope) => ({
  of: (values) => toIdentity(values[key] as Key, withinOf(values, scope)),
  keep(values, before) {
    const isOwner = ([name]: [string, unknown]) => scope.some(({ property }) => property === name)
    const others = Object.entries(values).filter((entry) => !isOwner(entry))
    return Object.fromEntries([...others, ...Object.entries(before).filter(isOwner)])
  },
  find(own, within = [], records) {
    const positionOf = (identity: Key) => {
      const position = records.find(identity)
      return position !== undefined && records.at(position) ? position : undefined
    }
    // Records of the scenario belong to every value of an open part.
    const open = within.map((value, index) => (scope[index]?.isOpen ? undefined : value))
    const found = positionOf(toIdentity(own, within)) ?? positionOf(toIdentity(own, open))
    if (found !== undefined || scope.every((_, index) => within[index] !== undefined)) return found
    // If only some owners are known, because another path leads to the record, compare these.
    for (const position of records.positionsWith({ property: key, values: [own] })) {
      const values = records.at(position)?.values
      const isWithin = ({ property }: ScopePart, index: number) =>
        within[index] === undefined || String(values && ownValue(values, property)) === String(within[index])
      if (values && scope.every(isWithin)) return position
    }
    return undefined
  },
})

function toIdentity(key: Key, values: readonly unknown[]): string {
  return JSON.stringify([...values.map((value) => (value === undefined ? null : String(value))), String(key)])
}

/** The values of the properties of a scope. */
export function withinOf(values: Values, scope: Scope): unknown[] {
  return scope.map(({ property }) => ownValue(values, property))
}
