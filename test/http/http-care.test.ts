/** Conditional requests, idempotency keys, `Location` and the rest of HTTP, where a document has them or they are asked for. */
import { compileDocument, createSandbox, withHttpCare } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { createFakeStore } from '../support/fake-store.js'
import type { JsonObject } from '../support/read-json.js'
import { documentOf, type Sent, serve } from '../support/serve-objects.js'

const header = (name: string, others: object = {}) => ({ name, in: 'header', schema: { type: 'string' }, ...others })
const json = (schema: object) => ({ 'application/json': { schema } })
const error = { type: 'object', required: ['message'], properties: { message: { type: 'string' } } }
const refused = { description: '', content: json(error) }
const text = { schema: { type: 'string' } }
const conditions = ['If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since'].map((name) => header(name))

const Note = {
  type: 'object',
  required: ['id', 'text'],
  properties: {
    id: { type: 'string', readOnly: true },
    text: { type: 'string' },
    updatedAt: { type: 'string', format: 'date-time', readOnly: true },
  },
}
const written = { required: true, content: json({ type: 'object', properties: { text: { type: 'string' } } }) }
const ok = { description: '', headers: { ETag: text, 'Last-Modified': text }, content: json(Note) }

/** A resource with all that RFC 9110, section 13 knows. */
const notes = documentOf({
  '/notes': {
    get: { parameters: conditions, responses: { '200': { ...ok, content: json({ type: 'array', items: Note }) } } },
    post: { requestBody: written, responses: { '201': { ...ok, headers: { Location: text, ETag: text } } } },
  },
  '/notes/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }, ...conditions],
    get: { responses: { '200': ok, '304': { description: '' } } },
    put: { requestBody: written, responses: { '200': ok, '412': refused } },
    patch: { requestBody: written, responses: { '200': ok } },
    delete: { responses: { '204': { description: '' }, '412': refused } },
  },
})

const start = Date.parse('2026-11-21T00:00:00Z')
const before = 'Fri, 20 Nov 2026 23:59:59 GMT'
const then = 'Sat, 21 Nov 2026 00:00:00 GMT'
const after = 'Sat, 21 Nov 2026 00:00:01 GMT'

interface Row {
  method: 'GET' | 'HEAD' | 'PUT' | 'PATCH' | 'DELETE'
  /** `TAG` stands for the current entity tag. */
  headers: Record<string, string>
  status: number
  /** @default a note that exists */
  target?: string
}

const row = (method: Row['method'], headers: Row['headers'], status: number, target?: string): Row => ({
  ...{ method, headers, status },
  ...(target !== undefined && { target }),
})

