import { describe, expect, it } from 'vitest'
import type { OpenApiDocument, OperationObject, ResponseObject, Schema } from '../../src/document/document.js'
import { decideAll } from '../../src/infer/facts/decide.js'
import { finish } from '../../src/json/steps.js'
import { describeOperations } from '../../src/schemas/operations/describe-operations.js'

/** An operation in few words. */
interface Sketch {
  id?: string
  summary?: string
  /** The schema of the success body. Null if there is a body without a schema. */
  out?: Schema | null
  status?: number
  mediaType?: string
  body?: Schema
  bodyType?: string
  /** Names of required query parameters. */
  query?: string[]
}

const text = { type: 'string' } as const
const book = { type: 'object', properties: { id: text, title: text, pages: { type: 'integer' } } } as const
const long = {
  type: 'object',
  properties: { ...book.properties, author: text, created_at: text, updated_at: text },
} as const
const thing = {
  type: 'object',
  properties: { id: text, notes: { type: 'array', items: book }, done: { type: 'boolean' } },
} as const
const books = { type: 'array', items: book } as const
const wrapped = (name: string, schema: Schema): Schema => ({ type: 'object', properties: { [name]: schema } })
const only = (...names: string[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
})

function documentOf(sketches: Record<string, Sketch>): OpenApiDocument {
  const paths: Record<string, Record<string, OperationObject>> = {}
  for (const [key, sketch] of Object.entries(sketches)) {
    const [method = '', path = ''] = key.split(' ')
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(sketch) }
  }
  return { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths }
}

function operationOf({
  id,
  summary,
  out,
  status = 200,
  mediaType,
  body,
  bodyType,
  query = [],
}: Sketch): OperationObject {
  const content = { [mediaType ?? 'application/json']: out ? { schema: out } : {} }
  const hasBody = out !== undefined || mediaType !== undefined
  const response: ResponseObject = hasBody ? { content } : {}
  return {
    ...(id !== undefined && { operationId: id }),
    ...(summary !== undefined && { summary }),
    parameters: query.map((name) => ({ name, in: 'query', required: true, schema: text })),
    ...(body && { requestBody: { content: { [bodyType ?? 'application/json']: { schema: body } } } }),
    responses: { [String(status)]: response },
  }
}

/** Each operation with its effect, the home of its collection, the key, and where the list or the record is. */
function decisionsOf(sketches: Record<string, Sketch>): Record<string, string> {
  const document = documentOf(sketches)
  const pointerOf = (steps: string[] | undefined) => (steps ? `/${steps.join('/')}` : '-')
  return Object.fromEntries(
    finish(decideAll(document, describeOperations(document))).decisions.map(
      ({ facts, effect, resource, list, record }) => {
        const key = resource?.isKeyed && resource.kind === 'collection' ? resource.key : undefined
        const pointer = pointerOf(effect === 'list' ? list : record?.pointer)
        const rest = effect === 'example' ? [] : [resource?.home ?? '-', key ?? '-', pointer]
        return [`${facts.operation.method} ${facts.operation.path}`, [effect, ...rest].join(' ')]
      },
    ),
  )
}

/** A class of operations, with what they do. */
type Row = [name: string, sketches: Record<string, [Sketch, string]>]

