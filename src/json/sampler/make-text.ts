/** Makes texts by their format, pattern and length, repeatable by the random numbers. */

import type { Random } from '../random.js'
import type { PatternPart, TextPlan } from './sampler-plan.js'

/** Maximum tries for a text of the right length, with longer repetitions each time. */
const maxTries = 24
/** Maximum length of made texts. */
const maxLength = 1_000_000

/** @returns undefined if no text of the right length is found */
export function makeText(plan: TextPlan, random: Random): string | undefined {
  const { format = '', pattern, minLength = 0, maxLength: most = Number.POSITIVE_INFINITY } = plan
  if (minLength > maxLength || minLength > most) return undefined
  const fits = (text: string) => {
    const length = text.length < minLength || text.length > most ? [...text].length : text.length
    return length >= minLength && length <= most
  }
  if (pattern) return makeByPattern(pattern, random, minLength, fits)
  const made = Object.hasOwn(formats, format) ? formats[format]?.(random) : undefined
  if (made !== undefined && fits(made)) return made
  return makeWord(random, minLength, most)
}

/** A short word, or one of the required length. */
function makeWord(random: Random, minLength: number, most: number): string {
  const length = Math.min(Math.max(minLength, 8), most)
  return Array.from({ length }, () => oneOf(letters, random)).join('')
}

function makeByPattern(
  pattern: readonly PatternPart[],
  random: Random,
  minLength: number,
  fits: (text: string) => boolean,
): string | undefined {
  for (let attempt = 0; attempt < maxTries; attempt++) {
    // The first tries repeat little, as most patterns are written for short texts.
    const spread = attempt % 3 === 0 ? 3 : attempt % 3 === 1 ? 0 : Math.max(minLength, 2 * attempt)
    const text = makeParts(pattern, random, spread)
    if (fits(text)) return text
  }
  return undefined
}

function makeParts(parts: readonly PatternPart[], random: Random, spread: number): string {
  return parts.map((part) => makePart(part, random, spread)).join('')
}

function makePart(part: PatternPart, random: Random, spread: number): string {
  if (typeof part === 'string') return part
  if ('oneOf' in part) return oneOf(part.oneOf, random)
  if ('anyOf' in part) return makeParts(part.anyOf[random.below(part.anyOf.length)] ?? [], random, spread)
  const { repeat, min, max = Number.POSITIVE_INFINITY } = part
  const count = Math.min(min + random.below(spread + 1), max)
  return Array.from({ length: count }, () => makeParts(repeat, random, spread)).join('')
}

const letters = 'abcdefghijklmnopqrstuvwxyz'
const hexadecimals = '0123456789abcdef'

function oneOf(characters: string, random: Random): string {
  const all = [...characters]
  return all[random.below(all.length)] ?? ''
}

function many(characters: string, length: number, random: Random): string {
  return Array.from({ length }, () => oneOf(characters, random)).join('')
}

/** Two digits from the first number to the last one. */
function digits(first: number, last: number, random: Random): string {
  return String(first + random.below(last - first + 1)).padStart(2, '0')
}

const dateOf = (random: Random) => `20${digits(20, 25, random)}-${digits(1, 12, random)}-${digits(1, 28, random)}`
const timeOf = (random: Random) => `${digits(0, 23, random)}:${digits(0, 59, random)}:${digits(0, 59, random)}.000Z`

/** Makers of texts by format (JSON Schema 2020-12, section 7.3, and the format registry of OpenAPI). */
const formats: Record<string, (random: Random) => string> = {
  'date-time': (random) => `${dateOf(random)}T${timeOf(random)}`,
  date: dateOf,
  time: timeOf,
  duration: (random) => `P${1 + random.below(30)}D`,
  uuid: (random) =>
    `${many(hexadecimals, 8, random)}-${many(hexadecimals, 4, random)}-4${many(hexadecimals, 3, random)}-8${many(hexadecimals, 3, random)}-${many(hexadecimals, 12, random)}`,
  email: (random) => `${many(letters, 6, random)}@service.example`,
  'idn-email': (random) => `${many(letters, 6, random)}@service.example`,
  uri: (random) => `https://service.example/${many(letters, 6, random)}`,
  iri: (random) => `https://service.example/${many(letters, 6, random)}`,
  url: (random) => `https://service.example/${many(letters, 6, random)}`,
  'uri-reference': (random) => `/${many(letters, 6, random)}`,
  'iri-reference': (random) => `/${many(letters, 6, random)}`,
  'uri-template': (random) => `/${many(letters, 6, random)}/{id}`,
  'json-pointer': (random) => `/${many(letters, 6, random)}`,
  'relative-json-pointer': (random) => `${random.below(5)}`,
  regex: (random) => `^${many(letters, 6, random)}$`,
  hostname: (random) => `${many(letters, 6, random)}.example`,
  'idn-hostname': (random) => `${many(letters, 6, random)}.example`,
  ipv4: (random) => `192.0.2.${1 + random.below(254)}`,
  ipv6: (random) => `2001:db8::${many(hexadecimals.slice(1), 4, random)}`,
  byte: (random) => `${many(letters, 8, random)}`,
}
