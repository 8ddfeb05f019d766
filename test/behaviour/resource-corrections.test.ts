/** `x-sandbox-resource` corrects what is inferred about records: on a path, a schema or a tag. */
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { ask, standard } from '../support/script.js'
import { integer, list, named, object, text, time, toDocument } from '../support/sketch.js'

const state = { type: 'string', enum: ['queued', 'running', 'failed', 'succeeded'] }

/** Orders of shops, with customers. */
const shop = toDocument(
  {
    'GET /customers': { 200: list(named('Customer')) },
    'POST /customers': {
      body: object({ name: text, email: text, account: integer }),
      201: named('Customer'),
      409: object({}),
    },
    'GET /customers/{id}': { 200: named('Customer') },
    'DELETE /customers/{id}': { 204: null },
    'GET /orders': { 200: list(named('Order')) },
    'POST /orders': {
      body: object({ customer: integer, item: text, FirstName: text }),
      201: named('Order'),
      422: object({}),
    },
    'GET /orders/{id}': { 200: named('Order') },
  },
  {
    Customer: object({ 'id!': integer, name: text, email: text, number: integer }),
    Order: object({
      ...{ 'id!': integer, customer: integer, item: text, status: text, phase: state, label: text, given_name: text },
      ...{ finished_at: { ...time, readOnly: true }, took: integer, lasted: text },
    }),
  },
)

async function serve(place: (document: ReturnType<typeof JSON.parse>) => object, correction: object) {
  const document = JSON.parse(shop)
  Object.assign(place(document), { 'x-sandbox-resource': correction })
  const { contract } = await compileDocument(JSON.stringify(document))
  const sandbox = createSandbox({ contract, ...standard })
  return { sandbox, send: (request: string) => ask(sandbox, request) }
}

const orders = (document: ReturnType<typeof JSON.parse>) => document.paths['/orders']
const customers = (document: ReturnType<typeof JSON.parse>) => document.paths['/customers']

describe('x-sandbox-resource', () => {
  it('chooses first values, on a path, a schema or a tag', async () => {
    const first = { first: { status: 'draft', label: 'x' } }
    const tag = (document: ReturnType<typeof JSON.parse>) => {
      document.paths['/orders'].post.tags = ['Orders']
      document.tags = [{ name: 'Orders' }]
      return document.tags[0]
    }
    for (const place of [orders, (document: ReturnType<typeof JSON.parse>) => document.components.schemas.Order, tag]) {
      const { send } = await serve(place, first)
      expect(await send('POST /orders {"item":"a"}')).toMatch(/"status":"draft".*"label":"x"/)
    }
  })

  it('chooses the key', async () => {
    const { send } = await serve(customers, { key: 'number' })
    const created = await send('POST /customers {"name":"a"}')
    const { number } = JSON.parse(created.slice(4))
    expect(await send(`GET /customers/${number}`)).toMatch(`"number":${number}`)
  })

  it('makes a property refer to records, strictly, and an owner of it', async () => {
    const { send } = await serve(orders, {
      references: { customer: { to: '/customers', strict: true } },
      owner: { customer: '/customers' },
    })
    expect(await send('POST /orders {"item":"a","customer":7}')).toMatch(/^422 /)
    expect(await send('POST /customers {"name":"a"}')).toMatch(/^201 /)
    expect(await send('POST /orders {"item":"a","customer":1}')).toMatch(/^201 /)
    expect(await send('GET /orders/1')).toMatch(/^200 /)
    await send('DELETE /customers/1')
    expect(await send('GET /orders/1')).toMatch(/^404 /)
  })

  it('keeps a property unique', async () => {
    const { send } = await serve(customers, { unique: ['email'] })
    expect(await send('POST /customers {"email":"a"}')).toMatch(/^201 /)
    expect(await send('POST /customers {"email":"a"}')).toMatch(/^409 /)
  })

  it('makes texts, and knows names of requests', async () => {
    const { send } = await serve(orders, {
      made: { label: '{item} of {given_name}' },
      names: { FirstName: 'given_name' },
    })
    expect(await send('POST /orders {"item":"a","FirstName":"b"}')).toMatch(/"label":"a of b","given_name":"b"/)
  })

  it('lets records pass through states', async () => {
    const lifecycle = {
      property: 'phase',
      from: 'queued',
      to: [
        { after: '2s', value: 'running' },
        { after: '1m', value: 'succeeded' },
      ],
    }
    const { sandbox, send } = await serve(orders, { lifecycle })
    expect(await send('POST /orders {"item":"a"}')).toMatch(/"phase":"queued"/)
    await sandbox.clock.advance(2000)
    expect(await send('GET /orders/1')).toMatch(/"phase":"running"/)
    await sandbox.clock.advance(60_000)
    expect(await send('GET /orders/1')).toMatch(/"phase":"succeeded".*finished_at/)
    const to = [{ after: '90s', value: 'succeeded', sets: { took: '$elapsed', lasted: '$elapsed', label: 'x' } }]
    const timed = await serve(orders, { lifecycle: { ...lifecycle, to } })
    await timed.send('POST /orders {"item":"a"}')
    await timed.sandbox.clock.advance(90_000)
    expect(await timed.send('GET /orders/1')).toMatch(/"label":"x".*"took":90,"lasted":"PT90S"/)
    const failing = await serve(orders, { lifecycle: { ...lifecycle, fail: 1 } })
    await failing.send('POST /orders {"item":"a"}')
    await failing.sandbox.clock.advance(62_000)
    expect(await failing.send('GET /orders/1')).toMatch(/"phase":"failed"/)
  })
})
