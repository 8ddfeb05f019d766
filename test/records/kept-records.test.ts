// Records stay what callers made of them, also where a document describes the same record in several ways.
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { type JsonObject, readObject } from '../support/read-json.js'
import { collection, documentOf, serve } from '../support/serve-objects.js'

const json = (schema: unknown) => ({ 'application/json': { schema } })
const ok = (schema: unknown) => ({ '200': { description: 'ok', content: json(schema) } })
const object = (properties: JsonObject) => ({ type: 'object', properties })
const inPath = (name: string, schema: JsonObject) => ({ name, in: 'path', required: true, schema })
const text = { type: 'string' }

describe('the key of a new record', () => {
  const strange = { type: 'string', format: 'int64' }
  const numbered = object({ id: { type: 'integer' }, name: text })
  const served = serve(
    documentOf({
      ...collection({
        path: '/ips',
        record: object({ id: { ...strange, readOnly: true }, name: text }),
        keySchema: { type: 'string', format: 'uuid' },
      }),
      ...collection({
        path: '/schemes',
        record: numbered,
        body: object({ name: text }),
        keySchema: { type: 'integer' },
      }),
      '/levels': {
        get: { responses: ok({ type: 'array', items: numbered }) },
        post: {
          requestBody: { content: json(object({ name: text })) },
          responses: {
            '201': { description: 'ok', content: json({ ...object({ id: text }), required: ['id'] }) },
          },
        },
      },
      '/levels/{id}': {
        parameters: [inPath('id', { type: 'integer' })],
        get: { responses: ok(numbered) },
      },
    }),
  )

  it.each(['/ips', '/schemes', '/levels'])('is one that the path of the record takes: %s', async (path) => {
    const created = await served.send('POST', path, { body: { name: 'new' } })
    expect(created.status).toBe(201)
    const { id } = readObject(JSON.parse(created.text))
    const read = await served.send('GET', `${path}/${id}`)
    expect([read.status, readObject(JSON.parse(read.text))['name']]).toEqual([200, 'new'])
  })

  it('is a text in an answer that has it as a text', async () => {
    const { text: body } = await served.send('POST', '/levels', { body: { name: 'text' } })
    expect(readObject(JSON.parse(body))['id']).toMatch(/^\d+$/)
  })
})

describe('a key that only the record has under another name', () => {
  const channel = object({ name: text, size: { type: 'integer' } })
  const widget = object({ id: { type: 'integer' }, size: { type: 'integer' } })
  const put = (body: JsonObject, answer: JsonObject) => ({
    requestBody: { content: json(body) },
    responses: { '201': { description: 'ok', content: json(answer) } },
  })
  const size = { type: 'integer' }
  const served = serve(
    documentOf({
      '/channels': {
        get: { responses: ok(object({ channels: { type: 'array', items: channel } })) },
        post: put(object({ channelName: text, size }), object({ channelName: text, arn: text })),
      },
      '/channels/{channelName}': {
        parameters: [inPath('channelName', text)],
        get: { responses: ok(object({ channel })) },
      },
      '/widgets': {
        get: { responses: ok({ type: 'array', items: widget }) },
        post: put(object({ size }), object({ widgetId: text, state: text })),
      },
      '/widgets/{widgetId}': {
        parameters: [inPath('widgetId', { type: 'integer' })],
        get: { responses: ok(widget) },
      },
    }),
  )

  it('is the one that was sent', async () => {
    const created = await served.send('POST', '/channels', { body: { channelName: 'news', size: 3 } })
    expect([created.status, readObject(JSON.parse(created.text))['channelName']]).toEqual([201, 'news'])
    expect((await served.send('GET', '/channels/news')).text).toBe('{"channel":{"name":"news","size":3}}')
    expect((await served.send('POST', '/channels', { body: { channelName: 'news' } })).status).toBe(409)
  })

  it('is shown in an answer that is not the record', async () => {
    for (const size of [1, 2]) {
      const created = await served.send('POST', '/widgets', { body: { size } })
      const { widgetId } = readObject(JSON.parse(created.text))
      expect(widgetId).toMatch(/^\d+$/)
      expect((await served.send('GET', `/widgets/${widgetId}`)).text).toBe(`{"id":${widgetId},"size":${size}}`)
    }
  })
})