const resources: Row[] = [
  [
    'methods of a collection and of one record',
    {
      'GET /books': [{ out: books }, 'list /books id /'],
      'POST /books': [{ body: book, out: book, status: 201 }, 'create /books id /'],
      'GET /books/{bookId}': [{ out: book }, 'read /books id /'],
      'PUT /books/{bookId}': [{ body: book, out: book }, 'replace /books id /'],
      'PATCH /books/{bookId}': [{ body: book, out: book }, 'update /books id /'],
      'DELETE /books/{bookId}': [{ status: 204 }, 'remove /books id -'],
    },
  ],
  [
    'a list in a page and records in a wrapper',
    {
      'GET /books': [
        { out: { type: 'object', properties: { books, nextPageToken: text, total_count: text } } },
        'list /books id /books',
      ],
      'GET /books/{id}': [{ out: wrapped('book', book) }, 'read /books id /book'],
    },
  ],
  [
    'a list two levels deep',
    { 'GET /books': [{ out: wrapped('BookList', wrapped('BookArray', books)) }, 'list /books - /BookList/BookArray'] },
  ],
  [
    'a list whose body is not described',
    {
      'GET /books': [{ out: null }, 'list /books - -'],
      'GET /weekly': [{ out: null, summary: 'Returns a list of all books' }, 'list /weekly - -'],
      'GET /nearest': [{ out: null, summary: 'Find the best server' }, 'example'],
    },
  ],
  [
    'a list below a record of records that have a home',
    {
      'GET /books': [{ out: books }, 'list /books id /'],
      'GET /books/{id}': [{ out: book }, 'read /books id /'],
      'GET /authors/{id}': [{ out: only('id', 'name') }, 'read /authors id /'],
      'GET /authors/{id}/books': [{ out: books }, 'list /books id /'],
    },
  ],
  [
    'a part of a record that is a record of a collection',
    {
      'GET /authors/{id}': [{ out: only('id', 'name', 'town') }, 'read /authors id /'],
      'GET /books/{id}': [{ out: book }, 'read /books id /'],
      'GET /books/{id}/author': [{ out: only('id', 'name', 'town') }, 'read /authors id /'],
    },
  ],
  [
    'paths with a filter in place of a key',
    {
      'GET /shops/town/{town}': [
        { out: { type: 'object', properties: { data: books, meta: {} } } },
        'list /shops/town/{town} - /data',
      ],
    },
  ],
  [
    'a list with more than a page beside it',
    {
      'GET /authors/{id}': [{ out: only('id', 'name') }, 'read /authors id /'],
      'GET /authors/{id}/related': [
        { out: { type: 'object', properties: { results: books, resultCount: text, spelling: text } } },
        'list /authors/{id}/related - /results',
      ],
    },
  ],
  [
    'records that exist once',
    {
      'GET /me': [{ out: only('name') }, 'read /me - /'],
      'GET /books/{id}': [{ out: book }, 'read /books id /'],
      'GET /books/{id}/cover': [{ out: only('color') }, 'read /books/{id}/cover - /'],
      'PUT /books/{id}/cover': [{ body: only('color'), out: only('color') }, 'replace /books/{id}/cover - /'],
      'DELETE /books/{id}/icon': [{ status: 204 }, 'remove /books/{id}/icon - -'],
    },
  ],
  [
    'a key in the query',
    {
      'GET /stock': [{ query: ['sku'], out: only('sku', 'count') }, 'read /stock sku /'],
      'PUT /stock': [{ query: ['sku'], body: only('sku', 'count'), out: only('sku', 'count') }, 'replace /stock sku /'],
    },
  ],
  [
    'the list of the root',
    {
      'GET /': [{ out: wrapped('books', books) }, 'list / id /books'],
      'GET /{id}': [{ out: book }, 'read / id /'],
    },
  ],
]

const writes: Row[] = [
  [
    'a POST that adds or replaces',
    {
      'GET /books/{id}': [{ out: book }, 'read /books id /'],
      'POST /books': [{ summary: 'Create or update a book', body: book, out: book }, 'replace /books id /'],
    },
  ],
  [
    'a POST to one record that has no PUT',
    {
      'GET /books/{id}': [{ out: book }, 'read /books id /'],
      'POST /books/{id}': [{ id: 'PostBooksId', body: book, out: book }, 'update /books id /'],
    },
  ],
  [
    'a PUT whose name says that it marks',
    {
      'GET /books/{id}': [{ out: book }, 'read /books id /'],
      'PUT /books/{id}': [{ id: 'MarkBookAsRead', status: 204 }, 'update /books id -'],
    },
  ],
  [
    'operations on many records',
    {
      'GET /books/{id}': [{ out: book }, 'read /books id /'],
      'DELETE /books': [{ status: 204 }, 'example'],
      'PUT /books': [{ body: books, out: books }, 'example'],
      'POST /books': [{ body: books, out: books }, 'example'],
    },
  ],
  [
    'actions on a record',
    {
      'GET /books/{id}': [{ out: book }, 'read /books id /'],
      'POST /books/{id}/publish': [{ out: book }, 'action /books id /'],
      'PUT /books/{id}/archive': [{ status: 204 }, 'action /books id -'],
      'POST /books/{id}:lock': [{ out: { type: 'object' } }, 'action /books id -'],
    },
  ],
  [
    'uploads',
    {
      'GET /books/{id}': [{ out: book }, 'read /books id /'],
      'POST /books/{id}/scan': [
        { body: { type: 'string', format: 'binary' }, bodyType: 'image/png', status: 204 },
        'create /books/{id}/scan - -',
      ],
    },
  ],
  [
    'a POST below a collection that answers a new record',
    {
      'GET /jobs': [{ query: ['jobId'], out: only('jobId', 'status') }, 'read /jobs jobId /'],
      'POST /jobs/paint': [{ body: only('text'), out: only('jobId', 'status') }, 'create /jobs jobId /'],
    },
  ],
]

