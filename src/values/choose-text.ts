/** Chooses what the texts of a property consist of: by format, examples, name, description. */
import { getOrInsert } from '../json/own-value.js'
import type { TimeRange } from '../json/sampler/sampler-plan.js'
import { readTime } from '../json/time-text.js'
import { email, host, ipv4, ipv6, label, path, uri, uuid, word } from './names-of-things.js'
import {
  capitals,
  clock,
  date,
  dateTime,
  digits,
  hexadecimals,
  letters,
  many,
  oneOf,
  type Recipe,
  rangeOf,
  vary,
} from './recipe.js'
import { type FoundText, findByDescription, findText, textsIn } from './texts-by-name.js'
import { neutral } from './word-lists.js'

export interface WantedText {
  /** The name of the property, or of the list that contains the text. In lower case, with spaces. */
  words: string
  /** The words of the owner of the property, the last one in the singular: of the collection, or of the object. */
  owner: string
  format: string | undefined
  /** Example texts in the document for this property. */
  examples: readonly string[]
  description: string
  /** What is found by names, because most occur often. */
  known: KnownTexts
}

/** By name and owner. Null if there is no text for a name. */
export type KnownTexts = Map<string, FoundText | null>

export interface ChosenText {
  /** What says so. Undefined if nothing does. */
  by?: 'example' | 'schema' | 'description' | 'name'
  examples?: string[]
  /** Undefined if there are only examples. */
  recipe?: Recipe
  /** Whether other texts are not valid. */
  isStrict?: boolean
  /** Whether nothing says what the text is. */
  isGuess?: boolean
}

export function chooseText(wanted: WantedText): ChosenText {
  const { words, format, examples, description } = wanted
  const byFormat = format !== undefined && Object.hasOwn(formats, format) ? formats[format] : undefined
  const shown = examples.length > 0 ? { by: 'example' as const, examples: [...examples] } : {}
  if (byFormat) return { by: 'schema', ...shown, recipe: byFormat(words), isStrict: true }
  const found = findKnown(wanted)
  const [example] = examples
  if (example !== undefined) {
    const similar = similarTo(example, words)
    if (similar) return { ...shown, recipe: similar }
    // A value from a small set is better than one that others would have.
    const isOpen = found?.isVague === false && !/^[a-z_-]+$/.test(example) && isAlike(example, firstOf(found.recipe))
    if (isOpen) return { ...shown, recipe: found.recipe }
    return shown
  }
  const listed = textsIn(description)
  if (listed.length > 0) return { by: 'description', recipe: oneOf(listed) }
  const described = found?.isVague === false ? undefined : findByDescription(description, words)
  if (described) return { by: 'description', recipe: described }
  if (found) return { by: 'name', recipe: found.recipe, ...(found.isGuess && { isGuess: true }) }
  return words === '' ? { recipe: word } : { recipe: oneOf(neutral), isGuess: true }
}

function findKnown({ words, owner, known }: WantedText): FoundText | undefined {
  return getOrInsert(known, `${words} of ${owner}`, () => findText(words, owner) ?? null) ?? undefined
}

/**
 * Recipes for a text with a pattern, the likeliest first. Their texts need not match the pattern.
 * @param isOpen whether the pattern matches texts of all kinds, so that it does not say what the text is
 */
export function recipesToTry(wanted: WantedText, isOpen: boolean): Recipe[] {
  const { words, format, description } = wanted
  const range = rangeOf(words)
  const byFormat = format !== undefined && Object.hasOwn(formats, format) ? formats[format]?.(words) : undefined
  const found = findKnown(wanted)
  const described = findByDescription(description, words)
  const known = [byFormat, found?.isVague === false ? found.recipe : undefined, described]
  const others = isOpen ? [] : timesIn(range)
  return [...known, ...others, found?.recipe, label, word].filter((each) => each !== undefined)
}

/** The text of a recipe with the first of all choices. */
function firstOf(recipe: Recipe): string {
  const texts = recipe.map((part) => {
    if (typeof part === 'string') return part
    if ('oneOf' in part) return part.oneOf.slice(0, 1)
    if ('words' in part) return part.words[0] ?? ''
    if ('anyOf' in part) return firstOf(part.anyOf[0] ?? [])
    return 'repeat' in part ? firstOf(part.repeat).repeat(part.min) : part.form
  })
  return texts.join('')
}

/** Whether two texts may be of the same kind: one or several words, with or without a capital. */
function isAlike(one: string, other: string): boolean {
  const form = (text: string) =>
    [/\s/.test(text), /^\p{Lu}/u.test(text), /^\p{Ll}/u.test(text), /^\p{Lu}{2}/u.test(text)].join()
  return form(one) === form(other)
}

