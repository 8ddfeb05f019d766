/** Fills in the properties that the service writes and a request does not set. */
import type { Fill } from '../contract/contract.js'
import { createNamed, ownValue } from '../json/own-value.js'
import type { Values } from '../state/stored-record.js'

const nothing: Values = {}

/** @param now milliseconds since 1970 */
export function fill(fills: readonly Fill[], now: number): Values {
  const made = fills.filter((each) => each.with !== 'key')
  // Most records have none: an object of another kind here makes each creation slower.
  if (made.length === 0) return nothing
  const values = createNamed<unknown>()
  for (const { property, with: kind, value } of made) {
    values[property] = kind === 'now' ? new Date(now).toISOString() : value
  }
  return values
}

/** The properties of a record that only the service writes, and that a change keeps. */
export function keptValues(values: Values, fills: readonly Fill[]): Values {
  const owned = fills.filter((each) => each.owned && !each.again)
  const entries = owned.map(({ property }) => [property, ownValue(values, property)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}
