/** Families of operations by verbs, whose records are named in the body, the query or a header. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { Connection } from '../support/raw-request.js'

const text = { type: 'string' }
const object = (properties: Part, required: string[] = []): Part => ({ type: 'object', properties, required })
const listOf = (items: Part): Part => ({ type: 'array', items })
const json = (schema: Part): Part => ({ content: { 'application/json': { schema } } })
const ok = (schema: Part): Part => ({ responses: { 200: { description: 'ok', ...json(schema) } } })
const post = (sent: Part, answer: Part, others: Part = {}): Part => ({
  post: { requestBody: json(sent), ...ok(answer), ...others },
})
const query = (name: string): Part => ({ parameters: [{ name, in: 'query', schema: text }] })

const token = object({ token_id: text, label: text })
const oneToken = object({ trace: text, token }, ['token'])
const byToken = object({ token_id: text }, ['token_id'])
const lamp = object({ id: text, name: text, topic: text })
const oneLamp = object({ ok: { type: 'boolean' }, lamp }, ['ok', 'lamp'])
const chest = object({ wood: text, lock: text })
const byGrip = object({ grip: text }, ['grip'])
const flute = object({ id: text, pitch: text }, ['id'])
const effect = (kind: string, key?: string): Part => ({
  'x-sandbox-effect': { effect: kind, collection: '/flutes', ...(key && { key }) },
})

const document = documentOf({
  '/tokens/create': post(object({ label: text }), oneToken),
  '/tokens/get': post(byToken, oneToken),
  '/tokens/list': post(object({}), object({ tokens: listOf(token) })),
  '/tokens/update': post(object({ token_id: text, label: text }, ['token_id']), oneToken),
  '/tokens/remove': post(byToken, object({ trace: text })),
  '/lamps.create': post(object({ name: text }), oneLamp),
  '/lamps.info': { get: { ...query('lamp'), ...ok(oneLamp) } },
  '/lamps.list': { get: ok(object({ lamps: listOf(lamp) })) },
  '/lamps.rename': post(object({ lamp: text, name: text }), oneLamp),
  '/lamps.delete': post(object({ lamp: text }), object({ ok: { type: 'boolean' } })),
  '/chest/create': post(object({ wood: text }), object({ grip: text, trace: text }, ['grip'])),
  '/chest/get': post(byGrip, object({ chest, trace: text }, ['chest'])),
  '/chest/remove': post(byGrip, object({ trace: text })),
  '/flutes': { post: { requestBody: json(object({ pitch: text })), ...ok(flute) } },
  '/show-one': post(object({ flute_ref: text }), flute, effect('read', '$request.body#/flute_ref')),
  '/peek': { get: { ...query('ref'), ...ok(object({ flute, at: text })), ...effect('read', '$request.query.ref') } },
  '/tune': {
    post: {
      parameters: [{ name: 'X-Flute', in: 'header', required: true, schema: text }],
      requestBody: json(object({ pitch: text })),
      ...ok(flute),
      ...effect('update', '$request.header.X-Flute'),
    },
  },
  '/burn/{which}': {
    post: {
      parameters: [{ name: 'which', in: 'path', required: true, schema: text }],
      responses: { 204: { description: 'gone' } },
      ...effect('remove', '$request.path.which'),
    },
  },
})

async function send(connection: Connection, request: string, body?: unknown, others: [string, string][] = []) {
  const [method = '', target = ''] = request.split(' ')
  const headers: [string, string][] = body === undefined ? others : [['Content-Type', 'application/json'], ...others]
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const received = await receive(connection, { method, target, headers, ...sent })
  return { status: received.status, body: received.text === '' ? undefined : JSON.parse(received.text) }
}

describe.each(doors)('a record that a request names over %s', (door) => {
  it('is that of a property of the body, also of a token', async () => {
    const connection = await openDocument(door, document)
    const first = (await send(connection, 'POST /tokens/create', { label: 'a' })).body.token
    const second = (await send(connection, 'POST /tokens/create', { label: 'b' })).body.token
    const { token_id } = first
    expect((await send(connection, 'POST /tokens/get', { token_id })).body.token).toEqual({ token_id, label: 'a' })
    await send(connection, 'POST /tokens/update', { token_id, label: 'z' })
    const list = (await send(connection, 'POST /tokens/list', {})).body.tokens
    expect(list).toEqual([second, { token_id, label: 'z' }])
    expect((await send(connection, 'POST /tokens/remove', { token_id })).status).toBe(200)
    expect((await send(connection, 'POST /tokens/get', { token_id })).status).toBe(404)
  })

  it('is that of a parameter with the name of the record', async () => {
    const connection = await openDocument(door, document)
    const { id } = (await send(connection, 'POST /lamps.create', { name: 'dim' })).body.lamp
    await send(connection, 'POST /lamps.create', { name: 'other' })
    await send(connection, 'POST /lamps.rename', { lamp: id, name: 'bright' })
    expect((await send(connection, `GET /lamps.info?lamp=${id}`)).body.lamp).toEqual({ id, name: 'bright' })
    await send(connection, 'POST /lamps.delete', { lamp: id })
    expect((await send(connection, `GET /lamps.info?lamp=${id}`)).status).toBe(404)
  })

  it('is that of what the creation answers and all others require', async () => {
    const connection = await openDocument(door, document)
    const { grip } = (await send(connection, 'POST /chest/create', { wood: 'oak' })).body
    await send(connection, 'POST /chest/create', { wood: 'elm' })
    expect((await send(connection, 'POST /chest/get', { grip })).body.chest).toEqual({ wood: 'oak' })
    await send(connection, 'POST /chest/remove', { grip })
    expect((await send(connection, 'POST /chest/get', { grip })).status).toBe(404)
  })

  it('is that of the runtime expression of a correction', async () => {
    const connection = await openDocument(door, document)
    const { id } = (await send(connection, 'POST /flutes', { pitch: 'a' })).body
    await send(connection, 'POST /flutes', { pitch: 'b' })
    const known = { id, pitch: 'a' }
    expect((await send(connection, 'POST /show-one', { flute_ref: id })).body).toEqual(known)
    expect((await send(connection, `GET /peek?ref=${id}`)).body.flute).toEqual(known)
    const tuned = await send(connection, 'POST /tune', { pitch: 'c' }, [['X-Flute', id]])
    expect(tuned.body).toEqual({ id, pitch: 'c' })
    expect((await send(connection, `POST /burn/${id}`)).status).toBe(204)
    expect((await send(connection, 'POST /show-one', { flute_ref: id })).status).toBe(404)
  })
})

it.each([
  ['$request.body#/flute_reff', 'there is no property of the body "flute_reff"; the closest is "flute_ref"'],
  ['$request.query.ref', 'there is no query parameter "ref"'],
  ['$response.body#/id', 'must be \\$request.body#/name'],
])('refuses the runtime expression %s', async (key, message) => {
  const wrong = documentOf({
    '/flutes': { post: { requestBody: json(object({ pitch: text })), ...ok(flute) } },
    '/show-one': post(object({ flute_ref: text }), flute, effect('read', key)),
  })
  await expect(openDocument('fetch', wrong)).rejects.toThrow(new RegExp(message))
})
