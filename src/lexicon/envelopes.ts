/** What names in bodies say: which properties hold lists and records, and which describe them. */
import { table } from './table.js'
import { bareName, isPlural, isSameName, wordsOf } from './words.js'

/** Properties that hold a list of any items. */
const lists = table(
  'property',
  `value 245, data 202, content 100, items 97, body 92, result 89, results 88, page 72, values 53, response 45,
  payload 40, item 36, members 35, documents 30, resource 30, resources 30, contents 26, list 25, records 21,
  entities 21, member 19, elements 18, nodes 18, entries 17, collection 16, rows 14, hits 10, record 8, object 28,
  objects 7, element 6, edges 6, docs 5`,
)
/** Lists that describe the answer instead of the resource. */
const sides = table(
  'property',
  `error 149, errors 107, message 292, messages 40, link 72, links 96, scope 65, scopes 29, fields 62, permission 22,
  permissions 55, header 32, headers 50, filter 37, filters 32, warning 14, warnings 29, notifications 29,
  api version 29, sort 24, columns 18, included 13, facet 4, facets 11, expand 9, aggregation 6, aggregations 5,
  api versions 5, breadcrumbs 3, sorts 2, unreachable 2, unreachables 1`,
)
/** Properties that hold any kind of record. */
const records = table(
  'property',
  `value 245, data 202, content 100, body 92, details 91, result 89, detail 89, results 88, response 45, model 41,
  payload 40, info 39, item 36, resource 30, object 28, entity 24, document 24, output 22, record 8, obj 2, dto 1`,
)
/** Those that hold the record even next to other properties. */
const wrappers = table(
  'property',
  `data 202, result 89, results 88, response 45, payload 40, item 36, entity 24, record 8`,
)
/** Properties beside a record, which describe the answer. */
const besides = table(
  'property',
  `error 149, errors 107, warning 14, warnings 29, link 72, links 96, meta 67, metadata 92, pagination 26, paging 10,
  included 13`,
)
/** Last words of the names of lists. */
const listWords = table('word', `list 96, set 41, page 112, array 16, collection 32`)
/** First words of lists of other records than those that are asked for. */
const asides = table('lead', `related 44, similar 8, suggested 19`)
/** Words of properties that describe a list next to them. */
const pageWords = new Set(
  `count counts total totals size page pages offset limit cursor cursors next prev previous first last more has start end from to
  skip top token marker link links href url uri self meta metadata paging pagination kind etag object type status success ok
  code error errors warning warnings message messages time timestamp took version facet facets filter filters sort sorting
  order query included summary info result results per current number no index max min is truncated remaining num records items
  elements unreachable pageable disclaimer copyright returned response request continuation iterator key rows entries`.split(
    /\s+/,
  ),
)
/** Words of properties that count items or lead to another page. */
const pagingWords = new Set(`count total page pages next cursor offset pagination paging found`.split(' '))
const requestId = /^(x_?)?(request|correlation|trace|psp)_?(id|reference)$/i

/** First words of what has the records that a request made. */
const fresh = table('lead', `created 246, new 98, added 47, inserted 4`)

/** Whether a property has the new records of a collection: `createdEntries` */
export function hasNew(property: string, collection: string): boolean {
  const [first, ...words] = wordsOf(property)
  return fresh.has(first) && words.length > 0 && isSameName(words.join('_'), collection)
}

/** Whether a property holds a list of any items: `data`, `results` */
export function isListName(name: string): boolean {
  return lists.has(name)
}

/** Whether a list describes the answer, and not the resource: `errors`, `warnings` */
export function isSideName(name: string): boolean {
  return sides.has(name)
}

/** Whether a property holds any kind of record: `data`, `result` */
export function isRecordName(name: string): boolean {
  return records.has(name)
}

/** Whether it holds the record even next to other properties. */
export function isWrapperName(name: string): boolean {
  return wrappers.has(name)
}

/** Whether a property stands beside the record, and never holds it: `meta`, `links` */
export function isBesideRecord(name: string): boolean {
  return besides.has(name)
}

/** Whether a list of an answer is empty if all is well, or is not about what was made. */
export function isBesideResult(name: string): boolean {
  return /(^|[^a-z])(errors?|warnings?|failures?|invalid\w{0,40}|links?|metadata)$/.test(wordsOf(name).join(' '))
}

/** Whether a property says of the answer what it is, so that no request gives it. */
export function isOfAnswerItself(name: string): boolean {
  return /^(code|message|errors?|success|ok|result|status|total|count|next|previous|cursor|hasmore|sha|hash|digest|etag|version|revision)$/.test(
    bareName(name),
  )
}

/** Whether a list is of other records than those that are asked for: `relatedItems` */
export function isAside(name: string): boolean {
  return asides.has(wordsOf(name)[0])
}

/** Whether a name says that it holds a list: `userList`, `UserArray`, `users` */
export function endsLikeList(name: string): boolean {
  const last = wordsOf(name).at(-1) ?? ''
  return listWords.has(last) || isPlural(last)
}

/** Whether a property describes a page: `nextPageToken`, `@odata.context` */
export function isPageName(name: string): boolean {
  return /^(@|_|\$)/.test(name) || requestId.test(name) || wordsOf(name).every((word) => pageWords.has(word))
}

/** Whether a property counts items or leads to another page. */
export function isPagingName(name: string): boolean {
  return wordsOf(name).some((word) => pagingWords.has(word))
}
