/** Pairs what a real service made with what the sandbox made in its place: keys, tokens and other values that both choose. */
import { isObject } from '../json/own-value.js'
import { endsWithId, isKey } from '../lexicon/keys.js'

/** Whether a property has a key that the service chose. */
export function isKeyName(name: string): boolean {
  return isKey(name) || endsWithId(name)
}

/** Shorter values are not looked for within texts. */
const minLength = 4

export interface Pairs {
  /** The value of the sandbox. Undefined for a value that is no pair. */
  of(real: unknown): string | undefined
  /** @returns whether the two are a pair, or are one now */
  pair(real: unknown, own: unknown): boolean
  /** A text with the values of the sandbox. */
  translateText(text: string): string
  /** The same, also with short values that are whole words. */
  translateWords(text: string): string
  /** A value with the values of the sandbox, at places of keys and as whole texts. @param name the property that has it */
  translate(value: unknown, name?: string): unknown
}

export function createPairs(): Pairs {
  const there = new Map<string, string>()
  const back = new Set<string>()
  const translateText = (text: string) => {
    const whole = there.get(text)
    if (whole !== undefined) return whole
    const inner = [...there].filter(([real]) => real.length >= minLength && text.includes(real))
    return inner.reduce((result, [real, own]) => result.replaceAll(real, () => own), text)
  }
  const translate = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') return value.length >= minLength || isKeyName(name) ? translateText(value) : value
    if (typeof value === 'number') {
      const own = isKeyName(name) ? there.get(String(value)) : undefined
      return own === undefined ? value : Number.isFinite(Number(own)) ? Number(own) : own
    }
    if (Array.isArray(value)) return value.map((each) => translate(each, name))
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([each, inner]) => [translateText(each), translate(inner, each)]),
    )
  }
  return {
    of: (real) => there.get(String(real)),
    pair(real, own) {
      const [from, to] = [String(real), String(own)]
      const known = there.get(from)
      if (known !== undefined) return known === to
      if (from === to) return true
      if (back.has(to)) return false
      there.set(from, to)
      back.add(to)
      return true
    },
    translateText,
    translateWords: (text) => translateText(text).replace(/[\p{L}\p{N}_-]+/gu, (word) => there.get(word) ?? word),
    translate,
  }
}
