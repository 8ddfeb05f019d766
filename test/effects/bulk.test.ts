/** Operations on many records at once, through every transport. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { Connection } from '../support/raw-request.js'
import { runScript } from '../support/script.js'
import { integer, list, named, object, text as string, toDocument } from '../support/sketch.js'

const item = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string', maxLength: 5 } },
}
const draft = { type: 'object', properties: { id: { type: 'integer' }, name: {} } }
const json = (schema: Part): Part => ({ content: { 'application/json': { schema } } })
const ok = (schema: Part): Part => ({ 200: { description: 'ok', ...json(schema) } })
const done = { 204: { description: 'done' } }
const listOf = (items: Part): Part => ({ type: 'array', items })
const wrapped = { type: 'object', required: ['items'], properties: { items: listOf(item), took: { type: 'integer' } } }
const one = (parameter: string): Part => ({
  parameters: [{ name: parameter, in: 'path', required: true, schema: { type: 'integer' } }],
})

const text = documentOf({
  '/cards': {
    get: { responses: ok(listOf(item)) },
    post: { requestBody: json(item), responses: ok(item) },
    put: { summary: 'Replace all cards', requestBody: json(listOf(item)), responses: ok(listOf(item)) },
    patch: { summary: 'Update many cards', requestBody: json(listOf(draft)), responses: ok(wrapped) },
    delete: { summary: 'Delete all cards', responses: done },
  },
  '/cards/{id}': { ...one('id'), get: { responses: ok(item) }, delete: { responses: done } },
  '/cards/bulk': { post: { summary: 'Create many cards', requestBody: json(listOf(item)), responses: ok(wrapped) } },
  '/cards/delete': {
    post: {
      summary: 'Delete many cards',
      requestBody: json({ type: 'object', properties: { ids: listOf({ type: 'integer' }) } }),
      responses: done,
    },
  },
  '/boxes': { get: { responses: ok(listOf(item)) }, post: { requestBody: json(item), responses: ok(item) } },
  '/boxes/{boxId}': { ...one('boxId'), get: { responses: ok(item) } },
  '/boxes/{boxId}/coins': {
    ...one('boxId'),
    get: { responses: ok(listOf(item)) },
    post: { requestBody: json(item), responses: ok(item) },
    delete: { responses: done },
  },
  '/boxes/{boxId}/coins/{id}': { ...one('boxId'), get: { responses: ok(item) } },
})

async function send(connection: Connection, request: string, body?: unknown) {
  const [method = '', target = ''] = request.split(' ')
  const headers: [string, string][] = body === undefined ? [] : [['Content-Type', 'application/json']]
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const { status, text: answer } = await receive(connection, { method, target, headers, ...sent })
  return { status, body: answer === '' ? undefined : JSON.parse(answer) }
}

/** In the order of their keys. */
const sorted = (records: { id: number }[]) => records.toSorted((a, b) => a.id - b.id)
const cards = (...names: string[]) => names.map((name, index) => ({ id: index + 1, name }))