/** RFC 9110, section 13: each field, alone and with others, in the order of section 13.2.2. */
const rows: readonly Row[] = [
  row('GET', {}, 200),
  // 13.1.1
  row('GET', { 'If-Match': 'TAG' }, 200),
  row('GET', { 'If-Match': '"other"' }, 412),
  row('PUT', { 'If-Match': 'TAG' }, 200),
  row('PUT', { 'If-Match': '"other", TAG' }, 200),
  row('PUT', { 'If-Match': '"other"' }, 412),
  row('PUT', { 'If-Match': '*' }, 200),
  row('PUT', { 'If-Match': 'W/TAG' }, 412),
  row('PUT', { 'If-Match': '' }, 412),
  row('PATCH', { 'If-Match': '"other"' }, 412),
  row('PATCH', { 'If-Match': 'TAG' }, 200),
  row('DELETE', { 'If-Match': '"other"' }, 412),
  row('DELETE', { 'If-Match': 'TAG' }, 204),
  // 13.1.2
  row('GET', { 'If-None-Match': 'TAG' }, 304),
  row('HEAD', { 'If-None-Match': 'TAG' }, 304),
  row('GET', { 'If-None-Match': 'W/TAG' }, 304),
  row('GET', { 'If-None-Match': '"other", TAG' }, 304),
  row('GET', { 'If-None-Match': '*' }, 304),
  row('GET', { 'If-None-Match': '"other"' }, 200),
  row('PUT', { 'If-None-Match': '*' }, 412),
  row('PUT', { 'If-None-Match': 'TAG' }, 412),
  row('PUT', { 'If-None-Match': 'W/TAG' }, 412),
  row('PUT', { 'If-None-Match': '"other"' }, 200),
  row('DELETE', { 'If-None-Match': '*' }, 412),
  // 13.1.3
  row('GET', { 'If-Modified-Since': then }, 304),
  row('GET', { 'If-Modified-Since': after }, 304),
  row('GET', { 'If-Modified-Since': before }, 200),
  row('GET', { 'If-Modified-Since': 'Saturday, 21-Nov-26 00:00:00 GMT' }, 304),
  row('GET', { 'If-Modified-Since': 'Sat Nov 21 00:00:00 2026' }, 304),
  row('GET', { 'If-Modified-Since': '2026-11-21T00:00:00Z' }, 200),
  row('GET', { 'If-Modified-Since': 'yesterday' }, 200),
  row('PUT', { 'If-Modified-Since': then }, 200),
  row('GET', { 'If-Modified-Since': then, 'If-None-Match': '"other"' }, 200),
  row('GET', { 'If-Modified-Since': before, 'If-None-Match': 'TAG' }, 304),
  // 13.1.4
  row('PUT', { 'If-Unmodified-Since': then }, 200),
  row('PUT', { 'If-Unmodified-Since': before }, 412),
  row('GET', { 'If-Unmodified-Since': before }, 412),
  row('PUT', { 'If-Unmodified-Since': 'soon' }, 200),
  row('PUT', { 'If-Unmodified-Since': before, 'If-Match': 'TAG' }, 200),
  row('PUT', { 'If-Unmodified-Since': after, 'If-Match': '"other"' }, 412),
  // 13.2.1: what would be refused anyway is, and a condition does not hold for what does not exist.
  row('GET', { 'If-None-Match': '*' }, 404, '/notes/none'),
  row('PUT', { 'If-Match': '*' }, 404, '/notes/none'),
  row('DELETE', { 'If-Match': '"x"' }, 404, '/notes/none'),
  // 13.2.2: If-Match first, then If-None-Match.
  row('GET', { 'If-Match': 'TAG', 'If-None-Match': 'TAG' }, 304),
  row('GET', { 'If-Match': '"other"', 'If-None-Match': 'TAG' }, 412),
  row('PUT', { 'If-Match': 'TAG', 'If-None-Match': '"other"' }, 200),
]

describe('the answer to PUT (RFC 9110, section 9.3.4)', () => {
  const Item = {
    type: 'object',
    required: ['text'],
    properties: {
      id: { type: 'string' },
      text: { type: 'string' },
      at: { type: 'string', format: 'date-time', readOnly: true },
    },
  }
  const body = { required: true, content: json(Item) }
  const items = (path: string, success: JsonObject): JsonObject => ({
    [path]: { get: { responses: { '200': { description: '', content: json({ type: 'array', items: Item }) } } } },
    [`${path}/{id}`]: {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }, ...conditions],
      get: { responses: { '200': { description: '', content: json(Item) } } },
      put: { requestBody: body, responses: success },
    },
  })
  const { send } = serve(
    documentOf({
      ...items('/silent', { '204': { description: '' } }),
      ...items('/shown', { '200': { description: '', content: json(Item) } }),
      ...items('/required', { '204': { description: '', headers: { ETag: { ...text, required: true } } } }),
    }),
    { scenario: Object.fromEntries(['silent', 'shown', 'required'].map((name) => [name, [{ id: 'a', text: 'one' }]])) },
  )

  it.each([
    ['what was stored as it was sent', '/silent/a', { id: 'a', text: 'two' }, 204, true],
    ['what got a property', '/silent/a', { text: 'two' }, 204, false],
    ['what got a property that the answer shows', '/shown/a', { text: 'two' }, 200, true],
    ['what got a property, where the document requires the header', '/required/a', { text: 'two' }, 204, true],
  ])('has only the entity tag of what its client knows: %s, %s %j', async (_, target, values, status, isTagged) => {
    const answer = await send('PUT', target, { body: values })
    const { etag } = (await send('GET', target)).headers
    expect([answer.status, answer.headers['etag']]).toEqual([status, isTagged ? etag : undefined])
    expect(etag).toMatch(/^"[0-9a-f]{16}"$/)
  })
})

