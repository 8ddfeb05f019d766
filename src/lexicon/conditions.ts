/** How the names and descriptions of parameters say which records a request chooses. */
import { type Table, table } from './table.js'
import { bareName, singular, wordsOf } from './words.js'

export type ComparisonWord = 'above' | 'from' | 'below' | 'to' | 'is' | 'text'

/** First or last words of parameters: `min_price`, `created_after`. Members of an object: `price[gte]` */
const comparisons: readonly (readonly [ComparisonWord, Table])[] = [
  ['from', table('word', `from 136, start 121, min 49, since 27, minimum 23, begin 10, gte 7, start at 0`)],
  ['to', table('word', `to 145, end 112, max 58, until 45, maximum 20, lte 7, end at 0`)],
  ['above', table('word', `after 48, gt 6`)],
  ['below', table('word', `before 34, lt 6, below 3`)],
  ['is', table('word', `in 91, eq 4`)],
  ['text', table('word', `includes 6, contains 5, like 5, fuzzy 3`)],
]

/** The comparison that a word of a name means. */
export function comparisonOf(word: string | undefined): ComparisonWord | undefined {
  return comparisons.find(([, words]) => words.has(word))?.[0]
}

/** Words that only join others: `greater_than_or_equal` */
const joining: ReadonlySet<string> = new Set(['or', 'than', 'equal'])
export const isJoining = (word: string): boolean => joining.has(word)

const equals = table('property', `value 245, values 53, exact 4, equals 4, any 3, equal 0`)

/** The word for what a member of an object with the name of a property compares: `eq` for `created_at: { exact }` */
export function memberComparison(member: string): string | undefined {
  if (equals.has(member)) return 'eq'
  return comparisonOf(member) === undefined ? undefined : bareName(member)
}

/** Whether a filter compares whole values: "Only members of exactly this city", or also parts of them: "contains this text" */
export function saysComparison(text: string): 'whole' | 'part' | undefined {
  if (
    /\b(contain\w*|part(s|ial\w*)?|search\w*|begin\w*|start\w*|prefix\w*|match\w*|like|substrings?|fuzzy|includ\w*|case|wildcards?|patterns?|keywords?)\b/i.test(
      text,
    )
  )
    return 'part'
  return /\b(exact(ly)?|equals?|identical|precisely)\b/i.test(text) ? 'whole' : undefined
}

/** Whether a range has its own limit: "at most this", "on this day or before" */
export function saysInclusive(text: string): boolean {
  return /\binclusive(ly)?\b|\bat (most|least)\b|\b(at|on|equal)\b[^.]{0,20}\b(or|and) (after|before|later|earlier|above|below)\b|\bor (equal|on|at|before|after|later|earlier|more|less|lower|higher)\b/i.test(
    text,
  )
}

