/** Paths of one resource in several versions, pages of keys, addresses of records and bodies of GET, through every transport. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { Connection } from '../support/raw-request.js'

const text: Part = { type: 'string' }
const object = (properties: Part): Part => ({ type: 'object', properties })
const listOf = (items: Part): Part => ({ type: 'array', items })
const json = (schema: Part): Part => ({ content: { 'application/json': { schema } } })
const ok = (schema: Part): Part => ({ 200: { description: 'ok', ...json(schema) } })
const query = (name: string, others: Part = {}): Part => ({ name, in: 'query', schema: text, ...others })
const inPath = (...names: string[]): Part => ({
  parameters: names.map((name) => ({ name, in: 'path', required: true, schema: text })),
})

const mill = object({ id: text, name: text })
const sail = object({ name: text, cloth: text, millId: text })
const lamp = object({ uri: { type: 'string', example: '/users/152184/lamps/258684937' }, name: text })
const buoy = object({ type: text, id: text, attributes: object({ name: text, light: text }) })

const document = documentOf({
  '/v2/mills': {
    get: { responses: ok(object({ mills: listOf(mill) })) },
    post: { requestBody: json(object({ name: text })), responses: ok(mill) },
  },
  '/v2/mills/{idOrName}': { ...inPath('idOrName'), get: { responses: ok(mill) } },
  '/v3/mills/{idOrName}/sails': {
    ...inPath('idOrName'),
    post: { requestBody: json(object({ name: text, cloth: text })), responses: ok(sail) },
  },
  '/v2/mills/{idOrName}/sails': {
    ...inPath('idOrName'),
    get: { responses: ok(object({ sails: listOf(sail) })) },
  },
  '/v2/mills/{idOrName}/sails/{name}': { ...inPath('idOrName', 'name'), get: { responses: ok(sail) } },
  // The same operation in two versions: two services.
  '/v2/pumps': {
    get: { responses: ok(listOf(mill)) },
    post: { requestBody: json(object({ name: text })), responses: ok(mill) },
  },
  '/v3/pumps': {
    get: { responses: ok(listOf(mill)) },
    post: { requestBody: json(object({ name: text })), responses: ok(mill) },
  },
  '/v2/pumps/{id}': { ...inPath('id'), get: { responses: ok(mill) } },
  '/v3/pumps/{id}': { ...inPath('id'), get: { responses: ok(mill) } },
  '/locks': {
    get: {
      parameters: [query('maxResults', { schema: { type: 'integer' } }), query('nextToken')],
      requestBody: { required: true, ...json(object({ filter: text })) },
      responses: ok(object({ locks: listOf(text), nextToken: text })),
    },
    post: { requestBody: json(object({ name: text })), responses: ok(object({ lock: object({ name: text }) })) },
  },
  '/locks/{name}': { ...inPath('name'), get: { responses: ok(object({ lock: object({ name: text }) })) } },
  '/me/lamps': {
    get: { responses: ok(listOf(lamp)) },
    post: { requestBody: json(object({ name: text })), responses: ok(lamp) },
  },
  '/me/lamps/{lamp_id}': { ...inPath('lamp_id'), get: { responses: ok(lamp) } },
  '/buoys': {
    get: {
      parameters: [query('fields[buoys]', { description: 'The fields to include for returned buoys.' })],
      responses: ok(object({ data: listOf(buoy) })),
    },
    post: { requestBody: json(object({ data: buoy })), responses: ok(object({ data: buoy })) },
  },
  '/buoys/{id}': { ...inPath('id'), get: { responses: ok(object({ data: buoy })) } },
})

async function send(connection: Connection, request: string, body?: unknown) {
  const [method = '', target = ''] = request.split(' ')
  const headers: [string, string][] = body === undefined ? [] : [['Content-Type', 'application/json']]
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const { status, text: answer } = await receive(connection, { method, target, headers, ...sent })
  return { status, body: answer === '' ? undefined : JSON.parse(answer) }
}

describe.each(doors)('a service over %s', (door) => {
  it('keeps one resource whose operations have several versions', async () => {
    const connection = await openDocument(door, document)
    const { id } = (await send(connection, 'POST /v2/mills', { name: 'north' })).body
    const sail = (await send(connection, `POST /v3/mills/${id}/sails`, { name: 'jib', cloth: 'flax' })).body
    expect(sail).toEqual({ name: 'jib', cloth: 'flax', millId: id })
    expect((await send(connection, `GET /v2/mills/${id}/sails/jib`)).body).toEqual(sail)
    expect((await send(connection, `GET /v2/mills/${id}/sails`)).body).toEqual({ sails: [sail] })
  })

  it('keeps resources apart whose operations exist in both versions', async () => {
    const connection = await openDocument(door, document)
    await send(connection, 'POST /v2/pumps', { name: 'old' })
    expect((await send(connection, 'GET /v3/pumps')).body).toEqual([])
  })

  it('pages lists of keys, and requires no body of GET', async () => {
    const connection = await openDocument(door, document)
    for (const name of ['east', 'west']) await send(connection, 'POST /locks', { name })
    const { body } = await send(connection, 'GET /locks?maxResults=1')
    expect(body).toEqual({ locks: ['west'], nextToken: expect.any(String) })
    const next = await send(connection, `GET /locks?maxResults=1&nextToken=${encodeURIComponent(body.nextToken)}`)
    expect(next.body.locks).toEqual(['east'])
  })

  it('shows the address of a record that only differs in what is before its name', async () => {
    const connection = await openDocument(door, document)
    const uris: string[] = []
    for (const name of ['red', 'blue']) uris.push((await send(connection, 'POST /me/lamps', { name })).body.uri)
    expect(new Set(uris).size).toBe(2)
    const keys = uris.map((uri) => /^\/users\/152184\/lamps\/(\w+)$/.exec(uri)?.[1])
    expect((await send(connection, `GET /me/lamps/${keys[1]}`)).body).toEqual({ uri: uris[1], name: 'blue' })
  })

  it('shows only the attributes that a request chooses for a type', async () => {
    const connection = await openDocument(door, document)
    const sent = { data: { type: 'buoys', attributes: { name: 'B4', light: 'green' } } }
    const { id } = (await send(connection, 'POST /buoys', sent)).body.data
    const { body } = await send(connection, 'GET /buoys?fields[buoys]=light')
    expect(body).toEqual({ data: [{ type: 'buoys', id, attributes: { light: 'green' } }] })
  })
})
