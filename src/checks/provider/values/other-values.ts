/** Other values of the same kind as the leaves of a value, so that each request can have its own; selects those to vary. */
import { createHash, randomInt } from 'node:crypto'
import { toJson } from '../../../json/exact-json.js'
import { isObject } from '../../../json/own-value.js'

/** Selects one of many values. Each next number selects another value until all were selected. */
export interface Variation {
  /** An integer from 0 to 2^32 − 1. */
  salt: number
  /** Counts up from 0. */
  number: number
}

const letters = 'abcdefghijklmnopqrstuvwxyz'
/** A prime that divides none of the numbers of values below, so that consecutive values look different. */
const step = 1_000_003

/** An integer from 0 to `size` − 1. */
function choose({ salt, number }: Variation, size: number): number {
  return (salt + number * step) % size
}

/** A salt derived from texts. */
export function saltOf(...parts: (string | number)[]): number {
  return createHash('sha256').update(toJson(parts)).digest().readUInt32BE()
}

const tails = 36 ** 5

/** Six letters and digits in lower case, as many services ignore the case. The first is a letter. */
function tokenOf(variation: Variation): string {
  const index = choose(variation, letters.length * tails)
  return `${letters[Math.floor(index / tails)]}${(index % tails).toString(36).padStart(5, '0')}`
}

const email = /^([^@\s]+)@([^@\s]+)$/
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const address = /^[a-z][a-z0-9+.-]*:\/\/[^?#]*$/i
const ipv4 = /^(\d{1,3}\.){3}\d{1,3}$/
/** Codes, numbers and names of languages, which rarely allow additions. */
const code = /^([\d\s()+.-]+|[A-Za-z]{1,3})$/
const dateOrTime = /^(\d{4}-\d\d-\d\d)(T.*)?$/

export interface Purpose {
  /** The value is the key of a new record. */
  isKey: boolean
  /** The value is ordinary and tests nothing in particular. */
  isOrdinary: boolean
  /** Whether the schema allows another value, or forbids it in the same way. */
  isAllowed(value: unknown): boolean
}

/** Other values to choose from, best first. None if no other value is possible. */
export function* othersOf(
  value: unknown,
  variation: Variation,
  { isKey, isOrdinary, isAllowed }: Purpose,
): Iterable<unknown> {
  if (typeof value === 'string') {
    if (isKey) yield* [uuidOf(variation), uuidOf(variation).slice(0, 8)]
    yield* isOrdinary ? otherTexts(value, variation) : alikeTexts(value, variation, isAllowed)
  } else if (typeof value === 'number' || typeof value === 'bigint') {
    yield* isOrdinary ? otherNumbers(value, variation) : alikeNumbers(value, variation, isAllowed)
  }
}

/** Texts for the same purpose, most usual first. */
export function* otherTexts(text: string, variation: Variation): Iterable<string> {
  const token = tokenOf(variation)
  const [, local, host] = email.exec(text) ?? []
  const [, date, time = ''] = dateOrTime.exec(text) ?? []
  if (host !== undefined) yield `${local}-${token}@${host}`
  else if (uuid.test(text)) yield uuidOf(variation)
  else if (date !== undefined) return yield* [otherDate(date, variation) + time]
  else if (ipv4.test(text)) {
    const index = choose(variation, 2 ** 24)
    yield `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`
  } else if (address.test(text)) yield `${text.replace(/\/$/, '')}/${token}`
  else if (!code.test(text)) yield `${text}-${token}`
  yield* similarTexts(text, variation)
  yield `${text}${token}`
}

/** Texts of the same length, with the same signs: a letter for a letter and a digit for a digit. */
function* similarTexts(text: string, variation: Variation): Iterable<string> {
  const isUpper = (character: string) => character !== character.toLowerCase()
  const replace = (replaced: RegExp, alphabet: string) => {
    const characters = [...text]
    const all = [...characters.keys()].filter((index) => replaced.test(characters[index] ?? ''))
    // A code differs at its end. A long text that is cut must still differ.
    const places = characters.length > 12 ? all.slice(0, 6) : all.slice(-6)
    const sizes = places.map((place) => (/\d/.test(characters[place] ?? '') ? 10 : alphabet.length))
    let index = choose(
      variation,
      sizes.reduce((product, size) => product * size, 1),
    )
    for (const [at, place] of places.entries()) {
      const size = sizes[at] ?? 1
      const digit = index % size
      index = Math.floor(index / size)
      const letter = alphabet[digit] ?? ''
      if (size === 10) characters[place] = String(digit)
      else characters[place] = isUpper(characters[place] ?? '') ? letter.toUpperCase() : letter
    }
    return characters.join('')
  }
  yield replace(/^[A-Za-z0-9]$/, letters)
  // Keeps letters, such as prefixes and hexadecimal digits.
  yield replace(/^\d$/, letters)
  yield replace(/^[A-Fa-f0-9]$/, 'abcdef')
}

/** Texts that test the same case: with the same length if the text is short or at a bound, else with a prefix. */
function* alikeTexts(text: string, variation: Variation, isAllowed: Purpose['isAllowed']): Iterable<string> {
  if (email.test(text) || uuid.test(text) || dateOrTime.test(text)) return yield* otherTexts(text, variation)
  const isAtBound = !isAllowed(`x${text}`) || !isAllowed(text.slice(0, -1))
  const isShort = [...text].length <= 3
  if (!isShort && !isAtBound) yield `${tokenOf(variation)} ${text}`
  yield* similarTexts(text, variation)
  if (text !== '' && !isAtBound) yield `${text}${tokenOf(variation)}`
}

/** Greater numbers, as far as a bound allows, and smaller numbers below a maximum. */
export function* otherNumbers(value: number | bigint, variation: Variation): Iterable<number | bigint> {
  for (const size of [1_000_000, 1000, 20]) {
    for (const unit of [1, 60, 100, -1]) {
      yield plus(value, unit * (1 + choose(variation, size)))
    }
  }
}

/** Nearby numbers. None for a bound, 0 and 1, because no other number tests the same case. */
function* alikeNumbers(
  value: number | bigint,
  variation: Variation,
  isAllowed: Purpose['isAllowed'],
): Iterable<number | bigint> {
  const nearby = [-2, -1, 0, 1, 2].map((distance) => plus(value, distance))
  const isSpecial = nearby.some((each) => String(each) === '0' || !isAllowed(each))
  // An even distance, because a double may only hold every second integer.
  if (!isSpecial) for (const size of [1000, 20]) yield plus(value, 2 * (1 + choose(variation, size)))
}

function plus(value: number | bigint, distance: number): number | bigint {
  return typeof value === 'bigint' ? value + BigInt(distance) : value + distance
}

/** A UUID of version 4 (RFC 9562, section 5.4). */
function uuidOf({ salt, number }: Variation): string {
  const digits = createHash('sha256').update(`${salt} ${number}`).digest('hex')
  const [a, b, c, d] = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(13, 16), digits.slice(17, 20)]
  return `${a}-${b}-4${c}-8${d}-${digits.slice(20, 32)}`
}

