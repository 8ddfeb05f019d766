/** What the parameters of a request ask for, by their names. The properties of a body that searches have the same names. */
import { type Table, table } from './table.js'
import { isSameName, nounOf, wordsOf } from './words.js'

export type ParameterRole =
  | 'size'
  | 'page'
  | 'offset'
  | 'textOffset'
  | 'cursor'
  | 'after'
  | 'before'
  | 'sort'
  | 'direction'
  | 'search'
  | 'filter'
  | 'fields'
  | 'leftOut'
  | 'form'
  | 'operation'

/**
 * A name may have several roles: `order` is a property or a direction, and `start` counts records or begins a range. Names of
 * few parameters are those of properties of bodies.
 */
const roles: Record<ParameterRole, Table> = {
  /** The most items of a page. */
  size: table(
    'parameter',
    `limit 182, page size 70, count 43, size 36, per page 36, max results 19, length 11, top 11, max 10, rows 7,
  page limit 4, take 4, first 3, batch size 3, items per page 3, max count 3, page count 2, max items 2, num 2,
  max size 1, num results 1, page length 2, max result 1, max records 1, max keys 1, max page size 1, num items 1,
  num records 1`,
  ),
  /** The number of a page. */
  page: table('parameter', `page 137, page number 17, current page 3, page num 3, p 1, page no 2, page index 2`),
  /** The number of the first record. */
  offset: table(
    'parameter',
    `offset 114, start 46, from 41, start index 14, skip 13, start at 7, page offset 3, begin 3, start position 2,
  start row 1, page start 1, first row 1, starting at 1`,
  ),
  /** The same as a text: `from` begins a range more often. */
  textOffset: table(
    'parameter',
    `offset 114, start 46, start index 14, skip 13, start at 7, start position 2, start row 1`,
  ),
  /** An opaque text of the page before. */
  cursor: table(
    'parameter',
    `token 36, cursor 21, after 17, page token 9, marker 6, continuation token 6, next token 4, page cursor 3,
  iterator 2, next page token 2, next 2, skip token 1, next page 1, next cursor 1, next marker 0, start token 1,
  continuation 1, continue 1, scroll id 1, start key 2, exclusive start key 1, page after 1`,
  ),
  /** The key of the record before the page. */
  after: table('parameter', `after 17, starting after 5, last id 3, after id 2, page after 1`),
  /** The key of the record behind the page. */
  before: table('parameter', `before 20, ending before 3, before id 1`),
  /** The property by which a list is sorted. */
  sort: table(
    'parameter',
    `sort 92, order 42, order by 36, sort by 32, ordering 10, sort field 4, sorts 0, sort key 1, order field 1`,
  ),
  direction: table(
    'parameter',
    `order 42, direction 27, sort order 25, sort direction 11, order type 4, sort dir 3, order direction 3, descending 2,
  order dir 1, sort type 1, reverse 1, ascending 2, asc 2, sort descending 1, sort desc 0, is descending 0, desc 0,
  sort ascending 1, is ascending 0`,
  ),
  /** Words that any text may have. */
  search: table(
    'parameter',
    `q 80, query 73, search 41, keyword 10, term 10, search term 9, search text 7, contains 7, keywords 6,
  search string 5, search query 3, find 3, full text 3, terms 2, query string 1, search value 1`,
  ),
  /** An expression about several properties. */
  filter: table('parameter', `filter 65, filters 13, where 7, filter by 3, filter expression 1`),
  /** The properties that an answer shows. 48 of 70 providers with such a parameter describe it so. */
  fields: table(
    'parameter',
    `fields 52, select 10, properties 7, attributes 6, columns 1, fieldset 1, fieldmask 1, opt fields 1,
  response fields 2, only fields 1, selected fields 2`,
  ),
  /** The properties that an answer leaves out. */
  leftOut: table('parameter', `exclude fields 2, exclude properties 1, excluded attributes 1`),
  /** The form of an answer, which identifies no resource. */
  form: table('parameter', `format 63, output format 5, file type 3, extension 1`),
  /** The operation of an RPC interface with one path. */
  operation: table('parameter', `action 25, method 7, operation 4, cmd 3`),
}

