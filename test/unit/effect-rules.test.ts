// Each rule of effects decides an operation of a small document, and leaves one that is almost the same to another rule.
import { describe, expect, it } from 'vitest'
import { decideAll } from '../../src/infer/facts/decide.js'
import { collectionRules, itemRules, partRules, rpcRules, singletonRules } from '../../src/infer/rules/rules.js'
import { finish } from '../../src/json/steps.js'
import { describeOperations } from '../../src/schemas/operations/describe-operations.js'
import { integer, list, named, object, type Sketch, text, toDocument } from '../support/sketch.js'

type Operations = Record<string, Sketch>

const rules = [...new Set([itemRules, collectionRules, partRules, rpcRules, singletonRules].flat())]

const schemas = {
  Book: object({
    'id!': integer,
    'title!': text,
    pages: integer,
    author: text,
    color: text,
  }),
  Shelf: object({ 'id!': integer, name: text, boards: list(object({ width: integer, depth: integer })) }),
}
const book = named('Book')
const books: Operations = { 'GET /books': { 200: list(book) }, 'GET /books/{bookId}': { 200: book } }
const shelves: Operations = {
  'GET /shelves': { 200: list(named('Shelf')) },
  'GET /shelves/{shelfId}': { 200: named('Shelf') },
}
const verbs: Operations = {
  'POST /book/list': { 200: object({ books: list(book) }) },
  'POST /book/get': { body: object({ id: integer }), 200: book },
}
const settings: Operations = { 'GET /settings': { 200: object({ color: text }) } }
const title = object({ title: text })
const done = object({ done: text })

/**
 * By the id of a rule: a document whose first operation it decides, a document whose first operation it does not decide, and the
 * other operations of both.
 */
