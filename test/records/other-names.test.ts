// Records that answers show under other names, and that requests find by other values than their key.
import { createSandbox, generateScenario } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { compileOnce } from '../support/compile-once.js'
import { type JsonObject, readObject } from '../support/read-json.js'
import { documentOf, serve } from '../support/serve-objects.js'

const json = (schema: unknown) => ({ 'application/json': { schema } })
const ok = (schema: unknown) => ({ '200': { description: 'ok', content: json(schema) } })
const body = (schema: unknown) => ({ required: true, content: json(schema) })
const text = { type: 'string' }
const object = (...names: string[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
  required: names,
})
const inPath = (name: string, schema: JsonObject = text) => ({ name, in: 'path', required: true, schema })

/** The list shows summaries: what is `assetId` of an asset is their `id`. */
const asset = object('assetId', 'assetName')
const assets = {
  '/assets': {
    get: { responses: ok({ type: 'object', properties: { items: { type: 'array', items: object('id', 'name') } } }) },
    post: { requestBody: body(object('assetName')), responses: ok(asset) },
  },
  '/assets/{assetId}': {
    parameters: [inPath('assetId')],
    get: { responses: ok(asset) },
    patch: { requestBody: body({ type: 'object', properties: { assetName: text } }), responses: ok(asset) },
    delete: { responses: { '204': { description: 'gone' } } },
  },
}

/** Stores are found by their id, and by their reference where a path asks for it. */
const store = object('id', 'reference')
const stores = {
  '/stores': {
    get: { responses: ok({ type: 'array', items: store }) },
    post: { requestBody: body(object('reference')), responses: ok(store) },
  },
  '/stores/{id}': { parameters: [inPath('id')], get: { responses: ok(store) } },
  '/stores/{reference}/hours': { parameters: [inPath('reference')], get: { responses: ok(object('opens')) } },
}

/** Locks of any scope, and all locks. */
const lock = { $ref: '#/components/schemas/Lock' }
const schemas = { Lock: object('name', 'level') }
const locks = {
  '/{scope}/locks': { parameters: [inPath('scope')], get: { responses: ok({ type: 'array', items: lock }) } },
  '/{scope}/locks/{name}': {
    parameters: [inPath('scope'), inPath('name')],
    get: { responses: ok(lock) },
    put: { requestBody: body(object('level')), responses: ok(lock) },
  },
  '/groups/all/locks': { get: { responses: ok({ type: 'array', items: lock }) } },
  '/groups/all/locks/{name}': { parameters: [inPath('name')], get: { responses: ok(lock) } },
}

describe('a summary in a list', () => {
  const { send } = serve(documentOf(assets))

  it('has the key and the other values of its record', async () => {
    const created = readObject(JSON.parse((await send('POST', '/assets', { body: { assetName: 'Boiler' } })).text))
    const list = async () => readObject(JSON.parse((await send('GET', '/assets')).text))['items']
    expect(await list()).toEqual([{ id: created['assetId'], name: 'Boiler' }])
    await send('PATCH', `/assets/${created['assetId']}`, { body: { assetName: 'Pump' } })
    expect(await list()).toEqual([{ id: created['assetId'], name: 'Pump' }])
    expect((await send('DELETE', `/assets/${created['assetId']}`)).status).toBe(204)
    expect(await list()).toEqual([])
  })
})

describe('another name of a record', () => {
  const { send } = serve(documentOf(stores))

  it('finds only the one record that has it, and is no number', async () => {
    const add = async (reference: string) => send('POST', '/stores', { body: { reference } })
    for (const reference of ['north', 'south', 'twin', 'twin', '7']) expect((await add(reference)).status).toBe(200)
    expect((await send('GET', '/stores/north')).text).toBe('{"id":"1","reference":"north"}')
    expect((await send('GET', '/stores/south/hours')).status).toBe(200)
    for (const missing of ['/stores/twin', '/stores/7', '/stores/none', '/stores/none/hours']) {
      expect((await send('GET', missing)).status, missing).toBe(404)
    }
  })
})

