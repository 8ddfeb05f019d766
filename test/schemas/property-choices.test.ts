/** Parameters that choose the properties of an answer, through every transport. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { Connection } from '../support/raw-request.js'

const text: Part = { type: 'string' }
const object = (properties: Part, others: Part = {}): Part => ({ type: 'object', properties, ...others })
const json = (schema: Part): Part => ({ content: { 'application/json': { schema } } })
const ok = (schema: Part): Part => ({ 200: { description: 'ok', ...json(schema) } })
const choice = (name: string, description: string): Part => ({
  parameters: [{ name, in: 'query', description, schema: text }],
})

const maker = object({ name: text, town: text }, { required: ['name'] })
const lamp = object(
  {
    id: { ...text, readOnly: true },
    name: text,
    watts: { type: 'integer' },
    maker,
    tags: { type: 'array', items: maker },
  },
  { required: ['id'] },
)
const contact = object({ key: { ...text, readOnly: true }, properties: object({ city: text, mail: text }) })
const fields = choice('fields', 'Comma-separated list of the fields to return.')
const withKey = (name: string): Part => ({ name, in: 'path', required: true, schema: text })

const document = documentOf({
  '/lamps': {
    get: { ...fields, responses: ok(object({ lamps: { type: 'array', items: lamp }, total: { type: 'integer' } })) },
    post: { ...fields, requestBody: json(lamp), responses: ok(lamp) },
  },
  '/lamps/{id}': { parameters: [withKey('id')], get: { ...fields, responses: ok(lamp) } },
  '/shades': {
    get: {
      ...choice('exclude_fields', 'A comma-separated list of fields to exclude.'),
      responses: ok({ type: 'array', items: lamp }),
    },
    post: { requestBody: json(lamp), responses: ok(lamp) },
  },
  '/stands': {
    get: { ...choice('fields', 'Additional fields to include.'), responses: ok({ type: 'array', items: lamp }) },
    post: { requestBody: json(lamp), responses: ok(lamp) },
  },
  '/contacts': { post: { requestBody: json(contact), responses: ok(contact) } },
  '/contacts/{key}': {
    parameters: [withKey('key')],
    get: { ...choice('properties', 'The properties to be returned in the response.'), responses: ok(contact) },
  },
})

async function send(connection: Connection, request: string, body?: unknown) {
  const [method = '', target = ''] = request.split(' ')
  const headers = body === undefined ? [] : ([['Content-Type', 'application/json']] as const)
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const { text: answer } = await receive(connection, { method, target, headers, ...sent })
  return JSON.parse(answer)
}

const first = {
  name: 'Moon',
  watts: 5,
  maker: { name: 'Ada', town: 'Ulm' },
  tags: [{ name: 'old', town: 'Bonn' }],
}

describe.each(doors)('A choice of properties through %s', (door) => {
  it('shows these, and what the schema requires', async () => {
    const connection = await openDocument(door, document)
    const { id } = await send(connection, 'POST /lamps', first)
    const read = (query: string) => send(connection, `GET /lamps/${id}?fields=${query}`)
    expect(await read('name')).toEqual({ id, name: 'Moon' })
    expect(await read('maker.town,tags(town)')).toEqual({ id, maker: first.maker, tags: first.tags })
    expect(await read('watts,maker/name')).toEqual({ id, watts: 5, maker: { name: 'Ada' } })
    expect(await read('-maker,-tags')).toEqual({ id, name: 'Moon', watts: 5 })
    expect(await read('*')).toEqual({ id, ...first })
    expect(await send(connection, 'POST /lamps?fields=watts', first)).toEqual({ id: expect.any(String), watts: 5 })
  })

  it('names the properties of the list, or those of its records', async () => {
    const connection = await openDocument(door, document)
    const { id } = await send(connection, 'POST /lamps', first)
    const list = (query: string) => send(connection, `GET /lamps?fields=${query}`)
    expect(await list('name')).toEqual({ lamps: [{ id, name: 'Moon' }], total: 1 })
    expect(await list('lamps(watts)')).toEqual({ lamps: [{ id, watts: 5 }] })
    expect(await list('total')).toEqual({ total: 1 })
    // Cached texts of records are not changed.
    expect(await list('')).toEqual({ lamps: [{ id, ...first }], total: 1 })
  })

  it('changes nothing and is noted if it is not understood', async () => {
    const connection = await openDocument(door, document)
    const { id } = await send(connection, 'POST /lamps', first)
    for (const query of ['unknown', 'name(', '(name)']) {
      expect(await send(connection, `GET /lamps/${id}?fields=${query}`)).toEqual({ id, ...first })
      const [exchange] = connection.sandbox.journal.list().slice(-1)
      expect(exchange?.notes).toEqual(['"fields" was ignored: it chooses no known property'])
    }
  })

  it('leaves out, chooses inside of a property of its name, and is no choice if it adds', async () => {
    const connection = await openDocument(door, document)
    const { id } = await send(connection, 'POST /shades', first)
    const shades = await send(connection, 'GET /shades?exclude_fields=maker,tags,id')
    expect(shades).toEqual([{ id, name: 'Moon', watts: 5 }])
    const stand = await send(connection, 'POST /stands', first)
    expect(await send(connection, 'GET /stands?fields=name')).toEqual([stand])
    const { key } = await send(connection, 'POST /contacts', { properties: { city: 'Ulm', mail: 'a@b.c' } })
    const chosen = await send(connection, `GET /contacts/${key}?properties=mail,phone`)
    expect(chosen).toEqual({ key, properties: { mail: 'a@b.c' } })
  })
})
