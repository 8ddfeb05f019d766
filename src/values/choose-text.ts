/** Chooses what the texts of a property consist of: by format, examples, name, description. */

import { getOrInsert } from '../json/own-value.js'
import type { TimeRange } from '../json/sampler/sampler-plan.js'
import type { Recipe, TextLook } from '../json/sampler/value-looks.js'
import { readTime } from '../json/time-text.js'
import * as things from './names-of-things.js'
import * as recipes from './recipe.js'
import { price } from './text-table.js'
import * as texts from './texts-by-name.js'
import { jobs } from './word-lists.js'

const { company, email, host, ipv4, ipv6, label, login, path, phraseOf, uri, uuid, word } = things
const { examplesIn, findByDescription, findText, nameSaid, textsIn, timeFormIn, unknownText } = texts
const { capitals, clock, date, dateTime, digits, hexadecimals, letters, many, rangeOf, vary } = recipes

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
export type KnownTexts = Map<string, texts.FoundText | null>

export interface ChosenText extends TextLook {
  /** What says so. Undefined if nothing does. */
  by?: 'example' | 'schema' | 'description' | 'name'
  examples?: string[]
}

export function chooseText(wanted: WantedText): ChosenText {
  const { words, owner, format, examples, description } = wanted
  const byFormat = format !== undefined && Object.hasOwn(formats, format) ? formats[format] : undefined
  const shown = examples.length > 0 ? { by: 'example' as const, examples: [...examples] } : {}
  if (byFormat) return { by: 'schema', ...shown, recipe: byFormat(words, owner), isStrict: true }
  const found = findKnown(wanted)
  const [example] = examples
  if (example !== undefined) {
    const recipe = likeExample(example, wanted, examples.length > 2 && found?.isGuess ? undefined : found)
    return { ...shown, ...(recipe && { recipe }) }
  }
  const listed = textsIn(description)
  if (listed.length > 0 && (found?.isVague !== false || saysAll.test(description)))
    return { by: 'description', recipe: [{ words: listed }] }
  const [first, ...others] = examplesIn(description)
  if (first !== undefined) {
    const recipe = others.length > 0 ? undefined : likeExample(first, { words, owner, examples }, found)
    return { by: 'description', recipe: recipe ?? [{ words: [first, ...others] }] }
  }
  const form = timeFormIn(description)
  const said = form === undefined ? nameSaid(words, description) : [{ time: rangeOf(words), form }]
  const described = said ?? (found?.isVague === false ? undefined : findByDescription(description, words, owner))
  if (described) return { by: 'description', recipe: described }
  if (words === '') return { recipe: word }
  const { recipe, isGuess } = found ?? unknownText(words, owner)
  return { ...(found && { by: 'name' }), recipe, ...(isGuess && { isGuess }) }
}

function findKnown({ words, owner, known }: WantedText): texts.FoundText | undefined {
  return getOrInsert(known, `${words} of ${owner}`, () => findText(words, owner) ?? null) ?? undefined
}

/**
 * Recipes for a text with a pattern, the likeliest first. Their texts need not match the pattern.
 * @param isOpen whether the pattern matches texts of all kinds, so that it does not say what the text is
 */