describe('a path without a part of what records belong to', () => {
  const { send } = serve(documentOf(locks, { components: { schemas } }))

  it('finds records of every part', async () => {
    expect((await send('PUT', '/a/locks/one', { body: { level: 'high' } })).status).toBe(200)
    const record = '{"name":"one","level":"high"}'
    expect((await send('GET', '/a/locks/one')).text).toBe(record)
    expect((await send('GET', '/groups/all/locks/one')).text).toBe(record)
    expect((await send('GET', '/groups/all/locks')).text).toBe(`[${record}]`)
  })
})

/** What else a factory has must be an object, and so must its name. */
const factory = {
  allOf: [{ type: 'object', properties: { name: text, size: { type: 'object' } } }],
  additionalProperties: { type: 'object' },
}

describe('records whose keys no answer shows', () => {
  const { send } = serve(
    documentOf({
      // The document names the keys.
      '/limits': { get: { responses: ok({ type: 'array', items: object('kind', 'unit') }) } },
      '/limits/{kind}': {
        parameters: [inPath('kind', { type: 'string', enum: ['daily', 'monthly'] })],
        get: { responses: ok({ type: 'object', properties: { kind: { enum: ['daily', 'monthly'] }, unit: text } }) },
      },
      // The only list is elsewhere.
      '/artists/{mbid}': { parameters: [inPath('mbid')], get: { responses: ok(object('mbid', 'name')) } },
      // Members of a club of which only the caller knows.
      '/clubs/{club}': { parameters: [inPath('club')], get: { responses: ok(object('motto')) } },
      '/clubs/{club}/members': {
        parameters: [inPath('club')],
        get: { responses: ok({ type: 'array', items: object('id', 'name') }) },
        post: { requestBody: body(object('name')), responses: ok(object('id', 'name')) },
      },
      '/clubs/{club}/members/{id}': {
        parameters: [inPath('club'), inPath('id')],
        get: { responses: ok(object('id', 'name')) },
      },
      // No record can have a text as its name.
      '/factories': { get: { responses: ok({ type: 'array', items: factory }) } },
      '/factories/{factoryName}': { parameters: [inPath('factoryName')], get: { responses: ok(factory) } },
      '/concerts': { get: { responses: ok({ type: 'array', items: object('id', 'title') }) } },
    }),
  )

  it.each(['/limits/daily', '/artists/anything', '/clubs/chess/members/4', '/factories/north'])(
    'exist for every key: %s',
    async (path) => {
      expect((await send('GET', path)).status).toBe(200)
    },
  )

  it('exist for no other key below a record that has some', async () => {
    expect((await send('POST', '/clubs/go/members', { body: { name: 'Ada' } })).status).toBe(200)
    expect((await send('GET', '/clubs/go/members/4')).status).toBe(404)
  })

  it.each(['/limits/yearly', '/concerts/none'])('exist for no other: %s', async (path) => {
    expect((await send('GET', path)).status).toBeGreaterThanOrEqual(400)
  })
})

describe('generated data', () => {
  const nullable = { openapi: '3.1.0', info: { title: 'T', version: '1' } }
  const item = {
    type: 'object',
    properties: { id: { type: 'integer' }, note: { type: 'string', nullable: true } },
    required: ['id', 'note'],
  }
  const items = { type: 'array', items: item, maxItems: 7 }

  it('fills a list up to its bound, and has no null that only OpenAPI 3.0 allows', async () => {
    const document = {
      ...nullable,
      paths: { '/notes': { get: { responses: ok(items) }, post: { requestBody: body(item), responses: ok(item) } } },
    }
    const compiled = await compileOnce(JSON.stringify(document))
    const sandbox = createSandbox({ contract: compiled.contract, scenario: await generateScenario({ compiled }) })
    const answer = await sandbox.fetch('http://127.0.0.1/notes')
    const notes: { note: unknown }[] = await answer.json()
    expect(notes).toHaveLength(7)
    for (const { note } of await sandbox.world().collection('notes').list()) expect(note).not.toBeNull()
    const headers = { 'Content-Type': 'application/json' }
    const posted = await sandbox.fetch('http://127.0.0.1/notes', {
      method: 'POST',
      headers,
      body: '{"id":99,"note":null}',
    })
    expect(posted.status).toBe(200)
  })
})

