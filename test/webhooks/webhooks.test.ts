/** Callbacks and webhooks: what is sent, where, when and how often. */
import { readFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createSandbox, type Exchange, type Sandbox, type SandboxOptions } from 'petstore-sandbox'
import { createHandlers } from 'petstore-sandbox/msw'
import { calls } from 'petstore-sandbox/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { compileOnce } from '../support/compile-once.js'
import { createFakeStore } from '../support/fake-store.js'
import { type HookParts, hookDocument, json, orderSchema, sending } from '../support/webhook-document.js'

const text = { type: 'string' }
const target = 'http://receiver.example/hook'
const toTarget = { [target]: sending(orderSchema) }

interface Sent {
  method: string
  url: string
  headers: Headers
  body: unknown
}

/** A sandbox whose clock moves only by calls. @param statuses of the answers that it gets, the last one for all others */
async function open(parts: HookParts, { statuses = [200], ...options }: SandboxOptions & { statuses?: number[] } = {}) {
  const { contract, notes } = await compileOnce(hookDocument(parts))
  const sent: Sent[] = []
  const sandbox = createSandbox({
    contract,
    at: '2026-11-23T00:00:00Z',
    now: () => 0,
    async fetch(url, { method = '', headers, body }) {
      sent.push({ method, url, headers: new Headers(headers), body: body ? JSON.parse(String(body)) : undefined })
      return new Response('thanks', { status: statuses[Math.min(sent.length, statuses.length) - 1] ?? 200 })
    },
    ...options,
  })
  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const init = {
      method,
      headers: { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    return sandbox.fetch(`https://orders.example/v1${path}`, init)
  }
  const order = (values: object = {}, headers?: Record<string, string>) =>
    send('POST', '/orders', { item: 'Lamp', ...values }, headers)
  /** The next exchange that the sandbox sends, after one. */
  const next = (after = 0, name: string | true = true): Promise<Exchange> =>
    sandbox.exchanges.wait({ sent: name, after })
  return { sandbox, notes: notes().map(({ message, instead }) => `${message}; ${instead}`), sent, send, order, next }
}

/** Something that should not be sent would usually be sent when this resolves. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 20))
/** Waits until as many attempts are in the journal. */
const untilSent = (sandbox: Sandbox, count: number) =>
  expect.poll(async () => (await sandbox.exchanges.list({ sent: true })).length, { interval: 2 }).toBe(count)
const callback = (key: string, item: object = sending(orderSchema)) => ({
  create: { callbacks: { done: { [key]: item } } },
})

describe('callbacks', () => {
  it.each([
    ['{$request.body#/callbackUrl}', 'http://a.example/b?c=d'],
    ['$request.body#/callbackUrl', 'http://a.example/b?c=d'],
    ['{$request.body#/callbackUrl}&id={$response.body#/id}', 'http://a.example/b?c=d&id=1'],
    ['http://a.example/{$response.body#/id}/{$statusCode}/{$method}', 'http://a.example/1/201/POST'],
    [
      'http://a.example/?url={$url}',
      'http://a.example/?url=https%3A%2F%2Forders.example%2Fv1%2Forders%3Fq%3Da%2Bb%2526',
    ],
    ['http://a.example/?q={$request.query.q}', 'http://a.example/?q=a%20b%26'],
    ['http://{$request.header.x-host}/', 'http://b.example:81/'],
    ['{$request.header.X-Webhook}', 'http://c.example/'],
    ['http://a.example/?t={$response.header.content-type}', 'http://a.example/?t=application%2Fjson'],
    ['http://a.example/?all={$request.body#/tags/1}', 'http://a.example/?all=two'],
    ['http://a.example/?b={$request.body}', /^http:\/\/a\.example\/\?b=%7B%22item%22/],
  ])('go to %s', async (key, url) => {
    const { send, next } = await open(callback(key))
    const body = { item: 'Lamp', callbackUrl: 'http://a.example/b?c=d', tags: ['one', 'two'] }
    const headers = { 'X-Webhook': 'http://c.example/', 'X-Host': 'b.example:81' }
    expect((await send('POST', '/orders?q=a+b%26', body, headers)).status).toBe(201)
    const { sent, response } = await next()
    expect(sent).toMatchObject({ name: 'done', operation: 'createOrder', attempt: 1 })
    expect(sent?.url).toEqual(typeof url === 'string' ? url : expect.stringMatching(url))
    expect(response).toMatchObject({ status: 200, body: 'thanks' })
  })

  it('use a property that no record has, which is not noted as dropped', async () => {
    const { send, sandbox, next } = await open(callback('{$request.body#/hooks/done}'))
    await send('POST', '/orders', { item: 'Lamp', hooks: { done: 'http://a.example/' } })
    await next()
    expect((await sandbox.exchanges.list({ operation: 'createOrder' })).map(({ notes }) => notes)).toEqual([[]])
  })

  it('know the parameters of the path', async () => {
    const text = JSON.parse(hookDocument({})) as { paths: Record<string, Record<string, object>> }
    Object.assign(text.paths['/orders/{id}']?.['put'] ?? {}, callback('http://a.example/{$request.path.id}').create)
    const { paths } = text
    const { send, next } = await open({ root: { paths } })
    await send('POST', '/orders', { item: 'Lamp' })
    await send('PUT', '/orders/1', { item: 'Desk' })
    expect(await next()).toMatchObject({
      sent: { url: 'http://a.example/1' },
      request: { body: '{"id":1,"item":"Desk"}' },
    })
  })

  it.each([
    ['{$request.body#/callbackUrl}', 'not sent: $request.body#/callbackUrl has no value in this exchange'],
    ['http://a.example/{$request.query.none}', 'not sent: $request.query.none has no value in this exchange'],
    ['http://a.example/{$response.query.q}', 'not sent: $response.query.q has no value in this exchange'],
    ['http://a.example/{$response.header.none}', 'not sent: $response.header.none has no value in this exchange'],
    ['{$request.body#/item}', 'not sent: "Lamp" is not an absolute URL'],
    ['/relative', 'not sent: "/relative" is not an absolute URL; start with --webhook-url to give its base'],
    ['{$request.header.x-ftp}', 'not sent: a request can only be sent to http and https (got "ftp:")'],
  ])('to %s are not sent, and the journal says why', async (key, note) => {
    const { order, next, sent } = await open(callback(key))
    await order({}, { 'X-Ftp': 'ftp://a.example/' })
    expect(await next()).toMatchObject({ notes: [note], sent: { attempt: 0, url: '' }, response: { status: 0 } })
    expect(sent).toEqual([])
  })

  it('to a path go to the base that the user gives', async () => {
    const { order, next } = await open(callback('done?id={$response.body#/id}'), {
      webhookUrl: 'http://b.example/hooks/',
    })
    await order()
    expect((await next()).sent?.url).toBe('http://b.example/hooks/done?id=1')
  })

  it('have the method, the media type and the body of their operation', async () => {
    const { order, sent, next } = await open(callback(target, { put: sending(orderSchema).post }))
    await order({ item: 'Lamp', status: 'placed', secret: 'hidden' })
    const { request } = await next()
    expect(request).toMatchObject({ method: 'PUT', path: '/hook', query: '' })
    expect(sent).toMatchObject([{ method: 'PUT', url: target, body: { id: 1, item: 'Lamp', status: 'placed' } }])
    const [{ headers }] = sent as [Sent]
    expect(headers.get('content-type')).toBe('application/json')
    expect(headers.get('user-agent')).toBe('petstore-sandbox')
    expect(headers.get('sandbox-delivery')).toMatch(/^[a-z\d]+-1-1$/)
  })

  it('are found behind every $ref, in documents of 3.0 and 3.1', async () => {
    for (const openapi of ['3.0.3', '3.1.0', '3.2.0']) {
      const { order, next } = await open({
        openapi,
        create: { callbacks: { done: { $ref: '#/components/callbacks/Done' } } },
        components: {
          callbacks: { Done: { '{$request.body#/callbackUrl}': { $ref: '#/components/pathItems/Webhook' } } },
          pathItems: {
            Webhook: {
              post: {
                requestBody: { $ref: '#/components/requestBodies/Webhook' },
                responses: { 200: { description: 'Ok' } },
              },
            },
          },
          requestBodies: { Webhook: json({ $ref: '#/components/schemas/Alias' }) },
        },
        schemas: { Alias: orderSchema },
      })
      await order({ callbackUrl: target })
      expect((await next()).request.body, openapi).toBe(`{"id":1,"item":"Lamp","callbackUrl":"${target}"}`)
    }
  })

  it('have the parameters that they must have', async () => {
    const parameters = [
      { name: 'X-Event', in: 'header', required: true, schema: { enum: ['order.shipped', 'order.done'] } },
      { name: 'X-Example', in: 'header', required: true, example: 'shown', schema: { type: 'string' } },
      { name: 'v', in: 'query', required: true, schema: { type: 'integer', default: 2 } },
      { name: 'X-Other', in: 'header', schema: { type: 'string' } },
      ...['Connection', 'content-length', 'Expect', 'Host', 'TE', 'Transfer-Encoding'].map((name) => {
        return { name, in: 'header', required: true, example: 'ours', schema: { type: 'string' } }
      }),
    ]
    const { order, next, sent } = await open(callback(target, { parameters, ...sending(orderSchema) }))
    await order()
    await next()
    expect(sent[0]?.url).toBe(`${target}?v=2`)
    const { headers } = sent[0] as Sent
    expect(['x-event', 'x-example', 'x-other'].map((name) => headers.get(name))).toEqual(['order.done', 'shown', null])
    expect([...headers.values()]).not.toContain('ours')
  })

  it.each([
    ['is refused', { item: 5 }, {}],
    ['is forced', { item: 'Lamp' }, { Prefer: 'code=201' }],
  ])('are not sent if the request %s', async (_, body, headers) => {
    const { send, sandbox } = await open(callback(target))
    await send('POST', '/orders', body, headers as Record<string, string>)
    await settled()
    expect(await sandbox.exchanges.list({ sent: true })).toEqual([])
  })

  it('are sent beside faults that only delay, and not beside others', async () => {
    const { order, sandbox, next } = await open(callback(target))
    await sandbox.faults.add({ operation: 'createOrder', times: 1, status: 201 })
    await sandbox.faults.add({ operation: 'createOrder', times: 1, drop: true })
    await sandbox.faults.add({ operation: 'createOrder', times: 1, delayMs: 1 })
    await order()
    await order().catch(() => undefined)
    await order()
    await next()
    await settled()
    const sent = await sandbox.exchanges.list({ sent: true })
    expect(sent.map(({ request }) => request.body)).toEqual(['{"id":1,"item":"Lamp"}'])
  })

  it.each([
    [
      '{request.body#/url}',
      '"{request.body#/url}" is not a runtime expression such as {$request.body#/url}; it is not sent',
    ],
    ['mailto:a@b.example', 'A request can only be sent to http and https (got "mailto:"); it is not sent'],
  ])('leave a note if %s is no place', async (key, note) => {
    const { notes, order, sandbox } = await open(callback(key))
    expect(notes).toContain(note)
    expect((await order()).status).toBe(201)
    await settled()
    expect(await sandbox.exchanges.list({ sent: true })).toEqual([])
  })
})

describe('webhooks', () => {
  const event = {
    type: 'object',
    required: ['event', 'at', 'id', 'order', 'extra'],
    additionalProperties: false,
    properties: {
      event: { enum: ['order.created', 'order.deleted', 'order.updated'] },
      at: { type: 'string', format: 'date-time' },
      id: { type: 'string', format: 'uuid' },
      orderId: { type: 'integer' },
      previousOrder: orderSchema,
      order: orderSchema,
      extra: { type: 'string', minLength: 5 },
    },
  }
  const webhooks = {
    orderCreated: sending(event),
    orderDeleted: sending(event),
    flat: sending({
      type: 'object',
      properties: { item: { type: 'string' }, topic: { type: 'string' }, order_id: { type: 'integer' } },
    }),
    inline: sending({
      type: 'object',
      properties: {
        data: { type: 'object', properties: { id: { type: 'integer' }, item: { type: 'string' } } },
        id: { type: 'string', example: 'evt_1' },
      },
    }),
    form: { post: { requestBody: { content: { 'application/x-www-form-urlencoded': { schema: orderSchema } } } } },
    text: { post: { requestBody: { content: { 'text/plain': { schema: { type: 'string' }, example: 'hello' } } } } },
    empty: { post: {} },
  }
  const withRules = (rules: object, member = 'webhooks') => ({
    root: { [member]: webhooks, 'x-sandbox-webhooks': rules },
  })

  it.each(['webhooks', 'x-webhooks'])('of %s are sent after the operations of their rules', async (member) => {
    const rules = { orderCreated: 'createOrder', orderDeleted: { on: ['deleteOrder'], url: target } }
    const { order, send, next, sandbox, sent } = await open(withRules(rules, member), {
      webhookUrl: 'http://all.example/',
    })
    await sandbox.faults.add({ operation: 'listOrders', status: 503 })
    await order()
    const created = await next(0, 'orderCreated')
    expect(created.sent?.url).toBe('http://all.example/')
    await send('DELETE', '/orders/1')
    const deleted = await next(created.id, 'orderDeleted')
    expect(deleted.sent).toMatchObject({ url: target, operation: 'deleteOrder' })
    const at = '2026-11-23T00:00:00.000Z'
    const order1 = { id: 1, item: 'Lamp' }
    expect(sent.map(({ body }) => body)).toMatchObject([
      { event: 'order.created', at, orderId: 1, order: order1 },
      { event: 'order.deleted', at, orderId: 1, order: order1 },
    ])
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile({
      ...event,
      components: { schemas: { Order: { type: 'object', required: ['id', 'item'] } } },
    })
    for (const { body } of sent) expect(validate(body), JSON.stringify(validate.errors)).toBe(true)
    expect(sent[0]?.body).not.toMatchObject({ previousOrder: { item: 'Lamp' } })
    // A test that waits for a call of an operation does not get what the sandbox sent.
    expect(calls(sandbox, 'createOrder')).toHaveLength(1)
    expect(await sandbox.exchanges.list({ sent: false })).toHaveLength(2)
  })

  it.each([
    ['flat', { item: 'Lamp', topic: 'flat', order_id: 1 }],
    ['inline', { data: { id: 1, item: 'Lamp' }, id: expect.stringMatching(/^evt_\d{12}$/) }],
  ])('show what a body of its own has of the record: %s', async (name, body) => {
    const { order, next, sent } = await open(withRules({ [name]: { on: 'createOrder', url: target } }))
    await order()
    await next()
    expect(sent[0]?.body).toEqual(body)
  })

  it.each([
    ['form', 'application/x-www-form-urlencoded', 'id=1&item=A+%26+B'],
    ['text', 'text/plain', 'hello'],
    ['empty', undefined, undefined],
  ])('have every kind of body: %s', async (name, mediaType, body) => {
    const { order, next } = await open(withRules({ [name]: { on: 'createOrder', url: target } }), {
      fetch: async () => new Response(null, { status: 204 }),
    })
    await order({ item: 'A & B' })
    const { request } = await next()
    expect(request.body).toBe(body)
    expect(request.headers[request.headers.indexOf('Content-Type') + 1]).toBe(mediaType ?? 'User-Agent')
  })

  it.each([
    { type: 'string', maxLength: 3 },
    { type: 'string', pattern: '^[A-Z]{2}\\d$' },
    { enum: ['Desk', 'Chair'] },
    { type: 'integer', multipleOf: 7 },
    { type: 'array', minItems: 2, uniqueItems: true, items: { type: 'boolean' } },
    { oneOf: [{ const: 1 }, { type: 'object', required: ['a'], properties: { a: { type: 'null' } } }] },
  ])('have a valid body, also where the record is not: %j', async (item) => {
    const schema = { type: 'object', required: ['id', 'item'], properties: { id: { type: 'integer' }, item } }
    const root = {
      webhooks: { done: sending(schema) },
      'x-sandbox-webhooks': { done: { on: 'createOrder', url: target } },
    }
    const { order, next, sent } = await open({ root })
    await order()
    await next()
    const validate = new Ajv2020({ strict: false }).compile(schema)
    expect(validate(sent[0]?.body), JSON.stringify(sent[0]?.body)).toBe(true)
    expect(sent[0]?.body).toMatchObject({ id: 1 })
  })

  it('go to all who registered', async () => {
    const rule = { on: 'createOrder', url: { collection: 'hooks', property: 'url' } }
    const { order, send, sandbox } = await open(withRules({ orderCreated: rule }))
    await order()
    for (const name of ['a', 'b']) await send('POST', '/hooks', { url: `http://${name}.example/` })
    await send('POST', '/hooks', { url: 'http://c.example/' }, { Authorization: 'Bearer sandbox-other' })
    await order()
    await untilSent(sandbox, 2)
    const sent = await sandbox.exchanges.list({ sent: true })
    expect(sent.map((each) => each.sent?.url).sort()).toEqual(['http://a.example/', 'http://b.example/'])
  })

  it('follow the statuses that a rule names', async () => {
    const rule = { on: 'createOrder', url: target, status: ['4xx', 500] }
    const { order, next, sandbox } = await open(withRules({ empty: rule }))
    await order()
    await order({ item: 5 })
    await next()
    expect(await sandbox.exchanges.list({ sent: true })).toHaveLength(1)
  })

  it.each([
    [{ emty: 'createOrder' }, 'The document has no webhook "emty"; the closest is "empty"; it is not sent'],
    [
      { empty: 'createOrders' },
      'on must be the id of an operation or a list of them (got "createOrders"); the closest is "createOrder"; it is not sent',
    ],
    [{ empty: { on: [] } }, 'on must name an operation; it is not sent'],
    [{ empty: { on: 'createOrder', uri: 'x' } }, 'A webhook has no member "uri"; the closest is "url"; it is ignored'],
    [
      { empty: { on: 'createOrder', url: 5 } },
      'url must be a URL, an expression, or { collection, property } of the records that have one (got 5); it is not sent',
    ],
    [
      { empty: { on: 'createOrder', url: { collection: 'hook', property: 'url' } } },
      'There is no collection "hook"; the closest is "hooks"; it is not sent',
    ],
    [
      { empty: { on: 'createOrder', url: { collection: 'hooks', property: 'uri' } } },
      'The records of "hooks" have no property "uri"; the closest is "url"; it is not sent',
    ],
    [
      { empty: { on: 'createOrder', status: 'ok' } },
      'status must be a status such as 201 or 2XX, or a list of them (got "ok"); every success counts',
    ],
    [
      { empty: { on: 'createOrder', delayMs: -1 } },
      'delayMs must be milliseconds, at most a year (got -1); it is ignored',
    ],
    [
      { empty: { on: 'createOrder', retries: 11 } },
      'retries must be a number up to 10, or the milliseconds before each of them (got 11); the usual retries are made',
    ],
    [[], 'x-sandbox-webhooks must be an object with rules by the names of webhooks; it is ignored'],
  ])('with the rule %j leave a note', async (rules, note) => {
    const { notes, order } = await open(withRules(rules))
    expect(notes).toContain(note)
    expect((await order()).status).toBe(201)
  })

  it('without a URL are in the journal with the way out', async () => {
    const { order, next } = await open(withRules({ empty: 'createOrder' }))
    await order()
    const way = 'give its rule in x-sandbox-webhooks a "url", or start with --webhook-url'
    expect((await next()).notes).toEqual([`not sent: no URL is known for it: ${way}`])
  })
})

describe('time', () => {
  const delayed = (more: object) => callback(target, sending(orderSchema, more))
  const urls = async ({ sandbox }: Awaited<ReturnType<typeof open>>) =>
    (await sandbox.exchanges.list({ sent: true })).map(({ sent }) => `${sent?.url} ${sent?.attempt}`)

  it('passes by the clock of the world, whose moves send what is due', async () => {
    const opened = await open(delayed({ 'x-sandbox-delay': 50_000 }))
    const { sandbox, order, next } = opened
    await order()
    await sandbox.world().clock.advance(49_999)
    await settled()
    expect(await urls(opened)).toEqual([])
    await sandbox.world().clock.advance(1)
    expect(await next()).toMatchObject({ at: Date.parse('2026-11-23T00:00:50Z'), sent: { attempt: 1 } })
  })

  it('passes with the clock of the sandbox, which that of the world follows', async () => {
    const { sandbox, order, next } = await open(delayed({ 'x-sandbox-delay': 50_000 }))
    await order()
    await sandbox.clock.travelTo('2026-11-23T00:00:50Z')
    expect((await next()).sent).toMatchObject({ attempt: 1 })
  })

  it('stands still with a frozen clock, and goes on with it', async () => {
    let now = 0
    const opened = await open(delayed({ 'x-sandbox-delay': 50 }), { now: () => now })
    const { sandbox, order, next } = opened
    const { clock } = sandbox.world()
    await clock.freeze()
    await order()
    now += 60
    await settled()
    await clock.resume()
    await settled()
    expect(await urls(opened)).toEqual([])
    now += 50
    await clock.freeze()
    expect((await next()).sent?.attempt).toBe(1)
  })

  it('goes on with a clock that stood still when it was due', async () => {
    let now = 0
    const { sandbox, order, next } = await open(delayed({ 'x-sandbox-delay': 10 }), { now: () => now })
    const { clock } = sandbox.world()
    await order()
    await clock.freeze()
    now += 20
    await settled()
    expect(await sandbox.exchanges.list({ sent: true })).toEqual([])
    await clock.resume()
    now += 20
    expect((await next()).sent?.attempt).toBe(1)
  })

  it('passes by itself, also after it stood still', async () => {
    vi.useFakeTimers({ now: 0 })
    onTestFinished(() => void vi.useRealTimers())
    const { order, sandbox, sent } = await open(delayed({ 'x-sandbox-delay': 60_000 }), { now: Date.now })
    await order()
    await vi.advanceTimersByTimeAsync(59_999)
    expect(sent).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(sent).toHaveLength(1)
    await order()
    await sandbox.world().clock.freeze()
    await vi.advanceTimersByTimeAsync(90_000)
    await sandbox.world().clock.resume()
    await vi.advanceTimersByTimeAsync(59_999)
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(sent).toHaveLength(2)
  })

  it('ends for what is just sent when the world is another one', async () => {
    const answers: ((response: Response) => void)[] = []
    const fetch = () => new Promise<Response>((resolve) => answers.push(resolve))
    const { order, sandbox } = await open(callback(target), { fetch })
    await order()
    await expect.poll(() => answers.length).toBe(1)
    await sandbox.world().reset()
    for (const answer of answers) answer(new Response())
    await settled()
    expect(await sandbox.exchanges.list({ sent: true })).toEqual([])
  })

  it('keeps the order of requests to one origin', async () => {
    const events: string[] = []
    const fetch = async (url: string) => {
      events.push(`begins ${url}`)
      await settled()
      events.push(`ends ${url}`)
      return new Response()
    }
    const { order, sandbox } = await open(callback('{$request.body#/callbackUrl}'), { fetch })
    for (const url of ['http://a.example/1', 'http://a.example/2', 'http://b.example/3'])
      await order({ callbackUrl: url })
    await untilSent(sandbox, 3)
    expect(events.indexOf('begins http://b.example/3')).toBeLessThan(events.indexOf('ends http://a.example/2'))
    expect(events.indexOf('ends http://a.example/1')).toBeLessThan(events.indexOf('begins http://a.example/2'))
  })

  it('orders what is due', async () => {
    const at = (url: string, delay: number) => ({ [url]: sending(orderSchema, { 'x-sandbox-delay': delay }) })
    const late = { ...at(`${target}?late`, 3000), ...at(`${target}?soon`, 1000), ...at(`${target}?later`, 3001) }
    const { sandbox, order, next, sent } = await open({ create: { callbacks: { late } } })
    await order()
    await sandbox.world().clock.advance(10_000)
    const first = await next()
    await next((await next(first.id)).id)
    expect(sent.map(({ url }) => url.split('?')[1])).toEqual(['soon', 'late', 'later'])
  })

  it.each([
    [
      'one world',
      ['http://a.example/1', 'http://b.example/2', 'http://a.example/3'],
      ['sandbox', 'sandbox', 'sandbox'],
    ],
    ['several worlds', ['http://a.example/1', 'http://b.example/2', 'http://c.example/3'], ['one', 'two', 'one']],
  ])('orders what is due at several origins, in %s', async (_, targets, keys) => {
    const at = (delay: number) => sending(orderSchema, { 'x-sandbox-delay': delay })
    const timed = { '{$request.header.a}': at(1), '{$request.header.b}': at(2), '{$request.header.c}': at(3) }
    const { sandbox, order, sent } = await open({ create: { callbacks: { timed } } })
    for (const index of [2, 1, 0])
      await order({}, { Authorization: `Bearer ${keys[index]}`, [['a', 'b', 'c'][index] ?? '']: targets[index] ?? '' })
    await sandbox.clock.advance(10)
    await expect.poll(() => sent.map(({ url }) => url), { interval: 2 }).toEqual(targets)
  })

  it('orders what was due when it was added, too', async () => {
    let now = 0
    const at = (delay: number) => sending(orderSchema, { 'x-sandbox-delay': delay })
    const timed = { '{$request.header.a}': at(0), '{$request.header.b}': at(1000) }
    const { sandbox, order, sent } = await open({ create: { callbacks: { timed } } }, { now: () => now })
    await order({}, { b: 'http://a.example/1' })
    now = 2000
    await order({}, { a: 'http://a.example/2' })
    await sandbox.clock.advance(1)
    await expect.poll(() => sent.length, { interval: 2 }).toBe(2)
    expect(sent.map(({ url }) => url)).toEqual(['http://a.example/1', 'http://a.example/2'])
  })

  it('is that of each world', async () => {
    const opened = await open(delayed({ 'x-sandbox-delay': 1000 }))
    const { sandbox, order, next } = opened
    await order()
    await order({ item: 'Desk' }, { Authorization: 'Bearer other' })
    await sandbox.world('other').clock.advance(1000)
    expect(await next()).toMatchObject({ key: 'other', request: { body: expect.stringContaining('Desk') } })
    await settled()
    expect(await urls(opened)).toHaveLength(1)
  })

  it.each([
    ['world.reset()', async ({ sandbox }) => sandbox.world().reset()],
    ['world.restore()', async ({ sandbox }) => sandbox.world().restore(await sandbox.world().snapshot())],
    ['fork()', async ({ sandbox }) => void (await sandbox.world('other').fork('sandbox'))],
    ['sandbox.reset()', async ({ sandbox }) => sandbox.reset()],
  ] as [string, (opened: Awaited<ReturnType<typeof open>>) => Promise<void>][])(
    'ends for what was to be sent with %s',
    async (_, replace) => {
      const opened = await open(delayed({ 'x-sandbox-delay': 1000 }))
      await opened.order()
      await replace(opened)
      await opened.sandbox.world().clock.advance(5000)
      await opened.sandbox.clock.advance(5000)
      await settled()
      expect(await urls(opened)).toEqual([])
    },
  )

  it.each([
    [
      [503, 408, 429, 200],
      [0, 1000, 10_000, 60_000],
      [1, 2, 3, 4],
    ],
    [
      [500, 500, 500, 500],
      [0, 1000, 10_000, 60_000, 100_000],
      [1, 2, 3, 4],
    ],
    [[410], [0, 100_000], [1]],
    [[302], [0, 100_000], [1]],
  ])('repeats what was answered with %j', async (statuses, advances, attempts) => {
    const opened = await open(callback(target), { statuses })
    const { sandbox, order } = opened
    await order()
    for (const [index, milliseconds] of advances.entries()) {
      await sandbox.world().clock.advance(milliseconds)
      await untilSent(sandbox, Math.min(index + 1, attempts.length))
    }
    await settled()
    const sent = await sandbox.exchanges.list({ sent: true })
    expect(sent.map((each) => each.sent?.attempt)).toEqual(attempts)
    const ids = new Set(opened.sent.map(({ headers }) => headers.get('sandbox-delivery')))
    expect(ids.size).toBe(1)
    if (statuses.at(-1) === 500) expect(sent.at(-1)?.notes).toEqual(['it is not sent again'])
    if (attempts.length > 1) expect(sent[0]?.notes).toEqual(['it is sent again 1000 ms later'])
  })

  it.each([
    [0, [1]],
    [[7], [1, 2]],
  ])('repeats as often as x-sandbox-retries says: %j', async (retries, attempts) => {
    const opened = await open(delayed({ 'x-sandbox-retries': retries }), { statuses: [500] })
    await opened.order()
    await untilSent(opened.sandbox, 1)
    await opened.sandbox.world().clock.advance(7)
    await untilSent(opened.sandbox, attempts.length)
    await settled()
    expect((await urls(opened)).map((each) => Number(each.at(-1)))).toEqual(attempts)
  })
})

it('keeps what a sandbox without fetch would send in the journal', async () => {
  const { contract } = await compileOnce(hookDocument({ create: { callbacks: { done: toTarget } } }))
  for (const sandbox of [createSandbox({ contract }), createHandlers({ contract }).sandbox]) {
    const headers = { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' }
    const init = { method: 'POST', headers, body: '{"item":"Lamp"}' }
    await sandbox.fetch('https://orders.example/v1/orders', init)
    const { request, notes, sent } = await sandbox.exchanges.wait({ sent: true })
    expect(request).toMatchObject({ method: 'POST', path: '/hook', body: '{"id":1,"item":"Lamp"}' })
    expect(notes).toEqual(['not sent: this sandbox sends nothing: create it with the option "fetch"'])
    expect(sent).toEqual({ name: 'done', operation: 'createOrder', exchange: 1, url: target, attempt: 0 })
  }
})

it('tells what a fetch that rejects said, and cuts long answers', async () => {
  const { order, next } = await open(callback(target), {
    fetch: async () => Promise.reject(new TypeError('fetch failed', { cause: new Error('no route') })),
  })
  await order()
  expect((await next()).notes).toEqual(['no answer: no route', 'it is sent again 1000 ms later'])
  const long = await open(callback(target), { fetch: async () => new Response('x'.repeat(70_000)) })
  await long.order()
  const { response, notes } = await long.next()
  expect([response.body?.length, notes]).toEqual([65_536, ['the answer was cut after 65536 bytes']])
})

it('sends nothing after what is a callback itself, which would have no end', async () => {
  const { order, next, sandbox } = await open(callback(target), {
    async fetch(_, init) {
      return order({}, { 'Sandbox-Delivery': new Headers(init.headers).get('sandbox-delivery') ?? '' })
    },
  })
  await order()
  const first = await next()
  expect(first.notes).toEqual(['not sent: the request before it is a callback or webhook itself'])
  await untilSent(sandbox, 2)
  await settled()
  expect(await sandbox.exchanges.list()).toHaveLength(4)
})

it('does not show credentials of a URL', async () => {
  const { order, next, sent } = await open(callback('{$request.body#/callbackUrl}'))
  await order({ callbackUrl: 'http://me:secret@a.example/hook' })
  expect((await next()).sent?.url).toBe('http://a.example/hook')
  // The global fetch refuses credentials in a URL.
  expect(sent[0]?.url).toBe('http://a.example/hook')
  expect(sent[0]?.headers.get('authorization')).toBe(`Basic ${btoa('me:secret')}`)
})

it('sends after the commit to a store', async () => {
  const { order, next } = await open(callback(target), { store: createFakeStore(() => ({ before: 2, after: 2 })) })
  expect((await order()).status).toBe(201)
  expect((await next()).request.body).toBe('{"id":1,"item":"Lamp"}')
})

it('sends also if the journal keeps nothing', async () => {
  const { order, sent } = await open(callback(target), { journal: { maxExchanges: 0 } })
  await order()
  await expect.poll(() => sent.length).toBe(1)
})

it.each([
  [{ fetch: 'no' }, 'fetch must be a function (got "no")'],
  [{ webhookUrl: 'receiver' }, 'webhookUrl must be a URL with http or https (got "receiver")'],
])('refuses %j', (options, message) => {
  expect(() => createSandbox(options as never)).toThrow(message)
})

describe('sandbox-webhooks.schema.json', async () => {
  const file = new URL('../../spec/sandbox-webhooks.schema.json', import.meta.url)
  const validate = new Ajv2020({ strict: false }).compile(JSON.parse(await readFile(file, 'utf8')) as object)
  const toRecords = { collection: 'hooks', property: 'url' }
  const known: [isValid: boolean, rule: unknown][] = [
    [true, 'createOrder'],
    [true, ['createOrder', 'POST /orders']],
    [true, { on: 'createOrder', url: '{$request.body#/url}', status: [201, '4XX'], delayMs: 5, retries: [1, 2] }],
    [true, { on: ['createOrder'], url: toRecords, status: '2xx', retries: 0, 'x-own': 1 }],
    [false, 5],
    [false, { url: target }],
    [false, { on: [] }],
    [false, { on: 'createOrder', uri: target }],
    [false, { on: 'createOrder', url: { collection: 'hooks' } }],
    [false, { on: 'createOrder', status: 'ok' }],
    [false, { on: 'createOrder', delayMs: -1 }],
    [false, { on: 'createOrder', retries: 11 }],
  ]

  it.each(known)('says as the program does that it is %j: %j', async (isValid, rule) => {
    expect(validate({ done: rule })).toBe(isValid)
    const root = { webhooks: { done: sending(orderSchema) }, 'x-sandbox-webhooks': { done: rule } }
    const { notes } = await compileOnce(hookDocument({ root }))
    const own = notes().filter(({ message }) => !message.includes('"POST /orders"'))
    expect(own.map(({ message }) => message)).toEqual(isValid ? [] : [expect.any(String)])
  })
})

describe('what could go wrong with one', () => {
  const webhook = (schema: object, rule: object): HookParts => ({
    root: {
      webhooks: { orderChanged: sending(schema) },
      'x-sandbox-webhooks': { orderChanged: { url: target, ...rule } },
    },
  })

  it('has the event of the operation that it follows', async () => {
    const event = { enum: ['order.created', 'order.removed', 'order.deleted'] }
    const schema = { type: 'object', required: ['event'], properties: { event } }
    const { order, send, sent, sandbox } = await open(webhook(schema, { on: ['deleteOrder', 'createOrder'] }))
    await order()
    await send('DELETE', '/orders/1')
    await untilSent(sandbox, 2)
    expect(sent.map(({ body }) => body)).toEqual([{ event: 'order.created' }, { event: 'order.deleted' }])
  })

  it.each([
    [{ id: { ...text, examples: ['evt_01HZX'] } }, /^evt_[\dA-Z]{12}$/],
    [{ id: { ...text, example: 'evt_abc' } }, /^evt_\w{24}$/],
    [{ id: { ...text, pattern: '^e[0-9]{12}$', example: 'e123456789012' } }, /^e\d{12}$/],
    [{ id: text }, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/],
    [{ eventId: { type: 'integer', minimum: 1_000, example: 1_001 } }, /^\d{4,}$/],
    [{ event: { type: 'object', properties: { id: text } } }, /^[\da-f-]{36}$/],
  ])('has an id of its own for each event, and not that of its example: %j', async (properties, form) => {
    const schema = { type: 'object', properties: { ...properties, data: orderSchema } }
    const { order, sent, sandbox } = await open(webhook(schema, { on: 'createOrder' }))
    for (const item of ['Lamp', 'Desk', 'Chair']) await order({ item })
    await untilSent(sandbox, 3)
    const [name = ''] = Object.keys(properties)
    const bodies = sent.map(({ body }) => body as Record<string, { id: string }>)
    const ids = bodies.map(({ [name]: value }) => String(value?.id ?? value))
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(form)
    expect(bodies.map(({ data }) => data?.id)).toEqual([1, 2, 3])
  })

  it('has the key of the record where nothing else has it', async () => {
    const schema = { type: 'object', properties: { id: { type: 'integer' }, item: text, event: text } }
    const { order, sent, sandbox } = await open(webhook(schema, { on: 'createOrder' }))
    await order()
    await untilSent(sandbox, 1)
    expect(sent.map(({ body }) => body)).toEqual([{ id: 1, item: 'Lamp', event: 'orderChanged' }])
  })

  it.each([
    ['/hooks/{$request.body#/item}/end', 'a b?c=#d', 'http://hooks.example/hooks/a%20b%3Fc%3D%23d/end'],
    ['/{$request.body#/item}/end', '/evil.example/x', 'http://hooks.example/%2Fevil.example%2Fx/end'],
    ['http://a.example/a/{$request.body#/item}/end', '../../admin', 'http://a.example/a/..%2F..%2Fadmin/end'],
    ['http://a.example/?x={$request.body#/item}', '\ud800', 'http://a.example/?x=%EF%BF%BD'],
  ])('keeps a value in its place of the URL: %s', async (key, item, url) => {
    const { order, sent, sandbox } = await open(callback(key), { webhookUrl: 'http://hooks.example/base' })
    await order({ item })
    await untilSent(sandbox, 1)
    expect(sent.map((each) => each.url)).toEqual([url])
  })

  it.each([[{ required: ['item'], properties: { item: {} }, dependentRequired: { item: ['q'] } }, ['item', 'q']]])(
    'has what its schema requires, also if it names no such property: %j',
    async (schema, names) => {
      const { order, sent, sandbox } = await open(callback(target, sending({ type: 'object', ...schema })))
      await order()
      await untilSent(sandbox, 1)
      expect(sent.map(({ body }) => Object.keys(body as object))).toEqual([names])
      expect(sent[0]?.body).toMatchObject({ item: 'Lamp' })
    },
  )

  it.each([
    ['makes what is lacking', {}, { item: 'Lamp', status: 'placed', property1: expect.any(String) }],
    ['has that of the example', { item: 'Desk', note: 'new' }, { item: 'Lamp', status: 'placed', note: 'new' }],
  ])('keeps all values where its schema needs more properties than it names: %s', async (_, example, body) => {
    const schema = { type: 'object', minProperties: 3, properties: { item: text, status: text } }
    const parts = callback(target, sending({ ...schema, ...(Object.keys(example).length > 0 && { example }) }))
    const { order, sent, sandbox } = await open(parts)
    await order({ status: 'placed' })
    await untilSent(sandbox, 1)
    expect(sent.map((each) => each.body)).toEqual([body])
  })

  it.each([
    [
      'PUT',
      { item: 'Desk', secret: 'top secret', card: { brand: 'V', code: '123' } },
      { item: 'Desk', secret: 'hidden' },
    ],
    ['DELETE', undefined, { item: 'Lamp', secret: 'hidden' }],
  ])(
    'has no value that is writeOnly, also if only the schema of the record says so: %s',
    async (method, body, values) => {
      const card = { type: 'object', properties: { brand: text, code: { ...text, writeOnly: true } } }
      const secret = { ...text, writeOnly: true }
      const Order = { type: 'object', properties: { id: { type: 'integer' }, item: text, secret, card } }
      const shown = { item: text, secret: { ...text, example: 'hidden' }, card: { type: 'object' } }
      const { root } = webhook({ type: 'object', properties: shown }, { on: ['replaceOrder', 'deleteOrder'] })
      const { order, send, sent, sandbox } = await open({ root: { ...root }, schemas: { Order } })
      await order({ secret: 'top secret', card: { brand: 'V', code: '123' } })
      await send(method, '/orders/1', body)
      await untilSent(sandbox, 1)
      expect(sent.map((each) => each.body)).toEqual([{ ...values, card: { brand: 'V' } }])
    },
  )

  it.each(['.', '..'])('does not take the value %s for a step in the path', async (item) => {
    const { order, sent, sandbox } = await open(callback('http://a.example/a/{$request.body#/item}/end'))
    await order({ item })
    await untilSent(sandbox, 1)
    expect(sent).toEqual([])
  })

  it('does not serve less of a document for a status that is none', async () => {
    const { notes } = await open(webhook(orderSchema, { on: 'createOrder', status: { toString: '2XX' } }))
    expect(notes).toEqual([expect.stringContaining('status must be a status such as 201 or 2XX')])
  })

  it('is sent without the body that its method has not', async () => {
    const { post } = sending(orderSchema)
    const { order, sent, sandbox } = await open({ create: { callbacks: { done: { [target]: { get: post } } } } })
    await order()
    await untilSent(sandbox, 1)
    expect(sent).toMatchObject([{ method: 'GET', body: undefined }])
  })

  it('is sent at once, also if the clock goes back before', async () => {
    const { order, sent, sandbox } = await open(callback(target), { now: () => 1_700_000_000_000 })
    await order()
    await sandbox.world().clock.travelTo('2020-01-01T00:00:00Z')
    await untilSent(sandbox, 1)
    expect(sent).toHaveLength(1)
  })

  it('has the record of its own request, where a store waits', async () => {
    const store = createFakeStore(() => ({ before: 5, after: 1 }))
    const { order, sent, sandbox } = await open(callback(target), { store })
    await Promise.all(['A', 'B', 'C', 'D'].map((item) => order({ item })))
    await untilSent(sandbox, 4)
    expect(sent.map(({ body }) => (body as { item: string }).item).sort()).toEqual(['A', 'B', 'C', 'D'])
  })

  it('is sent, although the store fails after the commit', async () => {
    let isFailing = false
    const store = createFakeStore((_, method) => ({
      ...{ before: 0, after: 0 },
      ...(isFailing && method === 'open' && { fault: 'fail' }),
    }))
    const { order, sandbox } = await open(callback(target), { store })
    await order()
    isFailing = true
    await untilSent(sandbox, 1)
  })
})