const computed: Row[] = [
  [
    'measures that nothing writes',
    {
      'GET /statistics/books': [{ out: books }, 'example'],
      'GET /totals': [{ out: books }, 'example'],
      'GET /books/{id}': [{ out: book }, 'read /books id /'],
      'GET /books/{id}/usage': [{ out: only('count') }, 'example'],
    },
  ],
  [
    'computations',
    {
      'POST /chart': [{ summary: 'Render a chart', body: only('text'), mediaType: 'image/png' }, 'example'],
      'POST /users/two-factor-login': [{ body: only('code'), out: only('token') }, 'example'],
      'GET /convert': [{ query: ['from', 'to'], out: only('rate') }, 'example'],
      'GET /verify/phone': [{ query: ['text'], out: wrapped('data', books) }, 'example'],
    },
  ],
  [
    'a POST that asks what GET asks',
    {
      'GET /page': [{ id: 'pageGet', query: ['url'], out: only('pdf') }, 'example'],
      'POST /page': [{ id: 'pagePost', body: only('url'), out: only('pdf') }, 'example'],
    },
  ],
  [
    'a check of what the query has',
    { 'GET /number/basic-check': [{ query: ['number'], out: only('number', 'score') }, 'example'] },
  ],
  ['flags', { 'GET /books/contains': [{ out: { type: 'array', items: { type: 'boolean' } } }, 'example'] }],
]