describe('a procedure with its key in the body', () => {
  const user = object('id', 'name')
  const { send } = serve(
    documentOf({
      '/users': { get: { responses: ok({ type: 'array', items: user }) } },
      '/users/{id}': {
        parameters: [inPath('id')],
        get: { responses: ok(user) },
        put: { requestBody: body(object('name')), responses: { ...ok(user), '201': ok(user)['200'] } },
        delete: { responses: { '204': { description: 'gone' } } },
      },
      '/users/activate': { post: { requestBody: body(object('id')), responses: ok(user) } },
    }),
  )

  it('lets other operations keep what they create and remove', async () => {
    const record = '{"id":"new","name":"Ann"}'
    expect(await send('PUT', '/users/new', { body: { name: 'Ann' } })).toMatchObject({ status: 201, text: record })
    expect((await send('GET', '/users/new')).text).toBe(record)
    expect((await send('GET', '/users')).text).toBe(`[${record}]`)
    expect((await send('POST', '/users/activate', { body: { id: 'anything' } })).status).toBe(404)
    expect((await send('POST', '/users/activate', { body: { id: 'new' } })).status).toBe(200)
    expect((await send('DELETE', '/users/new')).status).toBe(204)
    expect((await send('GET', '/users/new')).status).toBe(404)
  })
})

describe('a key that only lists and paths have', () => {
  const id = { type: 'string', pattern: '^p[a-z0-9]{7}$', example: 'pabc1234' }
  const summary = { ...object('id', 'name'), properties: { id, name: { ...text, example: 'Home' } } }
  const { send } = serve(
    documentOf({
      '/places': {
        get: { responses: ok({ type: 'array', uniqueItems: true, items: summary }) },
        post: { requestBody: body(object('name')), responses: ok(object('name')) },
      },
      '/places/{placeId}': { parameters: [inPath('placeId')], get: { responses: ok(object('name')) } },
    }),
  )

  it('is as the list describes it, and finds its record', async () => {
    for (const name of ['One', 'Two']) await send('POST', '/places', { body: { name } })
    const listed: { id: string; name: string }[] = JSON.parse((await send('GET', '/places')).text)
    expect(new Set(listed.map((each) => each.id)).size).toBe(listed.length)
    const last = listed.find(({ name }) => name === 'Two')
    expect(last?.id).toMatch(/^p[a-z0-9]{7}$/)
    expect(JSON.parse((await send('GET', `/places/${last?.id}`)).text)).toEqual({ name: 'Two' })
  })
})

describe('records that every key has until there are others', () => {
  const hour = object('id', 'opens')
  const { send } = serve(
    documentOf({
      '/shops/{shop}': { parameters: [inPath('shop')], get: { responses: ok(object('motto')) } },
      '/shops/{shop}/hours': { parameters: [inPath('shop')], get: { responses: ok({ type: 'array', items: hour }) } },
      '/shops/{shop}/hours/{id}': {
        parameters: [inPath('shop'), inPath('id')],
        get: { responses: ok(hour) },
        delete: { responses: { '204': { description: 'gone' } } },
      },
    }),
  )

  it('stay when one of them is removed', async () => {
    expect((await send('DELETE', '/shops/a/hours/one')).status).toBe(204)
    expect((await send('GET', '/shops/a/hours/one')).status).toBe(404)
    expect((await send('GET', '/shops/a/hours/two')).status).toBe(200)
  })
})
