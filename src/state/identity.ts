/** What identifies a record in its collection: its key, and the keys of the records that it belongs to. */
import type { ScopePart } from '../contract/contract.js'
import { ownValue } from '../json/own-value.js'
import type { Key, Values } from './stored-record.js'

/** The properties that identify a record together with its key. */
export type Scope = readonly ScopePart[]

/** @returns the key, or with a scope a text of all values */
export function identify(values: Values, key: string, scope: Scope | undefined): Key {
  const own = values[key] as Key
  if (!scope) return own
  return toIdentity(own, withinOf(values, scope) ?? [])
}

/** @param values of the properties of the scope, in their order */
export function toIdentity(key: Key, values: readonly unknown[]): string {
  return JSON.stringify([...values.map((value) => (value === undefined ? null : String(value))), String(key)])
}

/** The values of the properties of a scope. */
export function withinOf(values: Values, scope: Scope | undefined): unknown[] | undefined {
  return scope?.map(({ property }) => ownValue(values, property))
}

/** Other values of a record, which belong to what it belonged to before. */
export function keepOwners(values: Values, before: Values, scope: Scope | undefined): Values {
  if (!scope) return values
  const names = scope.map(({ property }) => property)
  const isOwner = ([name]: [string, unknown]) => names.includes(name)
  const others = Object.entries(values).filter((entry) => !isOwner(entry))
  return Object.fromEntries([...others, ...Object.entries(before).filter(isOwner)])
}
