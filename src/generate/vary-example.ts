/** Varies a record of the document: gives it another key, other names and other times, wherever they are in it, and nothing else. */

import { isObject } from '../json/own-value.js'
import type { Random } from '../json/random.js'
import { isCalledBy, isCodeOfOne } from '../lexicon/record-names.js'
import { mostSearched, wordsOf } from '../lexicon/words.js'
import type { Values } from '../state/stored-record.js'
import { timeIn } from '../values/agreed-times.js'
import { plainText } from '../values/agreement.js'
import { isId } from '../values/value-looks.js'

export interface ExampleToVary {
  shown: Values
  /** The names of another record of the same schema. */
  made: Values
  /** All its values. */
  others: Values
  /** Its key, and that of the other record. */
  keys: readonly [shown: unknown, made: unknown]
  /** The words for such records, which all of them may have. */
  owner: string
  /** Milliseconds since 1970. */
  now: number
  random: Random
}

/** A text, and what takes its place. */
type Change = readonly [before: string, after: string]

/** Whether values of this name differ from record to record. */
export function isOfOne(name: string): boolean {
  return isId.test(name) || isCalledBy(name) || isCodeOfOne(name)
}

/** Names are replaced where other texts have them, too. Texts with only a part of one are those of the other record. */
export function varyExample({ shown, made, others, keys, owner, now, random }: ExampleToVary): Values {
  const ids = Object.keys(shown).filter((name) => isId.test(name) && typeof shown[name] === 'string' && made[name])
  const key = [keys, ...ids.map((name) => [shown[name], made[name]])].map(([before, after]): Change => {
    return [textOf(before), textOf(after)]
  })
  const all = Object.entries(shown).flatMap(([name, value]): Change[] => {
    const other = made[name]
    if (!isText(value) || !isText(other) || isId.test(name) || !isOfOne(name)) return []
    // `Network/gateways/delete` is no name of several words.
    const isPath = /.\/./.test(value) && !/\s/.test(value) && /\s/.test(other)
    const isOther = value !== other && value !== keys[0] && !isPath
    return isOther ? [[value, other]] : []
  })
  const isSpelling = (text: string) =>
    all.some(([each]) => each !== text && spellings.some((spell) => spell(each) === text))
  const names = all.filter(([before]) => !isSpelling(before))
  const isLeft = (text: unknown) => isText(text) && names.some((name) => hasPart(text, name, owner))
  const varied = Object.entries(withChanges(shown, [...names, ...key])).flatMap(
    ([name, value]): [string, unknown][] => {
      if (![value].flat().some(isLeft)) return [[name, value]]
      return others[name] === undefined ? [] : [[name, others[name]]]
    },
  )
  return withShiftedTimes(Object.fromEntries(varied), now, random)
}

const isText = (value: unknown): value is string => typeof value === 'string'

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** Whether a text has a word of a former name. */
function hasPart(text: string, [before, after]: Change, owner: string): boolean {
  const known = `${after} ${owner} http https example mail`.toLowerCase()
  const words =
    before
      .replace(/(?<!\S)\S+@.*/, '')
      .toLowerCase()
      .match(/\p{L}{4,}/gu) ?? []
  return words.some((word) => !known.includes(word) && text.toLowerCase().includes(word))
}

/** How texts, addresses and keys spell a name. */
const spellings: readonly ((text: string) => string)[] = [
  (text) => plainText(text).replace(/\s+/g, ''),
  (text) => plainText(text).replace(/\s+/g, '_'),
  (text) => plainText(text).replace(/\s+/g, '-'),
  (text) => text.replace(/\W+/g, ''),
  (text) => text,
]

function withChanges(values: Values, changes: readonly Change[]): Values {
  const spelled = changes.flatMap(([before, after]) => spellings.map((spell) => [spell(before), spell(after)] as const))
  const known = new Map(spelled.filter(([before]) => before.length > 2 && before.length <= mostSearched))
  const texts = [...known.keys()].toSorted((one, other) => other.length - one.length)
  if (texts.length === 0) return values
  const literal = texts.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  // The host of an address stays.
  const pattern = new RegExp(`^[a-z]+://[^/]*|(?<![\\p{L}\\d])(${literal.join('|')})(?![\\p{L}\\d])`, 'gu')
  const change = (value: unknown) =>
    typeof value === 'string' ? value.replace(pattern, (text) => known.get(text) ?? text) : value
  return mapScalars(values, '', change) as Values
}

function mapScalars(value: unknown, name: string, change: (value: unknown, name: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => mapScalars(each, name, change))
  if (!isObject(value)) return change(value, name)
  return Object.fromEntries(Object.entries(value).map(([own, each]) => [own, mapScalars(each, own, change)]))
}

const dayMs = 86_400_000
/** In days. */
const farthest = 120

/** All times move together, so that their order stays. They stay in years that other values of the record have. */
function withShiftedTimes(values: Values, now: number, random: Random): Values {
  const timeOf = (value: unknown, name: string) => timeIn({ name, words: wordsOf(name).join(' '), value })
  const times: number[] = []
  const years = new Set<string>()
  mapScalars(values, '', (value, name) => {
    const time = timeOf(value, name)
    if (time) times.push(time.at)
    else for (const [year] of textOf(value).matchAll(/\b(19|20)\d\d\b/g)) years.add(year)
    return value
  })
  let [least, most] = [-farthest, farthest]
  for (const at of times.filter((each) => each > dayMs)) {
    if (at > now) least = Math.max(least, Math.ceil((now - at) / dayMs))
    else most = Math.min(most, Math.floor((now - at) / dayMs))
    const year = new Date(at).getUTCFullYear()
    if (!years.has(String(year))) continue
    least = Math.max(least, Math.ceil((Date.UTC(year) - at) / dayMs))
    most = Math.min(most, Math.floor((Date.UTC(year + 1) - 1 - at) / dayMs))
  }
  const offset = (least + random.below(Math.max(most - least + 1, 1))) * dayMs
  if (times.length === 0 || most < least) return values
  return mapScalars(values, '', (value, name) => {
    const time = timeOf(value, name)
    return time && time.at > dayMs ? time.write(time.at + offset) : value
  }) as Values
}
