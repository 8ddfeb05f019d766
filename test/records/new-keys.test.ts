/** New records whose schema or answer leaves little room for a key, and lists that may not be empty. */
import { compileDocument, createSandbox, generateScenario } from 'petstore-sandbox'
import { expect, it } from 'vitest'
import { readArray, readObject } from '../support/read-json.js'
import { documentOf, serve } from '../support/serve-objects.js'

const text = { type: 'string' }
const book = { type: 'object', required: ['id'], properties: { id: text, title: text } }
const content = (schema: object) => ({ content: { 'application/json': { schema } } })
const answer = (status: string, schema: object) => ({ [status]: { description: '', ...content(schema) } })
const path = (name: string, schema: object = text) => ({ name, in: 'path', required: true, schema })
const closed = { type: 'object', properties: {}, additionalProperties: false }
const texts = { type: 'object', minProperties: 1, additionalProperties: text }

const { send } = serve(
  documentOf({
    '/moves': { post: { requestBody: content({ type: 'object' }), responses: answer('201', closed) } },
    '/tags': {
      get: { responses: answer('200', { type: 'array', items: texts }) },
      post: { requestBody: content(texts), responses: { '201': { description: '' } } },
    },
    ...Object.fromEntries(
      ['uuid4', 'UUID', 'guid'].map((format) => {
        const plant = { type: 'object', required: ['id'], properties: { id: { ...text, format }, name: text } }
        return [
          `/plants-${format}`,
          { post: { requestBody: content({ properties: { name: text } }), responses: answer('201', plant) } },
        ]
      }),
    ),
    '/books': {
      get: { responses: answer('200', { type: 'array', items: book }) },
      post: { requestBody: content({ properties: { title: text } }), responses: answer('201', text) },
    },
    '/books/{id}': { parameters: [path('id')], get: { responses: answer('200', book) } },
  }),
)

it('creates records whose schema has no room for a key', async () => {
  expect(await send('POST', '/moves', { body: {} })).toMatchObject({ status: 201, text: '{}' })
  expect((await send('POST', '/tags', { body: { color: 'red' } })).status).toBe(201)
  expect((await send('GET', '/tags')).text).toBe('[{"color":"red"}]')
})

it.each(['uuid4', 'UUID', 'guid'])('makes a UUID for the format %s', async (format) => {
  const { text: plant } = await send('POST', `/plants-${format}`, { body: { name: 'Fern' } })
  expect(JSON.parse(plant).id).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
})

it('answers the key where a creation answers a text', async () => {
  const { status, text: key } = await send('POST', '/books', { body: { title: 'Emma' } })
  expect([status, JSON.parse(key)]).toEqual([201, '1'])
  expect(JSON.parse((await send('GET', `/books/${JSON.parse(key)}`)).text)).toEqual({ id: '1', title: 'Emma' })
})

const least = (properties: object, required: string[] = []) => ({ type: 'object', required, properties })
const some = { type: 'array', minItems: 2, items: book }
const listed = documentOf({
  '/shelves': {
    get: { responses: answer('200', { type: 'array', items: book }) },
    post: { requestBody: content(book), responses: answer('201', book) },
  },
  '/shelves/{id}': { parameters: [path('id')], get: { responses: answer('200', book) } },
  ...Object.fromEntries(
    Object.entries({
      books: some,
      papers: least({ papers: some, total: { type: 'integer' } }),
      films: least({ films: some }, ['films']),
      stars: { type: 'array', minItems: 1e9, items: book },
    }).map(([name, schema]) => [
      `/shelves/{id}/${name}`,
      { parameters: [path('id')], get: { responses: answer('200', schema) } },
    ]),
  ),
})

it('fills lists that may not be empty, or leaves them out', async () => {
  const compiled = await compileDocument(JSON.stringify(listed))
  const { fetch } = createSandbox({ contract: compiled.contract })
  const url = (target: string) => `http://127.0.0.1${target}`
  const headers = { 'Content-Type': 'application/json' }
  await fetch(url('/shelves'), { method: 'POST', headers, body: '{"id":"a"}' })
  const get = async (target: string) => (await fetch(url(target))).json()
  const books = readArray(await get('/shelves/a/books'))
  expect(books.map((each) => typeof readObject(each)['id'])).toEqual(['string', 'string'])
  expect(readObject(await get('/shelves/a/papers'))['papers']).toBeUndefined()
  expect(readArray(readObject(await get('/shelves/a/films'))['films'])).toHaveLength(2)
  expect(await get('/shelves/a/stars')).toEqual([])
})

it('generates keys that the path of a record takes', async () => {
  const compiled = await compileDocument(
    JSON.stringify(
      documentOf({
        '/books': { get: { responses: answer('200', { type: 'array', items: book }) } },
        '/books/{id}': {
          parameters: [path('id', { type: 'string', minLength: 6, maxLength: 9 })],
          get: { responses: answer('200', book) },
        },
      }),
    ),
  )
  const { fetch } = createSandbox({ contract: compiled.contract, scenario: await generateScenario({ compiled }) })
  const books = readArray(await (await fetch('http://127.0.0.1/books')).json()).map(readObject)
  expect(books).toHaveLength(20)
  for (const { id } of books) {
    expect(String(id)).toMatch(/^.{6,9}$/)
    expect((await fetch(`http://127.0.0.1/books/${id}`)).status).toBe(200)
  }
})