describe('a condition (RFC 9110, section 13)', () => {
  const { send } = serve(notes, { scenario: {} })

  it.each(rows)('$method with $headers gets $status', async ({ method, headers, status, target }) => {
    const created = await send('POST', '/notes', { body: { text: 'one' } })
    const path = target ?? created.headers['location'] ?? ''
    const { tag, shown } = await read(path)
    const sent = Object.entries(headers).map(([name, value]): [string, string] => [name, value.replace('TAG', tag)])
    const body = method === 'PUT' || method === 'PATCH' ? { body: { text: 'two' } } : {}
    const answer = await send(method, path, { ...body, headers: sent })
    expect(answer.status).toBe(status)
    if (status === 304 || (status === 200 && method === 'GET')) expect(answer.headers['etag']).toBe(tag)
    if (status === 304) expect(answer.text).toBe('')
    if (status === 412) expect(JSON.parse(answer.text).message).toMatch(/does not hold: the current ETag is "/)
    const now = await read(path)
    // What is refused changes nothing, and what is changed has another tag.
    const isChanged = method !== 'GET' && method !== 'HEAD' && status < 300
    expect(now.shown === shown).toBe(!isChanged)
    if (isChanged && method !== 'DELETE') expect(answer.headers['etag']).toBe(now.tag)
  })

  async function read(path: string): Promise<{ tag: string; shown: string }> {
    const { headers, text: shown } = await send('GET', path)
    return { tag: headers['etag'] ?? '', shown }
  }

  it('has the version of the record, not of the body, and the list one of its own', async () => {
    const { headers } = await send('POST', '/notes', { body: { text: 'one' } })
    const path = headers['location'] ?? ''
    const read = await send('GET', path)
    expect(read.headers['etag']).toBe(headers['etag'])
    expect(read.headers['etag']).toMatch(/^"[0-9a-f]{16}"$/)
    expect(read.headers['last-modified']).toBe(then)
    const list = await send('GET', '/notes')
    const again = (tag = '') => send('GET', '/notes', { headers: [['If-None-Match', tag]] })
    expect((await again(list.headers['etag'])).status).toBe(304)
    await send('PATCH', path, { body: { text: 'two' } })
    expect((await again(list.headers['etag'])).status).toBe(200)
  })
})

describe('a change that needs a condition (RFC 6585, section 3)', () => {
  const path = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } })
  const put = (parameters: object[], responses: object) => ({ parameters, requestBody: written, responses })
  const document = documentOf({
    '/notes': { post: { requestBody: written, responses: { '201': ok } } },
    '/notes/{id}': {
      parameters: [path('id')],
      get: { responses: { '200': ok } },
      put: put([header('If-Match', { required: true })], { '200': ok, '428': refused }),
      patch: put([header('If-Match', { required: true })], { '200': ok }),
      delete: { responses: { '204': { description: '' }, '428': refused } },
    },
  })
  const { send } = serve(document, { scenario: { notes: [{ id: 'a', text: 'one' }] } })

  it.each([
    ['PUT', [], 428],
    ['DELETE', [], 428],
    // Only what is documented: a parameter that is required.
    ['PATCH', [], 400],
    ['PUT', [['If-Match', '"other"']], 412],
    ['PUT', [['If-Match', '*']], 200],
    ['DELETE', [['If-Match', '*']], 204],
  ] as const)('%s with %j gets %i', async (method, headers, status) => {
    const body = method === 'DELETE' ? {} : { body: { text: 'two' } }
    expect((await send(method, '/notes/a', { ...body, headers })).status).toBe(status)
  })
})

