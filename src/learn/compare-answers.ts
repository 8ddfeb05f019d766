/** Compares an answer of the real service with that of the sandbox. */
import { isObject } from '../json/own-value.js'
import { isTimeName } from '../lexicon/times.js'
import type { Pairs } from './pair-values.js'
import { isKeyName } from './pair-values.js'

/** An answer of the service or the sandbox. */
export interface Answer {
  status: number
  /** Media type without parameters. Empty without a body. */
  type: string
  /** JSON as a value, anything else as text. Undefined without a body. */
  body: unknown
  /** The path that the header `Location` of a success leads to. */
  location: string | undefined
}

/** A place of the bodies at which they differ. */
export interface Difference {
  /** `status`: nothing else is compared. `order`: the same items. `length`: another number of items. */
  kind: 'status' | 'media' | 'location' | 'missing' | 'extra' | 'value' | 'length' | 'order'
  /** The names and indexes that lead to it in the real body. */
  at: readonly string[]
  real: unknown
  own: unknown
}

/** Pairs what both services choose on the way. */
export function compareAnswers(pairs: Pairs, real: Answer, own: Answer): Difference[] {
  if (real.status !== own.status) return [{ kind: 'status', at: [], real: real.status, own: own.status }]
  const found: Difference[] = []
  if (real.type !== own.type) found.push({ kind: 'media', at: [], real: real.type, own: own.type })
  if (real.location !== undefined && !isSameText(pairs, real.location, own.location))
    found.push({ kind: 'location', at: [], real: real.location, own: own.location })
  if (real.body !== undefined && own.body !== undefined) compareValues(pairs, found, [], real.body, own.body)
  return found
}

function compareValues(pairs: Pairs, found: Difference[], at: readonly string[], real: unknown, own: unknown): void {
  if (Array.isArray(real) && Array.isArray(own)) compareLists(pairs, found, at, real, own)
  else if (isObject(real) && isObject(own)) {
    const translated = new Map(Object.keys(real).map((name) => [name, pairs.of(name) ?? name]))
    for (const [name, other] of translated) {
      const inner = [...at, name]
      if (Object.hasOwn(own, other)) compareValues(pairs, found, inner, real[name], own[other])
      else found.push({ kind: 'missing', at: inner, real: real[name], own: undefined })
    }
    const known = new Set(translated.values())
    for (const name of Object.keys(own))
      if (!known.has(name)) found.push({ kind: 'extra', at: [...at, name], real: undefined, own: own[name] })
  } else if (!isAlike(pairs, at.at(-1) ?? '', real, own)) found.push({ kind: 'value', at, real, own })
}

function compareLists(
  pairs: Pairs,
  found: Difference[],
  at: readonly string[],
  real: readonly unknown[],
  own: readonly unknown[],
): void {
  if (real.length !== own.length) {
    found.push({ kind: 'length', at, real: real.length, own: own.length })
    return
  }
  const wanted = real.map((each) => nameOf(pairs.translate(each)))
  const got = own.map(nameOf)
  const isOther = wanted.some((name, index) => name !== got[index])
  const isSameSet = isOther && `${wanted.toSorted()}` === `${got.toSorted()}` && new Set(got).size === got.length
  if (isSameSet) found.push({ kind: 'order', at, real: wanted, own: got })
  for (const [index, each] of real.entries()) {
    const position = isSameSet ? got.indexOf(wanted[index] ?? '') : index
    compareValues(pairs, found, [...at, String(index)], each, own[position])
  }
}

/** What distinguishes an item of a list: its key, its name, or all of it. */
function nameOf(item: unknown): string {
  if (!isObject(item)) return JSON.stringify(item)
  const named = Object.entries(item).find(([name, value]) => isKeyName(name) && typeof value !== 'object')
  return named ? String(named[1]) : JSON.stringify(item)
}

function isAlike(pairs: Pairs, name: string, real: unknown, own: unknown): boolean {
  const isKey = isKeyName(name)
  if (real === own) return true
  if (typeof real !== typeof own || real === null || own === null || typeof real === 'object') return false
  if (pairs.of(real) === String(own) || isSameText(pairs, real, own)) return true
  if (isTime(name, real)) return isTime(name, own)
  const isNumeral = (value: unknown) => /^\d+$/.test(String(value))
  // Both services choose their keys, and what looks random.
  if (isKey && isNumeral(real) && isNumeral(own)) return pairs.pair(real, own)
  return formOf(real) !== undefined && formOf(real) === formOf(own) && pairs.pair(real, own)
}

function isSameText(pairs: Pairs, real: unknown, own: unknown): boolean {
  return typeof real === 'string' && [pairs.translateText(real), pairs.translateWords(real)].includes(String(own))
}

/** Whether a value is a time: a text, or a number at a place of one. */
export function isTime(name: string, value: unknown): boolean {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value)
  return typeof value === 'number' && isTimeName(name) && value > 1e9
}

/** Whether a value is or has a time, a key or a random text, which another record would not have. */
export function isFree(name: string, value: unknown): boolean {
  if (isTime(name, value) || formOf(value) !== undefined || (isKeyName(name) && value !== null)) return true
  // A list of records has been others before.
  if (Array.isArray(value) && value.some(isObject)) return true
  return (
    typeof value === 'object' && value !== null && Object.entries(value).some(([each, inner]) => isFree(each, inner))
  )
}

/** The form of a text that looks random. Undefined for others. */
export function formOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)) return 'uuid'
  if (/^[\da-f]{12,}$/i.test(value)) return `hexadecimal ${value.length}`
  return /^(?=.*\d)(?=.*[a-z])[\w-]{16,}={0,2}$/i.test(value) ? 'random' : undefined
}