/** A name without a first word that only says that it filters: `name` for `filter[name]` */
export function withoutFilter(name: string): string {
  return name.replace(/^filters?(?=[[._])/i, '')
}

/** What may follow the name of a time or a key: `created` is `created_at`. */
const endings = ['', 'at', 'on', 'date', 'time', 'datetime', 'id']

/** The names that a property may have if a request calls it by this one, best first. */
export function fullNames(bare: string): string[] {
  return [...endings.map((end) => bare + end), `date${bare}`]
}

/** The names by which a request may call a property. */
export function shortNames(bare: string): string[] {
  const shorter = endings.filter((end) => bare.endsWith(end)).map((end) => bare.slice(0, bare.length - end.length))
  return [...shorter, bare.replace(/^date/, '')].filter((name) => name !== '')
}

const updated = table('property', `updated at 95, updated 48, last modified 28, modified 24, modified at 10`)
const created = table(
  'property',
  `date 151, created at 129, created 92, created on 18, timestamp 113, time 67, creation date 25, published at 12`,
)
const started = table(
  'property',
  `start datetime 17, start time 68, starts at 9, started at 26, start at 11, start 73, begin time 3`,
)
const bareTimes: ReadonlySet<string> = new Set(['', 'date', 'time', 'at', 'datetime', 'timestamp'])

/**
 * The properties that a parameter with no name of one may mean, best first: `since`, `start_date`
 * @param base its words without the comparison
 */
export function timesMeant(words: readonly string[], base: string): string[] {
  if (!bareTimes.has(base)) return []
  const [first = ''] = words
  // `startDate` and `endDate` refer to the start of records, if these have one.
  const isSpan = first === 'start' || first === 'begin' || first === 'end'
  const others = isSpan ? [started, created, updated] : [created, updated, started]
  const tables = first === 'since' ? [updated, created] : others
  return tables.flatMap(({ names }) => names.map(bareName))
}

/** Names that many properties end with, or that control how a list is shown. */
export const isUnclear: Table['has'] = table(
  'property',
  `id 388, type 375, url 269, value 245, code 234, version 163, date 151, total 147, key 140, count 136, currency 100,
  language 97, time 67, format 65, fields 62, mode 53, field 52, locale 51, ids 37, lang 22, view 17, include 10,
  expand 9`,
).has

/** Whether a first word shows what lists hide: `include_archived` */
export const isRevealing: Table['has'] = table('verb', `show 18, with 3, include 1`).has

/** Whether a text without a format is a time: `createdAt`, `due_date` */
export function endsLikeTime(name: string): boolean {
  return /(^|[_\W])(date|time|timestamp)$|[a-z](Date|Time|At|On)$|_(at|on)$/.test(name)
}

/** Whether a value means all records. */
export function meansAll(value: unknown): boolean {
  return /^(all|any|both|everything|\*)$/i.test(String(value))
}

/** Whether a value is that of a property: not one that means all records, or those without a value. */
export function isParticular(value: unknown): value is string {
  return typeof value === 'string' && !meansAll(value) && !/^(none)?$/i.test(value)
}

export type ConditionMember = 'properties' | 'operators' | 'values' | 'ends' | 'any' | 'all'

const members: readonly (readonly [ConditionMember, Table])[] = [
  [
    'properties',
    table(
      'property',
      `field 52, field name 23, property 22, column 16, attribute 13, property name 10, attribute name 9, field id 9,
  column name 8, attribute id 8, property id 7, column id 7`,
    ),
  ],
  ['operators', table('property', `operator 28, op 22, operation 22, match type 11, comparator 6, comparison 6`)],
  ['values', table('property', `value 245, values 53, operand 5`)],
  ['ends', table('property', `max value 11, high value 0`)],
  ['any', table('property', `groups 49, filter groups 2, or 6, any 3`)],
  ['all', table('property', `rules 39, filters 32, conditions 29, all 12, criteria 10, and 5, all of 3`)],
]

/** What a member of a condition is: `{ field, operator, value }` */
export function conditionMember(name: string): ConditionMember | undefined {
  return members.find(([, names]) => names.has(name))?.[0]
}

/** Properties that may have any others, the most specific first. */
const openObjects = table('property', `properties 66, attributes 58, fields 62`)
export const openProperties: readonly string[] = openObjects.names

/** The properties with the labels of a record, the usual first. */
export const labelProperties: readonly string[] = ['labels', 'metadata/labels']

/** Whether a description says that a text is an expression: "supported syntax", or `name eq "x"`. */
export function saysExpression(text: string): boolean {
  return /\b(scim|odata|expression|syntax|operators?)\b|\b(eq|ne|co|sw|gt|ge|lt|le) ["'`]|\w *[=<>] *["']/i.test(text)
}

/** The word for records without the property: "`none` for issues with no assigned user". Three providers have one. */
export function saysUnset(text: string): string | undefined {
  return /[`'"]?\b(none|null)\b[`'"]?[^.]{0,60}\b(without|with no|not assigned|unassigned)\b/i.exec(text)?.[1]
}

/** Whether a time also means records that have none: "either incomplete, or completed since this time" */
export const saysUnended = (text: string): boolean => /\b(incomplete|unfinished|not (yet )?\w+ed)\b.* or\b/i.test(text)

/** Whether a description says that a parameter matches substrings. */
export function saysPart(text: string): boolean {
  return /\b(part of|partial(ly)?|contain(s|ing)?|substring|(starts?|begins?) with|fuzzy|wildcard|search(es)? (by|for))\b/i.test(
    text,
  )
}

/** Whether a description begins with a search, or says that a parameter is its text: "Search projects by title." */
export function saysSearch(text: string): boolean {
  return /^\W*(full[- ]?text |free[- ]?text |text )?search(es)?\b(?! (id|mode|type))|\bsearch (term|text|query|string|phrase|keyword)s?\b|\b(text|words?) to search\b/i.test(
    text,
  )
}

/** Whether a description says that a search is by a property: "by title or name" */
export function saysSearchBy(text: string, bare: string): boolean {
  const [, ...parts] = text.toLowerCase().split(/\b(?:by|in|on|of)\b/)
  return parts.some((part) => wordsOf(part.split('.')[0] ?? '').some((word) => singular(word) === singular(bare)))
}

/** Whether texts of a name are never compared by a part: those of keys and codes. */
export function isComparedWhole(name: string): boolean {
  return /(ids?|uuid|guid|key|code)$/i.test(name)
}
