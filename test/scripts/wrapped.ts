/** Bodies in which something stands around a record or a list. */
import type { Script } from '../support/script.js'
import { flag, integer, list, named, object, type Schema, text, toDocument } from '../support/sketch.js'

const data = (schema: Schema): Schema => object({ 'data!': schema })
const book = object({ 'id!': integer, 'title!': text, pages: integer })
const newBook = object({ 'title!': text, pages: integer })
const change = object({ title: text, pages: integer })

/** The five operations of a collection. */
interface Bodies {
  /** The body of a list. */
  all: Schema
  /** The body of an answer with one record. */
  one: Schema
  /** The body of a creation and a replacement. */
  given: Schema
  /** The body of an update. */
  changed: Schema
}

function books({ all, one, given, changed }: Bodies, schemas: Record<string, Schema> = {}): string {
  return toDocument(
    {
      'GET /books': { query: ['limit'], 200: all },
      'POST /books': { body: given, 201: one },
      'GET /books/{bookId}': { 200: one, 404: null },
      'PUT /books/{bookId}': { body: given, 200: one, 404: null },
      'PATCH /books/{bookId}': { body: changed, 200: one, 404: null },
      'DELETE /books/{bookId}': { 204: null, 404: null },
    },
    { Book: book, NewBook: newBook, Change: change, ...schemas },
  )
}

const answered = { status: { ...text, example: 'Success' } }
const [one, given, changed] = [named('Book'), named('NewBook'), named('Change')]

const inData = books({ all: data(list(one)), one: data(one), given: data(given), changed: data(changed) })

const resource = object({
  'type!': text,
  'id!': text,
  'attributes!': object({ title: text, pages: integer }),
})
const jsonApi = books(
  {
    all: object({ 'data!': list(named('Resource')) }),
    one: data(named('Resource')),
    given: data(named('NewResource')),
    changed: data(named('ResourceChange')),
  },
  {
    Resource: resource,
    NewResource: object({ 'type!': text, 'attributes!': object({ title: text, pages: integer }) }),
    ResourceChange: object({ 'type!': text, id: text, attributes: object({ title: text, pages: integer }) }),
  },
)

const hal = books({
  all: object({
    '_embedded!': object({ 'books!': list(one) }),
    '_links!': object({ 'self!': object({ 'href!': text }) }),
  }),
  one,
  given,
  changed,
})

const inBook = (schema: Schema): Schema => object({ 'book!': schema })
const inItems = books({
  all: list(inBook(one)),
  one: inBook(one),
  given: inBook(given),
  changed: inBook(changed),
})

const paged = books({ all: object({ 'items!': list(one), next: text }), one, given, changed })
const byName = books({
  all: object({ 'books!': list(one), 'total!': integer, 'ok!': flag }),
  one: object({ 'book!': one }),
  given: object({ 'book!': given }),
  changed: object({ 'book!': changed }),
})
const map = books({ all: { type: 'object', additionalProperties: one }, one, given, changed })
const inListOfOne = books({
  all: object({ 'result!': list(one) }),
  one: object({ 'result!': list(one) }),
  given,
  changed,
})
const inRequests = books({
  all: list(one),
  one,
  given: object({ 'book!': given }),
  changed: object({ 'book!': changed }),
})
const inAnswers = books({ all: data(list(one)), one: data(one), given, changed })
const deep = books({
  all: object({ 'response!': object({ 'data!': list(one), 'page!': integer }), 'code!': integer }),
  one: object({ 'response!': object({ 'data!': one }), 'code!': integer }),
  given,
  changed,
})

/** Only the keys of the books are listed. */
const keys = toDocument(
  {
    'GET /books': { 200: object({ 'books!': list(integer) }) },
    'POST /books': { body: given, 201: one },
    'GET /books/{bookId}': { 200: one, 404: null },
    'DELETE /books/{bookId}': { 204: null, 404: null },
  },
  { Book: book, NewBook: newBook },
)

const nested = toDocument(
  {
    'GET /authors': { 200: data(list(named('Author'))) },
    'POST /authors': { body: data(named('NewAuthor')), 201: data(named('Author')) },
    'GET /authors/{authorId}': { 200: data(named('Author')) },
    'DELETE /authors/{authorId}': { 204: null },
    'GET /authors/{authorId}/books': { 200: data(list(one)) },
    'POST /authors/{authorId}/books': { body: data(given), 201: data(one) },
    'GET /authors/{authorId}/books/{bookId}': { 200: data(one) },
    'PATCH /authors/{authorId}/books/{bookId}': { body: data(changed), 200: data(one) },
  },
  {
    Author: object({ 'id!': integer, 'name!': text }),
    NewAuthor: object({ 'name!': text }),
    Book: book,
    NewBook: newBook,
    Change: change,
  },
)

