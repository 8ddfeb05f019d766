// What a new record has in the properties that its request does not give.
import { describe, expect, it } from 'vitest'
import { ask, now, openSketch, runScript } from '../support/script.js'
import {
  flag,
  integer,
  list,
  named,
  object,
  oneOfTexts,
  type Schema,
  text,
  time,
  toDocument,
} from '../support/sketch.js'

const start = new Date(now).toISOString()
const nullableTime: Schema = { ...time, type: ['string', 'null'] }

function orders(properties: Record<string, Schema>, sent: Record<string, Schema> = {}): string {
  return toDocument(
    {
      'POST /orders': { body: object({ item: text, ...sent }), 201: named('Order') },
      'GET /orders': { 200: list(named('Order')) },
      'GET /orders/{orderId}': { 200: named('Order') },
    },
    { Order: object({ 'id!': integer, item: text, ...properties }) },
  )
}

/** A property that only the service writes, and what a new record has there. Undefined: nothing. */
const owned: [name: string, schema: Schema, value: unknown][] = [
  // States
  ['status', oneOfTexts('cancelled', 'shipped', 'open'), 'open'],
  ['state!', oneOfTexts('DONE', 'IN_PROGRESS', 'NEW'), 'NEW'],
  ['phase', oneOfTexts('failed', 'running', 'requires_review', 'requires_payment'), 'requires_review'],
  [
    'status',
    {
      ...oneOfTexts('canceled', 'requires_b', 'requires_a'),
      description: 'First `requires_a`, `requires_b`, or `canceled`',
    },
    'requires_a',
  ],
  [
    'status',
    {
      ...oneOfTexts('active', 'pending'),
      description: '* `active`. The state when a store was created.\n* `pending`. It is being checked.',
    },
    'active',
  ],
  ['status', { ...oneOfTexts('open', 'waiting'), default: 'waiting' }, 'waiting'],
  ['status', { ...oneOfTexts('open', 'closed'), description: 'Defaults to `closed`.' }, 'closed'],
  ['status', { type: 'string', description: 'One of `complete`, `queued` and `running`.' }, 'queued'],
  ['status', { type: 'string', example: 'active' }, 'active'],
  ['status', oneOfTexts('', 'deleted', 'archived'), undefined],
  ['status', oneOfTexts('successful', 'failed', 'scheduled'), 'scheduled'],
  ['status', oneOfTexts('successful', 'failed'), undefined],
  ['status', { ...oneOfTexts('running', 'offline', 'provisioning'), example: 'running' }, 'provisioning'],
  ['mood', oneOfTexts('new', 'old'), undefined],
  ['task_subtype', oneOfTexts('milestone', 'default_task'), 'default_task'],
  ['story_type', { ...oneOfTexts('system', 'comment'), example: 'comment' }, 'comment'],
  // Kinds
  ['object', { const: 'order' }, 'order'],
  ['record_type', oneOfTexts('purchase_order'), 'purchase_order'],
  ['resource_type', { type: 'string', example: 'customer' }, 'customer'],
  ['resource_type', { type: 'string', example: 'orders' }, 'orders'],
  // Flags
  ['archived', flag, false],
  ['deleted', { ...flag, enum: [true] }, undefined],
  ['is_deleted', flag, false],
  ['active', flag, true],
  ['enabled!', flag, true],
  ['livemode!', flag, false],
  ['default!', { ...flag, example: true }, false],
  ['tracked', { ...flag, default: true }, true],
  // Counts, lists and nothing
  ['item_count', integer, 0],
  ['total_amount', { type: 'number' }, 0],
  ['comments!', { ...integer, example: 12 }, 0],
  ['pages', integer, undefined],
  ['retry_count', { ...integer, minimum: 1 }, undefined],
  ['notes', list(text), []],
  ['steps', { ...list(text), minItems: 1 }, undefined],
  ['stats', object({ opened: integer, clicked: integer }), { opened: 0, clicked: 0 }],
  ['customer', object({ id: integer, count: integer }), undefined],
  ['closed_at', nullableTime, null],
  ['last_error', { type: ['string', 'null'] }, null],
  ['status', { type: 'string', description: 'Whether it is FAILED, PENDING or COMPLETED' }, 'PENDING'],
  ['status', object({ message: text, state: oneOfTexts('degraded', 'provisioning') }), { state: 'provisioning' }],
  ['address', text, undefined],
  ['history', object({ created: time, closed: nullableTime }), { created: start, closed: null }],
  ['return', object({ created_at: time }), undefined],
]

