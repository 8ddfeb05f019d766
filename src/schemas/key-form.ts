/** Finds the form of keys in what a document says and shows of them. */
import { isPlaceholder } from '../lexicon/keys.js'
import { saysDigits, saysExample, saysPrefix } from '../lexicon/parameter-texts.js'

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
/** A UUID behind a prefix: `access-sandbox-` and a UUID. */
const prefixedUuid = /^((?:[a-z]+[_:-])+)[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/
/** What stands before the part that was made: `cus_` of `cus_9s6XKzkNRiz8i3`, `ED-` of `ED-24`, `SM` of `SM` and 32 digits. */
const prefixed = /^(?=.+$)((?:[a-z]+[_:-])+|(?:[A-Z]+[_:-])+|[A-Z]{2}(?=[\da-fA-F]{32}$))?(.+)$/
/** The characters of made parts, from the fewest to the most. */
const kinds: [made: RegExp, characters: string][] = [
  [/^\d+$/, '\\d'],
  [/^[\da-f]+$/, '[\\da-f]'],
  [/^[\dA-F]+$/, '[\\dA-F]'],
  [/^[\da-z]+$/, '[\\da-z]'],
  [/^[\dA-Z]+$/, '[\\dA-Z]'],
  [/^[\dA-Za-z]+$/, '[\\dA-Za-z]'],
]
/** Shorter texts are words, unless they have a prefix. */
const leastMade = 8
/** The least of a text behind a prefix that is made of letters and digits. */
const leastBehindPrefix = 6
/** The same with a digit before a letter, which words do not have: `51fa2` of `grw_51fa2` */
const leastMixed = 4
/** Shorter numbers are counted. */
const leastDigits = 10
/** The lengths of texts of hexadecimal digits that need not have any digit below 10: `aaaa…` is a usual example. */
const lengthsOfHashes = [24, 32, 40, 64]
/** The form of made parts of which only placeholders are shown. */
const usualPart = '[\\dA-Za-z]{24}'
/** A fingerprint: `3b:16:bf:e4` */
const pairs = /^[\da-f]{2}(:[\da-f]{2}){7,}$/

interface Form {
  /** `uuid`, or what all keys begin with. */
  prefix: string
  /** The made parts: one of `kinds`. Undefined for a placeholder and for forms without such a part. */
  kind?: number
  length?: number
  /** The pattern of a form without a made part. */
  pattern?: string
}

/**
 * The form of keys: `uuid`, else a pattern.
 * @param examples that the document has of them
 * @param said descriptions of them
 * @returns undefined for texts of any other form, such as names
 */
export function findKeyForm(examples: readonly string[], said: readonly string[]): string | undefined {
  const shared = sharedPrefix(examples)
  const forms = examples.map((example) => formOf(example, shared))
  if (forms.length > 0) {
    const most = forms.find((form) => 2 * forms.filter((each) => isSameForm(each, form)).length > forms.length)
    return most && !forms.includes(undefined)
      ? toPattern(forms.filter((each) => isSameForm(each, most)) as Form[])
      : undefined
  }
  if (said.some((text) => /\b[GU]UIDs?\b/.test(text) && !/\b(int|integer|number|or)\b/.test(text))) return 'uuid'
  const digits = said.map(saysDigits).find(Boolean)
  if (digits !== undefined) return `^[\\da-f]{${digits}}$`
  const quoted = said.flatMap((text) => saysExample(text) ?? [])
  const prefix = said.map(saysPrefix).find(Boolean)
  return (quoted.length > 0 ? findKeyForm(quoted, []) : undefined) ?? (prefix && `^${prefix}${usualPart}$`)
}

function isSameForm(one: Form | undefined, other: Form | undefined): boolean {
  return one?.prefix === other?.prefix && one?.pattern === other?.pattern
}

/** Whether a text looks like a key that a service has made. */
export function isMadeKey(text: string): boolean {
  return formOf(text) !== undefined
}

/**
 * The pattern of texts with other letters and digits where this one has a digit: `processor-0asd1-a92nc`
 * @param least the minimum length of the last part
 */
export function toSimilar(example: string, least = 0): string | undefined {
  const parts = example.match(/[\dA-Za-z]+|[^\dA-Za-z]+/g) ?? []
  const similar = parts.map((part, index) => {
    const characters = kinds.find(([kind]) => kind.test(part))?.[1]
    const length = index < parts.length - 1 ? part.length : Math.max(part.length, least)
    return /\d/.test(part) && characters ? `${characters}{${length}}` : part.replace(/[^\dA-Za-z_-]/g, '\\$&')
  })
  return example.length < 5 || !parts.some((part) => /\d/.test(part)) ? undefined : `^${similar.join('')}$`
}

/** The part of all forms that keys may have: with the most characters, and the length that is most frequent. */
function toPattern(forms: readonly Form[]): string {
  const [{ prefix, pattern } = { prefix: '' }] = forms
  if (pattern !== undefined || prefix === 'uuid') return pattern ?? prefix
  const made = forms.filter(({ kind }) => kind !== undefined)
  const used = new Set(made.map(({ kind }) => kind ?? 0))
  if (used.size === 0) return `^${prefix}${usualPart}$`
  const lengths = made.map(({ length = 0 }) => length)
  const count = (length: number) => lengths.filter((each) => each === length).length
  const length = lengths.toSorted((one, other) => count(other) - count(one))[0] ?? 0
  if (used.size === 1 && used.has(0)) return `^${prefix}[1-9]\\d{${prefix === '' ? length - 1 : '3,'}}$`
  const isWithin = (at: number) => [...used].every((kind) => at === kind || subsets[at]?.includes(kind))
  const characters = kinds[kinds.findIndex((_, at) => isWithin(at))]?.[1] ?? ''
  return `^${prefix}${characters}{${Math.max(length, leastMade)}}$`
}

/** By kind: the kinds whose characters it has, too. */
const subsets = [[], [0], [0], [0, 1], [0, 2], [0, 1, 2, 3, 4]]

/** The letters with which all keys of one length begin: `RPT` of `RPT8b63304e` and `RPTd8424963` */
function sharedPrefix(examples: readonly string[]): string {
  const [first = '', ...others] = new Set(examples)
  if (others.length === 0 || others.some(({ length }) => length !== first.length)) return ''
  const end = [...first].findIndex((letter, at) => others.some((other) => other[at] !== letter))
  const [prefix = ''] = /^[A-Za-z]*/.exec(first.slice(0, end)) ?? []
  // Two letters, and digits of hexadecimal numbers, may be the same by chance.
  return prefix.length > 2 && /[^\da-f]/i.test(prefix) ? prefix : ''
}

function formOf(example: string, shared = ''): Form | undefined {
  if (uuid.test(example)) return { prefix: 'uuid' }
  if (pairs.test(example)) {
    return { prefix: '', pattern: `^[\\da-f]{2}(:[\\da-f]{2}){${(example.length - 2) / 3}}$` }
  }
  const [, behind] = prefixedUuid.exec(example) ?? []
  if (behind !== undefined) return { prefix: behind, pattern: `^${behind}[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}$` } // unmeasured: a prefix of letters
  const [, found = '', rest = ''] = prefixed.exec(example) ?? []
  const [prefix, made] = found === '' && shared !== '' ? [shared, example.slice(shared.length)] : [found, rest]
  if (prefix !== '' && isPlaceholder(made)) return { prefix }
  const kind = kinds.findIndex(([each]) => each.test(made))
  const { length } = made
  const isHash = lengthsOfHashes.includes(length)
  const least = prefix === '' ? leastMade : /\d[a-z]/i.test(made) ? leastMixed : leastBehindPrefix
  const isMade = kind === 0 ? prefix !== '' || length >= leastDigits : isHash || (length >= least && /\d/.test(made))
  return kind === -1 || !isMade ? undefined : { prefix, kind: kind === 0 && isHash ? 1 : kind, length }
}
