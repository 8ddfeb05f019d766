/** What properties and headers of an answer say about a page of a list, by their names. */
import { type Table, table } from './table.js'
import { bareName, singular } from './words.js'

/** How requests ask for other pages. */
export interface Paging {
  /** Whether a request can ask for another page. */
  hasPages: boolean
  /** Whether it sends the number of a page. */
  hasNumber: boolean
  /** Whether it sends a cursor or a key. */
  hasCursor: boolean
}

type Numbers = 'total' | 'pages' | 'count' | 'size' | 'nextOffset' | 'nextPage' | 'previousPage' | 'page' | 'offset'
type Cursors = 'nextCursor' | 'previousCursor'
export type PageNumber = Numbers | Cursors | 'from' | 'to' | 'lastOffset'
export type PageFlag = 'hasNext' | 'isLast' | 'isFirst' | 'hasPrevious' | 'isEmpty' | 'isPaged' | 'isUnpaged'
export type PageUrl = 'nextUrl' | 'previousUrl' | 'firstUrl' | 'lastUrl' | 'selfUrl'
export type HeaderFact = 'links' | 'total' | 'pages' | 'page' | 'size' | 'offset' | 'nextCursor' | 'hasNext'

/** Objects that may describe the page. */
const objects = table(
  'property',
  `data 202, links 96, metadata 92, result 89, page 72, link 72, next 67, meta 67, summary 62, self 48, response 45,
  last 42, context 42, info 39, first 37, previous 34, header 32, pages 29, prev 28, pagination 26, cursor 11,
  next page 11, paging 10, cursors 3, previous page 3, response metadata 2, pager 2, page info 1, page meta 1,
  page details 1, navigation 2, result info 2, search info 2, pageable 2`,
)
export const mayDescribePage = (name: string): boolean => objects.has(name)

/** The number of all records. The items themselves are a list, so a number with their name counts them. */
const totals = table(
  'property',
  `total 147, items 97, results 88, total count 54, records 21, total results 18, item count 17, total elements 11,
  grand total 7, total size 7, total items 7, objects 7, overall 6, num results 6, row count 6, result count 6,
  total entries 5, total item count 5, items total 4, results count 4, match count 4, num found 4, total records 4,
  total rows 4, items count 4, total set size 1, total hits 2, total objects 1, total found 1, total result count 1,
  total number 2, total number items 1, total number of results 1, total number of rows 1, item total 1, row total 1,
  odata count 2, num items 1, num records 1, num total 1, number of items 2, record count 2, object count 2`,
)

/** Whether a number beside a list counts its items by their name: `booksCount` and `total_books` of `books` */
export function countsAll(name: string, list: string): boolean {
  const [bare, items] = [bareName(name), bareName(list)]
  const noun = [items, singular(items)].find((each) => each !== '' && bare !== each && bare.includes(each))
  return noun !== undefined && totals.has(bare.replace(noun, 'items'))
}

/** In the order in which they count. */
const numbers: readonly (readonly [Numbers, Table])[] = [
  ['total', totals],
  [
    'pages',
    table(
      'property',
      `pages 29, total pages 22, last page 7, number of pages 4, num pages 4, pages total 3, page total 1`,
    ),
  ],
  [
    'count',
    table(
      'property',
      `count 136, returned 3, number of elements 3, result set size 1, page results 1, items on page 2, current count 1,
  displayed 2`,
    ),
  ],
  [
    'size',
    table(
      'property',
      `size 133, limit 76, page size 39, max 34, per page 19, top 14, max results 7, items per page 7, max items 4,
  results per page 2, page limit 1, take 2`,
    ),
  ],
  ['nextOffset', table('property', `next offset 3`)],
  ['nextPage', table('property', `next page 11`)],
  ['previousPage', table('property', `previous 34, prev 28, previous page 3`)],
  ['page', table('property', `page 72, page number 22, current page 17, page num 3, page no 2, page index 2`)],
  ['offset', table('property', `start 73, offset 60, start at 11, skip 10, start index 9, start position 7`)],
]
/** The number of the last record of the page, from 0. */
const ends = table('property', `end position 5, end index 5`)

const flags: readonly (readonly [PageFlag, Table])[] = [
  [
    'hasNext',
    table(
      'property',
      `next 67, has more 15, next page 11, has next 5, truncated 5, has next page 3, is truncated 3, has more results 3,
  more 1, more results 1, more available 1, incomplete 1, has more data 1, is incomplete 1`,
    ),
  ],
  [
    'isLast',
    table('property', `last 42, finished 18, complete 9, done 8, is complete 7, last page 7, is last 2, is done 2`),
  ],
  ['isEmpty', table('property', `empty 8, is empty 4`)],
  ['isPaged', table('property', `paged 2, is paged 0`)],
  ['isUnpaged', table('property', `unpaged 1`)],
  ['isFirst', table('property', `first 37, first page 3, is first 1`)],
  [
    'hasPrevious',
    table(
      'property',
      `previous 34, prev 28, has previous 3, previous page 3, has previous page 0, prev page 1, previous items 1,
  has prev page 1`,
    ),
  ],
]

const nextCursors = table(
  'property',
  `next 67, after 12, cursor 11, next page 11, next page token 7, continuation token 7, next cursor 7, next token 3,
  marker 3, next marker 3, page token 3, iterator 1, end cursor 1, last evaluated key 1, page token 3, continue 2`,
)
const previousCursors = table(
  'property',
  `previous 34, prev 28, before 10, previous value 3, prev iterator 1, prev page token 1, previous page token 1,
  start cursor 1`,
)
const cursors = table('property', `id 388, value 245, key 140, token 114, after 12, cursor 11, before 10, marker 3`)

