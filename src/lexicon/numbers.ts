/** What numbers say by their names: counts, sizes, versions, and amounts of a unit. */
import { table } from './table.js'
import { sameName, singular, wordsOf } from './words.js'

/** Last words of numbers that count what happens later. */
const countEnds = table('word', `count 279, counts 30, balance 77, used 61, usage 50, progress 42`)
/** First words of such numbers. */
const countBeginnings = table('lead', `total 277, num 49, usage 54, used 41`)
/** First words that count if `of` follows. */
const countedOf = new Set(['number', 'count'])

/** Whether a number counts what happened to its record: `comment_count`, `totalSales`, `amount refunded` */
export function isCountName(name: string): boolean {
  const words = wordsOf(name)
  const [first = '', second] = words
  const last = words.at(-1)
  const isOfPart = first === 'amount' && words.length === 2 && /(ed|able)$/.test(second ?? '')
  return countEnds.has(last) || countBeginnings.has(first) || (countedOf.has(first) && second === 'of') || isOfPart
}

/** Whether a number is 0 if all is well, or at the beginning: `error_code`, `offset` */
export function isZeroAtBest(name: string): boolean {
  return /\b(code|errors?|status|count|offset|index|skipped|failed|warnings?)$/.test(wordsOf(name).join(' '))
}

const countObjects = table(
  'word',
  `counts 30, count 279, stats 45, statistics 24, usage 50, total 170, totals 18, metrics 32, summary 81`,
)

/** Whether an object has counts: `stats` */
export function hasCounts(name: string): boolean {
  return countObjects.has(wordsOf(name).at(-1))
}

const sizes = table(
  'property',
  `size 133, bytes 4, total size 7, total bytes 4, size in bytes 7, size bytes 11, current size 3, actual size 1`,
)

/** Whether a number is the size of its record. */
export function isSizeName(name: string): boolean {
  return sizes.has(name)
}

/** Collections of what is empty at first. */
const containers = table(
  'segment',
  `folders 18, repositories 12, index 9, databases 9, buckets 8, rooms 8, directory 6, repository 6, drives 6,
  albums 6, registry 5, database 5, folder 3, library 3, bucket 1, repo 1, room 1, drive 1, album 1`,
)

/** Whether the records of a collection contain others, so that a new one is empty. */
export function isContainer(collection: string): boolean {
  return containers.has(singular(wordsOf(collection).at(-1) ?? ''))
}

/** Plural words of amounts, which count nothing. */
const units = new Set(
  `seconds minutes hours days weeks months years ms millis milliseconds pixels points units degrees bytes status
  grams kilograms cents percents hectares acres miles meters metres`.split(/\s+/),
)

/** Whether a word is that of a unit: `seconds` */
export function isUnit(word: string): boolean {
  return units.has(word)
}

/** Numbers that count the changes of a record. */
const versions = table(
  'property',
  `version 163, revision 23, version number 10, object version 4, revision number 4, record version 3,
  resource version 6`,
)

/** Whether a number counts the changes of its record. */
export function isVersionName(name: string): boolean {
  return versions.has(name)
}

/** Says quickly that a name is neither a plural nor has a word for a number. */
export const mayCount = (name: string): boolean => /count|num|total|nb|s$/i.test(name)
/** Whether a word beside the name of a list counts it: `num_subtasks` */
export const isCounting = (word: string): boolean => /^(counts?|num|number|nb|total|totals|of)$/.test(word)
/** What a number counts: `zone` for `zoneCount` and `total_zones`. Undefined if it counts nothing. */
export function countedIn(name: string): string | undefined {
  const words = wordsOf(name)
  const others = words.filter((word) => !isCounting(word))
  return others.length > 0 && others.length < words.length ? sameName(others.join('-')) : undefined
}
/** Whether a number beside a list counts its items. */
export const isListCount = (name: string): boolean =>
  /^(total|count|size|(total|item)_?(count|items|size))$/i.test(name)
/** Whether a number is the place of its item in a list. */
export const isIndex = (name: string): boolean => /^(index|position)$/i.test(name)

const changed = table('word', `affected 2, changed 24, updated 97, modified 50, deleted 65, removed 15, processed 20`)
const unchanged = table(
  'word',
  `failed 32, skipped 9, ignored 11, errors 127, invalid 7, missing 7, unchanged 0, remaining 42`,
)

/** Whether a number in an answer counts the records that the request has changed: `updated_count`, `affected` */
export function countsChanged(name: string): boolean {
  const words = wordsOf(name)
  return (isCountName(name) || words.some(changed.has)) && !words.some(unchanged.has)
}