const procedures: Row[] = [
  [
    'verbs as the last segment',
    {
      'POST /book/list': [{ out: wrapped('books', books) }, 'list /book id /books'],
      'POST /book/get': [{ body: only('id'), out: book }, 'read /book id /'],
      'POST /book/create': [{ body: only('title'), out: book }, 'create /book id /'],
      'POST /book/update': [{ body: only('id', 'title'), out: book }, 'update /book id /'],
      'POST /book/delete': [{ body: only('id'), status: 204 }, 'remove /book id -'],
      'POST /book/token/create': [{ body: only('id'), out: only('token') }, 'example'],
    },
  ],
  [
    'verbs with a key in the query',
    {
      'GET /book/list': [{ out: null }, 'list /book id -'],
      'GET /book/info': [{ query: ['id'], out: book }, 'read /book id /'],
      'GET /book/delete': [{ query: ['id'], out: null }, 'remove /book id -'],
    },
  ],
  [
    'verbs before a parameter',
    {
      'GET /books/get/{id}': [{ out: book }, 'read /books id /'],
      'DELETE /books/delete/{id}': [{ status: 204 }, 'remove /books id -'],
    },
  ],
  [
    'names of procedures in the path',
    {
      'GET /listBooks': [{ out: books }, 'list /listBooks id /'],
      'GET /getBook': [{ query: ['bookId'], out: book }, 'read /listBooks id /'],
      'POST /createBook': [{ body: book, out: book }, 'create /listBooks id /'],
      'POST /getBookList': [{ out: books }, 'list /listBooks id /'],
    },
  ],
  [
    'names of procedures behind a dot',
    {
      'GET /books.list': [{ out: wrapped('books', books) }, 'list /books.list id /books'],
      'GET /books.info': [{ query: ['book'], out: wrapped('book', book) }, 'read /books.list id /book'],
      'POST /books.archive': [{ body: only('book'), out: only('ok') }, 'action /books.list id -'],
    },
  ],
  [
    'names of procedures in the fragment',
    {
      'POST /#Target=Shop.ListBooks': [{ out: wrapped('Books', books) }, 'list /#Target=Shop.ListBooks id /Books'],
      'POST /#Target=Shop.GetBook': [{ body: only('id'), out: book }, 'read /#Target=Shop.ListBooks id /'],
      'POST /#Target=Shop.DeleteBook': [
        { body: only('id'), out: { type: 'object' } },
        'remove /#Target=Shop.ListBooks id -',
      ],
      'POST /#Target=Shop.StopBookSale': [{ body: only('id'), status: 204 }, 'action /#Target=Shop.ListBooks id -'],
      'POST /#Target=Shop.GetOptions': [{ out: only('color') }, 'read /#Target=Shop.GetOptions - /'],
      'POST /#Target=Shop.PutOptions': [{ body: only('color'), status: 204 }, 'replace /#Target=Shop.GetOptions - -'],
      'POST /#Target=Shop.GetSalesSummary': [{ out: only('count') }, 'example'],
    },
  ],
  [
    'a parameter that holds the path of a record',
    {
      'GET /v1/{parent}/books': [
        { id: 'shop.rooms.books.list', out: wrapped('books', { type: 'array', items: only('name', 'title') }) },
        'list /v1/{parent}/books name /books',
      ],
      'GET /v1/{name}': [{ id: 'shop.rooms.books.get', out: only('name', 'title') }, 'read /v1/{parent}/books name /'],
      'DELETE /v1/{name}': [
        { id: 'shop.rooms.books.delete', out: { type: 'object' } },
        'remove /v1/{parent}/books name -',
      ],
      'POST /v1/{name}:publish': [
        { id: 'shop.rooms.books.publish', out: { type: 'object' } },
        'action /v1/{parent}/books name -',
      ],
      'POST /v1/{name}:validate': [{ id: 'shop.rooms.books.validate', out: only('ok') }, 'example'],
      'GET /v1/{name}:getPolicy': [
        { id: 'shop.rooms.books.getPolicy', out: only('text') },
        'read /v1/{name}:getPolicy - /',
      ],
      'POST /v1/{name}:setPolicy': [
        { id: 'shop.rooms.books.setPolicy', out: only('text') },
        'replace /v1/{name}:getPolicy - /',
      ],
    },
  ],
  [
    'a POST that lists, and one that adds many records',
    {
      'POST /books': [
        { id: 'ListBooks', body: only('next'), out: { type: 'object', properties: { books, next: text } } },
        'list /books - /books',
      ],
      'POST /authors': [{ id: 'createAuthor', body: books, status: 201 }, 'example'],
      'GET /authors': [{ id: 'listAuthors', out: books }, 'list /authors - /'],
    },
  ],
  [
    'keys that are no choices, no objects and no status',
    {
      'GET /orders/{order}': [
        {
          out: {
            type: 'object',
            properties: { code: { type: 'string', enum: ['a', 'b'] }, status_code: text, number: text },
          },
        },
        'read /orders number /',
      ],
      'GET /stages/{stage}': [
        { out: { type: 'object', properties: { stage: { type: 'string', enum: ['a', 'b'] }, id: text } } },
        'read /stages stage /',
      ],
    },
  ],
  [
    'what is done to a record, and what exists once for it',
    {
      'GET /players': [{ id: 'listPlayers', out: books }, 'list /players id /'],
      'GET /players/{id}': [{ id: 'getPlayer', out: book }, 'read /players id /'],
      'POST /players/{id}/command/{command}': [{ id: 'sendCommand', status: 204 }, 'action /players id -'],
      'POST /players/playing': [{ id: 'reportPlaying', status: 204 }, 'action /players id -'],
      'GET /labels/{playerArn}': [
        { id: 'listLabels', out: wrapped('labels', { type: 'object' }) },
        'read /labels/{playerArn} - /labels',
      ],
      'POST /labels/{playerArn}': [
        { id: 'labelPlayer', body: wrapped('labels', { type: 'object' }), status: 204 },
        'update /labels/{playerArn} - -',
      ],
      'PUT /players/batch': [{ id: 'changePlayers', body: wrapped('items', books) }, 'example'],
    },
  ],
]

