/** Fills in the properties that the service writes and a request does not set. */
import type { Fill } from '../contract/effect.js'
import { createNamed, ownValue } from '../json/own-value.js'
import type { Values } from '../state/stored-record.js'

const nothing: Values = {}

/** @param now milliseconds since 1970 @param given the values of the record */
export function fill(fills: readonly Fill[], now: number, given: Values): Values {
  let values: Record<string, unknown> | undefined
  for (const { property, with: kind, value, only } of fills) {
    if (kind === 'key' || (only && !only[1].includes(given[only[0]]))) continue
    values ??= createNamed()
    values[property] = kind === 'now' ? new Date(now).toISOString() : value
  }
  // Most records have none: an object of another kind here makes each creation slower.
  return values ?? nothing
}

/** The properties of a record that only the service writes, and that a change keeps. */
export function keptValues(values: Values, fills: readonly Fill[]): Values {
  const owned = fills.filter((each) => each.owned)
  const entries = owned.map(({ property }) => [property, ownValue(values, property)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}
