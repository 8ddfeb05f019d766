/** Parameters that are objects: filters, pages, orders and choices of lists, and the records that other operations are about. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { Connection } from '../support/raw-request.js'

const text: Part = { type: 'string' }
const object = (properties: Part, others: Part = {}): Part => ({ type: 'object', properties, ...others })
const json = (schema: Part): Part => ({ content: { 'application/json': { schema } } })
const ok = (schema: Part): Part => ({ 200: { description: 'ok', ...json(schema) } })
const count = { type: 'integer' }
const anything = object({}, { additionalProperties: true })
const inQuery = (name: string, schema: Part): Part => ({ name, in: 'query', ...json(schema) })

const lamp = object({ id: count, name: text, watts: count }, { required: ['name'] })
const lampFields = object({ id: { type: 'boolean' }, name: { type: 'boolean' }, watts: { type: 'boolean' } })
const options = object({
  where: anything,
  order: { oneOf: [text, { type: 'array', items: text }] },
  limit: count,
  skip: count,
  fields: { oneOf: [lampFields, { type: 'array', items: text }] },
})
const document = documentOf({
  '/lamps': {
    get: { parameters: [inQuery('filter', options)], responses: ok({ type: 'array', items: lamp }) },
    post: { requestBody: json(object({ name: text, watts: count }, { required: ['name'] })), responses: ok(lamp) },
    patch: {
      parameters: [inQuery('where', anything)],
      requestBody: json(object({ id: count, name: text, watts: count })),
      responses: ok(object({ count })),
    },
    delete: { parameters: [inQuery('where', anything)], responses: ok(object({ count })) },
  },
  '/lamps/count': { get: { parameters: [inQuery('where', anything)], responses: ok(object({ count })) } },
  '/lamps/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: count }],
    get: { parameters: [inQuery('filter', options)], responses: ok(lamp) },
  },
})

async function send(connection: Connection, request: string, body?: unknown) {
  const [method = '', target = ''] = request.split(' ')
  const headers = body === undefined ? [] : ([['Content-Type', 'application/json']] as const)
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const { text: answer } = await receive(connection, { method, target, headers, ...sent })
  return JSON.parse(answer)
}

async function open(door: string): Promise<Connection> {
  const connection = await openDocument(door, document)
  for (const body of [{ name: 'Desk', watts: 5 }, { name: 'Night', watts: 40 }, { name: 'Torch' }])
    await send(connection, 'POST /lamps', body)
  return connection
}

const query = (name: string, value: unknown) => `?${name}=${encodeURIComponent(JSON.stringify(value))}`

describe.each(doors)('through %s', (door) => {
  it.each([
    [{ limit: 2, order: 'name' }, ['Desk', 'Night']],
    [{ limit: 1, skip: 1, order: ['name DESC'] }, ['Night']],
    [{ where: { watts: { gt: 5 } } }, ['Night']],
    [{ where: { or: [{ name: 'Desk' }, { name: { inq: ['Torch'] } }] }, order: 'name' }, ['Desk', 'Torch']],
  ])('a filter %j chooses %j', async (filter, expected) => {
    const listed = await send(await open(door), `GET /lamps${query('filter', filter)}`)
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(expected)
  })

  it.each([{ name: true }, ['name'], { id: false, watts: false }])('fields %j show the name only', async (fields) => {
    const connection = await open(door)
    const listed = await send(connection, `GET /lamps${query('filter', { fields, order: 'name' })}`)
    expect(listed).toEqual([{ name: 'Desk' }, { name: 'Night' }, { name: 'Torch' }])
    const [{ id }] = await send(connection, `GET /lamps${query('filter', { order: 'name' })}`)
    expect(await send(connection, `GET /lamps/${id}${query('filter', { fields })}`)).toEqual({ name: 'Desk' })
  })

  it.each([
    ['GET /lamps/count', 3],
    [`GET /lamps/count${query('where', { watts: { gte: 5 } })}`, 2],
    [`GET /lamps/count${query('where', { name: 'none' })}`, 0],
  ])('%s counts the records', async (request, expected) => {
    expect(await send(await open(door), request)).toEqual({ count: expected })
  })

  it('changes and removes the records that a query chooses', async () => {
    const connection = await open(door)
    const where = query('where', { watts: { gt: 1 } })
    expect(await send(connection, `PATCH /lamps${where}`, { watts: 9 })).toEqual({ count: 2 })
    expect(await send(connection, `GET /lamps/count${query('where', { watts: 9 })}`)).toEqual({ count: 2 })
    expect(await send(connection, `PATCH /lamps${query('where', { shade: 1 })}`, { watts: 7 })).toEqual({ count: 0 })
    expect(await send(connection, `DELETE /lamps${query('where', { name: 'Torch' })}`)).toEqual({ count: 1 })
    expect(await send(connection, 'GET /lamps/count')).toEqual({ count: 2 })
  })

  it('stores nothing where a creation lacks the body that its schema requires', async () => {
    const connection = await open(door)
    await receive(connection, { method: 'POST', target: '/lamps', headers: [] })
    expect(await send(connection, 'GET /lamps/count')).toEqual({ count: 3 })
  })
})