const cases: Record<string, [decides: Operations, not: Operations, others?: Operations]> = {
  'item-verb-before-key': [{ 'POST /stop/{scanId}': { 200: done } }, { 'POST /scans/{scanId}': { 200: done } }],
  'item-get': [{ 'GET /books/{bookId}': { 200: book } }, { 'GET /books/{bookId}/title': { 200: title } }, books],
  'item-put': [
    { 'PUT /books/{bookId}': { body: book, 204: null } },
    { 'PUT /books/{bookId}/title': { body: title, 204: null } },
    books,
  ],
  'item-patch': [
    { 'PATCH /books/{bookId}': { body: book, 204: null } },
    { 'PATCH /books': { body: book, 204: null } },
    books,
  ],
  'item-delete': [
    { 'DELETE /books/{bookId}': { 204: null } },
    { 'DELETE /books/{bookId}/cover': { 204: null } },
    books,
  ],
  'item-post': [
    { 'POST /books/{bookId}': { body: title, 200: book } },
    { 'POST /books/{bookId}': { body: title, 200: text, answers: 'image/png' } },
    books,
  ],
  'post-computes-file': [
    { 'POST /chart': { body: title, 200: text, answers: 'image/png' } },
    { 'POST /chart': { body: title, 200: text } },
  ],

  'collection-get-measures': [
    { 'GET /metrics': { 200: list(object({ name: text })) }, 'GET /metrics/{metricId}': { 200: done } },
    { 'GET /books': { 200: list(book) } },
  ],
  'collection-get-by-key': [
    { 'GET /books': { query: ['title!'], 200: book } },
    { 'GET /books': { query: ['title'], 200: book } },
    { 'GET /books/{bookId}': { 200: book } },
  ],
  'collection-list': [{ 'GET /books': { 200: list(book) } }, { 'GET /books': { 200: book } }, books],
  'collection-key-in-query': [
    { 'DELETE /books': { query: ['id'], 204: null } },
    { 'DELETE /books': { query: ['title'], 204: null } },
    books,
  ],
  'collection-get-object': [{ 'GET /books': { 200: book } }, { 'GET /books': { 200: list(book) } }, books],
  'collection-post-asks': [
    { 'POST /books': { id: 'searchBooks', body: title, 200: list(book) } },
    { 'POST /books': { id: 'createBook', body: title, 200: book } },
    books,
  ],
  'collection-post-asks-as-get': [
    { 'POST /topics': { body: object({ text, language: text }), 200: object({ topics: list(book) }) } },
    { 'POST /topics': { body: object({ name: text }), 200: object({ topics: list(book) }) } },
    { 'GET /topics': { query: ['text', 'language'], 200: object({ topics: list(book) }) } },
  ],
  'list-item': [
    { 'POST /shelves/{shelfId}/boards': { body: object({ width: integer, depth: integer }), 204: null } },
    { 'POST /shelves/{shelfId}/loans': { body: object({ width: integer, depth: integer }), 204: null } },
    shelves,
  ],
  'collection-post-many': [
    { 'POST /books': { body: list(title), 201: list(book) } },
    { 'POST /books': { body: title, 201: book } },
    books,
  ],
  'collection-post-upserts': [
    { 'POST /books': { summary: 'Create or update a book', body: title, 200: book } },
    { 'POST /books': { summary: 'Create a book', body: title, 200: book } },
    books,
  ],
  'collection-post-changes': [
    { 'POST /books': { id: 'updateBook', body: object({ id: integer, title: text }), 200: book } },
    { 'POST /books': { id: 'updateBook', body: title, 200: book } },
    books,
  ],
  'collection-post': [
    { 'POST /books': { body: title, 201: book } },
    { 'POST /books': { id: 'searchBooks', body: title, 200: list(book) } },
    books,
  ],
  'collection-post-variant': [
    { 'POST /books/manual': { id: 'createManual', body: title, 201: object({ id: integer }) } },
    { 'POST /books/manual': { body: title, 201: object({ pages: integer }) } },
    books,
  ],
  'collection-put': [
    { 'PUT /books': { body: book, 204: null } },
    { 'PUT /books': { query: ['id'], body: book, 204: null } },
    books,
  ],
  'collection-change-chosen': [
    { 'PATCH /books': { query: ['where'], body: book, 200: object({ count: integer }) } },
    { 'PATCH /books': { query: ['id'], body: book, 200: object({ count: integer }) } },
    books,
  ],
  'collection-delete': [{ 'DELETE /books': { 204: null } }, { 'DELETE /books': { query: ['id'], 204: null } }, books],

  'part-count': [
    { 'GET /books/count': { 200: object({ total: integer }) } },
    { 'GET /books/first': { 200: object({ total: integer }) } },
    books,
  ],
  'part-question': [
    { 'GET /books/autocomplete': { 200: list(book) } },
    { 'GET /books/sync': { 200: list(book) } },
    books,
  ],
  'part-get-file': [
    { 'GET /books/{bookId}/cover': { 200: {}, answers: 'image/png' } },
    { 'GET /books/{bookId}/cover': { 200: object({ url: text }) } },
    books,
  ],
  'part-get-by-query': [
    { 'GET /books/resolve': { query: ['title!'], 200: book } },
    { 'GET /books/resolve': { query: ['title'], 200: book } },
    books,
  ],
  'part-get-others': [{ 'GET /books/sync': { 200: list(book) } }, { 'GET /books/sync': { 200: done } }, books],
  'part-get-chosen': [{ 'GET /books/latest': { 200: book } }, { 'GET /books/latest': { 200: list(book) } }, books],
  'part-post-reads-many': [
    { 'POST /books/batch-retrieve': { body: object({ ids: list(integer) }), 200: list(book) } },
    { 'POST /books/batch-retrieve': { body: object({ ids: list(integer) }), 200: done } },
    books,
  ],
  'part-post-asks-as-get': [
    { 'POST /mood': { body: object({ text, language: text }), 200: object({ score: integer }) } },
    { 'POST /mood': { body: object({ text, language: text }), 200: done } },
    { 'GET /mood': { query: ['text', 'language'], 200: object({ score: integer }) } },
  ],
  'part-post-searches': [
    { 'POST /search': { body: title, 200: done } },
    { 'POST /import': { body: title, 200: done } },
  ],
  'part-post-many': [
    { 'POST /books/batch': { body: list(title), 204: null } },
    { 'POST /books/batch': { body: title, 204: null } },
    books,
  ],
  'part-post-named': [
    { 'POST /books/{bookId}/updateTitle': { body: object({ name: text }), 204: null } },
    { 'POST /books/{bookId}/lendTitle': { body: object({ name: text }), 204: null } },
    books,
  ],
  'part-post-creates': [
    { 'POST /books/manual': { body: title, 200: book } },
    { 'POST /books/manual': { body: title, 200: done } },
    books,
  ],
  'part-post-file': [
    { 'POST /books/{bookId}/cover': { body: text, type: 'image/png', 204: null } },
    { 'POST /books/{bookId}/cover': { body: done, 204: null } },
    books,
  ],
  'property-value': [
    { 'PUT /books/{bookId}/title': { body: title, 204: null } },
    { 'PUT /books/{bookId}/cover': { body: done, 204: null } },
    books,
  ],
  'part-post-writes-single': [
    { 'POST /settings': { body: object({ color: text }), 204: null }, ...settings },
    { 'POST /settings': { body: object({ color: text }), 204: null } },
  ],
  'part-post-acts-on-single': [
    { 'POST /account/close': { 204: null }, 'GET /account': { 200: done } },
    { 'POST /account/close': { 204: null } },
  ],
  'part-post-acts': [
    { 'POST /books/{bookId}/frobnicate': { 204: null } },
    { 'POST /books/frobnicate': { 204: null } },
    books,
  ],
  'part-post-signals': [
    { 'POST /books/reading': { id: 'startReading', 204: null } },
    { 'POST /books/reading': { id: 'startReading', 200: done } },
    books,
  ],
  'part-post-answers-record': [
    { 'POST /submit': { body: title, 201: book } },
    { 'POST /submit': { body: title, 201: done } },
    books,
  ],
  registers: [
    { 'POST /auth/register': { body: title, 201: book } },
    { 'POST /auth/register': { body: title, 201: done } },
    books,
  ],
  'part-post-alone': [{ 'POST /subscribe': { 204: null } }, { 'POST /books/{bookId}/subscribe': { 204: null } }, books],

  'rpc-list': [
    { 'POST /book/list': { 200: object({ books: list(book) }) } },
    { 'POST /book/get': { body: object({ id: integer }), 200: book } },
    verbs,
  ],
  'rpc-read': [
    { 'POST /book/get': { body: object({ id: integer }), 200: book } },
    { 'POST /book/get': { body: object({ id: integer }), 200: text } },
    verbs,
  ],
  'rpc-create': [
    { 'POST /book/create': { body: title, 200: book } },
    { 'POST /book/update': { body: book, 200: book } },
    verbs,
  ],
  'rpc-change': [
    { 'POST /book/update': { body: book, 200: book } },
    { 'POST /book/delete': { body: book, 200: book } },
    verbs,
  ],
  'rpc-remove': [
    { 'POST /book/delete': { body: object({ id: integer }), 204: null } },
    { 'POST /book/archive': { body: object({ id: integer }), 204: null } },
    verbs,
  ],
  'rpc-act': [
    { 'POST /book/archive': { body: object({ id: integer }), 204: null } },
    { 'POST /book/delete': { body: object({ id: integer }), 204: null } },
    verbs,
  ],

  'record-part': [
    { 'PATCH /books/{bookId}/label': { body: object({ title: text, pages: integer }), 204: null } },
    { 'PATCH /books/{bookId}/label': { body: object({ title: text, size: integer }), 204: null } },
    books,
  ],
  'singleton-get-twin': [
    {
      'GET /page': { id: 'pageGet', query: ['url!'], 200: done },
      'POST /page': { id: 'pagePost', body: object({ url: text }), 200: done },
    },
    { 'GET /page': { id: 'pageGet', query: ['url!'], 200: done } },
  ],
  'singleton-get-written': [{ ...settings, 'PUT /settings': { body: object({ color: text }), 204: null } }, settings],
  'singleton-get-computed': [{ 'GET /sales/chart': { 200: done } }, { 'GET /sales/settings': { 200: done } }],
  'singleton-get-unknown': [{ 'GET /settings': { 200: null } }, settings],
  'singleton-get-nothing': [{ 'GET /welcome': { 200: text } }, { 'GET /welcome': { 200: done } }],
  'singleton-get-below-record': [
    { 'GET /books/{bookId}/card': { 200: object({ title: text, author: text, shelf: text }) } },
    { 'GET /books/{bookId}/card': { 200: object({ title: text, place: text, shelf: text }) } },
    books,
  ],
  'singleton-get-named': [{ 'GET /me': { 200: title } }, { 'GET /station': { 200: title } }],
  'singleton-get-of-collection': [
    { 'GET /random-book': { id: 'getRandomBook', 200: book } },
    { 'GET /random-book': { id: 'getRandomBook', 200: done } },
    books,
  ],
  'singleton-get-asked': [
    { 'GET /station': { query: ['from!'], 200: done } },
    { 'GET /station': { query: ['from'], 200: done } },
  ],
  'singleton-get': [{ 'GET /station': { 200: done } }, { 'GET /station': { query: ['from!'], 200: done } }],
  'singleton-put': [
    { 'PUT /settings': { body: object({ color: text }), 204: null } },
    { 'PUT /books/{bookId}/title': { body: title, 204: null } },
    { ...settings, ...books },
  ],
  'singleton-patch': [
    { 'PATCH /settings': { body: object({ color: text }), 204: null } },
    { 'PATCH /books/{bookId}/title': { body: title, 204: null } },
    { ...settings, ...books },
  ],
  'singleton-delete': [
    { 'DELETE /settings': { 204: null } },
    { 'DELETE /books': { 204: null } },
    { ...settings, ...books },
  ],
}