/** Whether a property beside others is a cursor. */
export const isCursor = (name: string): boolean => cursors.has(name)

const next = table('property', `next 67, next page 11`)
const previous = table('property', `previous 34, prev 28, previous page 3`)

/** Whether an object is about the page after or before. */
export function neighbourOf(name: string): 'next' | 'previous' | undefined {
  if (next.has(name)) return 'next'
  return previous.has(name) ? 'previous' : undefined
}

/** Whether a text of an object about the page after or before leads there. */
export function leadsTo(neighbour: 'next' | 'previous', name: string): boolean {
  const bare = bareName(name)
  const words = neighbour === 'next' ? ['after', 'start', 'page'] : ['before', 'page']
  return [...words, ...cursorWords].some((word) => bare.startsWith(word))
}

const cursorWords = ['token', 'cursor', 'marker', 'key', 'id', 'value']

/** What a boolean says. */
export function flagOf(name: string): PageFlag | undefined {
  return flags.find(([, names]) => names.has(name))?.[0]
}

/** What a number says. */
export function numberOf(name: string, { hasPages, hasNumber, hasCursor }: Paging): PageNumber | undefined {
  const bare = bareName(name)
  if ((bare === 'from' || bare === 'to') && hasPages) return bare
  if (bare === 'pagecount') return hasNumber ? 'pages' : 'count'
  if (bare === 'next') return hasNumber && !hasCursor ? 'nextPage' : 'nextOffset'
  if (bare === 'number') return hasPages ? 'page' : undefined
  const fact = numbers.find(([, names]) => names.has(bare))?.[0]
  if (fact !== undefined && fact !== 'page' && fact !== 'offset') return fact
  if (nextCursors.has(bare)) return 'nextCursor'
  if (previousCursors.has(bare)) return 'previousCursor'
  return ends.has(bare) && hasPages ? 'lastOffset' : fact
}

const textNumbers = table('property', `start position 7, end position 5, result set size 1, total set size 1`)

/** What a text says. */
export function textOf(name: string, paging: Paging): PageNumber | 'firstKey' | 'lastKey' | undefined {
  const bare = bareName(name)
  // Counts may be texts.
  if (textNumbers.has(bare)) return numberOf(bare, paging)
  if (totals.has(bare) && /total|count/.test(bare)) return 'total'
  if (/^(first|last)_?(id|key)$/i.test(name)) return bare.startsWith('first') ? 'firstKey' : 'lastKey'
  const isByPage = paging.hasNumber && !paging.hasCursor
  if (nextCursors.has(bare)) return next.has(bare) && isByPage ? 'nextPage' : 'nextCursor'
  if (!previousCursors.has(bare)) return undefined
  return bare.startsWith('prev') && isByPage ? 'previousPage' : 'previousCursor'
}

const ofUrl = /^odata|(page)?(results?|set)?(url|link|href|uri)$/g
const urls: readonly (readonly [PageUrl, Table])[] = [
  ['nextUrl', next],
  ['previousUrl', previous],
  ['firstUrl', table('property', `first 37, first page 3`)],
  ['lastUrl', table('property', `last 42, last page 7`)],
  ['selfUrl', table('property', `self 48`)],
]

/**
 * Where a link leads.
 * @param above the name of the object that has it, for `{ next: { href } }`
 */
export function linkOf(name: string, above: string): PageUrl | undefined {
  const bare = bareName(name).replace(ofUrl, '') || bareName(above)
  return urls.find(([, names]) => names.has(bare))?.[0]
}

const linkObjects = table('property', `links 96, link 72`)
const steps = table('property', `next 67, prev 28, previous 34`)

/**
 * Whether a text is a link by its names.
 * @param above the names of the objects that have it
 */
export function isLink(name: string, above: readonly string[], { hasCursor }: Paging): boolean {
  const isNamed = /(url|link|href|uri)$/.test(bareName(name))
  return isNamed || above.some((each) => linkObjects.has(each)) || (steps.has(name) && !hasCursor)
}

/** Few providers document headers of lists, so names of one provider count, too. */
const headers: readonly (readonly [HeaderFact, Table])[] = [
  ['links', table('header', `link 10`)],
  ['total', table('header', `x total count 2, x total 1`)],
  ['pages', table('header', `x pages 1, x page count 1, total page 1, x pagination page count 1`)],
  ['page', table('header', `x page 1, current page 1, x pagination page 1`)],
  ['size', table('header', `x pagination limit 2, x limit 2, x per page 1, per page 1`)],
  ['offset', table('header', `x offset 1`)],
  ['nextCursor', table('header', `x next token 1, next page token 1`)],
  ['hasNext', table('header', `x has more 1, x more 1`)],
]

/** The fact about the page in a documented header. */
export function headerFact(name: string): HeaderFact | undefined {
  return headers.find(([, names]) => names.has(name))?.[0]
}

/** Whether an object has links. */
export function isLinks(name: string): boolean {
  return /^_?links$/i.test(name)
}

/** Whether a link leads to another page of a list. */
export function isPageLink(name: string): boolean {
  return /^(first|last|next|prev|previous)$/i.test(name)
}
