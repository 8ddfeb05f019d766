// Nothing in the sandbox knows about pets: another document, however it is written, is another service; a broken one is
// refused with the place where it is broken.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compileDocument, createSandbox, type Sandbox, SandboxError } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const root = fileURLToPath(new URL('..', import.meta.url))
const books = readFileSync(new URL('support/books.openapi.yaml', import.meta.url), 'utf8')

const options = { at: '2026-11-21T00:00:00Z', now: () => 0 }
const start = '2026-11-21T00:00:00.000Z'
const later = '2026-11-21T00:00:01.000Z'
const firstId = '00000000-0000-4000-8000-000000000001'

async function openBooks(text = books): Promise<Sandbox> {
  const { contract } = await compileDocument(text, 'books.openapi.yaml')
  return createSandbox({ contract, ...options })
}

interface Answer {
  status: number
  headers: Record<string, string>
  text: string
}

const json = 'application/json'
const mergePatch = 'application/merge-patch+json'

interface Call {
  body?: unknown
  type?: string
  headers?: Record<string, string>
}

/** Calls the documented address with a valid key. */
async function call(sandbox: Sandbox, request: string, { body, type = json, headers }: Call = {}): Promise<Answer> {
  const [method = '', path = ''] = request.split(' ')
  const response = await sandbox.fetch(`https://books.service.example/api${path}`, {
    method,
    headers: { 'X-API-Key': 'sandbox', ...(body === undefined ? {} : { 'Content-Type': type }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
}

// --- one service, written in three ways ----------------------------------------------------------------------------

/** From first to last: what a user of the service does, and what goes wrong on the way. */
async function liveThrough(sandbox: Sandbox): Promise<Answer[]> {
  const answers: Answer[] = []
  const next = async (request: string, what?: Call) => answers.push(await call(sandbox, request, what))
  await next('POST /books', { body: { title: 'Emma', pages: 474, genre: 'novel', price: 7.5, subtitle: null } })
  await next('POST /books', { body: { title: 'Faust', pages: 158, publisher: { name: 'C', city: 'T' } } })
  await next('POST /books', { body: { title: 'Optics', pages: 413, genre: 'science', labels: { a: 'b' } } })
  await next('POST /books', { body: { title: '', pages: 0, price: 0, subtitle: 5, language: 'EN' } })
  await next('POST /books', { body: { title: 'x', pages: 1, price: 0.01 } })
  await next('GET /books')
  await next('GET /books?genre=novel')
  await next('GET /books?limit=50')
  await next('GET /books?limit=51')
  await next('GET /books?pages=158')
  await next(`GET /books/${firstId}`)
  await next('GET /books/1')
  await sandbox.clock.advance(1000)
  await next(`PUT /books/${firstId}`, { body: { title: 'Persuasion', pages: 249 } })
  await next(`PATCH /books/${firstId}`, { body: { genre: 'novel', subtitle: 'A' }, type: mergePatch })
  await next(`PATCH /books/${firstId}`, { body: { subtitle: null, price: 0 }, type: mergePatch })
  await next(`PATCH /books/${firstId}`, { body: { subtitle: null }, type: mergePatch })
  await next(`DELETE /books/${firstId}`)
  await next(`GET /books/${firstId}`)
  await next('GET /opening-hours')
  return answers
}

/** The words of OpenAPI 3.0 for what 3.1 writes in another way. */
const in30: [of31: string, of30: string][] = [
  ['openapi: 3.1.0', 'openapi: 3.0.3'],
  ['exclusiveMinimum: 0\n', 'minimum: 0\n          exclusiveMinimum: true\n'],
  ['type: [string, "null"]\n', 'type: string\n          nullable: true\n'],
]

function toVersion30(text: string): string {
  // The indentation of what is added follows that of what it stands for.
  return in30.reduce((written, [of31, of30]) => {
    expect(written).toContain(of31)
    return written.replace(
      new RegExp(`^( *)(.*)${of31.replace(/[[\]]/g, '\\$&')}`, 'gm'),
      (_, space, before) => `${space}${before}${of30.replace(/\n +/, `\n${space}`)}`,
    )
  }, text)
}

it('serves a second document: all that happens from the first book to the last', async () => {
  const answers = await liveThrough(await openBooks())
  const emma = `{"id":"${firstId}","title":"Emma","pages":474,"genre":"novel","price":7.5,"subtitle":null,"language":"en","slug":"a-book","createdAt":"${start}","updatedAt":"${start}"}`
  const second = firstId.replace(/1$/, '2')
  const faust = `{"id":"${second}","title":"Faust","pages":158,"language":"en","slug":"a-book","publisher":{"name":"C","city":"T"},"createdAt":"${start}","updatedAt":"${start}"}`
  const third = firstId.replace(/1$/, '3')
  const optics = `{"id":"${third}","title":"Optics","pages":413,"genre":"science","language":"en","slug":"a-book","labels":{"a":"b"},"createdAt":"${start}","updatedAt":"${start}"}`
  const fourth = `{"id":"${firstId.replace(/1$/, '4')}","title":"x","pages":1,"price":0.01,"language":"en","slug":"a-book","createdAt":"${start}","updatedAt":"${start}"}`
  const replaced = `{"id":"${firstId}","title":"Persuasion","pages":249,"language":"en","slug":"a-book","createdAt":"${start}","updatedAt":"${later}"}`
  const updated = `{"id":"${firstId}","title":"Persuasion","pages":249,"genre":"novel","subtitle":"A","language":"en","slug":"a-book","createdAt":"${start}","updatedAt":"${later}"}`
  const patched = updated.replace('"subtitle":"A",', '')
  expect(answers.map(({ status }) => status)).toEqual([
    201, 201, 201, 422, 201, 200, 200, 200, 422, 200, 200, 404, 200, 200, 400, 200, 204, 404, 200,
  ])
  const texts = answers.map(({ text }) => text)
  expect(texts.slice(0, 3)).toEqual([emma, faust, optics])
  expect(texts[5]).toBe(`{"items":[${fourth},${optics}],"total":4,"hasMore":true}`)
  expect(texts[6]).toBe(`{"items":[${emma}],"total":1,"hasMore":false}`)
  expect(texts[7]).toBe(`{"items":[${fourth},${optics},${faust},${emma}],"total":4,"hasMore":false}`)
  expect(texts[9]).toBe(`{"items":[${faust}],"total":1,"hasMore":false}`)
  expect(texts[10]).toBe(emma)
  expect(texts.slice(12, 14)).toEqual([replaced, updated])
  expect(texts.slice(15, 17)).toEqual([patched, ''])
  expect(texts[18]).toBe('{"from":"09:00","to":"17:30"}')
})

it.each([
  ['as JSON', () => JSON.stringify(parse(books))],
  ['as JSON with line breaks', () => JSON.stringify(parse(books), null, 2)],
  ['as OpenAPI 3.0', () => toVersion30(books)],
  ['as OpenAPI 3.0 in JSON', () => JSON.stringify(parse(toVersion30(books)))],
  ['with line ends of Windows', () => books.replaceAll('\n', '\r\n')],
])('serves the same written %s', async (_, write) => {
  const answers = await liveThrough(await openBooks(write()))
  expect(answers).toEqual(await liveThrough(await openBooks()))
})

// --- what only this document shows ---------------------------------------------------------------------------------

it('writes errors as the document has them: problem+json', async () => {
  const sandbox = await openBooks()
  const { status, headers, text } = await call(sandbox, 'POST /books', { body: { pages: 1 } })
  expect([status, headers['content-type']]).toEqual([422, 'application/problem+json'])
  expect(JSON.parse(text)).toEqual({
    type: 'invalid_request',
    title: 'title is required',
    status: 422,
    detail: 'title is required',
  })
})

interface Refused {
  what: string
  request: string
  call?: Call
  status: number
  type: string
}

const refused: Refused[] = [
  { what: 'a body', request: 'POST /books', call: { body: {} }, status: 422, type: 'invalid_request' },
  { what: 'a query', request: 'GET /books?limit=0', status: 422, type: 'invalid_request' },
  {
    what: 'a header parameter',
    request: 'GET /books',
    call: { headers: { 'x-trace': '123456789' } },
    status: 422,
    type: 'invalid_request',
  },
  {
    what: 'a content type',
    request: 'POST /books',
    call: { body: {}, type: 'text/plain' },
    status: 415,
    type: 'unsupported_media_type',
  },
  { what: 'an id that is no UUID', request: 'GET /books/1', status: 404, type: 'not_found' },
  { what: 'an unknown id', request: `GET /books/${firstId}`, status: 404, type: 'not_found' },
  {
    what: 'a body where 4XX is documented',
    request: `PUT /books/${firstId}`,
    call: { body: {} },
    status: 400,
    type: 'invalid_request',
  },
  {
    what: 'an id that is no UUID where 4XX is documented',
    request: 'PUT /books/1',
    call: { body: {} },
    status: 400,
    type: 'invalid_request',
  },
  {
    what: 'a content type where default is documented',
    request: `PATCH /books/${firstId}`,
    call: { body: {} },
    status: 415,
    type: 'unsupported_media_type',
  },
  {
    what: 'an empty key',
    request: 'GET /books',
    call: { headers: { 'X-API-Key': '' } },
    status: 401,
    type: 'unauthorized',
  },
  {
    what: 'a wrong key',
    request: 'GET /books',
    call: { headers: { 'X-API-Key': 'wrong' } },
    status: 401,
    type: 'unauthorized',
  },
  {
    what: 'a bearer token in place of the key',
    request: 'GET /books',
    call: { headers: { 'X-API-Key': '', Authorization: 'Bearer sandbox' } },
    status: 401,
    type: 'unauthorized',
  },
  { what: 'another method', request: 'PUT /books', status: 405, type: 'method_not_allowed' },
  { what: 'an unknown path', request: 'GET /shelves', status: 404, type: 'not_found' },
]

for (const { what, request, call: what2, status, type } of refused) {
  it(`refuses ${what} with the first of its statuses that is documented, ${status}`, async () => {
    const answer = await call(await openBooks(), request, what2)
    expect([answer.status, JSON.parse(answer.text).type]).toEqual([status, type])
    expect(JSON.parse(answer.text).status).toBe(status)
  })
}

it('names the header that a key belongs in', async () => {
  const { text } = await call(await openBooks(), 'GET /books', { headers: { 'X-API-Key': 'wrong' } })
  expect(JSON.parse(text).detail).toContain('X-API-Key: sandbox')
})

it('asks for no key where the document does not', async () => {
  const { fetch } = await openBooks()
  expect((await fetch('https://books.service.example/api/opening-hours')).status).toBe(200)
})

it('keeps the worlds of two keys apart', async () => {
  const sandbox = await openBooks()
  await call(sandbox, 'POST /books', { body: { title: 'Emma', pages: 474 } })
  const { text } = await call(sandbox, 'GET /books', { headers: { 'X-API-Key': 'sandbox-b' } })
  expect(text).toBe('{"items":[],"total":0,"hasMore":false}')
})

it('drops what a caller may not write, and notes it; keeps what additionalProperties welcomes', async () => {
  const sandbox = await openBooks()
  const body = {
    id: 'mine',
    title: 'Emma',
    pages: 474,
    slug: 'mine',
    createdAt: 'yesterday',
    publisher: { name: 'C', phone: '1' },
    labels: { any: 'thing' },
  }
  const { status, text } = await call(sandbox, 'POST /books', { body })
  expect(status).toBe(201)
  expect(JSON.parse(text)).toEqual({
    id: firstId,
    title: 'Emma',
    pages: 474,
    language: 'en',
    slug: 'a-book',
    publisher: { name: 'C' },
    labels: { any: 'thing' },
    createdAt: start,
    updatedAt: start,
  })
  expect(sandbox.journal.list().at(-1)?.notes).toEqual(
    ['"id"', '"slug"', '"createdAt"', '"publisher.phone"'].map((name) => expect.stringContaining(name)),
  )
})

it.each([
  {
    what: 'is valid but has no record to go to',
    request: `PUT /books/${firstId}`,
    body: { title: 'A', pages: 1 },
    status: 404,
  },
  { what: 'breaks its schema', request: 'POST /books', body: { title: 'A' }, status: 422 },
])('keeps a body in the journal that $what', async ({ request, body, status }) => {
  const sandbox = await openBooks()
  expect((await call(sandbox, request, { body })).status).toBe(status)
  expect(sandbox.journal.list().at(-1)?.request.body).toBe(JSON.stringify(body))
})

it('merges a patch into what is there, and removes what is null (RFC 7396)', async () => {
  const sandbox = await openBooks()
  const body = { title: 'Emma', pages: 474, publisher: { name: 'C', city: 'T' } }
  await call(sandbox, 'POST /books', { body })
  const patch = { body: { publisher: { city: null } }, type: mergePatch }
  const { text } = await call(sandbox, `PATCH /books/${firstId}`, patch)
  expect(JSON.parse(text).publisher).toEqual({ name: 'C' })
  const name = { body: { publisher: { name: 'D' } }, type: mergePatch }
  expect(JSON.parse((await call(sandbox, `PATCH /books/${firstId}`, name)).text).publisher).toEqual({ name: 'D' })
})

it('keeps the place of a record in the list when it is changed, and closes the gap when it is removed', async () => {
  const sandbox = await openBooks()
  for (const title of ['a', 'b', 'c']) await call(sandbox, 'POST /books', { body: { title, pages: 1 } })
  const titles = async () =>
    JSON.parse((await call(sandbox, 'GET /books?limit=50')).text).items.map(({ title }: { title: string }) => title)
  await call(sandbox, `PUT /books/${firstId}`, { body: { title: 'A', pages: 1 } })
  expect(await titles()).toEqual(['c', 'b', 'A'])
  await call(sandbox, `DELETE /books/${firstId.replace(/1$/, '2')}`)
  expect(await titles()).toEqual(['c', 'A'])
  await call(sandbox, 'POST /books', { body: { title: 'd', pages: 1 } })
  expect(await titles()).toEqual(['d', 'c', 'A'])
})

it('gives no id twice, though its record was removed', async () => {
  const sandbox = await openBooks()
  const create = async () =>
    JSON.parse((await call(sandbox, 'POST /books', { body: { title: 'a', pages: 1 } })).text).id
  const ids = [await create(), await create()]
  await call(sandbox, `DELETE /books/${ids[1]}`)
  ids.push(await create())
  await call(sandbox, `DELETE /books/${ids[0]}`)
  ids.push(await create())
  expect(new Set(ids).size).toBe(4)
})

it('finds a changed record by what it is now, not by what it was', async () => {
  const sandbox = await openBooks()
  const find = async (genre: string) => JSON.parse((await call(sandbox, `GET /books?genre=${genre}`)).text).total
  await call(sandbox, 'POST /books', { body: { title: 'a', pages: 1, genre: 'novel' } })
  expect([await find('novel'), await find('poetry')]).toEqual([1, 0])
  await call(sandbox, `PATCH /books/${firstId}`, { body: { genre: 'poetry' }, type: mergePatch })
  expect([await find('novel'), await find('poetry')]).toEqual([0, 1])
  await call(sandbox, `DELETE /books/${firstId}`)
  expect([await find('novel'), await find('poetry')]).toEqual([0, 0])
})

it('finds by a filter what a plain list of the same books has, whatever was changed, removed and added before', async () => {
  const genres = ['novel', 'poetry', 'science']
  const { contract } = await compileDocument(books, 'books.openapi.yaml')
  const held = [1, 2, 3, 4, 5].map((number) => ({
    ...{ id: firstId.replace(/1$/, String(number)), title: 'x', pages: 1, genre: 'novel' },
    ...{ createdAt: start, updatedAt: start },
  }))
  const sandbox = createSandbox({ contract, ...options, scenario: { books: held } })
  const expected: { id: string; genre?: string }[] = [...held]
  let turn = 7
  const pick = (count: number) => {
    turn = (turn * 1103515245 + 12345) % 2 ** 31
    return Math.floor((turn / 2 ** 31) * count)
  }
  for (let step = 0; step < 300; step++) {
    const place = pick(expected.length)
    const book = expected[place]
    const genre = genres[pick(3)] as string
    const what = book ? pick(5) : 0
    if (what < 2) {
      const { text } = await call(sandbox, 'POST /books', { body: { title: 'x', pages: 1, genre } })
      expected.push(JSON.parse(text))
    } else if (what < 4 && book) {
      await call(sandbox, `PATCH /books/${book.id}`, { body: { genre }, type: mergePatch })
      book.genre = genre
    } else {
      await call(sandbox, `DELETE /books/${book?.id}`)
      expected.splice(place, 1)
    }
    const asked = genres[pick(3)]
    const { text } = await call(sandbox, `GET /books?limit=50&genre=${asked}`)
    const ids = JSON.parse(text).items.map(({ id }: { id: string }) => id)
    const inOrder = expected.filter((each) => each.genre === asked).toReversed()
    expect(ids, `step ${step}`).toEqual(inOrder.slice(0, 50).map(({ id }) => id))
  }
})

it('answers the documented 410 once an operation is removed by the clock', async () => {
  const sandbox = await openBooks()
  const { headers } = await call(sandbox, `DELETE /books/${firstId}`)
  expect(headers).toMatchObject({ deprecation: '@1767225600', sunset: 'Sat, 01 Jan 2028 12:00:00 GMT' })
  await sandbox.clock.travelTo('2028-01-01T11:59:59.999Z')
  expect((await call(sandbox, `DELETE /books/${firstId}`)).status).toBe(404)
  await sandbox.clock.advance(1)
  const gone = await call(sandbox, `DELETE /books/${firstId}`)
  expect([gone.status, JSON.parse(gone.text).type]).toEqual([410, 'removed'])
  expect((await call(sandbox, 'GET /books')).status).toBe(200)
})

it('understands the marker of stability, and finds all six effects and an example', async () => {
  const { contract } = await openBooks()
  const found = contract.operations.map(({ id, effect, lifecycle }) => [id, effect.kind, lifecycle.stability])
  expect(found).toEqual([
    ['listBooks', 'list', undefined],
    ['createBook', 'create', undefined],
    ['readBook', 'read', undefined],
    ['replaceBook', 'replace', undefined],
    ['removeBook', 'remove', undefined],
    ['updateBook', 'update', 'beta'],
    ['readOpeningHours', 'example', undefined],
  ])
})

// --- documents that are broken -------------------------------------------------------------------------------------

/** Stands before the place that the error has to name; it is taken out before the document is read. */
const mark = '‸'

interface Broken {
  what: string
  text: string
  /** What the message tells. */
  tells: RegExp
}

function withOperation(text: string, { version = '3.1.0', path = '/xs' } = {}): string {
  return `openapi: ${version}
info: { title: T, version: '1' }
paths:
  ${path}:
    ${text.trim().replaceAll('\n', '\n    ')}
`
}

const responses = `responses:
    '200': { description: ok }`

function withBody(schema: string): string {
  return withOperation(`post:
  requestBody:
    content:
      application/json:
        ${schema}
  ${responses}`)
}

function withAnswer(schema: string, components = ''): string {
  return `${withOperation(`get:
  operationId: listXs
  responses:
    '200':
      description: ok
      content:
        application/json:
          ${schema}`)}${components}`
}

const broken: Broken[] = [
  { what: 'an empty file', text: mark, tells: /not an OpenAPI document/ },
  { what: 'white space', text: `${mark}\n\n`, tells: /not an OpenAPI document/ },
  { what: 'a text', text: `${mark}hello`, tells: /not an OpenAPI document/ },
  { what: 'a JSON array', text: `${mark}[{ "openapi": "3.1.0" }]`, tells: /not an OpenAPI document/ },
  { what: 'a YAML list', text: `${mark}- openapi: 3.1.0\n`, tells: /not an OpenAPI document/ },
  { what: 'JSON null', text: `${mark}null`, tells: /not an OpenAPI document/ },
  { what: 'another kind of document', text: `${mark}{ "name": "x" }`, tells: /"openapi"/ },
  { what: 'Swagger 2.0', text: `info: {}\n${mark}swagger: '2.0'\npaths: {}\n`, tells: /Swagger 2\.0 .*convert/ },
  { what: 'OpenAPI 4', text: `info: {}\n${mark}openapi: 4.0.0\npaths: {}\n`, tells: /4\.0\.0/ },
  { what: 'a tab for indentation', text: `openapi: 3.1.0\ninfo:\n${mark}\ttitle: T\n`, tells: /[Tt]ab/ },
  { what: 'a bracket that is not closed', text: `openapi: 3.1.0\npaths: [a, b${mark}`, tells: /\]/ },
  { what: 'JSON that is cut off', text: `{\n  "openapi": "3.1.0",\n  "paths": {}${mark}`, tells: /\}/ },
  {
    what: 'an anchor that is not there',
    text: `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths: ${mark}*nothing\n`,
    tells: /nothing/,
  },
  {
    what: 'a key that is there twice',
    text: `openapi: 3.1.0\ninfo: { title: T, version: '1' }\n${mark}info: { title: U, version: '1' }\npaths: {}\n`,
    tells: /unique|twice/,
  },
  {
    what: 'a path that is there twice',
    text: withOperation(`get: { responses: { '200': { description: ok } } }\n`).concat(`  ${mark}/xs: {}\n`),
    tells: /unique|twice/,
  },
  {
    what: 'a key of JSON that is there twice',
    text: `{\n "openapi": "3.1.0",\n ${mark}"openapi": "3.1.0"\n}`,
    tells: /unique|twice/,
  },
  { what: 'no info', text: `${mark}openapi: 3.1.0\npaths: {}\n`, tells: /info is required/ },
  {
    what: 'a version that is a number',
    text: `openapi: 3.1.0\ninfo: { title: T, ${mark}version: 1 }\npaths: {}\n`,
    tells: /info\.version must be a string/,
  },
  {
    what: 'no operations',
    text: `openapi: 3.1.0\ninfo: { title: T, version: '1' }\n${mark}paths: {}\n`,
    tells: /no operations/,
  },
  {
    what: 'an operation of 3.0 without responses',
    text: withOperation(`${mark}get:\n  operationId: listXs\n`, { version: '3.0.3' }),
    tells: /responses is required/,
  },
  {
    what: 'a property that OpenAPI does not know',
    text: withOperation(`get:\n  ${mark}colour: red\n  ${responses}`),
    tells: /colour/,
  },
  {
    what: 'a parameter in a place that there is not',
    text: withOperation(`get:\n  parameters:\n    - { name: a, ${mark}in: querry, schema: {} }\n  ${responses}`),
    tells: /one of query, header, path, cookie/,
  },
  {
    what: 'a path parameter that is not declared',
    text: withOperation(`${mark}get:\n  ${responses}`, { path: '/xs/{xId}' }),
    tells: /"\/xs\/\{xId\}"/,
  },
  {
    what: 'a dangling $ref of a schema',
    text: withAnswer(`${mark}schema:\n            $ref: '#/components/schemas/Nothing'`),
    tells: /"#\/components\/schemas\/Nothing" points to nothing/,
  },
  {
    what: 'a dangling $ref deep in a schema',
    text: withAnswer(
      `schema: { $ref: '#/components/schemas/X' }`,
      `components:
  schemas:
    X: { type: array, items: { type: object, properties: { ${mark}a: { $ref: '#/components/schemas/Y' } } } }
`,
    ),
    tells: /"#\/components\/schemas\/Y" points to nothing/,
  },
  {
    what: 'a dangling $ref of a parameter',
    text: withOperation(`get:\n  parameters:\n    - ${mark}$ref: '#/components/parameters/Limit'\n  ${responses}`),
    tells: /"#\/components\/parameters\/Limit" points to nothing/,
  },
  {
    what: 'a $ref that is no URI',
    text: withAnswer(`${mark}schema:\n            $ref: '#/components/schemas/%zz'`),
    tells: /%zz/,
  },
  {
    what: 'a $ref into another file',
    text: withAnswer(`${mark}schema:\n            $ref: 'schemas.yaml#/X'`),
    tells: /"schemas\.yaml#\/X" points outside the file; bundle/,
  },
  {
    what: 'a $ref to another host',
    text: withAnswer(`${mark}schema:\n            $ref: 'https://service.example/x.yaml'`),
    tells: /points outside the file; bundle/,
  },
  {
    what: 'a $ref to itself',
    text: withAnswer(
      `schema: { $ref: '#/components/schemas/X' }`,
      `components:\n  schemas:\n    ${mark}X: { $ref: '#/components/schemas/X' }\n`,
    ),
    tells: /leads back to itself/,
  },
  {
    what: 'a circle of $refs',
    text: withAnswer(
      `schema: { $ref: '#/components/schemas/X' }`,
      `components:
  schemas:
    X: { $ref: '#/components/schemas/Y' }
    ${mark}Y: { $ref: '#/components/schemas/X' }
`,
    ),
    tells: /leads back to itself/,
  },
  {
    what: 'a schema type of 3.0 that there is not',
    text: withAnswer(
      `schema: { $ref: '#/components/schemas/X' }`,
      `components:\n  schemas:\n    X:\n      ${mark}type: strin\n`,
    ).replace('3.1.0', '3.0.3'),
    tells: /type must be one of/,
  },
  {
    what: 'a schema type that there is not, in a body',
    text: withBody(`schema: { ${mark}type: strin }`),
    tells: /type must/,
  },
  {
    what: 'a schema type that there is not, in a record',
    text: withAnswer(
      `schema:
            type: array
            items:
              type: object
              properties:
                id:
                  ${mark}type: intger`,
    ),
    tells: /type must/,
  },
  {
    what: 'a schema type that there is not, in an answer that is no record',
    text: withAnswer(`schema: { ${mark}type: strin }`),
    tells: /type must/,
  },
  {
    what: 'a keyword of a schema that has the wrong type',
    text: withBody(`schema: { type: object, ${mark}required: name }`),
    tells: /required must be an array/,
  },
  {
    what: 'a pattern that is none',
    text: withBody(`${mark}schema: { type: string, pattern: '(' }`),
    tells: /\(/,
  },
  {
    what: 'a successor that is not there',
    text: withOperation(`get:\n  ${mark}x-successor: { operationId: listYs }\n  ${responses}`),
    tells: /x-successor.*"listYs"/,
  },
  {
    what: 'a sunset that is no date',
    text: withOperation(`get:\n  ${mark}x-sunset: soon\n  ${responses}`),
    tells: /x-sunset.*"soon"/,
  },
  {
    what: 'an effect that there is not',
    text: withOperation(`get:\n  ${mark}x-sandbox-effect: explode\n  ${responses}`),
    tells: /x-sandbox-effect must be one of .*"explode"/,
  },
  {
    what: 'a security scheme that is not there',
    text: withOperation(`get:\n  ${mark}security: [{ nothing: [] }]\n  ${responses}`),
    tells: /"nothing"/,
  },
  {
    what: 'a server variable that is not there',
    text: withOperation(`get:\n  ${responses}`).concat(`${mark}servers: [{ url: 'https://{host}/v1' }]\n`),
    tells: /"host"/,
  },
]

describe('refuses a document with the place where it is broken', () => {
  for (const { what, text, tells } of broken) {
    it(`of ${what}`, async () => {
      const before = text.slice(0, text.indexOf(mark))
      expect(before.length, 'the place is marked').toBeLessThan(text.length)
      const line = before.split('\n').length
      const column = before.length - before.lastIndexOf('\n')
      const error = await readError(text.replace(mark, ''))
      expect(error).toBeInstanceOf(SandboxError)
      expect(error).toMatchObject({ name: 'SandboxError', code: 'INVALID_DOCUMENT' })
      expect(error?.message).toMatch(tells)
      const { frame = '', ...place } = error?.location ?? {}
      expect(place).toEqual({ file: 'broken.yaml', line, column })
      expectFrame(frame, text.replace(mark, ''), line, column)
    })
  }
})

async function readError(text: string): Promise<SandboxError | undefined> {
  try {
    await compileDocument(text, 'broken.yaml')
    return undefined
  } catch (error) {
    return error as SandboxError
  }
}

/** The line itself is shown, with a mark under the column. */
function expectFrame(frame: string, text: string, line: number, column: number): void {
  const rows = frame.split('\n')
  const at = rows.findIndex((row) => row.startsWith('>'))
  const [, number, content = ''] = /^> +(\d+) \| (.*)$/.exec(rows[at] ?? '') ?? []
  expect(number).toBe(String(line))
  expect(content).toBe(text.split('\n')[line - 1])
  const prefix = (rows[at] ?? '').length - content.length
  expect(rows[at + 1]?.indexOf('^')).toBe(prefix + column - 1)
}

it('names openapi.yaml where it is not told the name of the file', async () => {
  await expect(compileDocument('')).rejects.toMatchObject({ location: { file: 'openapi.yaml', line: 1, column: 1 } })
})

it('refuses a document that would grow without end', async () => {
  const lists = ['b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name, index) => {
    const before = String.fromCharCode(name.charCodeAt(0) - 1)
    return `x-${index}: &${name} [${Array(9).fill(`*${before}`).join(', ')}]`
  })
  const error = await readError(['openapi: 3.1.0', 'x-a: &a [x]', ...lists, 'paths: {}'].join('\n'))
  expect(error).toMatchObject({ name: 'SandboxError', code: 'INVALID_DOCUMENT' })
})

it('serves a document whose schemas hold themselves', async () => {
  const text = withAnswer(
    `schema: { type: array, items: { $ref: '#/components/schemas/Node' } }`,
    `    post:
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Node' } } }
      responses:
        '201':
          description: ok
          content: { application/json: { schema: { $ref: '#/components/schemas/Node' } } }
components:
  schemas:
    Node:
      type: object
      properties:
        id: { type: integer }
        children: { type: array, items: { $ref: '#/components/schemas/Node' } }
`,
  )
  const { contract } = await compileDocument(text)
  const { fetch } = createSandbox({ contract })
  const send = (body: string) =>
    fetch('http://127.0.0.1/xs', { method: 'POST', headers: { 'Content-Type': json }, body })
  expect(await (await send('{"children":[{"children":[{"id":9,"x":1}]}]}')).text()).toBe(
    '{"id":1,"children":[{"children":[{"id":9}]}]}',
  )
  expect((await send('{"children":[{"children":[{"id":"x"}]}]}')).status).toBe(400)
})

it('serves an operation of 3.1 without responses as one that is not described', async () => {
  const { contract } = await compileDocument(withOperation('get:\n  operationId: listXs\n'))
  const response = await createSandbox({ contract }).fetch('http://127.0.0.1/xs')
  expect([response.status, (await response.json()).code]).toEqual([501, 'not_described'])
})

// --- two sandboxes in one process ----------------------------------------------------------------------------------

it('shares nothing between two sandboxes of one contract', async () => {
  const { contract } = await compileDocument(books)
  const one = createSandbox({ contract, ...options })
  const two = createSandbox({ contract, ...options, apiKeys: ['sandbox', 'other'] })
  await call(one, 'POST /books', { body: { title: 'Emma', pages: 474 } })
  await one.clock.travelTo('2030-01-01')
  await one.world().clock.advance(5)
  expect((await call(two, 'GET /books')).text).toBe('{"items":[],"total":0,"hasMore":false}')
  const created = await call(two, 'POST /books', { body: { title: 'Faust', pages: 1 } })
  expect(JSON.parse(created.text)).toMatchObject({ id: firstId, createdAt: start })
  expect((await call(one, 'GET /books', { headers: { 'X-API-Key': 'other' } })).status).toBe(401)
  expect([one.journal.size, two.journal.size]).toEqual([2, 2])
  await two.reset()
  expect(JSON.parse((await call(one, 'GET /books')).text).total).toBe(1)
})

it('shares nothing between two sandboxes of the bundled document', async () => {
  const [one, two] = [createSandbox(options), createSandbox(options)]
  const headers = { Authorization: 'Bearer sandbox', 'Content-Type': json }
  const before = await (await two.fetch('http://127.0.0.1/v1/pets', { headers })).text()
  const body = '{"name":"Rex","categoryId":7}'
  expect((await one.fetch('http://127.0.0.1/v1/pets', { method: 'POST', headers, body })).status).toBe(201)
  await one.clock.travelTo('2031-01-01')
  expect(await (await two.fetch('http://127.0.0.1/v1/pets', { headers })).text()).toBe(before)
  expect(await two.clock.now()).toBe(Date.parse(start))
  expect(two.journal.size).toBe(2)
})

it('never mentions pets in the committed source', () => {
  const files = execFileSync('git', ['ls-files', '-z', 'src'], { cwd: root, encoding: 'utf8' }).split('\0')
  const mentions = files.filter(Boolean).flatMap((file) =>
    readFileSync(`${root}/${file}`, 'utf8')
      .split('\n')
      .filter((line) =>
        /(?<![a-z])pets?(?![a-z])|[a-z]Pets?(?![a-z])|(?<![a-z])petstore|petId/i.test(withoutOwnName(line)),
      )
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(files.length).toBeGreaterThan(10)
  expect(mentions).toEqual([])
})

/** The name of the package and what is built from it. */
function withoutOwnName(line: string): string {
  return line.replace(/petstore[-_]sandbox/gi, '')
}
