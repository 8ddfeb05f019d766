// What a service does everywhere: what a person says of it, and what the framework does that its document is from.
import { describe, expect, it } from 'vitest'
import { compileText } from '../../src/entries/compile-text.js'
import { ask, openSketch, runScript } from '../support/script.js'
import { documentOf } from '../support/serve-objects.js'
import { integer, list, named, object, oneOfTexts, text, toDocument } from '../support/sketch.js'

const nullable = { type: ['string', 'null'] }
const lamp = object({
  ...{ 'id!': integer, name: text, note: nullable, watts: integer, tags: { type: 'object' } },
  ...{ colour: oneOfTexts('red', 'blue'), roomId: text, port: { type: 'integer', minimum: 1 }, soldAt: integer },
})
const sent = object({ name: text, note: nullable, watts: integer, tags: { type: 'object' } })
const operations = {
  'POST /lamps': { body: sent, 201: named('Lamp') },
  'GET /lamps': { 200: list(named('Lamp')) },
}

/** @param service none for the habits that most services have */
function lamps(service?: object): string {
  const document = JSON.parse(toDocument(operations, { Lamp: lamp }))
  return JSON.stringify({ ...document, 'x-sandbox-service': service })
}

const usual = { optional: 'empty', order: 'oldest' }

describe('a service that shows all and lists the oldest first', () => {
  it('shows empty optional properties, and lists the oldest record first', async () => {
    const shown = (id: number, name: string) => `{"id":${id},"name":"${name}","note":null,"watts":0,"tags":{}}`
    const steps = `
      POST /lamps {"name":"b"} -> 201 ${shown(1, 'b')}
      POST /lamps {"name":"a"} -> 201 ${shown(2, 'a')}
      GET /lamps -> 200 [${shown(1, 'b')},${shown(2, 'a')}]
    `
    await runScript({ name: 'usual habits', document: lamps(), steps })
  })

  it('shows an object that a request gives as it was sent', async () => {
    const place = object({ city: text, street: text, floor: integer })
    const shop = {
      'POST /shops': { body: object({ name: text, place }), 201: named('Shop') },
      'GET /shops': { 200: list(named('Shop')) },
    }
    const document = toDocument(shop, { Shop: object({ 'id!': integer, name: text, place, hint: text }) })
    const steps =
      'POST /shops {"name":"a","place":{"city":"Ulm"}} -> 201 {"id":1,"name":"a","place":{"city":"Ulm"},"hint":""}'
    const described = { ...JSON.parse(document), 'x-sandbox-service': usual }
    await runScript({ name: 'sent objects', document: JSON.stringify(described), steps })
  })

  it('lists the newest record first to code', async () => {
    const sandbox = await openSketch(lamps(usual))
    for (const name of ['a', 'b', 'c']) await ask(sandbox, `POST /lamps {"name":"${name}"}`)
    const found = await sandbox.world().collection('lamps').list({ limit: 2 })
    expect(found.map(({ name }) => name)).toEqual(['c', 'b'])
  })

  it.each([
    ['', '1 2 3 4 5 6'],
    ['?limit=2', '1 2'],
    ['?limit=2&offset=2', '3 4'],
    ['?room=x', '1 3 5 6'],
    ['?room=x&limit=3', '1 3 5'],
    ['?sort=-room', '2 4 1 3 5 6'],
  ])('lists the oldest first on every page, also those of the scenario: GET /fans%s', async (query, ids) => {
    const fan = object({ 'id!': integer, 'room!': text })
    const fans = {
      'POST /fans': { body: object({ 'room!': text }), 201: named('Fan') },
      'GET /fans': { query: ['room', 'limit', 'offset', 'sort'], 200: list(named('Fan')) },
      'PATCH /fans/{fanId}': { body: object({ room: text }), 200: named('Fan') },
      'DELETE /fans/{fanId}': { 204: null },
    }
    const document = { ...JSON.parse(toDocument(fans, { Fan: fan })), 'x-sandbox-service': usual }
    const rooms = ['x', 'y', 'y', 'y', 'x', 'x']
    const scenario = { fans: rooms.slice(0, 4).map((room, index) => ({ id: index + 1, room })) }
    const sandbox = await openSketch(JSON.stringify(document), { scenario })
    await ask(sandbox, 'PATCH /fans/3 {"room":"x"}')
    for (const room of rooms.slice(4)) await ask(sandbox, `POST /fans {"room":"${room}"}`)
    await ask(sandbox, 'POST /fans {"room":"x"}')
    await ask(sandbox, 'DELETE /fans/7')
    const answer = await sandbox.fetch(`https://api.example/fans${query}`)
    const found = (await answer.json()) as { id: number }[]
    expect(found.map(({ id }) => id).join(' ')).toBe(ids)
  })
})