const names: Row[] = [
  [
    'keys by all words of the collection, and by the last words of the parameter',
    {
      'GET /life-insurance-policies/{id}': [
        { out: only('beneficiaryId', 'insurancePolicyId', 'name') },
        'read /life-insurance-policies insurancePolicyId /',
      ],
      'GET /calendars/{calendarResourceId}': [
        { out: only('buildingId', 'resourceId') },
        'read /calendars resourceId /',
      ],
      'GET /places/{placeId}': [{ out: only('name', 'zip') }, 'read /places - /'],
      'GET /areas/{areaId}': [{ out: only('name', 'OID') }, 'read /areas OID /'],
    },
  ],
  [
    'paths that differ in case only',
    {
      'GET /Hubs': [{ out: books }, 'list /Hubs id /'],
      'GET /hubs/{id}': [{ out: book }, 'read /Hubs id /'],
    },
  ],
  [
    'verbs before the key, unless they are a collection',
    {
      'GET /stop/{scanId}': [{ out: only('status') }, 'action /stop - /'],
      'POST /open': [{ body: book, out: book, status: 201 }, 'create /open id /'],
      'PUT /open/{id}': [{ body: book, out: book }, 'replace /open id /'],
    },
  ],
  [
    'questions behind a collection, and the number of what they find',
    {
      'GET /books/{id}': [{ out: book }, 'read /books id /'],
      'GET /books/query': [{ out: only('items') }, 'list /books id -'],
      'POST /books/query': [{ body: only('filter'), out: only('items') }, 'list /books id -'],
      'GET /books/query/count': [{ out: only('total') }, 'example'],
      'POST /books/query/count': [{ body: only('filter'), out: only('total') }, 'example'],
      'POST /books/batch-retrieve': [{ body: only('ids'), out: books }, 'list /books id /'],
    },
  ],
  [
    'lists whose name begins with a verb, and ids that begin with the name of the service',
    {
      'GET /restorePlans': [{ out: wrapped('restorePlans', books) }, 'list /restorePlans - /restorePlans'],
      'GET /books': [{ id: 'compute.books.list', out: books }, 'list /books - /'],
    },
  ],
  [
    'collections in the singular and in the plural',
    {
      'GET /tickets': [{ out: wrapped('tickets', books) }, 'list /ticket id /tickets'],
      'POST /ticket': [{ body: book, status: 201 }, 'create /ticket id -'],
      'GET /ticket/{ticketId}': [{ out: null }, 'read /ticket id -'],
      'PUT /ticket/{ticketId}/title': [{ body: only('ticketTitle'), status: 204 }, 'update /ticket id -'],
    },
  ],
  [
    'lists that have the name of a collection further up',
    {
      'GET /books': [{ out: wrapped('books', books) }, 'list /books id /books'],
      'GET /books/{id}': [{ out: wrapped('books', books) }, 'read /books id /books/0'],
      'GET /books/shelf/{shelfId}': [{ out: wrapped('books', books) }, 'list /books id /books'],
      'GET /books/place/{x},{y}': [{ out: wrapped('books', books) }, 'list /books id /books'],
    },
  ],
  [
    'paths that say in which form a record is returned, and versions that are records',
    {
      'GET /books/{id}/versions/{version}': [{ out: only('version', 'notes') }, 'read /books/{id}/versions version /'],
      'GET /books/{id}/cover.{fileFormat}': [{ mediaType: 'image/png' }, 'example'],
    },
  ],
  [
    'one chosen record of a collection',
    {
      'GET /books': [{ out: books }, 'list /books id /'],
      'GET /books/{id}': [{ out: book }, 'read /books id /'],
      'GET /books/latest': [{ out: book }, 'read /books id /'],
    },
  ],
  [
    'settings that are set, and described nowhere',
    {
      'GET /settings/synonyms': [{ id: 'getSynonyms' }, 'read /settings/synonyms - -'],
      'PUT /settings/synonyms': [{ id: 'setSynonyms', body: books }, 'replace /settings/synonyms - -'],
    },
  ],
  [
    'verbs without a record',
    {
      'POST /subscribe': [{ id: 'subscribe', body: only('email'), status: 204 }, 'action - - -'],
      'POST /disable-user': [{ id: 'DisableUser', body: only('email'), status: 204 }, 'action - - -'],
      'POST /merge': [{ id: 'merge', body: only('one', 'other'), out: only('text') }, 'example'],
      'POST /upload': [
        { id: 'uploadPhoto', body: { type: 'string', format: 'binary' }, bodyType: 'image/png', status: 201 },
        'create - - -',
      ],
    },
  ],
  [
    'what is suggested, and what a search finds outside',
    {
      'GET /books': [{ out: books }, 'list /books id /'],
      'GET /books/{id}': [{ out: book }, 'read /books id /'],
      'GET /books/autocomplete': [{ out: books }, 'list /books id /'],
      'GET /search_suggestions': [{ out: wrapped('searches', books) }, 'example'],
      'GET /health/{host}': [{ out: only('state') }, 'example'],
    },
  ],
  [
    'questions in a query and in a body',
    {
      'GET /topics': [
        { id: 'topics', query: ['text', 'language'], out: wrapped('topics', books) },
        'list /topics - /topics',
      ],
      'POST /topics': [{ id: 'detect', body: only('text', 'language'), out: wrapped('topics', books) }, 'example'],
      'GET /mood': [{ id: 'mood', query: ['text', 'language'], out: only('score') }, 'example'],
      'POST /mood': [{ id: 'askMood', body: only('text', 'language'), out: only('score') }, 'example'],
      'GET /parseName/{fullName}': [{ id: 'parse', out: only('first', 'last') }, 'example'],
      'GET /races/{raceId}/analysis/courses': [{ out: wrapped('courses', books) }, 'example'],
      'GET /races/{raceId}': [{ out: only('id') }, 'read /races id /'],
    },
  ],
  [
    'a noun that begins like a verb',
    {
      'GET /load_balancers': [{ out: books }, 'list /load_balancers id /'],
      'POST /load_balancers': [
        { id: 'loadBalancers_create', body: book, out: wrapped('load_balancer', book), status: 201 },
        'create /load_balancers id /load_balancer',
      ],
      'GET /load_balancers/{id}': [{ out: wrapped('load_balancer', book) }, 'read /load_balancers id /load_balancer'],
    },
  ],
  [
    'lists of one record, and lists of records',
    {
      'GET /things': [{ out: { type: 'array', items: thing } }, 'list /things id /'],
      'POST /things': [{ body: wrapped('notes', books), out: thing, status: 201 }, 'create /things id /'],
      'GET /things/{id}': [{ out: thing }, 'read /things id /'],
      'GET /books': [{ out: books }, 'list /books id /'],
      'POST /books': [{ body: wrapped('books', books), out: wrapped('books', books) }, 'example'],
      'GET /books/{id}': [{ out: book }, 'read /books id /'],
    },
  ],
  [
    'parts of the record above',
    {
      'GET /books': [{ out: books }, 'list /books id /'],
      'GET /books/{id}': [{ out: long }, 'read /books id /'],
      'GET /books/{id}/card': [{ out: only('id', 'title', 'author', 'shelf') }, 'read /books id /'],
      'GET /books/{id}/label': [{ out: only('id', 'title', 'size', 'color') }, 'read /books/{id}/label - /'],
      'GET /books/{id}/loan': [{ out: only('id', 'created_at', 'updated_at') }, 'read /books/{id}/loan - /'],
      'GET /books/{id}/cover': [{ out: only('title', 'author', 'x') }, 'read /books/{id}/cover - /'],
      'PUT /books/{id}/cover': [{ body: only('title', 'author', 'x') }, 'replace /books/{id}/cover - -'],
    },
  ],
  [
    'many by the summary',
    {
      'GET /groups': [{ out: books }, 'list /groups id /'],
      'PATCH /groups': [{ id: 'patch', summary: 'Update/create several groups', body: text }, 'example'],
      'GET /groups/{id}': [{ out: book }, 'read /groups id /'],
    },
  ],
]

it('says which word means that an answer is calculated', () => {
  const document = documentOf({
    'GET /sales/chart': { out: only('x') },
    'GET /weather/{city}/days': { out: only('x') },
    'GET /estimate': { id: 'computeAll', out: only('x') },
  })
  expect(finish(decideAll(document, describeOperations(document))).decisions.map(({ reason }) => reason)).toEqual([
    '"chart" is a word for something calculated',
    '"weather" is a word for something calculated',
    '"estimate" is a word for something calculated',
  ])
})

describe.each([
  ['resources', resources],
  ['names', names],
  ['writes', writes],
  ['computations', computed],
  ['procedures', procedures],
])('%s', (_, rows) => {
  it.each(rows)('decides: %s', (_name, operations) => {
    const sketches = Object.fromEntries(Object.entries(operations).map(([key, [sketch]]) => [key, sketch]))
    const expected = Object.fromEntries(Object.entries(operations).map(([key, [, effect]]) => [key, effect]))
    expect(decisionsOf(sketches)).toEqual(expected)
  })
})