describe('an entity tag that records show', () => {
  const Thing = {
    type: 'object',
    properties: { id: { type: 'integer' }, name: { type: 'string' }, etag: { type: 'string', readOnly: true } },
  }
  const shown = { '200': { description: '', content: json(Thing) } }
  const body = { content: json(Thing) }
  const key = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
  const { send } = serve(
    documentOf({
      '/things': { post: { requestBody: body, responses: { '201': shown['200'] } } },
      '/things/{id}': {
        parameters: [key],
        get: { responses: shown },
        patch: { parameters: [header('If-Match')], requestBody: body, responses: shown },
      },
    }),
    { scenario: { things: [{ id: 7, name: 'old', etag: 'W/"datetime-1"' }] } },
  )

  it('is the condition of a change, with each change another one', async () => {
    const change = (name: string, tag: string) =>
      send('PATCH', '/things/7', { body: { name }, headers: [['If-Match', tag]] })
    const first = await send('GET', '/things/7')
    expect(JSON.parse(first.text)).toMatchObject({ etag: 'W/"datetime-1"' })
    const second = await change('new', 'W/"datetime-1"')
    expect(second.status).toBe(200)
    const { etag, name } = JSON.parse(second.text)
    expect([name, etag]).toEqual(['new', second.headers['etag']])
    expect((await change('newer', 'W/"datetime-1"')).status).toBe(412)
    expect((await change('newer', etag)).status).toBe(200)
    const created = await send('POST', '/things', { body: { name: 'x' } })
    expect(JSON.parse(created.text).etag).toBe(created.headers['etag'])
  })
})

