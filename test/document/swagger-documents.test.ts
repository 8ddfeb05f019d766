/** Swagger 2.0 documents are served like OpenAPI 3, and their notes have the places of the text. */
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { mark } from '../support/small-documents.js'

const shelf = `swagger: '2.0'
info: { title: Shelf, version: '1' }
host: shelf.example
basePath: /v2
schemes: [http, https]
consumes: [application/json]
produces: [application/json]
securityDefinitions:
  key: { type: apiKey, in: query, name: api_key }
  login: { type: basic }
  account: { type: oauth2, flow: accessCode, authorizationUrl: 'https://x.example', tokenUrl: 'https://x.example', scopes: {} }
security: [{ key: [] }]
parameters:
  limit: { name: limit, in: query, type: integer, minimum: 1, default: 2 }
  book: { name: book, in: body, required: true, schema: { $ref: '#/definitions/Book' } }
responses:
  Missing: { description: missing, schema: { $ref: '#/definitions/Problem' } }
paths:
  /books:
    get:
      parameters:
        - $ref: '#/parameters/limit'
        - { name: tags, in: query, type: array, collectionFormat: csv, items: { type: string, enum: [a, b] } }
        - { name: words, in: query, type: array, collectionFormat: pipes, items: { type: string, maxLength: 3 } }
        - { name: multi, in: query, type: array, collectionFormat: multi, items: { type: integer } }
      responses:
        '200': { description: books, schema: { type: array, items: { $ref: '#/definitions/Book' } } }
    post:
      parameters: [{ $ref: '#/parameters/book' }]
      responses:
        '201': { description: book, schema: { $ref: '#/definitions/Book' } }
  /books/{id}:
    parameters: [{ name: id, in: path, required: true, type: integer, format: int64 }]
    get:
      security: [{ login: [] }, { account: [] }]
      responses:
        '200': { description: book, schema: { $ref: '#/definitions/Book' } }
        '404': { $ref: '#/responses/Missing' }
  /covers:
    post:
      consumes: [multipart/form-data]
      parameters:
        - { name: file, in: formData, type: file, required: true }
        - { name: title, in: formData, type: string }
      responses: { '204': { description: done } }
  /greeting:
    get:
      security: []
      produces: [text/plain]
      responses:
        '200': { description: text, schema: { type: string }, examples: { text/plain: hello } }
definitions:
  Book:
    type: object
    required: [title]
    discriminator: kind
    properties:
      id: { type: integer, format: int64, readOnly: true }
      title: { type: string, minLength: 1 }
      pages: { type: integer, minimum: 0, exclusiveMinimum: true }
      note: { type: string, x-nullable: true }
      kind: { type: string }
  Problem:
    type: object
    properties: { code: { type: integer }, message: { type: string } }
`

async function serveShelf() {
  const { contract, noteCount } = await compileDocument(shelf, 'shelf.yaml', { thorough: true })
  const sandbox = createSandbox({ contract, scenario: { books: [{ id: 1, title: 'Emma' }] } })
  return {
    contract,
    noteCount,
    send: (target: string, body?: object, headers: Record<string, string> = {}) =>
      sandbox.fetch(`https://shelf.example/v2${target}`, {
        headers: { ...(body ? { 'Content-Type': 'application/json' } : {}), ...headers },
        ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      }),
  }
}

const key = 'api_key=sandbox'

describe('serves Swagger 2.0', () => {
  it.each([
    ['a list', `/books?${key}`, undefined, 200],
    ['a missing key', '/books', undefined, 401],
    ['a shared parameter', `/books?${key}&limit=0`, undefined, 400],
    ['a list of values with commas', `/books?${key}&tags=a,b`, undefined, 200],
    ['a wrong value in such a list', `/books?${key}&tags=a,c`, undefined, 400],
    ['a list of values with pipes', `/books?${key}&words=one|two`, undefined, 200],
    ['a wrong value with pipes', `/books?${key}&words=one|three`, undefined, 400],
    ['a repeated parameter', `/books?${key}&multi=1&multi=2`, undefined, 200],
    ['a wrong repeated parameter', `/books?${key}&multi=1&multi=x`, undefined, 400],
    ['a shared body', `/books?${key}`, { title: 'Persuasion', pages: 1, note: null }, 201],
    ['a wrong body', `/books?${key}`, { title: '' }, 400],
    ['an exclusive bound', `/books?${key}`, { title: 'Persuasion', pages: 0 }, 400],
    ['a body without its required property', `/books?${key}`, {}, 400],
    ['an operation without security', '/greeting', undefined, 200],
  ])('%s', async (_, target, body, status) => {
    const { send } = await serveShelf()
    expect((await send(target, body)).status).toBe(status)
  })

  it('with effects, documented errors and examples', async () => {
    const { send, contract, noteCount } = await serveShelf()
    expect(noteCount).toBe(0)
    expect(contract.operations.map(({ effect }) => effect.kind)).toEqual([
      'list',
      'create',
      'read',
      'example',
      'example',
    ])
    expect(contract.servers).toMatchObject([{ url: 'https://shelf.example/v2' }])
    const basic = { Authorization: `Basic ${btoa('a:sandbox')}` }
    expect(await (await send('/books/1', undefined, basic)).json()).toEqual({ id: 1, title: 'Emma' })
    const missing = await send('/books/9', undefined, { Authorization: 'Bearer sandbox' })
    expect(Object.keys((await missing.json()) as object)).toEqual(['code', 'message'])
    expect(await (await send('/greeting')).text()).toBe('hello')
  })
})