export const wrappedScripts: readonly Script[] = [
  {
    name: '{data} around records and lists, in requests and answers',
    document: inData,
    steps: `
      GET /books -> 200 {"data":[]}
      POST /books {"data":{"title":"Emma","pages":3}} -> 201 {"data":{"id":1,"title":"Emma","pages":3}}
      POST /books {"data":{"title":"Faust"}} -> 201 {"data":{"id":2,"title":"Faust"}}
      GET /books/1 -> 200 {"data":{"id":1,"title":"Emma","pages":3}}
      PATCH /books/1 {"data":{"pages":4}} -> 200 {"data":{"id":1,"title":"Emma","pages":4}}
      PUT /books/1 {"data":{"title":"E"}} -> 200 {"data":{"id":1,"title":"E"}}
      GET /books?limit=1 -> 200 {"data":[{"id":2,"title":"Faust"}]}
      DELETE /books/1 -> 204
      GET /books -> 200 {"data":[{"id":2,"title":"Faust"}]}
      GET /books/1 -> 404
      POST /books {"title":"X"} -> 400
      POST /books {"data":{"pages":1}} -> 400
    `,
  },
  {
    name: 'a resource of JSON:API, of which PATCH changes one attribute',
    document: jsonApi,
    steps: `
      POST /books {"data":{"type":"books","attributes":{"title":"Emma","pages":3}}} -> 201 {"data":{"type":"books","id":"1","attributes":{"title":"Emma","pages":3}}}
      PATCH /books/1 {"data":{"type":"books","id":"1","attributes":{"pages":4}}} -> 200 {"data":{"type":"books","id":"1","attributes":{"title":"Emma","pages":4}}}
      GET /books/1 -> 200 {"data":{"type":"books","id":"1","attributes":{"title":"Emma","pages":4}}}
      GET /books -> 200 {"data":[{"type":"books","id":"1","attributes":{"title":"Emma","pages":4}}]}
      DELETE /books/1 -> 204
      GET /books -> 200 {"data":[]}
    `,
  },
  {
    name: 'an object around each item of a list',
    document: inItems,
    steps: `
      POST /books {"book":{"title":"Emma"}} -> 201 {"book":{"id":1,"title":"Emma"}}
      POST /books {"book":{"title":"Faust"}} -> 201 {"book":{"id":2,"title":"Faust"}}
      GET /books -> 200 [{"book":{"id":2,"title":"Faust"}},{"book":{"id":1,"title":"Emma"}}]
      GET /books?limit=1 -> 200 [{"book":{"id":2,"title":"Faust"}}]
      PATCH /books/1 {"book":{"pages":8}} -> 200 {"book":{"id":1,"title":"Emma","pages":8}}
      DELETE /books/2 -> 204
      GET /books -> 200 [{"book":{"id":1,"title":"Emma","pages":8}}]
    `,
  },
  {
    name: '_embedded and _links of HAL',
    document: hal,
    steps: `
      GET /books -> 200 {"_embedded":{"books":[]},"_links":{"self":{"href":"/books"}}}
      POST /books {"title":"Emma"} -> 201 {"id":1,"title":"Emma"}
      GET /books -> 200 {"_embedded":{"books":[{"id":1,"title":"Emma"}]},"_links":{"self":{"href":"/books"}}}
      GET /books/1 -> 200 {"id":1,"title":"Emma"}
    `,
  },
  {
    name: 'a list beside the address of the next page',
    document: paged,
    steps: `
      POST /books {"title":"Emma"} -> 201
      GET /books -> 200 {"items":[{"id":1,"title":"Emma"}]}
    `,
  },
  {
    name: 'lists and records below their name, with a total',
    document: byName,
    steps: `
      POST /books {"book":{"title":"Emma"}} -> 201 {"book":{"id":1,"title":"Emma"}}
      POST /books {"book":{"title":"Faust"}} -> 201 {"book":{"id":2,"title":"Faust"}}
      PATCH /books/2 {"book":{"pages":1}} -> 200 {"book":{"id":2,"title":"Faust","pages":1}}
      GET /books?limit=1 -> 200 {"books":[{"id":2,"title":"Faust","pages":1}],"total":2,"ok":true}
      PUT /books/1 {"book":{"title":"E"}} -> 200 {"book":{"id":1,"title":"E"}}
      GET /books/1 -> 200 {"book":{"id":1,"title":"E"}}
    `,
  },
  {
    name: 'an object of records by their keys',
    document: map,
    steps: `
      GET /books -> 200 {}
      POST /books {"title":"Emma"} -> 201 {"id":1,"title":"Emma"}
      POST /books {"title":"Faust"} -> 201 {"id":2,"title":"Faust"}
      GET /books -> 200 {"2":{"id":2,"title":"Faust"},"1":{"id":1,"title":"Emma"}}
      DELETE /books/2 -> 204
      GET /books -> 200 {"1":{"id":1,"title":"Emma"}}
    `,
  },
  {
    name: 'lists of keys only',
    document: keys,
    steps: `
      GET /books -> 200 {"books":[]}
      POST /books {"title":"Emma"} -> 201 {"id":1,"title":"Emma"}
      POST /books {"title":"Faust"} -> 201 {"id":2,"title":"Faust"}
      GET /books -> 200 {"books":[2,1]}
      DELETE /books/1 -> 204
      GET /books -> 200 {"books":[2]}
      GET /books/2 -> 200 {"id":2,"title":"Faust"}
    `,
  },
  {
    name: 'a record in a list of one',
    document: inListOfOne,
    steps: `
      POST /books {"title":"Emma"} -> 201 {"result":[{"id":1,"title":"Emma"}]}
      POST /books {"title":"Faust"} -> 201 {"result":[{"id":2,"title":"Faust"}]}
      GET /books/1 -> 200 {"result":[{"id":1,"title":"Emma"}]}
      GET /books -> 200 {"result":[{"id":2,"title":"Faust"},{"id":1,"title":"Emma"}]}
      GET /books/3 -> 404
    `,
  },
  {
    name: 'wrapped requests with answers that are not',
    document: inRequests,
    steps: `
      POST /books {"book":{"title":"Emma","pages":3}} -> 201 {"id":1,"title":"Emma","pages":3}
      PATCH /books/1 {"book":{"pages":4}} -> 200 {"id":1,"title":"Emma","pages":4}
      PUT /books/1 {"book":{"title":"E"}} -> 200 {"id":1,"title":"E"}
      GET /books -> 200 [{"id":1,"title":"E"}]
    `,
  },
  {
    name: 'wrapped answers to requests that are not',
    document: inAnswers,
    steps: `
      POST /books {"title":"Emma","pages":3} -> 201 {"data":{"id":1,"title":"Emma","pages":3}}
      PATCH /books/1 {"pages":4} -> 200 {"data":{"id":1,"title":"Emma","pages":4}}
      PUT /books/1 {"title":"E"} -> 200 {"data":{"id":1,"title":"E"}}
      GET /books -> 200 {"data":[{"id":1,"title":"E"}]}
    `,
  },
  {
    name: 'two objects around each other',
    document: deep,
    steps: `
      POST /books {"title":"Emma"} -> 201 {"response":{"data":{"id":1,"title":"Emma"}},"code":0}
      GET /books/1 -> 200 {"response":{"data":{"id":1,"title":"Emma"}},"code":0}
      GET /books -> 200 {"response":{"data":[{"id":1,"title":"Emma"}],"page":1},"code":0}
    `,
  },
  {
    name: '{data} around records that belong to others',
    document: nested,
    steps: `
      POST /authors {"data":{"name":"Ada"}} -> 201 {"data":{"id":1,"name":"Ada"}}
      POST /authors/1/books {"data":{"title":"Emma"}} -> 201 {"data":{"id":1,"title":"Emma"}}
      PATCH /authors/1/books/1 {"data":{"pages":2}} -> 200 {"data":{"id":1,"title":"Emma","pages":2}}
      GET /authors/1/books -> 200 {"data":[{"id":1,"title":"Emma","pages":2}]}
      POST /authors/2/books {"data":{"title":"X"}} -> 404
      DELETE /authors/1 -> 204
      GET /authors/1/books/1 -> 404
    `,
  },
  {
    name: '{metadata} beside what describes the answer',
    document: toDocument(
      {
        'GET /shelves': { 200: object({ metadata: list(named('Shelf')), ...answered }) },
        'POST /shelves': { body: object({ 'id!': integer, note: text }), 200: object({ ...answered }) },
        'GET /shelves/{id}': { 200: object({ metadata: named('Shelf'), ...answered }) },
        'PUT /shelves/{id}': { body: object({ note: text }), 200: object({ ...answered }) },
      },
      { Shelf: object({ id: integer, note: text }) },
    ),
    steps: `
      POST /shelves {"id":7,"note":"x"} -> 200
      GET /shelves/7 -> 200 {"metadata":{"id":7,"note":"x"},"status":"Success"}
      PUT /shelves/7 {"note":"y"} -> 200
      GET /shelves/7 -> 200 {"metadata":{"id":7,"note":"y"},"status":"Success"}
      GET /shelves/8 -> 404
    `,
  },
]
