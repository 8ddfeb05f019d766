/** Writes times in the forms that a document has for them. */
import { sampleTime, type TimeForm } from '../../contract/effect.js'
import { isObject } from '../../json/is-object.js'

/**
 * @param now milliseconds since 1970
 * @param sample for the form of that name
 * @example writeTime(1767225600000, 'seconds') // 1767225600
 */
export function writeTime(now: number, form: TimeForm, sample?: unknown): unknown {
  if (form === 'sample') return withTime(sample, now)
  if (form === 'date') return new Date(now).toISOString().replace(/T.*/, '')
  if (form === 'spaced') return new Date(now).toISOString().replace('T', ' ').slice(0, 19)
  return form === 'seconds' ? Math.floor(now / 1000) : now
}

const forms: readonly TimeForm[] = ['date', 'spaced', 'seconds', 'milliseconds']

/** A sample in which each time is that of the clock. */
function withTime(value: unknown, now: number): unknown {
  if (Array.isArray(value)) return value.map((each) => withTime(each, now))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withTime(each, now)]))
  if (value === new Date(sampleTime).toISOString()) return new Date(now).toISOString()
  const form = forms.find((each) => writeTime(sampleTime, each) === value)
  return form ? writeTime(now, form) : value
}