const mistakes: [what: string, text: string, tells: RegExp][] = [
  ['a wrong type of a definition', shelf.replace('minLength: 1', `${mark}minLength: x`), /minLength must be a whole/],
  ['a wrong type of a parameter', shelf.replace('type: integer, minimum: 1', `${mark}type: int, minimum: 1`), /int"/],
  [
    'a dangling reference',
    shelf
      .replace("{ $ref: '#/parameters/limit' }", '')
      .replace("- $ref: '#/parameters/limit'", `- ${mark}$ref: '#/parameters/nothing'`),
    /nothing/,
  ],
  [
    'a mistake in a body',
    shelf.replace(
      "schema: { $ref: '#/definitions/Book' } }\nresponses",
      `schema: { ${mark}type: objekt } }\nresponses`,
    ),
    /objekt/,
  ],
  [
    'a mistake in a response',
    shelf.replace('schema: { type: array, items', `schema: { ${mark}type: arr, items`),
    /"arr"/,
  ],
]

describe('reads in Swagger 2.0', () => {
  const form = 'application/x-www-form-urlencoded'
  const integers = { type: 'array', items: { type: 'integer' } }
  const ok = { 204: { description: 'ok' }, 400: { description: 'no' }, 415: { description: 'no' } }
  const formats = { csv: ',', ssv: ' ', tsv: '\t', pipes: '|' }
  const lists = (place: string) =>
    Object.keys(formats).map((name) => ({ name, in: place, collectionFormat: name, ...integers }))
  const files = { consumes: ['multipart/form-data', form], responses: ok }
  const photo = { name: 'photo', in: 'formData', type: 'file' }
  const nested = { name: 'rows', in: 'query', type: 'array', collectionFormat: 'pipes', items: integers }
  const subtypes = {
    Animal: { type: 'object', discriminator: 'kind', required: ['kind'], properties: { kind: { type: 'string' } } },
    Cat: { allOf: [{ $ref: '#/definitions/Animal' }] },
    Lynx: { allOf: [{ $ref: '#/definitions/Cat' }] },
  }
  const animal = { name: 'animal', in: 'body', schema: { $ref: '#/definitions/Animal' } }
  const document = JSON.stringify({
    swagger: '2.0',
    info: { title: 'T', version: '1' },
    host: 'lists.example',
    definitions: subtypes,
    paths: {
      '/xs': {
        get: { parameters: [...lists('query'), nested], responses: ok },
        head: { parameters: lists('header'), responses: ok },
        post: { ...files, parameters: [...lists('formData'), photo] },
        put: { ...files, parameters: [{ ...photo, required: true }] },
        patch: { parameters: [animal], responses: ok },
      },
      ...Object.fromEntries(
        lists('path').map((each) => [
          `/${each.name}/{${each.name}}`,
          { get: { 'x-sandbox-effect': 'example', parameters: [{ ...each, required: true }], responses: ok } },
        ]),
      ),
    },
  })
  const send = async (method: string, target: string, headers: Record<string, string> = {}, body?: string) => {
    const { contract } = await compileDocument(document)
    const init = { method, headers, ...(body !== undefined && { body }) }
    return (await createSandbox({ contract }).fetch(`https://lists.example${target}`, init)).status
  }

  it.each(Object.entries(formats))('lists of the format %s, wherever they are', async (name, separator) => {
    for (const [value, status] of [
      [`1${separator}2`, 204],
      [`1${separator}x`, 400],
      ['1;2', 400],
    ] as const) {
      const text = encodeURIComponent(value)
      expect(await send('GET', `/xs?${name}=${text}`), value).toBe(status)
      expect(await send('GET', `/${name}/${text}`), value).toBe(status)
      expect(await send('HEAD', '/xs', { [name]: value }), value).toBe(status)
      expect(await send('POST', '/xs', { 'Content-Type': form }, `${name}=${text}`), value).toBe(status)
    }
  })

  it('lists in lists, forms beside files, and names of subtypes', async () => {
    expect([await send('GET', '/xs?rows=1,2|3'), await send('GET', '/xs?rows=1,x|3')]).toEqual([204, 400])
    expect(await send('PUT', '/xs', { 'Content-Type': form }, 'photo=x')).toBe(415)
    const json = { 'Content-Type': 'application/json' }
    for (const kind of ['Animal', 'Cat', 'Lynx'])
      expect(await send('PATCH', '/xs', json, JSON.stringify({ kind }))).toBe(204)
    expect(await send('PATCH', '/xs', json, '{"kind":"Dog"}')).toBe(400)
  })
})

describe('notes in Swagger 2.0', () => {
  it.each(mistakes)('%s', async (_, text, tells) => {
    const before = text.slice(0, text.indexOf(mark))
    const place = { line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') }
    const notes = (await compileDocument(text.replace(mark, ''), 'shelf.yaml')).notes()
    expect(notes).toContainEqual(expect.objectContaining({ message: expect.stringMatching(tells), ...place }))
    await expect(compileDocument(text.replace(mark, ''), 'shelf.yaml', { strict: true })).rejects.toMatchObject({
      code: 'INVALID_DOCUMENT',
    })
  })

  it('refuses other versions of Swagger', async () => {
    await expect(compileDocument(shelf.replace("'2.0'", "'1.2'"))).rejects.toThrow('Swagger "1.2" is not supported')
    const { notes } = await compileDocument(shelf.replace("'2.0'", '2.0'))
    expect(notes()).toMatchObject([{ message: 'swagger must be "2.0" (got 2)' }])
  })
})