/** The scenarios of the IETF draft "The Idempotency-Key HTTP Header Field". */
describe('an idempotency key', () => {
  const payments = (parameter: object, others: JsonObject = {}): JsonObject => {
    const Payment = {
      type: 'object',
      required: ['amount'],
      properties: { id: { type: 'integer', readOnly: true }, amount: { type: 'integer', minimum: 1 } },
    }
    const answer = { description: '', content: json(Payment) }
    return documentOf({
      '/payments': {
        get: { responses: { '200': { description: '', content: json({ type: 'array', items: Payment }) } } },
        post: {
          operationId: 'pay',
          parameters: [parameter],
          requestBody: { required: true, content: json(Payment) },
          responses: { '201': answer },
        },
      },
      '/payments/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { responses: { '200': answer } },
        put: {
          parameters: [parameter],
          requestBody: { required: true, content: json(Payment) },
          responses: { '200': answer },
        },
      },
      ...others,
    })
  }
  const { send } = serve(payments(header('Idempotency-Key', { required: true })))
  const pay = (key: string | undefined, body: unknown, path = '/payments', method = 'POST') =>
    send(method, path, { body, headers: key === undefined ? [] : [['Idempotency-Key', key]] } satisfies Sent)
  const count = async () => JSON.parse((await send('GET', '/payments')).text).length

  it('gives the same answer again, and changes nothing', async () => {
    const first = await pay('"8e03978e"', { amount: 1 })
    const known = await count()
    expect(await pay('"8e03978e"', { amount: 1 })).toEqual(first)
    expect(await pay('8e03978e', { amount: 1 })).toEqual(first)
    expect(first.status).toBe(201)
    expect(await count()).toBe(known)
  })

  it('gives the same refusal again, also after its reason is gone', async () => {
    const first = await pay('missing', { amount: 1 }, '/payments/99', 'PUT')
    expect(first.status).toBe(404)
    expect(await pay('missing', { amount: 1 }, '/payments/99', 'PUT')).toEqual(first)
  })

  it.each([
    ['another body', 'POST', '/payments', { amount: 2 }],
    ['another address', 'PUT', '/payments/1', { amount: 1 }],
  ])('is refused for %s: 422', async (_, method, path, body) => {
    await pay('reused', { amount: 1 })
    const known = await count()
    const answer = await pay('reused', body, path, method)
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      422,
      {
        code: 'key_reused',
        message: 'The idempotency key "reused" was already used for another request; use a new one',
        status: 422,
      },
    ])
    expect(await count()).toBe(known)
  })

  it.each([
    ['that is missing', undefined],
    ['that is empty', '""'],
    ['that is no string', '"open'],
    ['that is too long', 'x'.repeat(1025)],
  ])('%s is refused where the document requires it: 400', async (_, key) => {
    expect((await pay(key, { amount: 1 })).status).toBe(400)
  })

  describe('of a documented form', () => {
    const uuid = '8e03978e-40d5-43e8-bc93-6894a57f9324'
    const forms: [schema: object, key: string, wrong: string][] = [
      [{ type: 'string', format: 'uuid' }, uuid, 'order-1'],
      [{ type: 'string', minLength: 36, maxLength: 36 }, uuid, `${uuid}0`],
      [{ type: 'string', pattern: '^[A-Z]{3}-[0-9]+$' }, 'PAY-17', 'pay-17'],
      [{ type: 'integer' }, '17', 'seventeen'],
    ]

    it.each(forms)('may be in quotes, and is the same key then: %j', async (schema, key, wrong) => {
      const { contract } = await compileDocument(JSON.stringify(payments(header('Idempotency-Key', { schema }))))
      const sandbox = createSandbox({ contract })
      const post = async (sent: string, amount = 1) => {
        const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': sent }
        const body = JSON.stringify({ amount })
        const response = await sandbox.fetch('http://localhost/payments', { method: 'POST', headers, body })
        return [response.status, (await response.json()).id]
      }
      expect(await post(`"${key}"`)).toEqual([201, 1])
      expect(await post(key)).toEqual([201, 1])
      expect((await post(key, 2))[0]).toBe(422)
      expect((await post(`"${wrong}"`))[0]).toBe(400)
      expect((await post(wrong))[0]).toBe(400)
      expect((await post(`"${key}`))[0]).toBe(400)
    })

    it('keeps its quotes where the document describes them', async () => {
      const schema = { type: 'string', pattern: '^"[a-z]+"$' }
      const { contract } = await compileDocument(JSON.stringify(payments(header('Idempotency-Key', { schema }))))
      const sandbox = createSandbox({ contract })
      const post = async (sent: string) => {
        const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': sent }
        return (await sandbox.fetch('http://localhost/payments', { method: 'POST', headers, body: '{"amount":1}' }))
          .status
      }
      expect([await post('"abc"'), await post('abc')]).toEqual([201, 400])
    })
  })

  it('is free after a request that was not valid', async () => {
    expect((await pay('invalid', { amount: 0 })).status).toBe(400)
    expect((await pay('invalid', { amount: 3 })).status).toBe(201)
  })

  it('belongs to one world, and is forgotten after a day of its clock, and with its data', async () => {
    const { contract } = await compileDocument(JSON.stringify(payments(header('idempotency-key'))))
    const sandbox = createSandbox({ contract, now: () => start })
    const post = async (amount: number) => {
      const response = await sandbox.fetch('http://localhost/payments', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'k' },
        body: JSON.stringify({ amount }),
      })
      return [response.status, (await response.json()).id]
    }
    expect(await post(1)).toEqual([201, 1])
    const world = sandbox.world(sandbox.journal.list()[0]?.key ?? '')
    await world.clock.advance(24 * 60 * 60 * 1000 - 1)
    expect(await post(1)).toEqual([201, 1])
    const state = await world.snapshot()
    expect(state.answers).toHaveLength(1)
    await world.clock.advance(1)
    expect(await post(2)).toEqual([201, 2])
    await world.restore(state)
    expect(await post(1)).toEqual([201, 1])
    expect((await post(2))[0]).toBe(422)
    await world.reset()
    expect(await post(2)).toEqual([201, 1])
  })

  it('of a request that is not answered yet is refused: 409', async () => {
    const { contract } = await compileDocument(JSON.stringify(payments(header('X-Idempotency-Key'))))
    const sandbox = createSandbox({ contract })
    const post = () =>
      sandbox.fetch('http://localhost/payments', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Idempotency-Key': 'k' },
        body: '{"amount":1}',
      })
    await sandbox.faults.add({ operation: 'pay', times: 1, delayMs: 1500 })
    const first = post()
    await sandbox.exchanges.wait({ operation: 'pay' })
    const second = await post()
    expect([second.status, (await second.json()).code]).toEqual([409, 'conflict'])
    expect((await first).status).toBe(201)
    await expect.poll(async () => (await post()).status).toBe(201)
    const notes = (await sandbox.exchanges.list({ operation: 'pay', status: 201 })).flatMap((each) => each.notes)
    expect(notes).toContain('answered like the first request with the idempotency key "k"')
  })
})

