/** Fills in the properties that the service writes and a request does not set. */
import { type ServiceWritten, sampleTime, type TimeForm } from '../../contract/effects/effect.js'
import { timeForms } from '../../contract/time-forms.js'
import { createNamed, isObject, ownValue } from '../../json/own-value.js'
import type { Values } from '../../state/stored-record.js'

const nothing: Values = {}

/** @param now milliseconds since 1970 @param given the values of the record */
export function fill(serviceWritten: readonly ServiceWritten[], now: number, given: Values): Values {
  let values: Record<string, unknown> | undefined
  for (const { property, with: kind, value, only, as } of serviceWritten) {
    if (kind === 'key' || (only && !only[1].includes(given[only[0]]))) continue
    values ??= createNamed()
    if (as) values[property] = writeTime(now, as, value)
    else values[property] = kind === 'now' ? new Date(now).toISOString() : value
  }
  // Most records have none. A shared object keeps the hidden class stable, which makes creations faster.
  return values ?? nothing
}

/** The properties of a record that only the service writes, and that a change keeps. */
export function keptValues(values: Values, serviceWritten: readonly ServiceWritten[]): Values {
  const owned = serviceWritten.filter((each) => each.owned)
  const entries = owned.map(({ property }) => [property, ownValue(values, property)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/**
 * @param now milliseconds since 1970
 * @param sample the sample whose times are replaced, for the form `sample`
 * @example writeTime(1767225600000, 'seconds') // 1767225600
 */
export function writeTime(now: number, form: TimeForm, sample?: unknown): unknown {
  if (form === 'sample') return withTime(sample, now)
  return timeForms[form](now)
}

/** Replaces each time in a sample by that of the clock. */
function withTime(value: unknown, now: number): unknown {
  if (Array.isArray(value)) return value.map((each) => withTime(each, now))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withTime(each, now)]))
  if (value === new Date(sampleTime).toISOString()) return new Date(now).toISOString()
  return Object.values(timeForms).find((write) => write(sampleTime) === value)?.(now) ?? value
}