describe.each(doors)('an operation on many records over %s', (door) => {
  const open = () => openDocument(door, text)

  it('adds each item of its body', async () => {
    const connection = await open()
    const added = await send(connection, 'POST /cards/bulk', [
      { id: 1, name: 'a' },
      { id: 2, name: 'b' },
    ])
    expect([added.status, added.body.items]).toEqual([200, cards('a', 'b')])
    expect(sorted((await send(connection, 'GET /cards')).body)).toEqual(cards('a', 'b'))
    expect((await send(connection, 'GET /cards/2')).body).toEqual({ id: 2, name: 'b' })
  })

  it('adds none if one cannot be added', async () => {
    const connection = await open()
    await send(connection, 'POST /cards', { id: 2, name: 'b' })
    const refused = await send(connection, 'POST /cards/bulk', [
      { id: 1, name: 'a' },
      { id: 2, name: 'c' },
    ])
    expect(refused.status).toBe(409)
    expect(sorted((await send(connection, 'GET /cards')).body)).toEqual([{ id: 2, name: 'b' }])
  })

  it('changes the records of its items, or none of them', async () => {
    const connection = await open()
    await send(connection, 'POST /cards/bulk', cards('a', 'b', 'c'))
    const changed = await send(connection, 'PATCH /cards', [
      { id: 3, name: 'z' },
      { id: 1, name: 'x' },
    ])
    expect(changed.body.items).toEqual([
      { id: 3, name: 'z' },
      { id: 1, name: 'x' },
    ])
    const refused = await send(connection, 'PATCH /cards', [
      { id: 2, name: 'y' },
      { id: 9, name: 'q' },
    ])
    expect(refused.status).toBe(404)
    expect(sorted((await send(connection, 'GET /cards')).body)).toEqual(cards('x', 'b', 'z'))
  })

  it('puts a whole collection: what its body leaves out is removed', async () => {
    const connection = await open()
    await send(connection, 'POST /cards/bulk', cards('a', 'b', 'c'))
    const put = await send(connection, 'PUT /cards', [
      { id: 2, name: 'y' },
      { id: 7, name: 'new' },
    ])
    expect(put.body).toEqual([
      { id: 2, name: 'y' },
      { id: 7, name: 'new' },
    ])
    expect(sorted((await send(connection, 'GET /cards')).body)).toEqual(put.body)
    expect((await send(connection, 'GET /cards/1')).status).toBe(404)
    expect((await send(connection, 'PUT /cards', [])).body).toEqual([])
    expect(sorted((await send(connection, 'GET /cards')).body)).toEqual([])
  })

  it('removes the records of its keys, and skips keys without one', async () => {
    const connection = await open()
    await send(connection, 'POST /cards/bulk', cards('a', 'b', 'c'))
    expect((await send(connection, 'POST /cards/delete', { ids: [3, 9, 1, 1] })).status).toBe(204)
    expect(sorted((await send(connection, 'GET /cards')).body)).toEqual([{ id: 2, name: 'b' }])
    expect((await send(connection, 'POST /cards/delete', {})).status).toBe(204)
    expect(sorted((await send(connection, 'GET /cards')).body)).toEqual([{ id: 2, name: 'b' }])
  })

  it('removes all records on its path, and no others', async () => {
    const connection = await open()
    await send(connection, 'POST /boxes', { id: 1, name: 'one' })
    await send(connection, 'POST /boxes', { id: 2, name: 'two' })
    await send(connection, 'POST /boxes/1/coins', { id: 1, name: 'a' })
    await send(connection, 'POST /boxes/2/coins', { id: 2, name: 'b' })
    expect((await send(connection, 'DELETE /boxes/1/coins')).status).toBe(204)
    expect((await send(connection, 'GET /boxes/1/coins')).body).toEqual([])
    expect((await send(connection, 'GET /boxes/2/coins')).body).toEqual([{ id: 2, name: 'b' }])
    expect((await send(connection, 'DELETE /boxes/3/coins')).status).toBe(404)
    expect((await send(connection, 'DELETE /cards')).status).toBe(204)
    expect((await send(connection, 'GET /boxes')).body).toHaveLength(2)
  })
})

/** Below a segment that says so, with the list in a property, and with an example that is null. */
const ref = { $ref: '#/components/schemas/Card' }
const keyed = listOf({ type: 'object', required: ['id'], properties: { id: { type: 'string' } } })
const inputs = (items: Part): Part =>
  json({ type: 'object', properties: { inputs: items, fields: listOf({ type: 'string' }) } })
const results = (items: Part): Part => ({
  200: {
    description: 'ok',
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['results', 'status'],
          properties: {
            results: listOf(items),
            status: { type: 'string', example: null, enum: ['CANCELED', 'PENDING', 'COMPLETE'] },
          },
        },
        example: null,
      },
    },
  },
})
const changes = listOf({
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' }, title: {}, note: {} },
})
const batches = documentOf(
  {
    '/cards': {
      get: { responses: ok(listOf(ref)) },
      post: { requestBody: json({ type: 'object', properties: { title: {}, note: {} } }), responses: ok(ref) },
    },
    '/cards/{cardId}': {
      parameters: [{ name: 'cardId', in: 'path', required: true, schema: { type: 'string' } }],
      get: { responses: ok(ref) },
      patch: { requestBody: json({ type: 'object', properties: { title: {}, note: {} } }), responses: ok(ref) },
      delete: { summary: 'Archive a card', responses: done },
    },
    '/cards/batch/read': {
      post: { summary: 'Read a batch of cards', requestBody: inputs(keyed), responses: results(ref) },
    },
    '/cards/batch-retrieve': {
      post: {
        summary: 'Batch retrieve cards',
        requestBody: json({ type: 'object', properties: { card_ids: listOf({ type: 'string' }) } }),
        responses: results(ref),
      },
    },
    '/cards/batch/update': {
      post: { summary: 'Update a batch of cards', requestBody: inputs(changes), responses: results(ref) },
    },
    '/cards/batch/upsert': {
      post: {
        summary: 'Create or update a batch of cards',
        requestBody: inputs(changes),
        responses: results(ref),
      },
    },
    '/cards/batch/delete': {
      post: { summary: 'Delete a batch of cards', requestBody: inputs(keyed), responses: done },
    },
  },
  {
    components: {
      schemas: {
        Card: {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'string' }, title: { type: 'string' }, note: { type: 'string' } },
        },
      },
    },
  },
)