describe('the address of a new record', () => {
  const Leaf = { type: 'object', properties: { id: { type: 'string' }, n: { type: 'integer' } } }
  const created = (schema: object) => ({ description: '', headers: { Location: { schema } }, content: json(Leaf) })
  const key = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } })
  const leaf = { description: '', content: json(Leaf) }
  const crud = (schema: object) => ({
    post: { requestBody: { content: json(Leaf) }, responses: { '201': created(schema) } },
  })
  const { send } = serve(
    documentOf(
      {
        '/trees': { post: { requestBody: { content: json(Leaf) }, responses: { '201': leaf } } },
        '/trees/{id}': { parameters: [key('id')], get: { responses: { '200': leaf } } },
        '/trees/{tree}/leaves': crud({ type: 'string' }),
        '/trees/{tree}/leaves/{leaf}': {
          parameters: [key('tree'), key('leaf')],
          get: { responses: { '200': leaf } },
          delete: { responses: { '204': { description: '' } } },
        },
        '/roots': crud({ type: 'string', format: 'uri' }),
        '/roots/{id}': { parameters: [key('id')], get: { responses: { '200': leaf } } },
        '/lost': crud({ type: 'string' }),
      },
      { servers: [{ url: 'https://api.example.com/v2' }] },
    ),
    { scenario: { trees: [{ id: 'oak' }] } },
  )

  it.each([
    ['/v2/trees', { id: 'elm' }, undefined],
    ['/v2/trees/oak/leaves', { id: 'a/b' }, '/v2/trees/oak/leaves/a%2Fb'],
    ['/v2/lost', { id: 'x' }, undefined],
  ])('POST %s %j has %s', async (path, body, location) => {
    const answer = await send('POST', path, { body })
    expect([answer.status, answer.headers['location']]).toEqual([201, location])
    if (location !== undefined) expect((await send('GET', location)).text).toBe(answer.text)
  })

  it('is absolute where its format is', async () => {
    const { contract } = await compileDocument(
      JSON.stringify(
        documentOf(
          {
            '/roots': crud({ type: 'string', format: 'uri' }),
            '/roots/{id}': { parameters: [key('id')], get: { responses: { '200': leaf } } },
          },
          { servers: [{ url: 'https://api.example.com/v2' }] },
        ),
      ),
    )
    const { fetch } = createSandbox({ contract })
    const headers = { 'Content-Type': 'application/json' }
    const { headers: answered } = await fetch('https://api.example.com/v2/roots', {
      method: 'POST',
      headers,
      body: '{"id":"r"}',
    })
    expect(answered.get('location')).toBe('https://api.example.com/v2/roots/r')
  })
})

