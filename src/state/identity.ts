/**
 * What identifies a record in its collection: its key, and the keys of the records that it belongs to. Separate, so that
 * bundles of documents without such records drop it.
 */
import type { ScopePart } from '../contract/contract.js'
import { ownValue } from '../json/own-value.js'
import type { Key, Values } from './stored-record.js'

/** The properties that identify a record together with its key. */
export type Scope = readonly ScopePart[]

/** How the records of a collection are told apart. Absent if their keys do it. */
export interface Identity {
  of(values: Values): Key
  /** Other values of a record, which belongs to what it belonged to before. */
  keep(values: Values, before: Values): Values
  /**
   * Finds a record.
   * @param within values of the properties of the scope, in their order
   * @param positionOf returns the position of the record with an identity, if there is one
   */
  find(key: Key, within: readonly unknown[], positionOf: (identity: Key) => number | undefined): number | undefined
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
  find(own, within, positionOf) {
    // Records of the scenario belong to every value of an open part.
    const open = within.map((value, index) => (scope[index]?.isOpen ? undefined : value))
    return positionOf(toIdentity(own, within)) ?? positionOf(toIdentity(own, open))
  },
})

function toIdentity(key: Key, values: readonly unknown[]): string {
  return JSON.stringify([...values.map((value) => (value === undefined ? null : String(value))), String(key)])
}

/** The values of the properties of a scope. */
export function withinOf(values: Values, scope: Scope): unknown[] {
  return scope.map(({ property }) => ownValue(values, property))
}