/** @param name the whole name: `page[size]` */
export function hasRole(name: string, role: ParameterRole): boolean {
  return roles[role].has(name)
}

/** Whether a parameter chooses the properties of one type of records (JSON:API 1.1, section 6.3): `fields[books]` */
export function isFieldsOf(name: string, collection: string): boolean {
  const [, type] = /^fields\[([\w-]+)\]$/.exec(name) ?? []
  return type !== undefined && isSameName(type, collection)
}

/** Whether a parameter selects by labels or by fields, as Kubernetes does. */
export function selectorOf(name: string): 'label' | 'field' | undefined {
  const [, kind] = /^(label|field)_?selector$/i.exec(name) ?? []
  return kind?.toLowerCase() as 'label' | 'field' | undefined
}

/** Properties of a body whose members control the page. */
export const isPageObject: Table['has'] = table('property', `page 72, pagination 26, paging 10`).has

/** The last words of properties that only hold what a search asks for. */
const wrappers = table(
  'word',
  `options 106, option 38, query 76, filter 68, where 7, criterion 4, search 32, condition 35`,
)
export const isSearchWrapper = (name: string): boolean => wrappers.has(nounOf(name))

const sortMembers = table(
  'property',
  `key 140, field 52, field name 23, property 22, order by 20, column 16, sort by 12, key id 12, key name 11,
  property name 10, field id 9, column name 8, by 8, property id 7, column id 7`,
)

/** What a member of an object means that says an order: `{ field, direction }` */
export function orderMember(name: string): 'sort' | 'direction' | undefined {
  if (hasRole(name, 'direction')) return 'direction'
  return sortMembers.has(name) ? 'sort' : undefined
}

/** The rest of the name of a header that filters, of which two of 700 providers have one: `X-Filter-Name` */
export function filterHeader(name: string): string | undefined {
  return /^(x-)?filter/i.test(name) ? name.replace(/^x-|filter_by_/gi, '') : undefined
}

/** The header with a filter in JSON that a description has, with the members of its order: `X-Filter` and `+order_by`. */
export function describedFilterHeader(description: string): { name: string; members: string[] } | undefined {
  const [, name] = /\b(X-(?:[A-Z]\w{0,40}-){0,9}Filter)\b/i.exec(description) ?? []
  if (name === undefined || !/\bJSON\b/.test(description)) return undefined
  const members = [/\W([+$@_]?order_?by)\W/i, /\W([+$@_]order)\W/i].flatMap((each) => each.exec(description)?.[1] ?? [])
  return { name, members }
}

/** Whether a parameter says which records are meant, or how the answer looks. */
export function choosesAnswer(name: string): boolean {
  return /^(version|revision|etag|fields?|expand|include|lang|language|locale|page|limit|offset|sort|order|filter|q|search|query)$/i.test(
    name,
  )
}

/** Whether a parameter of a path selects the form of the answer: `/map.{fileFormat}` */
export const selectsForm = (name: string): boolean =>
  /^(format|ext|extension)$/.test(wordsOf(name).at(-1) ?? '') || /^output$/i.test(name)
/** Whether a required parameter is an input of a computation, and not needed for any answer. */
export const isInput = (name: string): boolean =>
  !/key|token|version|user|secret|format|account|[a-z]id$|_id$/i.test(name)

const shared = new Set(
  `country town city state region county district latitude longitude lat long lng lon radius date day month year week
  season category genre type status query term keyword keywords search location postcode zip zipcode tag text prefix
  from to start end since until language offset limit page count first last name`.split(/\s+/),
)
/** Whether several records share what a parameter is about by its last word. */
export const isShared = (name: string): boolean => shared.has(wordsOf(name).at(-1) ?? '')