export function recipesToTry(wanted: WantedText, isOpen: boolean): Recipe[] {
  const { words, owner, format, description, examples } = wanted
  const range = rangeOf(words)
  const byFormat = format !== undefined && Object.hasOwn(formats, format) ? formats[format]?.(words, owner) : undefined
  const found = findKnown(wanted)
  const described = findByDescription(description, words, owner)
  const known = [byFormat, found?.isVague === false ? found.recipe : undefined, described]
  const others = isOpen ? [] : timesIn(range)
  const [example] = examples
  // Examples are texts of others, too, unless each has another one.
  const alike = example === undefined ? undefined : likeExample(example, wanted, found)
  const shown = alike ?? (example === undefined || isKey.test(words) ? undefined : [{ words: examples }])
  return [shown, ...known, ...others, found?.recipe, price, label, word].filter((each) => each !== undefined)
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

/** Says that other values are not allowed. */
const saysAll = /\b(one of|either|possible|valid|allowed|supported|values are|can be|must be)\b/i

/** Texts of the kind of an example. Undefined if that says nothing about others. */
function likeExample(
  example: string,
  { words, owner, examples }: Pick<WantedText, 'words' | 'owner' | 'examples'>,
  found: texts.FoundText | undefined,
): Recipe | undefined {
  const similar = similarTo(example, words, examples.length > 1 && !isKey.test(words))
  if (similar || !found) return similar
  // A value from a small set is better than one that others would have.
  const isOpen = !found.isVague && !/^[a-z_-]+$/.test(example) && isAlike(example, firstOf(found.recipe))
  // Another thing has another name.
  const isOwnName = /\b(name|title|headline|subject)$/.test(words) && /^\p{Lu}.{2,40}\p{Ll}$/u.test(example)
  if (/\bname$/.test(words) && isCompany.test(example)) return company
  const isWork = jobs.includes(firstOf(found.recipe)) && /\s\p{Ll}{3}/u.test(example) && !isOccupation.test(example)
  if (isWork) return phraseOf(owner)
  // A title of several words is no name of a file or a machine.
  if (isOwnName && /\s/.test(example) && !/^\p{Lu}/u.test(firstOf(found.recipe))) return phraseOf(owner)
  return isOpen || isOwnName ? found.recipe : undefined
}

const isCompany = /\s(A[BGS]|B\.?V|Corp|GmbH|Inc|LLC|Ltd|Limited|PLC|S\.?A|SRL)\.?$/
/** Endings of occupations. The title of a job may be what is done in it, too. */
const isOccupation = /(er|or|ist|ant|ent|yst|ian|ive|rse|lead|head)\b/i

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
const formats: Readonly<Record<string, (words: string, owner: string) => Recipe>> = {
  ...sameFor('date-time iso-date-time datetime dateTime', (words, owner) => dateTime(rangeOf(words, owner))),
  date: (words, owner) => date(rangeOf(words, owner)),
  ...sameFor('time iso-time', (words) =>
    /\bduration$/.test(words) ? ['00:', { words: ['15', '30', '45'] }, ':00Z'] : clock(rangeOf(words)),
  ),
  duration: () => ['PT', { words: ['15', '30', '45', '90'] }, 'M'],
  uuid: () => uuid,
  ...sameFor('email idn-email', () => email),
  ...sameFor('uri url iri', uriOf),
  ...sameFor('uri-reference iri-reference json-pointer', () => path),
  'uri-template': () => [...path, '/{id}'],
  ...sameFor('hostname idn-hostname', () => host),
  ipv4: () => ipv4,
  ipv6: () => ipv6,
  'json-pointer-uri-fragment': () => ['#', ...path],
  'relative-json-pointer': () => ['0', ...path],
  regex: () => ['^', ...word, '$'],
  byte: () => [many(letters + capitals + digits, 23), { words: ['A', 'Q', 'g', 'w'] }],
}

function sameFor(names: string, make: (words: string, owner: string) => Recipe): Record<string, typeof make> {
  return Object.fromEntries(names.split(' ').map((name) => [name, make]))
}

function uriOf(words: string): Recipe {
  const found = findText(words, '')
  const text = found?.recipe.at(0)
  return typeof text === 'string' && text.startsWith('https:') ? (found?.recipe ?? uri) : uri
}

/** Texts in the form of an example. Undefined if that says nothing about others. */
function similarTo(example: string, words: string, isOneOfFew: boolean): Recipe | undefined {
  if (/^[\da-f]{8}-[\da-f]{4}-\d?[\da-f]{3,4}-[\da-f]{4}-[\da-f]{12}$/i.test(example)) return uuid
  const time = readTime(example)
  if (time && (!/^\d+$/.test(example) || isOfTime.test(words))) return [{ time: rangeOf(words), form: time.form }]
  if (/^[\w.+-]+@[\w.-]+\.\w+$/.test(example)) return email
  // A user's name is none of random letters, and a year none of random digits.
  if (isLogin.test(words) && /^[\w.-]+$/.test(example)) return login
  if (/^(0\d|1[0-2])\/20\d\d$/.test(example)) return [{ time: rangeOf(words), form: '{M}/{Y}' }]
  if (/\byear$/.test(words)) return [{ time: rangeOf(words), form: '{Y}' }]
  if (/^https?:\/\/[^/]+\/?$/.test(example)) return uri
  if (/^([a-z\d-]+\.)+(com|org|net|io|dev|example)$/.test(example)) return host
  if (/^https?:\/\//.test(example)) return vary(example) ?? [example.slice(0, example.lastIndexOf('/') + 1), ...label]
  if (/\s/.test(example) || example.length > 60) return undefined
  // A single digit mostly is a part of a name: `us-east-1`, `mp3`
  if (isSpoken.test(words) && !/\d\d/.test(example)) return undefined
  const isToken = example.length >= 10 && /\d/.test(example) && /^[\w-]+$/.test(example) && !isSpoken.test(words)
  if (isToken && !/^[\d-]+$/.test(example)) return tokenLike(example)
  return isOneOfFew ? undefined : vary(example)
}

/** Names of what is another one each time. */
const isKey = /\b([ug]?id|key|code|number|no|ref|reference|sku|uuid|serial)s?$/

const isLogin = /\b(user ?name|login|handle|nick ?name)$/

/** Names of times, whose digits are no number. */
const isOfTime = /\b(date|time|day|at|on|start|end|since|until|from|to)s?$/

/** Names that people read, whose letters mean something. */
const isSpoken = /\b(slug|name|label|title|alias|type|kind|size|region|zone|plan|version|model|path|folder)s?$/

/** A prefix stays, and each character of the rest is another one of its kind. */
function tokenLike(example: string): Recipe {
  const [prefix = ''] = /^[a-zA-Z]{2,}[_-]/.exec(example) ?? []
  const rest = example.slice(prefix.length)
  const isHexadecimal = /^[\da-f-]*[a-f][\da-f-]*$/.test(rest)
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