/** Times in the usual notations. */
function timesIn(range: TimeRange): Recipe[] {
  return [
    '{Y}-{M}-{D}',
    '{Y}-{M}-{D}T{h}:{m}:{s}.000Z',
    '{Y}-{M}-{D}T{h}:{m}:{s}Z',
    '{Y}-{M}-{D}T{h}:{m}:{s}',
    '{Y}-{M}-{D} {h}:{m}:{s}',
    '{Y}-{M}-{D}T{h}:{m}:{s}+00:00',
    '{h}:{m}',
    '{h}:{m}:{s}',
    '{Y}{M}{D}',
    '{D}/{M}/{Y}',
    '{W}, {D} {N} {Y} {h}:{m}:{s} GMT',
  ].map((form) => [{ time: range, form }])
}

/** Makers by format. Addresses are reserved for examples (RFC 2606, RFC 5737, RFC 3849). */
const formats: Readonly<Record<string, (words: string) => Recipe>> = {
  'date-time': (words) => dateTime(rangeOf(words)),
  'iso-date-time': (words) => dateTime(rangeOf(words)),
  datetime: (words) => dateTime(rangeOf(words)),
  dateTime: (words) => dateTime(rangeOf(words)),
  date: (words) => date(rangeOf(words)),
  time: (words) => clock(rangeOf(words)),
  'iso-time': (words) => clock(rangeOf(words)),
  duration: () => ['P', { oneOf: '123456789' }, 'D'],
  uuid: () => uuid,
  email: () => email,
  'idn-email': () => email,
  uri: uriOf,
  url: uriOf,
  iri: uriOf,
  'uri-reference': () => path,
  'iri-reference': () => path,
  'uri-template': () => [...path, '/{id}'],
  hostname: () => host,
  'idn-hostname': () => host,
  ipv4: () => ipv4,
  ipv6: () => ipv6,
  'json-pointer': () => path,
  'json-pointer-uri-fragment': () => ['#', ...path],
  'relative-json-pointer': () => ['0', ...path],
  regex: () => ['^', ...word, '$'],
  byte: () => [many(letters + capitals + digits, 23), { words: ['A', 'Q', 'g', 'w'] }],
}

function uriOf(words: string): Recipe {
  const found = findText(words, '')
  const text = found?.recipe.at(0)
  return typeof text === 'string' && text.startsWith('https:') ? (found?.recipe ?? uri) : uri
}

/** Texts in the form of an example. Undefined if that says nothing about others. */
function similarTo(example: string, words: string): Recipe | undefined {
  if (/^[\da-f]{8}-[\da-f]{4}-\d?[\da-f]{3,4}-[\da-f]{4}-[\da-f]{12}$/i.test(example)) return uuid
  const time = readTime(example)
  if (time && (!/^\d+$/.test(example) || isOfTime.test(words))) return [{ time: rangeOf(words), form: time.form }]
  if (/^[\w.+-]+@[\w.-]+\.\w+$/.test(example)) return email
  if (/^https?:\/\//.test(example)) return vary(example) ?? [example.replace(/[^/]*$/, ''), ...label]
  if (/\s/.test(example) || example.length > 60) return undefined
  // A single digit mostly is a part of a name: `us-east-1`, `mp3`
  if (isSpoken.test(words) && !/\d\d/.test(example)) return undefined
  const isToken = example.length >= 10 && /\d/.test(example) && /^[\w-]+$/.test(example) && !isSpoken.test(words)
  return isToken && !/^[\d-]+$/.test(example) ? tokenLike(example) : vary(example)
}

/** Names of times, whose digits are no number. */
const isOfTime = /\b(date|time|day|at|on|start|end|since|until|from|to)s?$/

/** Names that people read, whose letters mean something. */
const isSpoken = /\b(slug|name|label|title|alias|type|kind|size|region|zone|plan|version|model|path|folder)s?$/

/** A prefix stays, and each character of the rest is another one of its kind. */
function tokenLike(example: string): Recipe {
  const [prefix = ''] = /^[a-zA-Z]{2,}[_-]/.exec(example) ?? []
  const rest = example.slice(prefix.length)
  const isHexadecimal = /^[\da-f-]+$/.test(rest)
  const setOf = (character: string) => {
    if (/\d/.test(character)) return isHexadecimal ? hexadecimals : digits
    if (/[a-z]/.test(character)) return isHexadecimal ? hexadecimals : letters
    return /[A-Z]/.test(character) ? capitals : undefined
  }
  return [
    prefix,
    ...[...rest].map((character) => {
      const set = setOf(character)
      return set === undefined ? character : { oneOf: set }
    }),
  ]
}
