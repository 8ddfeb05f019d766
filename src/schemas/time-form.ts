/** Finds the properties that hold a time, and the form of the time. */
import { sampleTime, type TimeForm } from '../contract/effects/effect.js'
import { timeForms } from '../contract/time-forms.js'
import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import { isMailFormat, isTimeFormat, isTimeName, saysMilliseconds, saysUnix, saysWritten } from '../lexicon/times.js'
import { wordsOf } from '../lexicon/words.js'
import { type FlatSchema, flattenSchema } from './flatten-schema.js'

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
 * @param usual the form of numbers of which nothing says one
 * @returns undefined if the property holds no time
 */
export function timeFormOf(
  name: string,
  flat: FlatSchema,
  isEvent: boolean,
  usual: 'seconds' | 'milliseconds' = 'seconds',
): { as?: TimeForm } | undefined {
  const { types, keywords } = flat
  const { format, enum: allowed } = keywords
  // The format is often misspelled, or has the name of a provider or a standard before it: `google-datetime`
  const isNumber = !types.has('string') && (types.has('integer') || types.has('number'))
  if (typeof format === 'string') {
    if (!isNumber && isTimeFormat(format)) return {}
    if (isMailFormat(format)) return { as: 'mail' }
    if (format === 'date' && !isNumber) return { as: 'date' }
  }
  if (allowed) return undefined
  return isNumber ? formOfNumber(name, flat, isEvent, usual) : formOfText(name, flat, isEvent)
}

function shownIn({ keywords: { example, examples, default: standard } }: FlatSchema): unknown {
  return example ?? examples?.[0] ?? standard
}

function formOfText(name: string, flat: FlatSchema, isEvent: boolean): { as?: TimeForm } | undefined {
  const { types, keywords } = flat
  const { format, pattern } = keywords
  if (!isEvent || !types.has('string') || pattern !== undefined) return undefined
  const said = String(keywords.description ?? '')
  // A number that may be too long for some readers is written as a text.
  if (/^u?int(32|64)$/.test(String(format ?? ''))) return saysUnix(said) ? { as: 'seconds-text' } : undefined
  if (format !== undefined) return undefined
  const shown = shownIn(flat)
  if (shown === undefined) return isTimeName(name) ? {} : undefined
  const form = textForms.find(([written]) => written.test(String(shown)))
  if (!form) return isTimeName(name) && saysWritten(said) ? {} : undefined
  return form[1] ? { as: form[1] } : {}
}

function formOfNumber(
  name: string,
  flat: FlatSchema,
  isEvent: boolean,
  usual: 'seconds' | 'milliseconds',
): { as?: TimeForm } | undefined {
  const { description, format } = flat.keywords
  const shown = shownIn(flat)
  const isNamed = isTimeName(name)
  const said = `${String(description ?? '')} ${String(format ?? '')} ${wordsOf(name).join(' ')}`
  const isUnix = saysUnix(said) || isTimeFormat(String(format)) || (typeof shown === 'number' && shown >= leastSeconds)
  if (!(isEvent && (isNamed || isUnix)) && !(isNamed && isUnix)) return undefined
  if (typeof shown === 'number') return { as: shown >= leastMilliseconds ? 'milliseconds' : 'seconds' }
  return { as: saysMilliseconds(said) ? 'milliseconds' : isUnix ? 'seconds' : usual }
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

/** How a property has the time since a job began. */
export function durationFormOf(
  document: OpenApiDocument,
  schema: Located<Schema>,
): 'seconds' | 'milliseconds' | 'duration' {
  const { types, keywords } = flattenSchema(document, schema)
  if (types.has('string')) return 'duration'
  return saysMilliseconds(String(keywords.description ?? '')) ? 'milliseconds' : 'seconds'
}