/** The rule that decides the first of some operations. */
function decidedBy(operations: Operations, others: Operations): string | undefined {
  const [asked] = Object.keys(operations)
  const document = JSON.parse(toDocument({ ...others, ...operations }, schemas))
  const { decisions } = finish(decideAll(document, describeOperations(document)))
  return decisions.find(({ facts: { operation } }) => `${operation.method} ${operation.path}` === asked)?.rule
}

it('has a case for each rule', () => {
  expect(Object.keys(cases).toSorted()).toEqual(rules.map(({ id }) => id).toSorted())
})

describe.each(Object.entries(cases))('%s', (id, [decides, not, others = {}]) => {
  it('decides an operation', () => {
    expect(decidedBy(decides, others)).toBe(id)
  })

  it('leaves another operation to other rules', () => {
    const other = decidedBy(not, others)
    expect(other).toEqual(expect.any(String))
    expect(other).not.toBe(id)
  })
})

it.each<[id: string, where: string, decides: Operations, others: Operations]>([
  [
    'post-computes-file',
    'a record',
    { 'POST /books/{bookId}': { body: title, 200: text, answers: 'image/png' } },
    books,
  ],
  ['post-computes-file', 'a collection', { 'POST /books': { body: title, 200: text, answers: 'image/png' } }, books],
  [
    'list-item',
    'a part',
    { 'POST /shelves/{shelfId}/board': { body: object({ width: integer }), 204: null } },
    shelves,
  ],
])('asks %s on the path of %s too', (id, _where, decides, others) => {
  expect(decidedBy(decides, others)).toBe(id)
})

it.each(rules)('says for how many providers $id decides something, and how often it is right', (rule) => {
  expect(rule.says).toBe('effect')
  expect(rule.providers).toBeGreaterThanOrEqual(0)
  for (const share of Object.values(rule.right ?? {})) expect(share).toBeLessThanOrEqual(1)
})
