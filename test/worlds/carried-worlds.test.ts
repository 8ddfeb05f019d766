// Worlds in a store whose document or data has changed since they were committed.

import { compileDocument, createSandbox, type Sandbox } from 'petstore-sandbox'
import { expect, it } from 'vitest'
import { createFakeStore, type FakeStore } from '../support/fake-store.js'

/** A document with books, whose `pages` may be required to be a number. */
function toDocument(properties: object): string {
  const book = { type: 'object', required: ['id', 'title'], properties: { id: { type: 'integer' }, ...properties } }
  const json = (schema: object) => ({ content: { 'application/json': { schema } } })
  const one = { $ref: '#/components/schemas/Book' }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Books', version: '1' },
    paths: {
      '/books': {
        get: { operationId: 'list', responses: { 200: { description: 'ok', ...json({ type: 'array', items: one }) } } },
        post: {
          operationId: 'create',
          requestBody: json(one),
          responses: { 201: { description: 'ok', ...json(one) } },
        },
      },
      '/books/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { operationId: 'read', responses: { 200: { description: 'ok', ...json(one) } } },
        delete: { operationId: 'remove', responses: { 204: { description: 'ok' } } },
      },
    },
    components: { schemas: { Book: book } },
  })
}

const title = { type: 'string' }
const strings = toDocument({ title, pages: { type: 'string' } })
const numbers = toDocument({ title, pages: { type: 'integer' } })
const scenario = { books: [1, 2, 3].map((id) => ({ id, title: `Book ${id}` })) }

async function open(store: FakeStore, document: string, options = {}): Promise<Sandbox> {
  const { contract } = await compileDocument(document)
  return createSandbox({ contract, scenario, store, ...options })
}

const titlesOf = async (sandbox: Sandbox) =>
  (await sandbox.world('key').collection('books').list()).map((book) => (book as { title: string }).title)

function createStore(): FakeStore {
  return Object.assign(
    createFakeStore(() => ({ before: 1, after: 1 })),
    { isExclusive: true },
  )
}

it('carries added, changed and removed records over, and keeps aside what does not fit until it fits again', async () => {
  const store = createStore()
  const first = await open(store, strings)
  const books = first.world('key').collection('books')
  await books.add({ id: 7, title: 'Added', pages: 'many' })
  await books.add({ id: 8, title: 'Fits' })
  await books.replace(2, { title: 'Changed' })
  await books.remove(1)
  await first.world('key').clock.travelTo('2030-01-01T00:00:00Z')

  const second = await open(store, numbers)
  expect(await titlesOf(second)).toEqual(['Fits', 'Book 3', 'Changed'])
  expect(new Date(await second.world('key').clock.now()).getUTCFullYear()).toBe(2030)
  await second.world('key').collection('books').add({ id: 9, title: 'Later' })

  const third = await open(store, strings)
  expect((await titlesOf(third)).sort()).toEqual(['Added', 'Book 3', 'Changed', 'Fits', 'Later'])
})

it('carries changes over to a scenario with other records in other places', async () => {
  const store = createStore()
  const first = await open(store, strings)
  await first.world('key').collection('books').replace(3, { title: 'Changed' })
  await first.world('key').collection('books').remove(2)
  const other = { books: [{ id: 0, title: 'Book 0' }, ...scenario.books.slice(1), { id: 5, title: 'Book 5' }] }
  const second = await open(store, strings, { scenario: other })
  expect(await titlesOf(second)).toEqual(['Book 5', 'Changed', 'Book 0'])
})

it('commits a world that was carried over once, with the first request that sees it', async () => {
  const store = createStore()
  await (await open(store, strings)).world('key').collection('books').add({ id: 7, title: 'Added' })
  const id = store.ids().find((each) => each !== 'shared') ?? ''
  const second = await open(store, numbers)
  await titlesOf(second)
  const count = store.commitsOf(id).length
  await titlesOf(second)
  await titlesOf(await open(store, numbers))
  expect(store.commitsOf(id).length).toBe(count)
})

it('serves what it has if nothing was changed, whatever the document', async () => {
  const store = createStore()
  expect(await titlesOf(await open(store, strings))).toHaveLength(3)
  expect(store.ids()).toEqual(['shared'])
  expect(await titlesOf(await open(store, numbers))).toHaveLength(3)
})

it('keeps no key in clear text', async () => {
  const store = createStore()
  const sandbox = await open(store, strings)
  const secret = 'sk_live_0123456789abcdef'
  await sandbox.world(secret).collection('books').add({ id: 7, title: 'Added' })
  await sandbox.faults.add({ operation: 'list', status: 503, times: 1 })
  const all = store.ids().flatMap((id) => [id, ...store.commitsOf(id).flatMap((state) => [...state].flat())])
  expect(all.join('\n')).not.toContain(secret)
  expect((await store.list(undefined, 10)).map(({ label }) => label)).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)])
})