describe.each(doors)('a batch behind its collection over %s', (door) => {
  it('reads, changes, adds and removes the records of its items', async () => {
    const connection = await openDocument(door, batches)
    for (const title of ['a', 'b', 'c']) await send(connection, 'POST /cards', { title, note: title })
    const read = await send(connection, 'POST /cards/batch/read', {
      inputs: [{ id: '3' }, { id: '1' }],
      fields: ['title'],
    })
    expect(read.body.results).toEqual([
      { id: '3', title: 'c', note: 'c' },
      { id: '1', title: 'a', note: 'a' },
    ])
    const retrieved = await send(connection, 'POST /cards/batch-retrieve', { card_ids: ['2', '9'] })
    expect(retrieved.body.results).toEqual([{ id: '2', title: 'b', note: 'b' }])
    const changed = await send(connection, 'POST /cards/batch/update', { inputs: [{ id: '1', title: 'z' }] })
    expect(changed.body.results).toEqual([{ id: '1', title: 'z', note: 'a' }])
    const upserted = await send(connection, 'POST /cards/batch/upsert', {
      inputs: [
        { id: '2', title: 'y' },
        { id: 'x', title: 'x' },
      ],
    })
    expect(upserted.body.results).toEqual([
      { id: '2', title: 'y', note: 'b' },
      { id: 'x', title: 'x' },
    ])
    const removal = { inputs: [{ id: '2' }, { id: 'x' }] }
    expect((await send(connection, 'POST /cards/batch/delete', removal)).status).toBe(204)
    const left = (await send(connection, 'GET /cards')).body
    expect(left.map(({ id }: { id: string }) => id).toSorted()).toEqual(['1', '3'])
  })
})

const visits = toDocument(
  {
    'GET /visits': { 200: list(named('Visit')) },
    'POST /visits': { body: object({ name: string }), 201: named('Visit') },
    'GET /visits/{id}': { 200: named('Visit') },
    'POST /visits/bulk_update': {
      body: object({ 'visit_ids!': list(integer), status: string }),
      200: object({ 'updated_count!': integer, 'failed_count!': integer }),
    },
    'PATCH /visits/batch': {
      body: object({ 'ids!': list(integer), changes: object({ status: string, name: string }) }),
      200: object({ 'affected!': integer }),
    },
    'POST /visits/bulk-tag': { body: object({ 'tags!': list(string), status: string }), 204: null },
  },
  { Visit: object({ 'id!': integer, name: string, status: string }) },
)

it('gives the records of a list of keys what else is sent, counts them, and skips keys without one', () =>
  runScript({
    name: 'keys with values',
    document: visits,
    steps: `
      POST /visits {"name":"a"} -> 201
      POST /visits {"name":"b"} -> 201
      POST /visits {"name":"c"} -> 201
      POST /visits/bulk_update {"visit_ids":[1,2,9],"status":"done"} -> 200 {"updated_count":2,"failed_count":0}
      PATCH /visits/batch {"ids":[3],"changes":{"status":"open"}} -> 200 {"affected":1}
      POST /visits/bulk-tag {"tags":["1"],"status":"no"} -> 204
      GET /visits -> 200 [{"id":3,"name":"c","status":"open"},{"id":2,"name":"b","status":"done"},{"id":1,"name":"a","status":"done"}]
    `,
  }))
