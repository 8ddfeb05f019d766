/** How names, values and descriptions say the order of a list. */
import { table } from './table.js'
import { bareName } from './words.js'

/** Whether a value only says a direction: `desc`, `ascending`, `-1` */
export function isDirection(value: unknown): boolean {
  return /^-?(1|(asc|desc)(end(ing)?)?(?![a-z]))/i.test(String(value))
}

/** The direction in a value, also beside the name of a property: `-created`, `name desc` */
export function directionIn(text: string): 'ascending' | 'descending' | undefined {
  if (/^[-+]/.test(text)) return text.startsWith('-') ? 'descending' : 'ascending'
  const found = /^(asc|desc)(end(ing)?)?(?![a-z])/i.exec(text) ?? /[\W_](asc|desc)(ending)?$/i.exec(text)
  if (!found) return undefined
  return found[1]?.toLowerCase() === 'asc' ? 'ascending' : 'descending'
}

/** The bare name of the property in a value: `created` for `created:desc` */
export function withoutDirection(text: string): string {
  return bareName(text.replace(/(?<!\W)\W*(asc|desc)(ending)?$/i, ''))
}

/** What a boolean parameter says if it is true. */
export function flagDirection(name: string): 'ascending' | 'descending' | undefined {
  if (/(^|sort_?|is_?)asc(ending)?$/i.test(name)) return 'ascending'
  return /desc|reverse/i.test(name) ? 'descending' : undefined
}

const creation = table(
  'property',
  `created at 129, timestamp 113, created 92, created date 33, creation date 25, date created 21, added 20,
  created on 18, create date 17, created time 16, creation time 13, create time 10, created datetime 9, date added 8,
  create timestamp 7, creation datetime 6, created timestamp 6, creation timestamp 6, time created 5`,
)
/** Whether a property follows the order of creation. */
export const isCreationTime = (name: string): boolean => creation.has(name)

/** The properties by which lists are sorted if a request names none, best first. */
const usual = table(
  'property',
  `created at 129, created 92, created on 18, created date 33, date 151, timestamp 113, updated at 95, id 388,
  name 435`,
)
export const usualOrders: readonly string[] = usual.names.map(bareName)

/** The property and the direction that a description says: "sorted by `name` in ascending order" */
export function saysOrder(text: string): { property: string; isDescending: boolean } | undefined {
  const [, first, ofFirst] =
    /\b(?:sorted|ordered|see|list|listed|returned)\b[^.]{0,300}\bby (ascending|descending) [`*_]{0,3}(\w+)/i.exec(
      text,
    ) ?? []
  const [, ofOther, other] =
    /\b(?:sorted|ordered)\b(?:[^.]{0,300}\border)? by [`*_]{0,3}(\w+?)[`*_]{0,3},?(?: in)? (ascending|descending)\b/i.exec(
      text,
    ) ?? []
  const property = ofFirst ?? ofOther
  if (property === undefined) return undefined
  return { property: bareName(property), isDescending: /^desc/i.test(first ?? other ?? '') }
}

/** Whether a description says that the newest records come first, or the oldest. */
export function saysFirst(text: string): 'newest' | 'oldest' | undefined {
  if (/\b(newest|latest|most recent)( \w+)? first\b|\bnewest to oldest\b|\breverse[- ]chronological(ly)?\b/i.test(text))
    return 'newest'
  return /\boldest[- ]first\b|\boldest to newest\b/i.test(text) ? 'oldest' : undefined
}

/** Whether a description says that a minus before a value sorts descending. */
export function saysMinus(text: string): boolean {
  return text
    .split('.')
    .some(
      (sentence) => /(?<!\w)(-|minus|hyphen)(?!\w)/i.test(sentence) && /\b(descending|desc|reverse)\b/i.test(sentence),
    )
}
