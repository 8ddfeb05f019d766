/** Finds the properties that hold a time, and how it is written. */
import type { TimeForm } from '../../../contract/effects/effect.js'
import type { FlatSchema } from '../../schemas/flatten-schema.js'
import { wordsOf } from '../paths/words.js'

/** The last words of names of times. */
const ending = /^(at|on|date|time|timestamp|ts|utc|unix|epoch|ms|millis|milliseconds|secs|seconds)$/
/** Times that a service notes with each creation or change: `createdAt`, `creation_date`, `dateCreated`, `lastModified`. */
export const isMade: RegExp =
  /^(created|creation|updated|modified|modification|inserted|registered|added)|^(date|time)_?(created|added|updated|modified)|^last_?(updated|modified|changed|edited)/i
const saysUnix = /\b(unix|epoch|1970|timestamp)\b/i
const saysMilliseconds = /\b(ms|millis|milliseconds?)\b/i
/** Times from 2001 on in seconds, and from 1973 on in milliseconds. */
const [leastSeconds, leastMilliseconds] = [1e9, 1e11]

/** How examples write times. */
const textForms: readonly [RegExp, TimeForm | undefined][] = [
  [/^\d{4}-\d\d-\d\dT/, undefined],
  [/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, 'spaced'],
  [/^\d{4}-\d\d-\d\d$/, 'date'],
]

/**
 * How a property writes a time. An empty object means an RFC 3339 date-time.
 * @param isEvent whether its name says what happened at that time: `created_at`
 * @returns undefined if it has no time
 */
export function timeFormOf(
  name: string,
  { types, keywords }: FlatSchema,
  isEvent: boolean,
): { as?: TimeForm } | undefined {
  const { format, enum: allowed, example, examples, pattern, description } = keywords
  // The format is often written otherwise.
  if (typeof format === 'string' && /^date-?time$/i.test(format)) return {}
  const isNumber = !types.has('string') && (types.has('integer') || types.has('number'))
  if (format === 'date' && !isNumber) return { as: 'date' }
  if (allowed) return undefined
  const [first = '', ...others] = wordsOf(name)
  const last = others.at(-1)
  const isNamed = ending.test(last ?? first) || (last ? first === 'date' : /^(created|updated|modified)$/.test(first))
  const shown: unknown = example ?? examples?.[0] ?? keywords.default
  if (!isNumber) {
    if (!isEvent || !types.has('string') || format !== undefined || pattern !== undefined) return undefined
    if (shown === undefined) return isNamed ? {} : undefined
    const form = textForms.find(([written]) => written.test(String(shown)))
    return form && (form[1] ? { as: form[1] } : {})
  }
  const said = `${String(description ?? '')} ${String(format ?? '')} ${wordsOf(name).join(' ')}`
  const isUnix = saysUnix.test(said) || (typeof shown === 'number' && shown >= leastSeconds)
  if (!(isEvent && (isNamed || isUnix)) && !(isNamed && isUnix)) return undefined
  const isLong = typeof shown === 'number' ? shown >= leastMilliseconds : saysMilliseconds.test(said)
  return { as: isLong ? 'milliseconds' : 'seconds' }
}
