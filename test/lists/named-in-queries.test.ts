/** What a query names: the properties that an update changes, one record, and several to delete. And other names of values. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { Connection } from '../support/raw-request.js'

const text: Part = { type: 'string' }
const object = (properties: Part): Part => ({ type: 'object', properties })
const json = (schema: Part): Part => ({ content: { 'application/json': { schema } } })
const ok = (schema: Part): Part => ({ 200: { description: 'ok', ...json(schema) } })
const ref = (name: string): Part => ({ $ref: `#/components/schemas/${name}` })
const query = (name: string, others: Part = {}): Part => ({ name, in: 'query', schema: text, ...others })
const inPath = (name: string): Part => ({ parameters: [{ name, in: 'path', required: true, schema: text }] })

const named: Part = { type: 'string', format: 'acme-datetime', description: 'When it was made. Read-only.' }
const boat = object({
  boatId: text,
  title: text,
  notes: text,
  engine: object({ maker: text, fuel: text }),
  alerts: { type: 'array', items: object({ kind: text }) },
  creationTime: named,
  updateTime: { ...named, format: 'iso-date-time' },
})

const harbour = documentOf(
  {
    '/boats': {
      get: { responses: ok(object({ BoatsAnswer: object({ Item: { type: 'array', items: ref('Boat') } }) })) },
      post: {
        requestBody: json(object({ boatTitle: text, notes: text, engine: object({}) })),
        responses: ok(ref('Boat')),
      },
      delete: {
        parameters: [query('boat_id', { required: true, schema: { type: 'array', items: text } })],
        responses: { 204: { description: 'gone' } },
      },
    },
    '/boats/get_boat_by_title': {
      get: { parameters: [query('title', { required: true })], responses: ok(ref('Boat')) },
    },
    '/boats/{boatId}': {
      ...inPath('boatId'),
      get: { responses: ok(ref('Boat')) },
      patch: { requestBody: json(ref('Boat')), responses: ok(ref('Boat')) },
    },
    '/moorings': {
      post: {
        description: 'Create or update a mooring',
        parameters: [
          query('berth', { required: true }),
          query('depth', { schema: { type: 'number' } }),
          query('fields'),
        ],
        responses: ok(ref('Mooring')),
      },
    },
    '/moorings/{mooringId}': { ...inPath('mooringId'), get: { responses: ok(ref('Mooring')) } },
    '/dockRates': { post: { requestBody: json(ref('Rate')), responses: ok(ref('Rate')) } },
    '/dockRates/search': {
      get: { responses: ok(object({ items: { type: 'array', items: ref('Rate') }, total: { type: 'integer' } })) },
    },
    '/dockRates/{rateId}': { ...inPath('rateId'), get: { responses: ok(ref('Rate')) }, delete: { responses: ok({}) } },
  },
  {
    components: {
      schemas: {
        Boat: boat,
        Mooring: object({ mooringId: text, berth: text, depth: { type: 'number' }, fields: text }),
        Rate: object({ id: text, price: text }),
      },
    },
  },
)

async function send(connection: Connection, request: string, body?: unknown) {
  const [method = '', target = ''] = request.split(' ')
  const headers: [string, string][] = body === undefined ? [] : [['Content-Type', 'application/json']]
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const { status, text: answer } = await receive(connection, { method, target, headers, ...sent })
  return { status, body: answer === '' ? undefined : JSON.parse(answer) }
}

async function add(connection: Connection, boatTitle: string) {
  const sent = { boatTitle, notes: 'red', engine: { maker: 'Volt', fuel: 'none' } }
  return (await send(connection, 'POST /boats', sent)).body
}

describe.each(doors)('names over %s', (door) => {
  it('keep values whose names begin with the resource, and times whose format has another name before it', async () => {
    const connection = await openDocument(door, harbour)
    expect(await add(connection, 'Gull')).toMatchObject({
      title: 'Gull',
      creationTime: '1970-01-01T00:00:00.000Z',
      updateTime: '1970-01-01T00:00:00.000Z',
    })
  })

  it('give a new record the properties that only the query has', async () => {
    const connection = await openDocument(door, harbour)
    const { body } = await send(connection, 'POST /moorings?berth=B7&depth=2.5&fields=berth')
    expect(body).toEqual({ mooringId: body.mooringId, berth: 'B7', depth: 2.5 })
    expect((await send(connection, `GET /moorings/${body.mooringId}`)).body).toEqual(body)
  })

  it('find one record by a value that is not its key', async () => {
    const connection = await openDocument(door, harbour)
    const gull = await add(connection, 'Gull')
    await add(connection, 'Tern')
    expect((await send(connection, 'GET /boats/get_boat_by_title?title=Gull')).body).toEqual(gull)
    expect((await send(connection, 'GET /boats/get_boat_by_title?title=Skua')).status).toBe(404)
  })

  it('delete several records, in a list below the only property', async () => {
    const connection = await openDocument(door, harbour)
    const keys: string[] = []
    for (const title of ['Gull', 'Tern', 'Skua']) keys.push((await add(connection, title)).boatId)
    const [first = '', second = '', third = ''] = keys
    expect((await send(connection, `DELETE /boats?boat_id=${first}&boat_id=${third}`)).status).toBe(204)
    const { body } = await send(connection, 'GET /boats')
    expect(body.BoatsAnswer.Item.map(({ boatId }: { boatId: string }) => boatId)).toEqual([second])
  })

  it('list records that are created, even if their name is that of calculated values', async () => {
    const connection = await openDocument(door, harbour)
    const rate = (await send(connection, 'POST /dockRates', { price: '3' })).body
    expect((await send(connection, 'GET /dockRates/search')).body).toEqual({ items: [rate], total: 1 })
  })
})