describe('a new record', () => {
  it('has the key that only its creation shows, in the form that this has', async () => {
    const send = await openSketch(
      toDocument(
        {
          'POST /exports': { 202: object({ 'exportKey!': { type: 'string', format: 'uuid' } }) },
          'GET /exports/{exportKey}': { 200: named('Export') },
        },
        { Export: object({ 'status!': oneOfTexts('None', 'Created', 'Failed') }) },
      ),
    )
    const [, token = ''] = /"exportKey":"([\da-f-]{36})"/.exec(await ask(send, 'POST /exports')) ?? []
    expect(await ask(send, `GET /exports/${token}`)).toContain('"Created"')
  })

  it('has what only the service writes if answers call all of it read-only, and a creation shows the key alone', async () => {
    const readOnly = { ...text, readOnly: true }
    await runScript({
      name: 'read-only',
      document: toDocument(
        {
          'POST /devices': {
            body: object({ 'name!': text, 'secret!': { ...text, writeOnly: true } }),
            200: object({ id: integer }),
          },
          'GET /devices/{deviceId}': { 200: named('Device') },
        },
        {
          Device: object({
            ...{ id: { ...integer, readOnly: true }, name: readOnly, created: { ...time, readOnly: true } },
            status: { ...oneOfTexts('ENDED', 'ACTIVE'), readOnly: true },
          }),
        },
      ),
      steps: `
        POST /devices {"name":"a","secret":"s"} -> 200 {"id":1}
        GET /devices/1 -> 200 {"id":1,"name":"a","created":"${start}","status":"ACTIVE"}
      `,
    })
  })

  it.each(owned)('has in %s of %j: %j', async (name, schema, value) => {
    const shown = value === undefined ? '' : `,"${name.replace('!', '')}":${JSON.stringify(value)}`
    const steps = `
      POST /orders {"item":"x"} -> 201 {"id":1,"item":"x"${shown}}
      GET /orders/1 -> 200 {"id":1,"item":"x"${shown}}
    `
    await runScript({ name, document: orders({ [name]: schema }), steps })
  })

  it.each([
    ['archived', flag, false],
    ['enabled', flag, true],
    ['gift', flag, false],
    ['send_receipt', flag, undefined],
    ['labels', list(text), []],
    ['status', oneOfTexts('open', 'closed'), 'open'],
    ['order_status', oneOfTexts('open', 'closed'), 'open'],
    ['status', oneOfTexts('closed', 'open'), undefined],
    ['status', { ...oneOfTexts('open', 'closed'), description: 'No default is given.' }, undefined],
    ['payment_status', oneOfTexts('open', 'closed'), undefined],
    ['status', { ...oneOfTexts('open', 'closed'), description: 'By default: `open`' }, 'open'],
    ['status', { ...oneOfTexts('open', 'closed'), description: 'The default is `closed`.' }, 'closed'],
    ['mood', { ...oneOfTexts('calm', 'loud'), description: '`loud` is the default value.' }, 'loud'],
    ['mood', oneOfTexts('calm', 'loud'), undefined],
    ['createdAt', time, start],
    ['updated_at', time, start],
    ['requested_at', time, undefined],
    ['expires', { ...nullableTime, default: null }, null],
    ['size', { type: ['integer', 'null'], default: null }, null],
  ] as [string, Schema, unknown][])('has in %s of %j, which a request may give: %j', async (name, schema, value) => {
    const shown = value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`
    const steps = `POST /orders {"item":"x"} -> 201 {"id":1,"item":"x"${shown}}`
    await runScript({ name, document: orders({ [name]: schema }, { [name]: schema }), steps })
  })

  it('has the first value of what the answer requires and a request may leave out', async () => {
    const moods = oneOfTexts('failed', 'calm', 'loud')
    const document = orders({ 'mood!': moods, 'tone!': { ...moods, example: 'loud' } }, { mood: moods, tone: moods })
    const steps = 'POST /orders {"item":"x"} -> 201 {"id":1,"item":"x","mood":"calm","tone":"loud"}'
    await runScript({ name: 'moods', document, steps })
  })

  it('keeps the time of its creation that a request gives, and has no null that its schema forbids', async () => {
    const document = orders(
      { createdAt: time, end: time },
      { createdAt: time, end: { ...nullableTime, default: null } },
    )
    const sent = '{"item":"x","createdAt":"2020-05-05T05:05:05Z"}'
    const steps = `
      POST /orders ${sent} -> 201 {"id":1,${sent.slice(1)}
      POST /orders {"item":"y"} -> 201 {"id":2,"item":"y","createdAt":"${start}"}
    `
    await runScript({ name: 'created', document, steps })
  })

  it('has null where nobody has set what may be null', async () => {
    const orNull = (schema: Schema) => ({ ...schema, type: [schema['type'], 'null'] })
    const properties = { uri: orNull(text), size: orNull(integer), note: orNull(text), mood: orNull(text) }
    const document = JSON.parse(orders(properties, { note: orNull(text), mood: orNull(text) }))
    const { schema } = document.paths['/orders'].post.responses['201'].content['application/json']
    schema.required = ['id', 'note']
    const sandbox = await openSketch(JSON.stringify(document))
    expect(await ask(sandbox, 'POST /orders {"item":"x"}')).toBe(
      '201 {"id":1,"item":"x","uri":null,"size":null,"note":null}',
    )
  })

  it('has what the service writes in the objects that are sent, too', async () => {
    const deep = object({ ttl: { ...integer, default: 60 } })
    const sent = { size: { ...integer, default: 3 }, rate: integer, deep }
    const shown = { ...sent, made_at: time, open: flag, count: integer }
    const document = orders({ limits: object(shown) }, { limits: object(sent) })
    const update = { body: object({ limits: object(sent) }), 200: named('Order') }
    const sketch = JSON.parse(document)
    const other = JSON.parse(toDocument({ 'PATCH /orders/{orderId}': update }, {})).paths['/orders/{orderId}']
    Object.assign(sketch.paths['/orders/{orderId}'], { patch: other.patch })
    const sandbox = await openSketch(JSON.stringify(sketch))
    const made = JSON.parse((await ask(sandbox, 'POST /orders {"item":"x","limits":{"rate":2,"deep":{}}}')).slice(4))
    expect(made.limits).toEqual({
      rate: 2,
      size: 3,
      deep: { ttl: 60 },
      made_at: made.limits.made_at,
      open: false,
      count: 0,
    })
    const changed = JSON.parse((await ask(sandbox, 'PATCH /orders/1 {"limits":{"rate":4}}')).slice(4))
    expect(changed.limits).toEqual({ rate: 4, size: 3, made_at: made.limits.made_at, open: false, count: 0 })
    expect(await ask(sandbox, 'POST /orders {"item":"y"}')).toBe('201 {"id":2,"item":"y"}')
  })
})

it('a new record has what only its own path shows, where its creation answers with the key', async () => {
  const shown = {
    created: { type: 'string', example: '2023-10-06 23:47:56.678+00' },
    kind: { type: 'string', example: 'order' },
  }
  const document = JSON.parse(orders({ ...shown, status: oneOfTexts('sent', 'draft') }))
  const created = document.paths['/orders'].post.responses['201'].content['application/json']
  created.schema = object({ 'id!': integer })
  const sandbox = await openSketch(JSON.stringify(document))
  expect(await ask(sandbox, 'POST /orders {"item":"x"}')).toBe('201 {"id":1}')
  const whole = '200 {"id":1,"item":"x","created":"2026-11-21 00:00:00","kind":"order","status":"draft"}'
  expect(await ask(sandbox, 'GET /orders/1')).toBe(whole)
})

it('a version goes up with each change, whatever callers send', async () => {
  const version: Schema = { ...integer, description: 'Incremented with each update.' }
  const document = JSON.parse(orders({ version, revision: integer }, { version }))
  const update = { body: object({ item: text, version }), 200: named('Order') }
  const other = JSON.parse(toDocument({ 'PATCH /orders/{orderId}': update }, {})).paths['/orders/{orderId}']
  Object.assign(document.paths['/orders/{orderId}'], { patch: other.patch })
  const steps = `
    POST /orders {"item":"x"} -> 201 {"id":1,"item":"x","version":1,"revision":1}
    PATCH /orders/1 {"item":"y","version":1} -> 200 {"id":1,"item":"y","version":2,"revision":2}
    PATCH /orders/1 {"item":"y"} -> 200 {"id":1,"item":"y","version":2,"revision":2}
    PATCH /orders/1 {"item":"z"} -> 200 {"id":1,"item":"z","version":3,"revision":3}
  `
  await runScript({ name: 'version', document: JSON.stringify(document), steps })
})

it('a new record has its own secrets, which only its creation may show', async () => {
  const secret: Schema = { type: ['string', 'null'], maxLength: 20 }
  const document = JSON.parse(orders({ secret, webhook_secret: text, api_key_hash: text }, { webhook_secret: text }))
  const created = document.paths['/orders'].post.responses['201'].content['application/json']
  created.schema = object({ 'id!': integer, secret, token: { ...text, example: 'tok_4f9a8b7c' } })
  const sandbox = await openSketch(JSON.stringify(document))
  const [one, other] = [
    JSON.parse((await ask(sandbox, 'POST /orders {"item":"x"}')).slice(4)),
    JSON.parse((await ask(sandbox, 'POST /orders {"item":"x"}')).slice(4)),
  ]
  expect(one).toEqual({
    ...{ id: 1, secret: expect.stringMatching(/^\w{20}$/), token: expect.stringMatching(/^tok_[\da-z]{8}$/) },
  })
  expect([other.secret, other.token]).not.toContain(one.secret)
  expect(other.token).not.toBe(one.token)
  const { token: _, ...shown } = one
  expect(JSON.parse((await ask(sandbox, 'GET /orders/1')).slice(4))).toEqual({ ...shown, item: 'x' })
})

describe('the example of the answer to a creation', () => {
  const shown = { id: 9, item: 'y', status: 'closed', mood: 'calm', archived: true }
  const sketch = (read: object | undefined) => {
    const properties = { status: oneOfTexts('open', 'closed'), mood: oneOfTexts('wild', 'calm'), archived: flag }
    const document = JSON.parse(orders(properties))
    document.paths['/orders'].post.responses['201'].content['application/json'].example = shown
    document.paths['/orders/{orderId}'].get.responses['200'].content['application/json'].example = read
    return JSON.stringify(document)
  }

  it('says what a new record has', async () => {
    const sandbox = await openSketch(sketch({ ...shown, status: 'open' }))
    const answer = '201 {"id":1,"item":"x","status":"closed","mood":"calm","archived":false}'
    expect(await ask(sandbox, 'POST /orders {"item":"x"}')).toBe(answer)
  })

  it('may be that of its schema, and says what the service adds to a request', async () => {
    const order = {
      ...{ id: 9, item: 'y', status: 'BOOKED', type: 'GIFT', currency: 'EUR', version: 0 },
      ...{
        note: 'new',
        country: 'country',
        source: 'API',
        settings: { muted: true },
        price: { currency: 'EUR', amount: 3 },
      },
    }
    const properties = {
      ...{ status: text, type: text, currency: text, version: integer, note: text, country: text, source: text },
      ...{ settings: object({ muted: flag }), price: object({ currency: text, amount: { type: 'number' } }) },
    }
    const document = JSON.parse(orders(properties, { status: text, type: text, note: text, source: text }))
    const { requestBody, responses } = document.paths['/orders'].post
    const answer = { schema: { ...named('Order'), example: order } }
    responses['201'].content['application/json'] = answer
    requestBody.content['application/json'].example = { item: 'y', source: 'API' }
    const sandbox = await openSketch(JSON.stringify(document))
    expect(JSON.parse((await ask(sandbox, 'POST /orders {"item":"x"}')).slice(4))).toEqual({
      ...{ id: 1, item: 'x', status: 'BOOKED', type: 'GIFT', currency: 'EUR', version: 0, settings: { muted: false } },
    })
  })

  it('shows no end that only an action reaches', async () => {
    const document = JSON.parse(sketch(undefined))
    const close = toDocument({ 'POST /orders/{orderId}/close': { 200: named('Order') } }, {})
    Object.assign(document.paths, JSON.parse(close).paths)
    const steps = `
      POST /orders {"item":"x"} -> 201 {"id":1,"item":"x","status":"open","mood":"calm","archived":false}
      POST /orders/1/close -> 200 {"id":1,"item":"x","status":"closed","mood":"calm","archived":false}
    `
    await runScript({ name: 'close', document: JSON.stringify(document), steps })
  })

  it('says nothing if other operations have the same', async () => {
    const sandbox = await openSketch(sketch(shown))
    expect(await ask(sandbox, 'POST /orders {"item":"x"}')).toBe(
      '201 {"id":1,"item":"x","status":"open","archived":false}',
    )
  })
})
