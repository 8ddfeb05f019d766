/** Changes between two versions, each with a consumer that it breaks and one that it does not. */
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { findChanges } from '../../src/checks/changes/find-changes.js'
import { parseLock, renderLock } from '../../src/checks/consumer/lock.js'
import { observeConsumer } from '../../src/checks/consumer/observe-consumer.js'
import type { Finding } from '../../src/checks/finding.js'
import { type CompiledText, compileText } from '../../src/entries/compile-text.js'
import { createSandbox } from '../../src/entries/create-sandbox.js'

const base = `
openapi: 3.0.3
info: { title: Shelf, version: 1.0.0 }
servers: [{ url: https://api.example.com/v1 }]
security: []
paths:
  /books:
    get:
      operationId: listBooks
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50 } }
        - { name: genre, in: query, schema: { type: string, enum: [novel, poetry] } }
        - { name: year, in: query, schema: { type: number } }
        - { name: order, in: query, schema: { type: string, default: title } }
        - { name: kinds, in: query, schema: { type: array, items: { type: string, enum: [new, old] } } }
        - { name: number, in: query, schema: { type: integer } }
        - { name: word, in: query, schema: { type: string } }
        - { name: tags, in: query, explode: false, schema: { type: array, items: { type: string } } }
      responses:
        '200':
          description: ok
          headers: { X-Total: { schema: { type: integer } } }
          content:
            application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } }
            text/csv: { schema: { type: string } }
        '400': { description: wrong }
    post:
      operationId: addBook
      requestBody:
        content:
          application/json: { schema: { $ref: '#/components/schemas/NewBook' } }
          application/x-www-form-urlencoded: { schema: { $ref: '#/components/schemas/NewBook' } }
          multipart/form-data: { schema: { $ref: '#/components/schemas/NewBook' } }
      responses:
        '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
  /books/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getBook
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
    delete:
      operationId: removeBook
      responses: { '204': { description: gone } }
  /shelves:
    get:
      operationId: listShelves
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: array, items: { type: object, properties: { row: { type: integer } } } } } } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
  schemas:
    NewBook:
      type: object
      required: [title]
      properties:
        title: { type: string, minLength: 1, maxLength: 4 }
        subtitle: { type: string, nullable: true }
        genre: { type: string, enum: [novel, poetry] }
        pages: { type: number }
        isbn: { type: string }
        place: { type: object, properties: { row: { type: integer }, note: { type: string } } }
        parts: { type: array, items: { type: object, properties: { name: { type: string } } } }
        labels: { type: object, additionalProperties: { type: string } }
        cover:
          discriminator: { propertyName: is }
          oneOf: [{ $ref: '#/components/schemas/Soft' }, { $ref: '#/components/schemas/Hard' }]
    Soft: { type: object, required: [is, width], properties: { is: { type: string }, width: { type: integer } } }
    Hard: { type: object, required: [is, weight], properties: { is: { type: string }, weight: { type: integer } } }
    Book:
      type: object
      required: [id, title]
      properties:
        id: { type: string }
        title: { type: string, maxLength: 4 }
        subtitle: { type: string, nullable: true }
        genre: { type: string, enum: [novel, poetry] }
        pages: { type: integer }
        isbn: { type: string }
        added: { type: string, format: date }
        place: { type: object, properties: { row: { type: integer }, note: { type: string } } }
        parts: { type: array, items: { type: object, properties: { name: { type: string } } } }
        labels: { type: object, additionalProperties: { type: string } }
        sold: { type: boolean, enum: [true, false] }
        pair: { type: array, items: { oneOf: [{ type: string }, { type: integer }] } }
        moods: { type: array, items: { type: string, enum: [sad, glad] } }
`

// biome-ignore lint/suspicious/noExplicitAny: documents are changed at any place.
type Node = any

interface Consumer {
  /** Each a method, a path and a body: as JSON, or as a form if it is text. */
  calls: [method: string, path: string, body?: unknown][]
  reads?: Record<string, string[]>
}

interface Planted {
  name: string
  /** The rule that finds it. */
  rule: string
  change(document: Node): void
  broken: Consumer
  kept: Consumer
  /** Whether it only needs attention. @default false */
  isWarning?: true
}

const list: Consumer['calls'] = [['GET', '/books']]
const get: Consumer['calls'] = [['GET', '/books/7']]
const boundary = '--b'
const multipart = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')
    .concat(`${boundary}--\r\n`)
const add = (body: object | string): Consumer['calls'] => [['POST', '/books', body]]
const call = (...calls: Consumer['calls']): Consumer => ({ calls })
const query = (text: string): Consumer => call(['GET', `/books?${text}`])
const reading = (path: string): Consumer => ({ calls: list, reads: { 'GET /books 200': [path] } })
const books = (document: Node): Node => document.paths['/books']
const parameter = (document: Node, name: string): Node =>
  books(document).get.parameters.find((each: Node) => each.name === name)
const sent = (document: Node): Node => document.components.schemas.NewBook
const answered = (document: Node): Node => document.components.schemas.Book
const without = (object: Node, name: string) => Reflect.deleteProperty(object, name)