describe('a document that says nothing of it', () => {
  const Plain = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer', readOnly: true }, a: { type: 'string' } },
  }
  const paths = {
    '/plain': {
      get: {
        parameters: [
          { name: 'page', in: 'query', schema: { type: 'integer' } },
          { name: 'per_page', in: 'query', schema: { type: 'integer' } },
        ],
        responses: {
          '200': { description: '', content: json({ type: 'array', items: Plain }) },
          '429': { description: '' },
        },
      },
      post: { requestBody: { content: json(Plain) }, responses: { '201': { description: '', content: json(Plain) } } },
    },
    '/plain/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: { '200': { description: '', content: json(Plain) }, default: { description: '' } } },
      put: { requestBody: { content: json(Plain) }, responses: { '200': { description: '', content: json(Plain) } } },
    },
    '/ranged': { get: { responses: { '200': { description: '' }, '4XX': { description: '' } } } },
    '/timed': {
      get: {
        responses: {
          '200': { description: '' },
          '4XX': { description: '', headers: { 'retry-after': { example: 30, schema: { type: 'integer' } } } },
        },
      },
    },
  }
  const data = { plain: [1, 2, 3].map((id) => ({ id, a: 'x' })) }

  describe('gets none of it', () => {
    const { send } = serve(documentOf(paths), { scenario: data })
    it.each([
      ['GET', '/plain/1', { headers: [['If-None-Match', '*']] }, 200],
      ['PUT', '/plain/1', { headers: [['If-Match', '"x"']], body: { a: 'y' } }, 200],
      ['POST', '/plain', { headers: [['Idempotency-Key', 'k']], body: { a: 'y' } }, 201],
      ['POST', '/plain', { headers: [['Idempotency-Key', 'k']], body: { a: 'z' } }, 201],
      ['GET', '/plain/1', { headers: [['Accept', 'text/csv']] }, 200],
      ['GET', '/ranged', { headers: [['Prefer', 'code=429']] }, 429],
    ] as const)('%s %s with %j: %i', async (method, target, sent, status) => {
      const answer = await send(method, target, sent)
      expect(answer.status).toBe(status)
      for (const name of ['etag', 'location', 'last-modified', 'retry-after'])
        expect(answer.headers).not.toHaveProperty(name)
    })
  })

  describe('gets all of it that is asked for', () => {
    const { send } = serve(documentOf(paths), { scenario: data, httpCare: true })
    it.each([
      ['GET', '/plain/1', {}, 200, { etag: /^"/ }],
      ['GET', '/plain/1', { headers: [['If-None-Match', '*']] }, 304, { etag: /^"/ }],
      ['PUT', '/plain/1', { headers: [['If-Match', '"x"']], body: { a: 'y' } }, 412, {}],
      ['POST', '/plain', { headers: [['Idempotency-Key', 'k']], body: { a: 'y' } }, 201, { location: /^\/plain\/4$/ }],
      ['POST', '/plain', { headers: [['Idempotency-Key', 'k']], body: { a: 'y' } }, 201, { location: /^\/plain\/4$/ }],
      ['POST', '/plain', { headers: [['Idempotency-Key', 'k']], body: { a: 'z' } }, 422, {}],
      ['GET', '/plain/1', { headers: [['Accept', 'text/csv']] }, 406, {}],
      ['GET', '/plain/1', { headers: [['Accept', 'application/*;q=0.5']] }, 200, {}],
      ...[
        ['/plain', 429, /^1$/] as const,
        ['/plain/1', 429, /^1$/] as const,
        ['/ranged', 429, /^1$/] as const,
        ['/ranged', 503, /^1$/] as const,
        ['/timed', 429, /^30$/] as const,
      ].map(
        ([target, code, wait]) =>
          ['GET', target, { headers: [['Prefer', `code=${code}`]] }, code, { 'retry-after': wait }] as const,
      ),
    ] as const)('%s %s with %j: %i', async (method, target, sent, status, headers) => {
      const answer = await send(method, target, sent)
      expect(answer.status).toBe(status)
      for (const [name, value] of Object.entries(headers)) expect(answer.headers[name]).toMatch(value)
    })
  })

  it('sends no Retry-After with an error that stays', async () => {
    const { contract } = await compileDocument(JSON.stringify(documentOf(paths)))
    const sandbox = createSandbox({ contract, httpCare: true })
    const answer = await sandbox.fetch('http://localhost/ranged', { headers: { Prefer: 'code=418' } })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([418, null])
  })

  it('can also get it as a contract', async () => {
    const { contract } = await compileDocument(JSON.stringify(documentOf(paths)))
    const sandbox = createSandbox({ contract: withHttpCare(contract), scenario: data })
    expect((await sandbox.fetch('http://localhost/plain/1')).headers.get('etag')).toMatch(/^"/)
    expect((await sandbox.fetch('http://localhost/plain?per_page=2')).headers.get('link')).toContain('rel="next"')
    await sandbox.faults.add({ times: 1, status: 503 })
    expect((await sandbox.fetch('http://localhost/plain/1')).headers.get('retry-after')).toBe('1')
  })
})

it('has one entity tag for each media type, and a change takes each of them', async () => {
  const both = { 'application/json': { schema: Note }, 'application/xml': { schema: Note } }
  const document = documentOf({
    '/notes/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { responses: { '200': { description: '', headers: { ETag: text }, content: both } } },
      put: {
        parameters: [header('If-Match')],
        requestBody: written,
        responses: { '200': { description: '', content: both } },
      },
    },
    '/notes': { post: { requestBody: written, responses: { '201': { description: '', content: both } } } },
  })
  const { contract } = await compileDocument(JSON.stringify(document))
  const sandbox = createSandbox({ contract, scenario: { notes: [{ id: 'a', text: 'one' }] } })
  const get = (accept: string, tag = '"none"') =>
    sandbox.fetch('http://localhost/notes/a', { headers: { Accept: accept, 'If-None-Match': tag } })
  const tags = await Promise.all(
    ['application/json', 'application/xml'].map(async (type) => (await get(type)).headers.get('etag') ?? ''),
  )
  expect(new Set(tags).size).toBe(2)
  expect((await get('application/xml', tags[0])).status).toBe(200)
  const same = await get('application/xml', tags[1])
  expect([same.status, same.headers.get('vary')]).toEqual([304, 'Accept'])
  for (const accept of ['application/json', 'application/xml']) {
    const tag = (await get(accept)).headers.get('etag') ?? ''
    const response = await sandbox.fetch('http://localhost/notes/a', {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json', 'If-Match': tag },
      body: '{"text":"one"}',
    })
    expect(response.status).toBe(200)
  }
})

it('answers once where two replicas get a request at the same time', async () => {
  // Each call of the store waits, and every third one is told of a conflict.
  const store = createFakeStore((call) => ({
    before: call % 4,
    after: 1,
    ...(call % 3 === 2 && { fault: 'conflict' }),
  }))
  const replicas = [createSandbox({ store, httpCare: true }), createSandbox({ store, httpCare: true })]
  const pay = (sandbox: (typeof replicas)[number]) =>
    sandbox.fetch('https://api.petstore.example/v1/pets', {
      method: 'POST',
      headers: { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json', 'Idempotency-Key': 'once' },
      body: '{"name":"Rex","categoryId":7}',
    })
  const answers = await Promise.all([...replicas, ...replicas, ...replicas].map(pay))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(new Set(await Promise.all(answers.map((each) => each.text()))).size).toBe(1)
  const [first] = replicas
  const pets = first?.world('sandbox').collection('pets', 'production')
  expect(await pets?.size()).toBe(121)
})

it('lets pages of other origins read the documented headers', async () => {
  const headers = { 'x-Total': text, ETag: text, 'Content-Language': text, Link: text }
  const document = documentOf({ '/a': { get: { responses: { '200': { description: '', headers } } } } })
  const { contract } = await compileDocument(JSON.stringify(document))
  const exposedBy = async (model: typeof contract) => {
    const { fetch } = createSandbox({ contract: model })
    const answer = await fetch('http://localhost/a', { headers: { Origin: 'https://page.example' } })
    return answer.headers.get('access-control-expose-headers')?.split(', ').slice(7)
  }
  expect(await exposedBy(contract)).toEqual(['x-Total', 'ETag'])
  expect(await exposedBy(withHttpCare(contract))).toEqual(['x-Total', 'ETag', 'Location'])
})