describe('a change', () => {
  const category = object({ id: { ...text, readOnly: true }, name: text })
  const answered = object({ id: { ...text, readOnly: true }, name: { ...text, readOnly: true } })
  const requestBody = { content: json(category) }
  const paths = collection({ path: '/categories', record: category })
  const item = readObject(paths['/categories/{id}'])
  const tax = object({ country: text, rate: { type: 'number' } })
  const put = (operation: JsonObject) => ({
    requestBody: { content: json(object({ rate: { type: 'number' } })) },
    responses: { '200': { description: 'ok' }, '404': { description: 'unknown' } },
    ...operation,
  })
  const taxes = (operation: JsonObject) => ({
    parameters: [inPath('country', text)],
    get: { responses: ok(tax) },
    put: put(operation),
  })
  const served = serve(
    documentOf({
      ...paths,
      '/categories/{id}': { ...item, put: { requestBody, responses: ok(answered) } },
      '/taxes/{country}': taxes({ operationId: 'createOrReplaceTax' }),
      '/taxes': { get: { responses: ok({ type: 'array', items: tax }) } },
      '/fees/{country}': taxes({ summary: 'Creates or replaces a fee' }),
      '/fees': { get: { responses: ok({ type: 'array', items: tax }) } },
      '/duties/{country}': taxes({ operationId: 'replaceDuty', summary: 'Replaces a created duty' }),
      '/duties': { get: { responses: ok({ type: 'array', items: tax }) } },
    }),
  )

  it('is kept if its answer marks all properties as read-only', async () => {
    const created = await served.send('POST', '/categories', { body: { name: 'old' } })
    const target = `/categories/${readObject(JSON.parse(created.text))['id']}`
    expect((await served.send('PUT', target, { body: { name: 'new' } })).status).toBe(200)
    const read = await served.send('GET', target)
    expect(readObject(JSON.parse(read.text))['name']).toBe('new')
  })

  it.each(['/taxes', '/fees'])('creates the record if its words say so: %s', async (path) => {
    expect((await served.send('PUT', `${path}/KR`, { body: { rate: 7 } })).status).toBe(200)
    expect((await served.send('GET', `${path}/KR`)).text).toBe('{"country":"KR","rate":7}')
  })

  it('of an unknown record is refused with a documented 404 otherwise', async () => {
    expect((await served.send('PUT', '/duties/KR', { body: { rate: 7 } })).status).toBe(404)
  })
})

describe('a collection that its name or that of an operation hides', () => {
  const entry = object({ id: text, name: text })
  const batched = object({ id: text, name: text, parts: { type: 'array', items: text } })
  const item = (record: unknown) => ({ parameters: [inPath('id', text)], get: { responses: ok(record) } })
  const listed = (record: unknown) => ({
    get: { responses: ok({ type: 'array', items: record }) },
    post: { requestBody: { content: json(record) }, responses: ok(record) },
  })
  const adding = (record: unknown, operationId: string) => ({
    post: { operationId, requestBody: { content: json(record) }, responses: ok(record) },
  })
  const sender = object({ email: text, name: text })
  const signature = object({ key_id: text, id: { type: 'integer' }, name: text })
  const { send } = serve(
    documentOf({
      // Its read seems to compute.
      '/ping': listed(entry),
      '/ping/{id}': item(entry),
      // It seems to be a verb.
      '/users/{user}/settings/sendAs': { parameters: [inPath('user', text)], ...listed(sender) },
      '/users/{user}/settings/sendAs/{email}': {
        parameters: [inPath('user', text), inPath('email', text)],
        get: { responses: ok(sender) },
        put: { requestBody: { content: json(sender) }, responses: ok(sender) },
        delete: { responses: { 204: { description: 'ok' } } },
      },
      // They seem to add many records.
      '/programs/batch': adding(batched, 'addProgram'),
      '/programs/batch/{id}': item(batched),
      '/jobs': adding(batched, 'CreateBulkImportJob'),
      '/jobs/{id}': item(batched),
      // It ends with the name of a text, but selects by a number.
      '/signatures': listed(signature),
      '/signatures/{signature_key_id}': {
        parameters: [inPath('signature_key_id', { type: 'integer' })],
        get: { responses: ok(signature) },
      },
    }),
  )

  it.each([
    ['/ping', 'id'],
    ['/users/1/settings/sendAs', 'email'],
    ['/programs/batch', 'id'],
    ['/jobs', 'id'],
    ['/signatures', 'id'],
  ])('keeps what is created: %s', async (path, key) => {
    const body = { ...(key === 'email' && { email: 'someone@service.example' }), name: 'new' }
    const made = await send('POST', path, { body })
    expect(made.status).toBe(200)
    const read = await send('GET', `${path}/${readObject(JSON.parse(made.text))[key]}`)
    expect([read.status, readObject(JSON.parse(read.text))['name']]).toEqual([200, 'new'])
  })

  it('still adds many records where a creation has a list of them', async () => {
    const many = object({ items: { type: 'array', items: entry } })
    const document = documentOf({
      '/entries/{id}': item(entry),
      '/entries': { get: { responses: ok({ type: 'array', items: entry }) }, ...adding(many, 'bulkCreateEntries') },
    })
    const { contract } = await compileDocument(JSON.stringify(document))
    const operation = contract.operations.find(({ method }) => method === 'POST')
    expect(operation?.effect.kind).toBe('example')
  })
})