describe('a line about the whole service', () => {
  it.each([
    ['null', '{"id":1,"name":"a","note":null}'],
    ['empty', '{"id":1,"name":"a","note":null,"watts":0,"tags":{}}'],
    ['absent', '{"id":1,"name":"a"}'],
    ['sent', '{"id":1,"name":"a"}'],
  ])('says what new records have in optional properties: %s', async (optional, shown) => {
    const steps = `POST /lamps {"name":"a"} -> 201 ${shown}`
    await runScript({ name: optional, document: lamps({ optional }), steps })
  })

  it.each([
    ['absent', '{"id":1,"isDone":false,"size":1}'],
    ['sent', '{"id":1,"size":1}'],
  ])('says whether names suggest values of what callers may send: %s', async (optional, shown) => {
    const sent = { isDone: { type: 'boolean' }, size: { type: 'integer', default: 1 } }
    const operations = {
      'POST /tasks': { body: object(sent), 201: named('Task') },
      'GET /tasks': { 200: list(named('Task')) },
    }
    const document = JSON.parse(toDocument(operations, { Task: object({ 'id!': integer, ...sent }) }))
    const steps = `POST /tasks {} -> 201 ${shown}`
    await runScript({
      ...{ name: optional, steps },
      document: JSON.stringify({ ...document, 'x-sandbox-service': { optional } }),
    })
  })

  it.each([
    ['oldest', [1, 2]],
    ['newest', [2, 1]],
  ])('says the order of lists: %s', async (order, [first, second]) => {
    const steps = `
      POST /lamps {} -> 201
      POST /lamps {} -> 201
      GET /lamps -> 200 [{"id":${first}},{"id":${second}}]
    `
    await runScript({ name: order, document: lamps({ order, optional: 'absent' }), steps })
  })

  it.each([
    ['dropped', '{"id":1,"name":"a"}'],
    ['kept', '{"id":1,"name":"a","extra":{"deep":[1]}}'],
  ])('says what happens to unknown properties: %s', async (unknownProperties, shown) => {
    const steps = `
      POST /lamps {"name":"a","extra":{"deep":[1]}} -> 201 ${shown}
      GET /lamps -> 200 [${shown}]
    `
    await runScript({ name: unknownProperties, document: lamps({ unknownProperties, optional: 'absent' }), steps })
  })

  it('says the form of keys, of times, and what unknown keys have', async () => {
    const record = object({ 'id!': text, 'createdAt!': integer })
    const document = JSON.parse(
      toDocument(
        {
          'POST /lamps': { body: object({ name: text }), 201: record },
          'GET /lamps': { 200: list(record) },
          'GET /lamps/{lampCode}': { 200: record },
        },
        {},
      ),
    )
    const open = (service: object) => openSketch(JSON.stringify({ ...document, 'x-sandbox-service': service }))
    const own = await open({ keys: 'uuid', times: 'milliseconds', unknownKeys: 'sample' })
    expect(await ask(own, 'POST /lamps {}')).toMatch(/^201 \{"id":"[\da-f-]{36}","createdAt":\d{13}\}$/)
    expect(await ask(own, 'GET /lamps/27f7a3f3-8b1a-4b5c-9d5e-0d8a3f1b2c4d')).toMatch(/^200/)
    const usual = await open({})
    expect(await ask(usual, 'POST /lamps {}')).toMatch(/^201 \{"id":"1","createdAt":\d{10}\}$/)
    expect(await ask(usual, 'GET /lamps/27f7a3f3-8b1a-4b5c-9d5e-0d8a3f1b2c4d')).toMatch(/^404/)
  })

  it('says the bodies of errors, which may differ for requests that break the contract', async () => {
    const errors = {
      body: { fault: { text: '$message', code: '$status' } },
      invalid: { faults: [{ at: '$pointer', rule: '$keyword' }], kind: 'invalid', notes: [] },
    }
    const send = await openSketch(lamps({ errors }))
    const wrong = await ask(send, 'POST /lamps {"watts":"x"}')
    expect(wrong).toBe('400 {"faults":[{"at":"/watts","rule":"type"}],"kind":"invalid","notes":[]}')
    expect(await ask(send, 'GET /none')).toMatch(/^404 \{"fault":\{"text":".+","code":404\}\}$/)
  })

  it('says what refused requests get, also those without credentials', async () => {
    const errors = { body: { why: '$message' }, unauthorized: { login: '$phrase' } }
    const document = JSON.parse(lamps({ ...usual, errors }))
    const guarded = {
      ...document,
      components: { ...document.components, securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
      security: [{ key: [] }],
    }
    const sandbox = await openSketch(JSON.stringify(guarded))
    expect(await ask(sandbox, 'GET /lamps')).toBe('401 {"login":"Unauthorized"}')
  })

  it.each([
    [{ optional: 'nul' }, 'must be one of null, empty, absent, sent (got "nul"), did you mean "null"?'],
    [{ orders: 'newest' }, 'has no member "orders", did you mean "order"?'],
    [{ errors: {} }, 'has no "body"'],
    [{ errors: { body: { a: '$massage' } } }, 'there is no fact "$massage"'],
    ['newest', 'must be an object'],
  ])('is refused where it is wrong: %j', (service, message) => {
    const words = message.replace(/, did you.*/, '')
    expect(() => compileText(lamps(service as object), 'lamps.json')).toThrow(words)
  })

  it('is refused below the root', () => {
    const document = JSON.parse(lamps())
    document.paths['/lamps'].get['x-sandbox-service'] = { order: 'oldest' }
    expect(() => compileText(JSON.stringify(document), 'lamps.json')).toThrow('must be at the root of the document')
  })

  it('is printed, and changes nothing when it is applied', async () => {
    const { habits, inferAgain } = compileText(lamps({ order: 'oldest' }), 'lamps.json')
    expect(habits).toContainEqual({
      ...{ habit: 'order', says: 'oldest', evidence: 'extension', why: 'x-sandbox-service says so' },
    })
    const { overlay } = await inferAgain()
    expect(overlay[0]).toMatchObject({ target: '$', update: { 'x-sandbox-service': { order: 'oldest' } } })
  })
})

describe('a framework', () => {
  const plain = (operationId: string, schema: object, description = '') => ({
    operationId,
    responses: { 200: { description, content: { 'application/json': { schema } } } },
  })
  const item = { type: 'object', properties: { id: integer, name: { type: ['string', 'null'] } } }
  type Described = { paths: Record<string, { get: object }>; components: object; servers?: object[] }
  const frameworks: [string, Described, RegExp][] = [
    [
      'FastAPI',
      {
        paths: { '/items/{id}': { get: plain('read_item_items__id__get', item) } },
        components: { schemas: { HTTPValidationError: {}, ValidationError: {} } },
      },
      /^\{"detail":"[^"]+"\}$/,
    ],
    [
      'NestJS',
      {
        paths: { '/items/{id}': { get: plain('ItemsController_findOne', item) } },
        components: { schemas: { CreateItemDto: {}, UpdateItemDto: {} } },
      },
      /^\{"message":"[^"]+","error":"Not Found","statusCode":404\}$/,
    ],
    [
      'LoopBack',
      {
        paths: {
          '/items/{id}': { get: { ...plain('ItemController.findById', item), 'x-operation-name': 'findById' } },
        },
        components: { schemas: { 'loopback.Count': {} } },
      },
      /^\{"error":\{"statusCode":404,"name":"Error","message":"[^"]+","code":"not_found"\}\}$/,
    ],
    [
      'Fastify',
      {
        paths: { '/items/{id}': { get: plain('', { $ref: '#/components/schemas/def-0' }, 'Default Response') } },
        components: { schemas: { 'def-0': item } },
      },
      /^\{"statusCode":404,"error":"Not Found","message":"[^"]+"\}$/,
    ],
    [
      'Go',
      {
        paths: { '/items/{id}': { get: { ...plain('getItem', item), 'x-enum-varnames': ['One'] } } },
        components: { schemas: { 'models.Item': {} } },
      },
      /^\{"message":"[^"]+"\}$/,
    ],
    [
      'Rails',
      {
        paths: { '/items/{id}': { get: plain('getItem', item, 'item found') } },
        components: { schemas: {} },
        servers: [{ url: 'https://{defaultHost}', variables: { defaultHost: { default: 'www.example.com' } } }],
      },
      /^\{"error":"[^"]+"\}$/,
    ],
    [
      'none: one sign is not enough',
      {
        paths: { '/items/{id}': { get: plain('getItem', item) } },
        components: { schemas: { HTTPValidationError: {} } },
      },
      /^\{"code":"not_found"/,
    ],
  ]
  it.each(frameworks)('gives the bodies of errors: %s', async (_, described, body) => {
    const { paths, ...others } = described
    const [[path, { get }] = ['', { get: {} }]] = Object.entries(paths)
    const id = { name: 'id', in: 'path', required: true, schema: integer }
    const document = documentOf({
      [path]: { parameters: [id], get },
      '/items': { get: plain('', list(item)), post: { ...plain('', item), operationId: undefined } },
    })
    const send = await openSketch(JSON.stringify({ ...(document as object), ...others }))
    const [status, text = ''] = /^(\d+) (.*)$/.exec(await ask(send, 'GET /items/99'))?.slice(1) ?? []
    expect(status).toBe('404')
    expect(text).toMatch(body)
  })

  it('gives the status for bodies that break the contract, where no response says one', async () => {
    const operations = {
      'POST /lamps': { id: 'LampController.create', body: object({ 'name!': text }), 200: named('Lamp') },
      'GET /lamps': { id: 'LampController.find', 200: list(named('Lamp')) },
    }
    const document = JSON.parse(toDocument(operations, { Lamp: lamp, 'loopback.Count': object({ count: integer }) }))
    document.paths['/lamps'].get['x-operation-name'] = 'find'
    const sandbox = await openSketch(JSON.stringify(document))
    expect(await ask(sandbox, 'POST /lamps {"name":1}')).toMatch(/^422 /)
  })
})
