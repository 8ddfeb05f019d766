/** Where records are in bodies: bare, in envelopes, in lists with one entry, in batches and by their keys. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { Connection } from '../support/raw-request.js'

const text = { type: 'string' }
const object = (properties: Part, required: string[] = []): Part => ({ type: 'object', properties, required })
const listOf = (items: Part): Part => ({ type: 'array', items })
const mapOf = (values: Part): Part => ({ type: 'object', additionalProperties: values })
const json = (schema: Part): Part => ({ content: { 'application/json': { schema } } })
const ok = (schema: Part): Part => ({ 200: { description: 'ok', ...json(schema) } })
const write = (schema: Part, answer = schema): Part => ({ requestBody: json(schema), responses: ok(answer) })
const one = (name: string): Part => ({ parameters: [{ name, in: 'path', required: true, schema: text }] })

const setting = object({
  kind: text,
  metadata: object({ owner: text }),
  data: mapOf(text),
  sealed: { type: 'boolean' },
})
const chart = object({ title: text, payload: object({ width: { type: 'integer' }, unit: text }), theme: text })
const motif = object({ meta: object({ hue: text }), result: mapOf(text), grade: text })
const parcel = object({ id: text, weight: { type: 'integer' } }, ['id'])
const parcels = object({ total_count: { type: 'integer' }, entries: listOf(parcel) }, ['total_count'])
const crate = object({ CrateID: text, Name: text, Colour: text })
const crates = object({ Crates: listOf(crate) }, ['Crates'])
const sprout = object({ id: text, height: { type: 'integer' } })
const grown = object({ status: text, results: listOf(sprout) }, ['results'])
const guest = object({ id: text, name: text, mail: text, table: { type: 'integer' } })
const invited = object({ guest: object({ name: text, mail: text }), password: text, welcome: object({ tone: text }) })
const page = object({ id: text, title: text })
const bound = object({
  meta: object({ paging: object({ total_count: { type: 'integer' } }) }),
  pages: listOf(page),
  ErrorMessage: text,
})

const document = documentOf({
  '/setting': { get: { responses: ok(setting) }, put: write(setting) },
  '/chart': { get: { responses: ok(chart) }, put: write(chart) },
  '/motif': { get: { responses: ok(motif) }, put: write(object({ result: mapOf(text), grade: text }), motif) },
  '/parcels': { get: { responses: ok(parcels) }, post: write(object({ weight: { type: 'integer' } }), parcels) },
  '/parcels/{id}': { ...one('id'), get: { responses: ok(parcel) } },
  '/Crates': {
    get: { responses: ok(crates) },
    post: { summary: 'Creates or updates crates', operationId: 'updateOrCreateCrates', ...write(crates) },
    put: { summary: 'Creates crates', operationId: 'createCrates', ...write(crates) },
  },
  '/Crates/{CrateID}': { ...one('CrateID'), get: { responses: ok(crates) }, post: write(crates) },
  '/sprouts': { get: { responses: ok(object({ results: listOf(sprout) })) }, post: write(sprout) },
  '/sprouts/{id}': { ...one('id'), get: { responses: ok(sprout) } },
  '/sprouts/batch/create': {
    post: write(object({ inputs: listOf(object({ height: { type: 'integer' } })) }, ['inputs']), grown),
  },
  '/sprouts/batch/update': { post: write(object({ inputs: listOf(sprout) }, ['inputs']), grown) },
  '/guests': { get: { responses: ok(listOf(guest)) }, post: write(invited, guest) },
  '/guests/{id}': { ...one('id'), get: { responses: ok(guest) } },
  '/pages': { post: write(object({ title: text }), bound) },
  '/pages/{id}': { ...one('id'), get: { responses: ok(page) } },
})

async function send(connection: Connection, request: string, body?: unknown) {
  const [method = '', target = ''] = request.split(' ')
  const headers: [string, string][] = body === undefined ? [] : [['Content-Type', 'application/json']]
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const { status, text: answer } = await receive(connection, { method, target, headers, ...sent })
  return { status, body: answer === '' ? undefined : JSON.parse(answer) }
}

describe.each(doors)('a record in a body over %s', (door) => {
  it.each([
    ['setting', { kind: 'box', metadata: { owner: 'ana' }, data: { a: 'b' }, sealed: true }],
    ['chart', { title: 'rain', payload: { width: 3, unit: 'm' }, theme: 'dark' }],
    ['motif', { result: { leaf: 'oak' }, grade: 'fine' }],
  ])('has properties with the names of envelopes: %s', async (name, sent) => {
    const connection = await openDocument(door, document)
    expect((await send(connection, `PUT /${name}`, sent)).body).toMatchObject(sent)
    expect((await send(connection, `GET /${name}`)).body).toMatchObject(sent)
  })

  it('is the only one of the list that a creation answers', async () => {
    const connection = await openDocument(door, document)
    await send(connection, 'POST /parcels', { weight: 4 })
    const { body } = await send(connection, 'POST /parcels', { weight: 5 })
    expect(body).toEqual({ total_count: 1, entries: [{ id: '2', weight: 5 }] })
    expect((await send(connection, 'GET /parcels')).body.total_count).toBe(2)
  })

  it('is in a property of the request alone, beside others', async () => {
    const connection = await openDocument(door, document)
    const sent = { guest: { name: 'Ada', mail: 'ada@example.com' }, password: 'p', welcome: { tone: 'warm' } }
    const { body } = await send(connection, 'POST /guests', sent)
    expect(body).toEqual({ id: body.id, ...sent.guest })
    expect((await send(connection, `GET /guests/${body.id}`)).body).toEqual(body)
  })

  it('is in an answer that counts it, and tells of no error', async () => {
    const connection = await openDocument(door, document)
    const { body } = await send(connection, 'POST /pages', { title: 'Dawn' })
    expect(body).toEqual({ meta: { paging: { total_count: 1 } }, pages: [{ id: body.pages[0].id, title: 'Dawn' }] })
  })

  it('is each entry of a list that is sent and answered', async () => {
    const connection = await openDocument(door, document)
    const put = await send(connection, 'PUT /Crates', { Crates: [{ Name: 'a' }, { Name: 'b' }] })
    expect(put.body.Crates.map(({ Name }: { Name: string }) => Name)).toEqual(['a', 'b'])
    const [{ CrateID }] = put.body.Crates
    const posted = await send(connection, 'POST /Crates', { Crates: [{ Name: 'c' }, { CrateID, Colour: 'red' }] })
    expect(posted.body.Crates).toMatchObject([{ Name: 'c' }, { CrateID, Name: 'a', Colour: 'red' }])
    const changed = { Crates: [{ CrateID, Name: 'z', Colour: 'red' }] }
    expect((await send(connection, `POST /Crates/${CrateID}`, { Crates: [{ Name: 'z' }] })).body).toEqual(changed)
    expect((await send(connection, `GET /Crates/${CrateID}`)).body).toEqual(changed)
    expect((await send(connection, 'GET /Crates')).body.Crates).toHaveLength(3)
  })

  it('is each entry of a batch', async () => {
    const connection = await openDocument(door, document)
    const made = await send(connection, 'POST /sprouts/batch/create', { inputs: [{ height: 1 }, { height: 2 }] })
    expect(made.body.results).toEqual([
      { id: '1', height: 1 },
      { id: '2', height: 2 },
    ])
    const grown = await send(connection, 'POST /sprouts/batch/update', { inputs: [{ id: '2', height: 9 }] })
    expect(grown.body.results).toEqual([{ id: '2', height: 9 }])
    expect((await send(connection, 'GET /sprouts/2')).body).toEqual({ id: '2', height: 9 })
  })
})