describe('a property deep in a record with the name of a parameter', () => {
  const record = object({ id: text, wallet: object({ ownerId: text }) })
  const { send } = serve(
    documentOf({
      '/owners': { get: { responses: ok({ type: 'array', items: object({ id: text }) }) } },
      '/owners/{ownerId}': { parameters: [inPath('ownerId', text)], get: { responses: ok(object({ id: text })) } },
      '/owners/{ownerId}/cards': {
        parameters: [inPath('ownerId', text)],
        get: { responses: ok({ type: 'array', items: record }) },
        post: { requestBody: { content: json(record) }, responses: ok(record) },
      },
      '/owners/{ownerId}/cards/{id}': {
        parameters: [inPath('ownerId', text), inPath('id', text)],
        get: { responses: ok(record) },
      },
    }),
    { scenario: { owners: [{ id: 'one' }] } },
  )

  it('keeps what is sent', async () => {
    const made = await send('POST', '/owners/one/cards', { body: { wallet: { ownerId: 'theirs' } } })
    expect(JSON.parse(made.text)).toMatchObject({ wallet: { ownerId: 'theirs' } })
  })
})

describe('a property whose inner properties several parts describe', () => {
  const daily = (name: string) => object({ daily: object({ [name]: { type: 'integer' } }) })
  const parts = [daily('limit'), daily('count')]
  const { send } = serve(
    documentOf({
      ...collection({ path: '/all', record: { allOf: [object({ id: text }), ...parts] } }),
      ...collection({ path: '/any', record: { ...object({ id: text }), anyOf: parts } }),
    }),
  )

  it.each(['/all', '/any'])('keeps each of them: %s', async (path) => {
    const answer = await send('POST', path, { body: { daily: { limit: 1, count: 2, other: 3 } } })
    expect(readObject(JSON.parse(answer.text))['daily']).toEqual({ limit: 1, count: 2 })
  })
})

const mixed = [
  { properties: { a: { $ref: '#/components/schemas/Q0' }, b: { $ref: '#/components/schemas/Q0' } } },
  { properties: { a: { $ref: '#/components/schemas/Q1' } } },
]

it('combines parts of parts in no more ways than can be counted', async () => {
  const ref = (level: number) => ({ $ref: `#/components/schemas/Q${level}` })
  const levels = Array.from({ length: 14 }, (_, level) => {
    const inner = level < 13 ? { a: ref(level + 1), b: ref(level + 1) } : {}
    return [`Q${level}`, { ...object({ ...inner, [`p${level}`]: text }), ...(level === 0 && { allOf: mixed }) }]
  })
  const document = documentOf(collection({ path: '/deep', record: ref(0) }), {
    components: { schemas: Object.fromEntries(levels) },
  })
  const { contract } = await compileDocument(JSON.stringify(document))
  const sandbox = createSandbox({ contract, scenario: {} })
  const body = '{"p0":"x","a":{"p1":"y"}}'
  const headers = { 'Content-Type': 'application/json' }
  const answer = await sandbox.fetch('http://127.0.0.1/deep', { method: 'POST', headers, body })
  expect(await answer.json()).toMatchObject({ p0: 'x', a: { p1: 'y' } })
})