const dayMs = 24 * 60 * 60 * 1000

/** A later date. An impossible date stays unchanged. */
function otherDate(date: string, variation: Variation): string {
  const time = Date.parse(date) + dayMs * (1 + choose(variation, 3000))
  return Number.isNaN(time) ? date : new Date(time).toISOString().slice(0, 10)
}

/** A way to make a body unique: selects the values to vary. */
export interface Way {
  /** Seed for the choice of other values. */
  salt: number
  varies(leaf: Leaf): boolean
}

/** Properties that identify a record for people. */
const nameOfNames = /name|title|mail|user|login|slug|sku|label|isbn|serial|phone|handle|subject/i
/** Maximum number of ways that vary only one value. */
const maxSingles = 8

export const nothing: Way['varies'] = () => false
/** Numbers are often ids of other records, and dates belong together. */
export const isText: Way['varies'] = ({ value }) => typeof value === 'string' && !dateOrTime.test(value)

/** Texts of the length of a date that are none. Only a pattern allows the first and not the second. */
export const noDates: readonly string[] = ['9999-99-99', 'xxxxxxxxxx']
const isName: Way['varies'] = (leaf) => isText(leaf) && nameOfNames.test(leaf.name)
const anything: Way['varies'] = () => true

/** All ways except the given one. A service may require one value unchanged and accept another value only once. */
export function otherWays(way: Way, body: unknown): Way[] {
  const names = leavesOf(body).map(({ name }) => name)
  const singles = names.slice(0, maxSingles).map(
    (name): Way['varies'] =>
      (leaf) =>
        leaf.name === name,
  )
  const varied = new Set([way.varies, isText, anything, isName, nothing, ...singles])
  // An earlier check with the same seed may have left records with the same values.
  const salts = [way.salt, randomInt(2 ** 32)]
  return [...varied].flatMap((varies) => salts.map((salt) => ({ salt, varies }))).slice(1)
}

/** A text, number or other value without parts. */
export interface Leaf {
  path: readonly (string | number)[]
  /** The path as text. The items of a list share one. */
  name: string
  value: unknown
}

/** Maximum number of leaves to vary. */
const maxLeaves = 50

/** The leaves of a value, in order. Visits only the first item of each list. */
export function leavesOf(value: unknown): Leaf[] {
  return [...visit(value, [])].slice(0, maxLeaves)
}

function* visit(value: unknown, path: readonly (string | number)[]): Iterable<Leaf> {
  if (typeof value !== 'object' || value === null) {
    const name = path.map((part) => (typeof part === 'number' ? '[]' : part)).join('.')
    yield { path, name, value }
  } else if (Array.isArray(value)) {
    if (value.length > 0) yield* visit(value[0], [...path, 0])
  } else {
    for (const [name, inner] of Object.entries(value)) yield* visit(inner, [...path, name])
  }
}

/** A copy with another value at a path. Creates missing objects on the way. */
export function withValueAt(value: unknown, [part, ...rest]: Leaf['path'], inner: unknown): unknown {
  if (part === undefined) return inner
  if (Array.isArray(value) && typeof part === 'number') return value.with(part, withValueAt(value[part], rest, inner))
  const own = isObject(value) ? value : {}
  return { ...own, [part]: withValueAt(own[part], rest, inner) }
}

/** Ignores case and surrounding spaces, because a service may treat such texts as equal. */
export function normalize(value: unknown): string {
  return typeof value === 'string' ? `"${value.normalize('NFKC').trim().toLowerCase()}` : String(value)
}
