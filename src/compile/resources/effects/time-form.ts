/** Finds the properties that hold a time, and the form of the time. */
import { sampleTime, type TimeForm } from '../../../contract/effects/effect.js'
import { timeForms } from '../../../contract/time-forms.js'
import {
  isMailFormat,
  isTimeFormat,
  isTimeName,
  saysMilliseconds,
  saysUnix,
  saysWritten,
} from '../../../lexicon/times.js'
import { wordsOf } from '../../../lexicon/words.js'
import type { FlatSchema } from '../../../schemas/flatten-schema.js'

/** Numbers from here on are times: since 2001 in seconds, since 1973 in milliseconds. */
const [leastSeconds, leastMilliseconds] = [1e9, 1e11]

/** Forms of times in examples. */
const textForms: readonly [RegExp, TimeForm | undefined][] = [
  [/^\d{4}-\d\d-\d\dT/, undefined],
  [/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?([+-]\d\d(:?\d\d)?)?$/, 'spaced'],
  [/^\d{4}-\d\d-\d\d$/, 'date'],
  [/^\w{3}, \d\d? \w{3} \d{4} \d\d:\d\d:\d\d /, 'mail'],
  [/^\/Date\(\d+/, 'date-text'],
  [/^\d{10}$/, 'seconds-text'],
  [/^\d{13}$/, 'milliseconds-text'],
]

/**
 * The form of the time in a property. An empty object means an RFC 3339 date-time.
 * @param isEvent whether the name is that of an event: `created_at`
 * @returns undefined if the property holds no time
 */
export function timeFormOf(
  name: string,
  { types, keywords }: FlatSchema,
  isEvent: boolean,
): { as?: TimeForm } | undefined {
  const { format, enum: allowed, example, examples, pattern, description } = keywords
  const isNumber = !types.has('string') && (types.has('integer') || types.has('number'))
  if (!isNumber && typeof format === 'string' && isTimeFormat(format)) return {}
  if (typeof format === 'string' && isMailFormat(format)) return { as: 'mail' }
  if (format === 'date' && !isNumber) return { as: 'date' }
  if (allowed) return undefined
  const isNamed = isTimeName(name)
  const shown: unknown = example ?? examples?.[0] ?? keywords.default
  if (!isNumber) {
    if (!isEvent || !types.has('string') || pattern !== undefined) return undefined
    // A number that may be too long for some readers is written as a text.
    if (/^u?int(32|64)$/.test(String(format ?? '')))
      return saysUnix(String(description ?? '')) ? { as: 'seconds-text' } : undefined
    if (format !== undefined) return undefined
    const form = textForms.find(([written]) => written.test(String(shown)))
    if (shown === undefined || !form)
      return isNamed && (shown === undefined || saysWritten(String(description))) ? {} : undefined
    return form[1] ? { as: form[1] } : {}
  }
  const said = `${String(description ?? '')} ${String(format ?? '')} ${wordsOf(name).join(' ')}`
  const isUnix = saysUnix(said) || isTimeFormat(String(format)) || (typeof shown === 'number' && shown >= leastSeconds)
  if (!(isEvent && (isNamed || isUnix)) && !(isNamed && isUnix)) return undefined
  const isLong = typeof shown === 'number' ? shown >= leastMilliseconds : saysMilliseconds(said)
  return { as: isLong ? 'milliseconds' : 'seconds' }
}

/** The form of a time in a property of which a correction says that it has one. */
export function chosenTimeForm(name: string, flat: FlatSchema): { as?: TimeForm } | undefined {
  const isNumber = !flat.types.has('string') && (flat.types.has('integer') || flat.types.has('number'))
  return timeFormOf(name, flat, true) ?? (isNumber ? { as: 'seconds' } : undefined)
}

/** The time of samples, in a form. */
export function sampleTimeIn(form: TimeForm | undefined): unknown {
  return form === undefined
    ? new Date(sampleTime).toISOString()
    : form === 'sample'
      ? undefined
      : timeForms[form](sampleTime)
}