const planted: Planted[] = [
  {
    name: 'an operation is removed',
    rule: 'operation-removed',
    change: (document) => without(document.paths['/books/{id}'], 'get'),
    broken: call(...get),
    kept: call(...list),
  },
  {
    name: 'a path is removed',
    rule: 'operation-removed',
    change: (document) => without(document.paths, '/shelves'),
    broken: call(['GET', '/shelves']),
    kept: call(...list),
  },
  {
    name: 'a parameter becomes required',
    rule: 'parameter-required',
    change: (document) => Object.assign(parameter(document, 'genre'), { required: true }),
    broken: query('limit=3'),
    kept: query('genre=novel'),
  },
  {
    name: 'a required parameter is added',
    rule: 'parameter-required',
    change: (document) =>
      books(document).get.parameters.push({ name: 'shop', in: 'query', required: true, schema: { type: 'string' } }),
    broken: call(...list),
    kept: call(...get),
  },
  {
    name: 'a parameter is removed',
    rule: 'parameter-removed',
    change: (document) => books(document).get.parameters.shift(),
    broken: query('limit=3'),
    kept: query('genre=novel'),
    isWarning: true,
  },
  {
    name: 'a value of a parameter is removed',
    rule: 'value-removed',
    change: (document) => parameter(document, 'genre').schema.enum.pop(),
    broken: query('genre=poetry'),
    kept: query('genre=novel'),
  },
  {
    name: 'a maximum is lower',
    rule: 'limit-narrowed',
    change: (document) => Object.assign(parameter(document, 'limit').schema, { maximum: 40 }),
    broken: query('limit=50'),
    kept: call(...list),
  },
  {
    name: 'a minimum is higher',
    rule: 'limit-narrowed',
    change: (document) => Object.assign(parameter(document, 'limit').schema, { minimum: 2 }),
    broken: query('limit=1'),
    kept: query('genre=novel'),
  },
  {
    name: 'a parameter has another type',
    rule: 'type-narrowed',
    change: (document) => Object.assign(parameter(document, 'word').schema, { type: 'integer' }),
    broken: query('word=a'),
    kept: query('genre=novel'),
  },
  {
    name: 'a number becomes an integer',
    rule: 'type-narrowed',
    change: (document) => Object.assign(parameter(document, 'year').schema, { type: 'integer' }),
    broken: query('year=1.5'),
    kept: query('genre=novel'),
  },
  {
    name: 'a list is written in another way',
    rule: 'parameter-style-changed',
    change: (document) => Object.assign(parameter(document, 'tags'), { explode: true }),
    broken: query('tags=a,b'),
    kept: call(...list),
  },
  {
    name: 'a default changes',
    rule: 'default-changed',
    change: (document) => Object.assign(parameter(document, 'order').schema, { default: 'year' }),
    broken: call(...list),
    kept: query('order=title'),
    isWarning: true,
  },
  {
    name: 'a pattern is added',
    rule: 'format-narrowed',
    change: (document) => Object.assign(parameter(document, 'order').schema, { pattern: '^[a-z]+$' }),
    broken: query('order=A'),
    kept: call(...list),
  },
  {
    name: 'credentials are needed',
    rule: 'credentials-changed',
    change: (document) => Object.assign(books(document).get, { security: [{ key: [] }] }),
    broken: call(...list),
    kept: call(...get),
  },
  {
    name: 'a property becomes required',
    rule: 'property-required',
    change: (document) => sent(document).required.push('isbn'),
    broken: call(...add({ title: 'Emma' })),
    kept: call(...add({ title: 'Emma', isbn: '1' })),
  },
  {
    name: 'a required property is added to an inner object',
    rule: 'property-required',
    change: (document) =>
      Object.assign(sent(document).properties.place, {
        required: ['column'],
        properties: { column: { type: 'integer' }, row: { type: 'integer' }, note: { type: 'string' } },
      }),
    broken: call(...add({ title: 'Emma', place: { row: 1 } })),
    kept: call(...add({ title: 'Emma' })),
  },
  {
    name: 'a property is removed',
    rule: 'property-removed',
    change: (document) => without(sent(document).properties, 'isbn'),
    broken: call(...add({ title: 'Emma', isbn: '1' })),
    kept: call(...add({ title: 'Emma' })),
    isWarning: true,
  },
  {
    name: 'a property is removed and refused',
    rule: 'property-removed',
    change(document) {
      without(sent(document).properties, 'isbn')
      sent(document).additionalProperties = false
    },
    broken: call(...add({ title: 'Emma', isbn: '1' })),
    kept: call(...add({ title: 'Emma' })),
  },
  {
    name: 'undocumented properties are refused',
    rule: 'unknown-properties-refused',
    change: (document) => Object.assign(sent(document), { additionalProperties: false }),
    broken: call(...add({ title: 'Emma', undocumented: 1 })),
    kept: call(...add({ title: 'Emma' })),
  },
  {
    name: 'null is refused',
    rule: 'type-narrowed',
    change: (document) => without(sent(document).properties.subtitle, 'nullable'),
    broken: call(...add({ title: 'Emma', subtitle: null })),
    kept: call(...add({ title: 'Emma', subtitle: 'A' })),
  },
  {
    name: 'a property of items has another type',
    rule: 'type-narrowed',
    change: (document) => Object.assign(sent(document).properties.parts.items.properties.name, { type: 'integer' }),
    broken: call(...add({ title: 'Emma', parts: [{ name: 'a' }] })),
    kept: call(...add({ title: 'Emma', parts: [] })),
  },
  {
    name: 'a value of a property is removed',
    rule: 'value-removed',
    change: (document) => sent(document).properties.genre.enum.pop(),
    broken: call(...add({ title: 'Emma', genre: 'poetry' })),
    kept: call(...add({ title: 'Emma', genre: 'novel' })),
  },
  {
    name: 'a text has to be shorter',
    rule: 'limit-narrowed',
    change: (document) => Object.assign(sent(document).properties.title, { maxLength: 3 }),
    broken: call(...add({ title: 'Emma' })),
    kept: call(...list),
  },
  {
    name: 'a property of a form becomes required',
    rule: 'property-required',
    change: (document) => sent(document).required.push('isbn'),
    broken: call(...add('title=Emma')),
    kept: call(...add('title=Emma&isbn=1')),
  },
  {
    name: 'forms are refused',
    rule: 'media-type-removed',
    change: (document) => without(books(document).post.requestBody.content, 'application/x-www-form-urlencoded'),
    broken: call(...add('title=Emma')),
    kept: call(...add({ title: 'Emma' })),
  },
  {
    name: 'a property is read-only',
    rule: 'property-read-only',
    change: (document) => Object.assign(sent(document).properties.isbn, { readOnly: true }),
    broken: call(...add({ title: 'Emma', isbn: '1' })),
    kept: call(...add({ title: 'Emma' })),
    isWarning: true,
  },
  {
    name: 'another status is a success',
    rule: 'status-removed',
    change(document) {
      const { responses } = books(document).post
      responses['200'] = responses['201']
      without(responses, '201')
    },
    broken: call(...add({ title: 'Emma' })),
    kept: call(...list),
  },
  {
    name: 'an answer has another media type',
    rule: 'response-type-removed',
    change: (document) => without(books(document).get.responses['200'].content, 'application/json'),
    broken: call(...list),
    kept: call(...get),
  },
  {
    name: 'a property of an answer is removed',
    rule: 'response-property-removed',
    change: (document) => without(answered(document).properties, 'isbn'),
    broken: reading('[].isbn'),
    kept: reading('[].title'),
  },
  {
    name: 'an inner property of an answer is removed',
    rule: 'response-property-removed',
    change: (document) => without(answered(document).properties.place.properties, 'row'),
    broken: reading('[].place.row'),
    kept: reading('[].place.note'),
  },
  {
    name: 'an object around a property is removed',
    rule: 'response-property-removed',
    change: (document) => without(answered(document).properties, 'place'),
    broken: reading('[].place.row'),
    kept: reading('[].title'),
  },
  {
    name: 'a property of an answer can be missing',
    rule: 'response-property-optional',
    change: (document) => answered(document).required.pop(),
    broken: reading('[].title'),
    kept: reading('[].id'),
  },
  {
    name: 'a property of an answer can be null',
    rule: 'response-type-widened',
    change: (document) => Object.assign(answered(document).properties.isbn, { nullable: true }),
    broken: reading('[].isbn'),
    kept: reading('[].title'),
  },
  {
    name: 'a property of an answer has another type',
    rule: 'response-type-widened',
    change: (document) => Object.assign(answered(document).properties.parts.items.properties.name, { type: 'integer' }),
    broken: reading('[].parts[].name'),
    kept: reading('[].title'),
  },
  {
    name: 'an integer of an answer becomes a number',
    rule: 'response-type-widened',
    change: (document) => Object.assign(answered(document).properties.pages, { type: 'number' }),
    broken: reading('[].pages'),
    kept: reading('[].title'),
  },
  {
    name: 'a property of an answer has a new value',
    rule: 'response-value-added',
    change: (document) => answered(document).properties.genre.enum.push('play'),
    broken: reading('[].genre'),
    kept: reading('[].title'),
  },
  {
    name: 'a text of an answer can be longer',
    rule: 'response-limit-widened',
    change: (document) => Object.assign(answered(document).properties.title, { maxLength: 90 }),
    broken: reading('[].title'),
    kept: reading('[].isbn'),
  },
  {
    name: 'a time of an answer has another format',
    rule: 'response-format-widened',
    change: (document) => Object.assign(answered(document).properties.added, { format: 'date-time' }),
    broken: reading('[].added'),
    kept: reading('[].title'),
  },
  {
    name: 'a list in an answer has items with a new value',
    rule: 'response-value-added',
    change: (document) => answered(document).properties.moods.items.enum.push('bored'),
    broken: reading('[].moods'),
    kept: reading('[].title'),
  },
  {
    name: 'a path loses its slash',
    rule: 'operation-removed',
    change(document) {
      document.paths['/shelves/'] = document.paths['/shelves']
      without(document.paths, '/shelves')
    },
    broken: call(['GET', '/shelves']),
    kept: call(...list),
  },
  {
    name: 'a property of a multipart body becomes required',
    rule: 'property-required',
    change: (document) => sent(document).required.push('isbn'),
    broken: call(...add(multipart({ title: 'Emma' }))),
    kept: call(...add(multipart({ title: 'Emma', isbn: '1' }))),
  },
  {
    name: 'a value of a map has another type',
    rule: 'type-narrowed',
    change: (document) =>
      Object.assign(sent(document).properties.labels, { additionalProperties: { type: 'integer' } }),
    broken: call(...add({ title: 'Emma', labels: { red: 'a' } })),
    kept: call(...add({ title: 'Emma', labels: {} })),
  },
  {
    name: 'a value of a map in an answer has another type',
    rule: 'response-type-widened',
    change: (document) =>
      Object.assign(answered(document).properties.labels, { additionalProperties: { type: 'integer' } }),
    broken: reading('[].labels.{}'),
    kept: reading('[].title'),
  },
  {
    name: 'an item of an answer has one more type',
    rule: 'response-type-widened',
    change: (document) => answered(document).properties.pair.items.oneOf.push({ type: 'boolean' }),
    broken: reading('[].pair[]'),
    kept: reading('[].title'),
  },
  {
    name: 'one of two alternatives requires a property',
    rule: 'property-required',
    change(document) {
      const { Hard } = document.components.schemas
      Hard.properties.color = { type: 'string' }
      Hard.required.push('color')
    },
    broken: call(...add({ title: 'Emma', cover: { is: 'Hard', weight: 3 } })),
    kept: call(...add({ title: 'Emma', cover: { is: 'Soft', width: 3 } })),
  },
  {
    name: 'a body becomes required',
    rule: 'body-required',
    change: (document) => Object.assign(books(document).post.requestBody, { required: true }),
    broken: call(['POST', '/books']),
    kept: call(...add({ title: 'Emma' })),
  },
  {
    name: 'a list in a parameter refuses an item',
    rule: 'value-removed',
    change: (document) => parameter(document, 'kinds').schema.items.enum.pop(),
    broken: query('kinds=new&kinds=old'),
    kept: query('kinds=new'),
  },
  {
    name: 'a key becomes a UUID',
    rule: 'format-narrowed',
    change: (document) => Object.assign(parameter(document, 'number').schema, { type: 'string', format: 'uuid' }),
    broken: query('number=7'),
    kept: call(...list),
  },
  {
    name: 'an alternative is removed',
    rule: 'value-removed',
    change: (document) => sent(document).properties.cover.oneOf.pop(),
    broken: call(...add({ title: 'Emma', cover: { is: 'Hard', weight: 3 } })),
    kept: call(...add({ title: 'Emma' })),
  },
  {
    name: 'an operation is deprecated',
    rule: 'operation-deprecated',
    change: (document) => Object.assign(books(document).get, { deprecated: true }),
    broken: call(...list),
    kept: call(...get),
    isWarning: true,
  },
]

