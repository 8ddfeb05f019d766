/** Keeps credentials and values of persons out of what is written: made values take their places, the same one for each. */
import { isObject } from '../json/own-value.js'
import { endsLikeSecret } from '../lexicon/keys.js'
import { isOfPerson, isPersonName } from '../lexicon/persons.js'
import type { Values } from './observed.js'

export interface HideValues {
  /** A value with made values in the places of those of persons. Undefined if it has a credential. */
  hide(value: unknown, name?: string): unknown
  /** The same for a record, with made texts in the places of credentials. */
  hideRecord(record: Values): Values
}

interface Found {
  /** All JSON values of the recordings. */
  values: readonly unknown[]
  hasSecret(text: string): boolean
  /** Whether names and addresses stay. */
  keepsValues: boolean
}

/** Shorter values are not looked for within texts. */
const shortest = 4

export function createHideValues({ values, hasSecret, keepsValues }: Found): HideValues {
  const made = new Map<string, string>()
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) collect(each)
    if (!isObject(value)) return
    const names = Object.keys(value)
    for (const [name, each] of Object.entries(value)) {
      if (
        typeof each === 'string' &&
        each !== '' &&
        (isOfPerson(name, names) || isPersonName(name, each) || isAddress(each)) &&
        !made.has(each)
      )
        made.set(each, toMade(each, made.size + 1))
      collect(each)
    }
  }
  if (!keepsValues) for (const each of values) collect(each)
  const longest = [...made]
    .filter(([text]) => text.length >= shortest)
    .toSorted(([one], [two]) => two.length - one.length)
  const hideText = (text: string): string =>
    made.get(text) ?? longest.reduce((result, [real, own]) => result.replaceAll(real, () => own), text)

  const hide = (value: unknown, name = '', inPlace?: string): unknown => {
    if (typeof value === 'string') {
      const isSecret = hasSecret(value) || (endsLikeSecret(name) && value !== '' && !value.startsWith('$'))
      return isSecret ? inPlace : hideText(value)
    }
    if (Array.isArray(value)) {
      const items = value.map((each) => hide(each, name, inPlace))
      return items.includes(undefined) ? undefined : items
    }
    if (!isObject(value)) return value
    const members = Object.entries(value).map(([each, inner]) => [hideText(each), hide(inner, each, inPlace)] as const)
    return members.some(([, each]) => each === undefined) ? undefined : Object.fromEntries(members)
  }
  return {
    hide: (value, name) => hide(value, name),
    hideRecord: (record) => hide(record, '', 'made-in-place-of-a-secret') as Values,
  }
}

/** Whether a text is an address of a person: of mail, or the number of a telephone. */
function isAddress(text: string): boolean {
  return /^[^\s@/]+@[^\s@/]+\.[a-z]{2,}$/i.test(text) || /^\+\d[\d ()-]{6,}$/.test(text)
}

function toMade(text: string, number: number): string {
  if (text.includes('@')) return `person${number}@example.com`
  if (/^[\d+ ().-]+$/.test(text)) return text.replace(/\d/g, (_, index: number) => String((number + index) % 10))
  return `Person ${number}`
}