/** What a consumer uses, as `run` writes it into a lock. */
async function lockOf({ contract, document }: CompiledText, { calls, reads = {} }: Consumer) {
  const sandbox = createSandbox({ contract, exact: true })
  const observer = observeConsumer({
    contract,
    document,
    existingKeys: () => [],
    variables: { key: 'API_KEY' },
    lock: { uses: [], reads, isToBeUpdated: true },
  } as Parameters<typeof observeConsumer>[0])
  sandbox.journal.subscribe((exchange) => observer.add(exchange))
  for (const [method, path, body] of calls) {
    const form = String(body).startsWith(boundary)
      ? 'multipart/form-data; boundary=b'
      : 'application/x-www-form-urlencoded'
    const type = typeof body === 'string' ? form : 'application/json'
    await sandbox.fetch(`http://localhost/v1${path}`, {
      method,
      ...(body !== undefined && {
        headers: { 'Content-Type': type },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    })
  }
  return parseLock(renderLock({ uses: observer.uses(), reads }), 'lock.json')
}

/** By their text, as each change is compared several times. */
const compiled = new Map<string, CompiledText>()

function compile(change: (document: Node) => void = () => {}): CompiledText {
  const document = parse(base)
  change(document)
  const text = JSON.stringify(document)
  const known = compiled.get(text) ?? compileText(text, 'shelf.json')
  compiled.set(text, known)
  return known
}

async function changesFor(consumer: Consumer, change: Planted['change']): Promise<Finding[]> {
  const old = compile()
  const lock = await lockOf(old, consumer)
  return findChanges(old, compile(change), { lock }).map(({ finding }) => finding)
}

describe.each(planted)('if $name', ({ rule, change, broken, kept, isWarning }) => {
  it('is an error for who uses it', async () => {
    const found = await changesFor(broken, change)
    const own = found.filter((finding) => finding.rule === rule && finding.impact === 'yours')
    expect(own.map(({ severity }) => severity)).toContain(isWarning ? 'warning' : 'error')
  })

  it('is no error for others', async () => {
    const found = await changesFor(kept, change)
    expect(found.filter(({ impact, severity }) => impact === 'yours' || severity === 'error')).toEqual([])
    expect(found.map((finding) => finding.rule)).toContain(rule)
  })

  it('has the severity of the rule without a lock', () => {
    const found = findChanges(compile(), compile(change)).filter(({ finding }) => finding.rule === rule)
    expect(found.length).toBeGreaterThan(0)
    expect(found.every(({ finding }) => finding.impact === undefined)).toBe(true)
  })
})

describe('versions of the same service', () => {
  it.each<[name: string, change: (document: Node) => void]>([
    ['nothing', () => {}],
    ['descriptions and examples', (document) => Object.assign(answered(document), { description: 'A', example: {} })],
    ['the name of a path parameter', renameKey],
    ['OpenAPI 3.1', toOpenApi31],
    ['a schema in place of a reference', (document) => (answered(document).properties.copy = undefined)],
    ['allOf with one part', (document) => wrap(document, 'allOf')],
    ['oneOf with one part', (document) => wrap(document, 'oneOf')],
    ['the base path in the paths', moveBasePath],
    ['an enum of both booleans', (document) => (answered(document).properties.sold = { type: 'boolean' })],
  ])('have no difference but %s', (_, change) => {
    expect(findChanges(compile(), compile(change)).map(({ finding }) => finding.id)).toEqual([])
  })

  it.each(['allOf', 'oneOf', 'anyOf', '$ref'])(
    'have no difference if null is beside %s as in OpenAPI 3.0 or 3.1',
    (keyword) => {
      const soft = { $ref: '#/components/schemas/Soft' }
      const whole = keyword === '$ref' ? soft : { [keyword]: [soft] }
      const added = (schema: object) => (document: Node) => {
        for (const each of [sent(document), answered(document)]) each.properties.spare = schema
      }
      const old = compile(added({ ...whole, nullable: true }))
      const newer = compile((document) => {
        toOpenApi31(document)
        added({ anyOf: [soft, { type: 'null' }] })(document)
      })
      expect([findChanges(old, newer), findChanges(newer, old)]).toEqual([[], []])
      expect(findChanges(old, compile(added(soft))).map(({ finding }) => finding.rule)).toContain('type-narrowed')
    },
  )

  it('are compared in both directions', () => {
    const change = (document: Node) => answered(document).properties.genre.enum.push('play')
    const back = findChanges(compile(change), compile()).map(({ finding }) => finding.rule)
    expect(back).toEqual([])
  })
})

function renameKey(document: Node): void {
  document.paths['/books/{book}'] = document.paths['/books/{id}']
  document.paths['/books/{book}'].parameters[0].name = 'book'
  without(document.paths, '/books/{id}')
}

function toOpenApi31(document: Node): void {
  document.openapi = '3.1.0'
  for (const schema of [sent(document), answered(document)]) {
    schema.properties.subtitle = { type: ['string', 'null'] }
  }
}

function wrap(document: Node, keyword: string): void {
  document.components.schemas.Inner = answered(document)
  document.components.schemas.Book = { [keyword]: [{ $ref: '#/components/schemas/Inner' }] }
}

function moveBasePath(document: Node): void {
  document.servers = [{ url: 'https://api.example.com' }]
  document.paths = Object.fromEntries(Object.entries(document.paths).map(([path, item]) => [`/v1${path}`, item]))
}

/** A document with one schema, which a request sends and an answer has. */
function withSchema(schema: Node, components: Node = {}): CompiledText {
  const content = { 'application/json': { schema } }
  const responses = { 200: { description: 'ok', content } }
  const paths = { '/x': { get: { responses }, post: { requestBody: { content }, responses: { 204: {} } } } }
  return compileText(
    JSON.stringify({
      ...{ openapi: '3.1.0', info: { title: 'A', version: '1' }, servers: [{ url: 'https://a.example/v1' }] },
      ...{ paths, components },
    }),
    'a.json',
  )
}

const found = (old: CompiledText, next: CompiledText): Finding[] =>
  findChanges(old, next).flatMap(({ finding }) => (finding.severity === 'info' ? [] : [finding]))
const text = { type: 'string' }
const number = { type: 'integer' }
const object = (properties: Node): Node => ({ type: 'object', properties })
const nested = (depth: number, leaf: Node, wrap: (inner: Node) => Node): Node =>
  depth === 0 ? leaf : wrap(nested(depth - 1, leaf, wrap))

describe('a type that changes', () => {
  it.each<[where: string, wrap: (leaf: Node) => Node]>([
    ['at level 14', (leaf) => nested(14, leaf, (a) => object({ a }))],
    ['at level 90', (leaf) => nested(90, leaf, (a) => object({ a }))],
    ['in 60 lists', (leaf) => nested(60, leaf, (items) => ({ type: 'array', items }))],
    ['in 60 maps', (leaf) => nested(60, leaf, (value) => ({ type: 'object', additionalProperties: value }))],
    ['behind 14 alternatives', (leaf) => nested(14, leaf, (a) => ({ oneOf: [object({ a }), { type: 'null' }] }))],
    ['behind 14 parts', (leaf) => nested(14, leaf, (a) => ({ allOf: [object({ a }), { minProperties: 1 }] }))],
    ['in one of two alternatives', (leaf) => ({ anyOf: [object({ a: text }), object({ b: leaf })] })],
    ['in a pattern of names', (leaf) => ({ type: 'object', patternProperties: { '^x-': leaf } })],
    ['in an item at one position', (leaf) => ({ type: 'array', prefixItems: [leaf, number, text] })],
    ['of unevaluated properties', (leaf) => ({ type: 'object', unevaluatedProperties: leaf })],
    ['of a property with the name of a keyword', (leaf) => object({ default: leaf, title: leaf })],
    [
      'in the last of 3,000 objects that change',
      (leaf) =>
        object(
          Object.fromEntries(
            Array.from({ length: 3000 }, (_, index) => {
              const a = index === 2999 ? leaf : text
              return [`p${index}`, object({ in: object({ a, ...(leaf === number && { b: text }) }) })]
            }),
          ),
        ),
    ],
  ])('is found %s', (_, wrap) => {
    const rules = found(withSchema(wrap(text)), withSchema(wrap(number))).map(({ rule }) => rule)
    expect(rules).toContain('response-type-widened')
    expect(rules).toContain('type-narrowed')
  })

  it('is found in a header of an answer', () => {
    const withHeader = (schema: Node) =>
      compile((document) => Object.assign(books(document).get.responses['200'].headers['X-Total'], { schema }))
    expect(found(withHeader(number), withHeader(text)).map(({ id }) => id)).toEqual([
      'response-type-widened GET /books response 200 header x-total string',
    ])
  })
})

describe('a value of few that is not valid any more', () => {
  const code = { type: 'string', minLength: 2, pattern: '^[a-z]+$' }
  const list = (...values: unknown[]): Node => ({ type: 'string', enum: values })
  const map = (value: Node, more: Node = {}): Node => ({ type: 'object', additionalProperties: value, ...more })
  const size = { oneOf: [list('small', 'large'), number] }
  const one = { oneOf: [list('small'), number] }
  it.each<[where: string, wide: Node, narrow: Node, sent: string, answered: string]>([
    ['of one type among others', size, one, '"large" is refused; accepted: "small"', '"large" is new'],
    ['of a part with alternatives', { allOf: [size] }, one, '"large" is refused; accepted: "small"', '"large" is new'],
    [
      'of a text that is listed now',
      { oneOf: [text, number] },
      { anyOf: [number, list('small')] },
      'It has to be one of "small"',
      'It can be any value; it was one of "small"',
    ],
    ['by its length', list('a', 'bc'), code, '"a" is refused', '"a" is new'],
    ['by its pattern', list('ab', 'B2'), code, '"B2" is refused', '"B2" is new'],
    [
      'by a limit',
      { enum: [0, 5, 9] },
      { ...number, exclusiveMinimum: 0, maximum: 5 },
      '0, 9 are refused',
      '0, 9 are new',
    ],
    ['by a step', { enum: [10, 25] }, { type: 'number', multipleOf: 10 }, '25 is refused', '25 is new'],
    ['as a fraction', { enum: [1, 1.5] }, number, '1.5 is refused', '1.5 is new'],
  ])('is found %s', (_, wide, narrow, sent, answered) => {
    const messages = (method: string, old: Node, next: Node) =>
      found(withSchema(old), withSchema(next)).flatMap((each) => (each.method === method ? each.message : []))
    expect(messages('POST', wide, narrow)).toEqual([sent])
    expect(messages('GET', narrow, wide)).toEqual([answered])
  })

  it('is found if it was one of a map, and is a property', () => {
    const next = map(text, { properties: { size: number } })
    expect(found(withSchema(map(text)), withSchema(next)).map(({ id }) => id)).toEqual([
      'response-type-widened GET /x response 200 size number',
      'type-narrowed POST /x body size string',
    ])
    expect(found(withSchema(map(number)), withSchema(next)).map(({ id }) => id)).not.toContain(
      'type-narrowed POST /x body size number',
    )
  })

  it.each<[what: string, old: Node, next: Node]>([
    ['values that fit a pattern', list('ab', 'cd'), code],
    ['a step that all integers have', number, { ...number, multipleOf: 1 }],
    ['an integer as a step', { type: 'number', multipleOf: 3 }, number],
    ['a step of decimals', { type: 'number', multipleOf: 0.3 }, { type: 'number', multipleOf: 0.1 }],
    ['listed integers', { enum: [1, 2] }, number],
  ])('has no finding for %s', (_, old, next) => {
    expect(found(withSchema(old), withSchema(next)).filter(({ rule }) => !rule.startsWith('response-'))).toEqual([])
  })
})

describe('an answer of a status that had none of its own', () => {
  const versions = (before: string, after: string): Finding[] => {
    const [old, next] = [text, number].map((type, index) => {
      const answer = (code: Node) => ({
        description: 'no',
        content: { 'application/json': { schema: object({ code }) } },
      })
      const own = index === 1 ? { [after]: answer(type) } : {}
      const responses = { 200: { description: 'ok' }, ...own, [before]: answer(text) }
      const paths = { '/x': { get: { responses } } }
      return compileText(JSON.stringify({ openapi: '3.1.0', info: { title: 'A', version: '1' }, paths }), 'a.json')
    })
    return old && next ? found(old, next) : []
  }
  it.each([
    ['default', '404'],
    ['default', '5XX'],
    ['4XX', '404'],
    ['4xx', '409'],
    ['2XX', '201'],
  ])('is compared with that of %s', (before, after) => {
    expect(versions(before, after).map(({ id }) => id)).toEqual([
      `response-type-widened GET /x response ${after} code number`,
    ])
  })

  it('is not if it is a success, and the default is one of errors', () => {
    expect(versions('default', '201').map(({ rule }) => rule)).not.toContain('response-type-widened')
  })
})

describe('what is not compared', () => {
  const differs: [keyword: string, old: Node, next: Node][] = [
    ['not', { not: text }, { not: number }],
    [
      'else',
      { if: { required: ['a'] }, else: { required: ['b'] } },
      { if: { required: ['a'] }, else: { required: ['c'] } },
    ],
    ['contains', { type: 'array', contains: text }, { type: 'array', contains: number }],
    ['dependentRequired', { dependentRequired: { a: ['b'] } }, { dependentRequired: { a: ['c'] } }],
    ['propertyNames', { propertyNames: { pattern: 'a' } }, { propertyNames: { pattern: 'b' } }],
  ]

  it.each(differs)('fails if %s differs, at any depth', (keyword, old, next) => {
    const wrap = (schema: Node) => withSchema(nested(20, schema, (a) => ({ allOf: [object({ a })] })))
    expect(found(wrap(old), wrap(next)).map(({ rule, message }) => [rule, message])).toEqual([
      ['not-compared', `Not compared: ${keyword}`],
      ['not-compared', `Not compared: ${keyword}`],
    ])
    expect(found(wrap(old), wrap(old))).toEqual([])
  })

  it('fails if what a keyword refers to differs', () => {
    const withPart = (Part: Node) => withSchema({ not: { $ref: '#/components/schemas/Part' } }, { schemas: { Part } })
    expect(found(withPart(text), withPart(number)).map(({ rule }) => rule)).toEqual(['not-compared', 'not-compared'])
  })

  it('fails if schemas refer to each other in more ways than can be compared', () => {
    const circle = (length: number) =>
      withSchema(
        { $ref: '#/components/schemas/C0' },
        {
          schemas: Object.fromEntries(
            Array.from({ length }, (_, index) => [
              `C${index}`,
              object({ [`p${length}`]: text, next: { $ref: `#/components/schemas/C${(index + 1) % length}` } }),
            ]),
          ),
        },
      )
    const rules = found(circle(460), circle(461)).map(({ rule }) => rule)
    expect(rules).toContain('not-compared')
  }, 60_000)

  it('is an error for who sends what is refused, and for nobody else', async () => {
    const change = (document: Node) => Object.assign(sent(document).properties.genre, { not: { const: 'novel' } })
    const severities = async (consumer: Consumer) =>
      (await changesFor(consumer, change)).filter(({ rule }) => rule === 'not-compared').map(({ severity }) => severity)
    expect(await severities(call(...add({ title: 'Emma', genre: 'novel' })))).toContain('error')
    expect(await severities(call(...add({ title: 'Emma' })))).not.toContain('error')
    expect(await severities(call(...list))).not.toContain('error')
  })
})

describe('long lists of values', () => {
  it.each<[what: string, toValue: (index: number) => unknown]>([
    ['texts', (index) => `v${index}`],
    ['numbers', (index) => index],
    ['objects', (index) => ({ title: index })],
  ])(
    'of %s are compared as sets',
    (_, toValue) => {
      const values = (from: number) =>
        withSchema({ enum: Array.from({ length: 20_000 }, (_, index) => toValue(index + from)) })
      const before = process.cpuUsage()
      const all = found(values(0), values(1))
      expect(all.map(({ rule }) => rule)).toEqual(['response-value-added', 'value-removed'])
      expect(Math.max(...all.map(({ message }) => message.length))).toBeLessThan(200)
      // Searches take 2.3 s on an idle machine.
      expect(process.cpuUsage(before).user / 1e6).toBeLessThan(20)
    },
    60_000,
  )
})

describe('one edit at one place is one finding', () => {
  it.each<[what: string, old: Node, next: Node, id: string]>([
    ['object to anything', { type: 'object' }, {}, 'response-type-widened GET /x response 200 types'],
    ['list to anything', { type: 'array', items: text }, {}, 'response-type-widened GET /x response 200 types'],
    ['listed texts to anything', { ...text, enum: ['a'] }, {}, 'response-type-widened GET /x response 200 types'],
    ['integer to number', number, { type: 'number' }, 'response-type-widened GET /x response 200 integer'],
    [
      'int32 to number',
      { ...number, format: 'int32' },
      { type: 'number' },
      'response-type-widened GET /x response 200 integer',
    ],
    [
      'positive integer to positive number',
      { ...number, exclusiveMinimum: 0 },
      { type: 'number', exclusiveMinimum: 0 },
      'response-type-widened GET /x response 200 integer',
    ],
    [
      'int32 to int64',
      { ...number, format: 'int32' },
      { ...number, format: 'int64' },
      'response-format-widened GET /x response 200 format',
    ],
    [
      'int64 to int32',
      { ...number, format: 'int64' },
      { ...number, format: 'int32' },
      'format-narrowed POST /x body format',
    ],
    [
      'an object with properties to anything',
      { ...object({ a: text, b: number }), required: ['a'] },
      {},
      'response-type-widened GET /x response 200 types',
    ],
    ['a format that is gone', { ...text, format: 'uri' }, text, 'response-format-widened GET /x response 200 format'],
    [
      'one text to alternatives',
      text,
      {
        anyOf: [
          { ...text, pattern: 'a' },
          { ...text, pattern: 'b' },
        ],
      },
      'not-compared POST /x body alternatives',
    ],
    [
      'one of two properties that is required',
      object({ a: text, b: text }),
      { ...object({ a: text, b: text }), anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      'not-compared POST /x body alternatives',
    ],
    [
      'one more alternative',
      { oneOf: [object({ a: text }), { ...object({ b: text }), required: ['b'] }] },
      {
        oneOf: [
          object({ a: text }),
          { ...object({ b: text }), required: ['b'] },
          { ...object({ c: text }), required: ['c'] },
        ],
      },
      'not-compared GET /x response 200 alternatives',
    ],
  ])('%s', (_, old, next, id) => {
    const all = found(withSchema(old), withSchema(next))
    expect(all.map((finding) => `${finding.id}${finding.count > 1 ? ' (several)' : ''}`)).toEqual([id])
  })

  it.each<[what: string, old: Node, next: Node, message: string]>([
    ['a fraction', { type: 'number' }, number, 'fractions are refused; accepted: integer'],
    ['a fraction and null', { type: ['number', 'null'] }, number, 'null, fractions are refused; accepted: integer'],
    ['equal items', { type: 'array' }, { type: 'array', uniqueItems: true }, 'Its items must be unique'],
    ['what is not compared', { not: text }, { not: number }, 'Not compared: not'],
  ])('in plain words: %s', (_, old, next, message) => {
    expect(found(withSchema(old), withSchema(next)).map((finding) => finding.message)).toContain(message)
  })

  it('names both values of what is not compared, and a property without a name', () => {
    const [finding] = found(withSchema({ not: text }), withSchema({ not: number }))
    expect(finding?.help).toContain('not was {"type":"string"}, and is {"type":"integer"}. Compare both versions')
    const named = withSchema({ ...object({ '': text, a: text }), required: [''] })
    expect(found(withSchema(object({ a: text })), named).map(({ id }) => id)).toEqual([
      'property-required POST /x body ""',
    ])
  })

  it('of a default that never applies is none', () => {
    const withDefault = (value: string, required: string[]) =>
      withSchema({ ...object({ a: { ...text, default: value } }), required })
    expect(found(withDefault('x', ['a']), withDefault('y', ['a']))).toEqual([])
    expect(found(withDefault('x', []), withDefault('y', ['a'])).map(({ rule }) => rule)).toContain('default-changed')
  })
})

describe('a change of a body is only of who sent what it refuses', () => {
  const map = (more: Node) => object({ marks: { type: 'object', ...more } })
  const items = (more: Node) => object({ marks: { type: 'array', items: { type: 'number' }, ...more } })
  const shape = (propertyName: string) => {
    const ring = { ...object({ type: text, kind: text }), required: ['type'] }
    const schemas = { Ring: ring, Belt: { ...ring, maxProperties: 9 } }
    const oneOf = Object.keys(schemas).map((name) => ({ $ref: `#/components/schemas/${name}` }))
    const one = { anyOf: oneOf, discriminator: { propertyName } }
    return withSchema(one, { schemas })
  }

  it.each<[what: string, old: Node, next: Node, broken: unknown, kept: unknown]>([
    ['names', map({}), map({ propertyNames: { maxLength: 2 } }), { marks: { deu: 1 } }, { marks: { de: 1 } }],
    [
      'patterns of names',
      map({ additionalProperties: false, patternProperties: { '^[a-z]': text } }),
      map({ additionalProperties: false, patternProperties: { '^x': text } }),
      { marks: { top: 'red' } },
      { marks: { x: 'red' } },
    ],
    [
      'items beside a tuple',
      items({}),
      items({ prefixItems: [{}, {}], items: false }),
      { marks: [1, 2, 3] },
      { marks: [1, 2] },
    ],
    ['an item twice', items({}), items({ uniqueItems: true }), { marks: [1, 1] }, { marks: [1, 2] }],
    ['a number of items', items({}), items({ maxItems: 2 }), { marks: [1, 1, 1] }, { marks: [1, 2] }],
    [
      'an item that has to be there',
      items({}),
      items({ contains: { const: 7 } }),
      { marks: [1, 2] },
      { marks: [1, 7] },
    ],
    [
      'an encoding',
      object({ seal: { ...text, contentEncoding: 'base64' } }),
      object({ seal: { ...text, contentEncoding: 'base64url' } }),
      { seal: '+/+/' },
      { seal: 'abcd' },
    ],
    [
      'an alternative of another type as the whole body',
      { anyOf: [object({ name: text }), { type: 'array', items: object({ name: text }) }] },
      { anyOf: [object({ name: text })] },
      [{ name: 'Emma' }],
      { name: 'Emma' },
    ],
    ['a value that is the whole body', { enum: [1, 2] }, { enum: [1] }, 2, 1],
  ])('%s', async (_, old, next, broken, kept) => {
    expect(await worst(withSchema(old), withSchema(next), broken)).toBe('yours')
    expect(await worst(withSchema(old), withSchema(next), kept)).toBe('unused')
  })

  it('the property that tells alternatives apart', async () => {
    expect(await worst(shape('type'), shape('kind'), { type: 'Ring' })).toBe('yours')
    expect(await worst(shape('type'), shape('kind'), { type: 'Ring', kind: 'Ring' })).toBe('unused')
  })

  async function worst(old: CompiledText, next: CompiledText, body: unknown): Promise<string | undefined> {
    const lock = await lockOf(old, call(['POST', '/x', body]))
    const all = findChanges(old, next, { lock }).filter(({ finding }) => finding.method === 'POST')
    const impacts = all.map(({ finding: { impact } }) => impact)
    return ['yours', 'maybe', 'unused'].find((each) => impacts.includes(each as never))
  }
})

describe('a lock says who uses', () => {
  const content = (type: string, schema: Node = text) => ({ content: { [type]: { schema } } })
  const form = (style: string) => ({
    content: {
      'application/x-www-form-urlencoded': {
        schema: object({ name: text, tags: { type: 'array', items: text } }),
        encoding: { tags: { style, explode: false } },
      },
    },
  })
  const withBody = (requestBody: Node, link = 'id') => {
    const links = { one: { operationId: 'getOne', parameters: { id: `$response.body#/${link}` } } }
    const responses = { 200: { description: 'ok', ...content('application/json', object({ id: text })), links } }
    const paths = {
      '/x': { post: { requestBody, responses } },
      '/x/{id}': { get: { operationId: 'getOne', responses: { 200: { description: 'ok' } } } },
    }
    const parts = { openapi: '3.1.0', info: { title: 'A', version: '1' }, paths }
    return compileText(JSON.stringify(parts), 'a.json')
  }
  const post = (type: string, more: Node = {}) => ({ 'POST /x': { types: [type], responses: { 200: {} }, ...more } })
  const formType = 'application/x-www-form-urlencoded'

  it.each<[what: string, old: CompiledText, next: CompiledText, broken: Node, kept: Node]>([
    [
      'another type of a range',
      withBody(content('image/*')),
      withBody(content('image/png')),
      post('image/jpeg'),
      post('image/png'),
    ],
    [
      'a charset',
      withBody(content('text/csv; charset=utf-8')),
      withBody(content('text/csv; charset=latin1')),
      post('text/csv'),
      { 'GET /x/{id}': { responses: { 200: {} } } },
    ],
    [
      'a field of a form',
      withBody(form('form')),
      withBody(form('pipeDelimited')),
      post(formType, { body: { name: ['other'], tags: ['other'] } }),
      post(formType, { body: { name: ['other'], tags: ['absent'] } }),
    ],
    [
      'a link',
      withBody(content('text/csv')),
      withBody(content('text/csv'), 'code'),
      { ...post('text/csv'), 'GET /x/{id}': { responses: { 200: {} } } },
      post('text/csv'),
    ],
  ])('%s', (_, old, next, broken, kept) => {
    const impactsOf = (operations: Node) => {
      const lock = parseLock(JSON.stringify({ version: 1, operations }), 'lock.json')
      return new Set(findChanges(old, next, { lock }).map(({ finding }) => finding.impact))
    }
    expect([...impactsOf(broken)]).toEqual(['yours'])
    expect([...impactsOf(kept)]).toEqual(['unused'])
  })
})

describe('what the lock cannot say is maybe yours', () => {
  const impactsOf = async (consumer: Consumer, change: Planted['change'], rule: string) =>
    (await changesFor(consumer, change)).filter((finding) => finding.rule === rule).map(({ impact }) => impact)

  it('for a property that no answer had', async () => {
    const old = compile()
    const lock = parseLock(
      JSON.stringify({
        version: 1,
        operations: {
          'GET /books': { credentials: ['none'], responses: { 200: { types: ['application/json'], properties: [] } } },
        },
      }),
      'lock.json',
    )
    const next = compile((document) => without(answered(document).properties.place.properties, 'row'))
    const [change] = findChanges(old, next, { lock }).filter(
      ({ finding }) => finding.path === '/books' && finding.method === 'GET',
    )
    expect(change?.finding).toMatchObject({ rule: 'response-property-removed', impact: 'maybe', severity: 'warning' })
  })

  it.each([
    ['a fraction within and below a limit', 'year=0.5', { minimum: 1 }, 'limit-narrowed', 'yours'],
    ['a fraction within a limit', 'year=1.5', { minimum: 1 }, 'limit-narrowed', 'unused'],
    ['a number that is no multiple', 'year=7', { multipleOf: 5 }, 'format-narrowed', 'yours'],
    ['a multiple', 'year=10', { multipleOf: 5 }, 'format-narrowed', 'unused'],
  ])('unless a kept value shows it: %s', async (_, sent, more, rule, impact) => {
    const change = (document: Node) => Object.assign(parameter(document, 'year').schema, more)
    expect(await impactsOf(query(sent), change, rule)).toEqual([impact])
  })

  it('unless the lock has the name: a value of a map that is a property now', async () => {
    const change = (document: Node) =>
      Object.assign(sent(document).properties.labels, { properties: { size: { type: 'integer' } } })
    const adding = (labels: Node) => call(...add({ title: 'Emma', labels }))
    expect(await impactsOf(adding({ size: 'big' }), change, 'type-narrowed')).toEqual(['yours'])
    expect(await impactsOf(adding({ weight: 'big' }), change, 'type-narrowed')).toEqual(['unused'])
    expect(await impactsOf(adding({}), change, 'type-narrowed')).toEqual(['unused'])
  })

  it('but the values of a map that are sent are yours, with all that is in them', async () => {
    const kinds = (document: Node, kinds: string[]) =>
      Object.assign(sent(document).properties, {
        marks: { type: 'object', additionalProperties: object({ title: { type: 'string', enum: kinds } }) },
      })
    const old = compile((document) => kinds(document, ['new', 'old']))
    const next = compile((document) => kinds(document, ['old']))
    const impacts = async (title: string) => {
      const lock = await lockOf(old, call(...add({ title: 'Emma', marks: { title: { title } } })))
      return findChanges(old, next, { lock }).flatMap(({ finding: { rule, impact } }) =>
        rule === 'value-removed' ? [impact] : [],
      )
    }
    expect([await impacts('new'), await impacts('old')]).toEqual([['yours'], ['unused']])
  })

  it('but the values of a map that is read are yours', async () => {
    const change = (document: Node) =>
      Object.assign(answered(document).properties.labels, { additionalProperties: { type: 'integer' } })
    const found = await changesFor(reading('[].labels'), change)
    expect(
      found.find(({ rule, method, path }) => rule === 'response-type-widened' && method === 'GET' && path === '/books'),
    ).toMatchObject({ impact: 'yours' })
  })
})

describe('an object in a parameter', () => {
  const age = { type: 'integer', maximum: 9 }
  const where = object({ age, name: text, size: object({ width: number }), tags: { type: 'array', items: text } })
  const styles: [style: string, parameter: Node, query: string][] = [
    [
      'deepObject',
      { name: 'where', in: 'query', style: 'deepObject', schema: where },
      'where[age]=9&where[size][width]=2&where[tags][]=a',
    ],
    ['form, exploded', { name: 'where', in: 'query', schema: where }, 'age=9&name=b'],
    ['form', { name: 'where', in: 'query', explode: false, schema: where }, 'where=age,9,name,b'],
    [
      'pipeDelimited',
      { name: 'where', in: 'query', style: 'pipeDelimited', explode: false, schema: where },
      'where=age%7C9',
    ],
    [
      'JSON',
      { name: 'where', in: 'query', content: { 'application/json': { schema: where } } },
      'where=%7B%22age%22%3A9%7D',
    ],
  ]
  const withParameter = (parameter: Node) => (document: Node) =>
    books(document).get.parameters.push(structuredClone(parameter))

  it.each(styles)('is known if it is written as %s', async (_, parameter, text) => {
    const old = compile(withParameter(parameter))
    const lock = await lockOf(old, query(text))
    const compare = (change: (schema: Node, parameters: Node[]) => void) => {
      const next = compile((document) => {
        const own = structuredClone(parameter)
        books(document).get.parameters.push(own)
        change(own.schema ?? own.content['application/json'].schema, books(document).get.parameters)
      })
      return findChanges(old, next, { lock })
        .filter(({ finding }) => finding.impact === 'yours')
        .map(({ finding }) => `${finding.rule} ${finding.at}`)
    }
    expect(compare((_, parameters) => parameters.pop())).toEqual(['parameter-removed query where'])
    expect(compare((schema) => without(schema.properties, 'age'))).toEqual(['property-removed query where.age'])
    expect(compare((schema) => (schema.properties.age.maximum = 5))).toEqual(['limit-narrowed query where.age'])
    expect(compare((schema) => without(schema.properties, 'size'))).toEqual(
      text.includes('size') ? ['property-removed query where.size'] : [],
    )
  })
})

describe('a malformed lock is refused:', () => {
  const operations: unknown[] = [3, null, ['a'], 'a', true, { credentials: 'none' }, { types: [null] }, { other: [] }]
  const members: unknown[] = [
    { parameters: [] },
    { parameters: null },
    { parameters: { 'query a': 'b' } },
    { body: { a: [{}] } },
  ]
  const answers: unknown[] = [3, null, [], 'a', { types: {} }, { properties: [1] }, { others: [] }]
  const entries = [...operations, ...members, ...answers.map((answer) => ({ responses: { 200: answer } }))]

  const valid = { credentials: ['none'] }
  const meaningless: [lock: Node, why: string][] = [
    [{ operations: { cups: valid } }, '"operations" has "cups", which is not a method and a path'],
    [{ operations: { 'PUT cups': valid } }, '"operations" has "PUT cups", which is not a method and a path'],
    [{ operations: { 'PUT /cups': {} } }, '"PUT /cups" has no use'],
    [{ operations: { 'PUT /cups': { credentials: [], responses: {} } } }, '"PUT /cups" has no use'],
    [{ operations: { 'PUT /cups': { credentials: [' '] } } }, 'has " ", which is not a name'],
    [
      { operations: { 'PUT /cups': { parameters: { size: ['other'] } } } },
      'has "size", which is not a place and a name',
    ],
    [{ operations: { 'PUT /cups': { parameters: { 'query size': ['3'] } } } }, 'has "3", which is not "absent"'],
    [{ operations: { 'PUT /cups': { parameters: { 'query size': [] } } } }, '"query size" of "PUT /cups" is empty'],
    [{ operations: { 'PUT /cups': { body: { size: ['big'] } } } }, 'has "big", which is not "absent"'],
    [{ operations: { 'PUT /cups': { body: { size: undefined, row: [7] } } } }, 'has 7, which is not text'],
    ...['abc', '999', '2XX', '099', ''].map((status): [Node, string] => [
      { operations: { 'PUT /cups': { responses: { [status]: {} } } } },
      `has ${JSON.stringify(status)}, which is not a status from 100 to 599`,
    ]),
    [{ operations: {}, operation: {} }, 'has the unknown member "operation"; known: version, operations, reads'],
    [{ operations: {}, reads: { cups: ['a'] } }, '"reads" has "cups", which is not a method and a path'],
  ]

  it.each(meaningless)('%j', (lock, why) => {
    const read = () => parseLock(JSON.stringify({ version: 1, ...lock }), 'use.json')
    expect(read).toThrow(why)
    expect(read).toThrow(/Correct or remove it$/)
  })

  it.each([
    '"operations": { "GET /a": { "credentials": ["none"] }, "GET /a": { "credentials": ["none"] } }',
    '"operations": { "GET /a": { "credentials": ["none"] }, "GET \\u002Fa" : { "types": ["other"] } }',
    '"operations": { "GET /a": { "body": { "b": ["=x"], "b": ["other"] } } }',
    '"operations": {}, "reads": {}, "reads": { "GET /a": ["b"] }',
  ])('a name twice: %s', (members) => {
    expect(() => parseLock(`{ "version": 1, ${members} }`, 'use.json')).toThrow(/it has ".*" twice in one object/)
  })

  it('and one that run writes is not', () => {
    const operation = 'GET /a/{b} c'
    const uses = [
      { operation, part: 'parameter', at: 'query where {}.a', kind: 'of 3 characters' },
      { operation, part: 'body', at: '[].{}', kind: '=' },
      { operation, part: 'response', at: '204', kind: '' },
      { operation, part: 'response', at: '200', kind: 'text/plain' },
      { operation, part: 'returned', at: '200 {}', kind: '' },
    ] as const
    const lock = { uses, reads: { 'GET /a/{b} c 2XX': [] } }
    const again = parseLock(renderLock(lock), 'use.json')
    expect(renderLock(again)).toBe(renderLock(lock))
    expect(again.uses).toHaveLength(uses.length)
  })

  it.each([
    ...entries.map((entry) => ({ operations: { 'PUT /cups/{id}': entry } })),
    ...[null, [], 'a', { 'GET /a': 3 }, { 'GET /a': [3] }].map((reads) => ({ operations: {}, reads })),
    ...[null, [], 'a', 3, undefined].map((operations) => ({ operations })),
  ])('%j', (lock) => {
    expect(() => parseLock(JSON.stringify({ version: 1, ...lock }), 'use.json')).toThrow(
      /Failed to read the lock "use.json": /,
    )
  })
})

describe('a scope', () => {
  const schemes = {
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    kiln: {
      type: 'oauth2',
      flows: { implicit: { authorizationUrl: 'https://a.example', scopes: { fire: '', cool: '' } } },
    },
    oven: { type: 'openIdConnect', openIdConnectUrl: 'https://b.example' },
  }
  const withSecurity = (security: Node) =>
    compile((document) => {
      document.components.securitySchemes = schemes
      books(document).get.security = security
    })

  it.each<[what: string, old: Node, next: Node, messages: string[]]>([
    ['of another way to authenticate', [{ key: [] }], [{ key: [] }, { kiln: ['fire'] }], []],
    ['that is needed', [{ kiln: [] }], [{ kiln: ['fire', 'cool'] }], ['A token of kiln needs fire, cool']],
    ['more', [{ kiln: ['fire'] }], [{ kiln: ['fire', 'cool'] }], ['A token of kiln needs cool']],
    ['less', [{ kiln: ['fire', 'cool'] }], [{ kiln: ['fire'] }], []],
    ['of one of two ways', [{ kiln: ['fire'] }], [{ kiln: ['fire'] }, { kiln: ['cool'] }], []],
    ['beside a key', [{ kiln: [], key: [] }], [{ key: [], oven: ['fire'] }], ['A token of oven needs fire']],
    ['if none is needed any more', [{ kiln: ['fire'] }], [{}], []],
  ])('%s is named with its scheme if it is needed', (_, old, next, messages) => {
    const found = findChanges(withSecurity(old), withSecurity(next)).map(({ finding }) => finding)
    expect(found.flatMap(({ rule, message }) => (rule === 'scope-added' ? [message] : []))).toEqual(messages)
  })
})
