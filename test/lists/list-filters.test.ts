/** Filters of lists: headers, selectors, flags that reveal records, and properties that a list does not show. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { Connection } from '../support/raw-request.js'

const text: Part = { type: 'string' }
const flag: Part = { type: 'boolean' }
const time: Part = { type: 'string', format: 'date-time' }
const object = (properties: Part, others: Part = {}): Part => ({ type: 'object', properties, ...others })
const json = (schema: Part): Part => ({ content: { 'application/json': { schema } } })
const ok = (schema: Part): Part => ({ 200: { description: 'ok', ...json(schema) } })
const query = (name: string, schema: Part = text, description = ''): Part => ({
  name,
  in: 'query',
  description,
  schema,
})

const owner = object({ Name: text, OwnerID: text }, { required: ['Name'] })
const labels: Part = { type: 'object', additionalProperties: text }
const lamp = object(
  { id: { ...text, readOnly: true }, name: text, watts: { type: 'integer' }, archived: flag, labels, Owner: owner },
  { required: ['id'] },
)
const task = object(
  { id: { ...text, readOnly: true }, name: text, completed: flag, completed_at: time },
  { required: ['id'] },
)
const compact = object({ id: text, name: text }, { required: ['id'] })
const list = (record: Part, ...parameters: Part[]): Part => ({
  get: { parameters, responses: ok(object({ data: { type: 'array', items: record } })) },
})

const document = documentOf(
  {
    '/lamps': {
      ...list(lamp, query('labelSelector'), query('fieldSelector'), query('OwnerIDs'), query('include_archived', flag)),
      post: { requestBody: json(lamp), responses: ok(lamp) },
    },
    '/tasks': {
      ...list(
        compact,
        query('completed_since', time, 'Only tasks that were completed since then.'),
        query('name', text, 'The name, or `none` for tasks without one.'),
      ),
      post: { requestBody: json(task), responses: ok(task) },
    },
    '/boards': {
      ...list(
        object(
          { id: text, name: text, state: { ...text, description: "Either 'open' or 'closed'." } },
          { required: ['id'] },
        ),
        query('state', { ...text, enum: ['open', 'closed', 'all'], default: 'open' }),
        query('token', text, 'The access token.'),
        query('limit', { type: 'integer' }),
      ),
      post: {
        requestBody: json(object({ name: text, state: text })),
        responses: ok(object({ id: text, name: text, state: text })),
      },
    },
    '/tasks/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
      get: { responses: ok(task) },
    },
  },
  {
    info: {
      title: 'T',
      version: '1',
      description:
        'Lists are filtered by JSON in the header `X-Filter`: `{"name": {"+contains": "a"}, "+order_by": "name", "+order": "desc"}`.',
    },
  },
)

async function send(connection: Connection, request: string, body?: unknown, filter?: unknown) {
  const [method = '', target = ''] = request.split(' ')
  const headers: [string, string][] = body === undefined ? [] : [['Content-Type', 'application/json']]
  if (filter !== undefined) headers.push(['X-Filter', typeof filter === 'string' ? filter : JSON.stringify(filter)])
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const { text: answer } = await receive(connection, { method, target, headers, ...sent })
  return JSON.parse(answer)
}

const namesOf = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name)

async function fillLamps(connection: Connection): Promise<void> {
  const lamps = [
    { name: 'moon', watts: 5, labels: { tier: 'gold', 'room/of': 'attic' }, Owner: { Name: 'Ada', OwnerID: '7' } },
    { name: 'star', watts: 9, labels: { tier: 'iron' }, archived: false, Owner: { Name: '7', OwnerID: '8' } },
    { name: 'sun', watts: 40, archived: true },
  ]
  for (const each of lamps) await send(connection, 'POST /lamps', each)
}

describe.each(doors)('Filters through %s', (door) => {
  it('may be JSON in a header, with an order', async () => {
    const connection = await openDocument(door, document)
    await fillLamps(connection)
    const list = async (filter: unknown) => namesOf(await send(connection, 'GET /lamps', undefined, filter))
    expect(await list({ name: 'moon' })).toEqual(['moon'])
    expect(await list({ name: { '+contains': 's' }, '+order_by': 'watts', '+order': 'asc' })).toEqual(['star'])
    expect(await list({ '+order_by': 'name', '+order': 'desc' })).toEqual(['star', 'moon'])
    expect(await list({ '+or': [{ watts: 5 }, { watts: { '+gt': 8 } }], '+order_by': 'watts' })).toEqual([
      'moon',
      'star',
    ])
    expect(await list({ unknown: 1 })).toEqual(['star', 'moon'])
    const [exchange] = connection.sandbox.journal.list().slice(-1)
    expect(exchange?.notes).toEqual(['the filter "X-Filter" was ignored: it is not understood'])
  })

  it('may select by labels and properties', async () => {
    const connection = await openDocument(door, document)
    await fillLamps(connection)
    const list = async (name: string, selector: string) =>
      namesOf(await send(connection, `GET /lamps?include_archived=true&${name}=${encodeURIComponent(selector)}`))
    expect(await list('labelSelector', 'tier=gold,room/of==attic')).toEqual(['moon'])
    expect(await list('labelSelector', 'tier in (gold, iron)')).toEqual(['star', 'moon'])
    expect(await list('labelSelector', 'tier notin (gold), tier')).toEqual(['star'])
    expect(await list('labelSelector', '!tier')).toEqual(['sun'])
    expect(await list('labelSelector', 'tier!=gold')).toEqual(['sun', 'star'])
    expect(await list('fieldSelector', 'Owner.Name=Ada')).toEqual(['moon'])
    expect(await list('labelSelector', 'tier=(')).toEqual(['sun', 'star', 'moon'])
  })

  it('reveal records whose flag hides them, and choose by the key inside of a property', async () => {
    const connection = await openDocument(door, document)
    await fillLamps(connection)
    const list = async (sent: string) => namesOf(await send(connection, `GET /lamps${sent}`))
    expect(await list('')).toEqual(['star', 'moon'])
    expect(await list('?include_archived=false')).toEqual(['star', 'moon'])
    expect(await list('?include_archived=true')).toEqual(['sun', 'star', 'moon'])
    expect(await list('?OwnerIDs=7,9')).toEqual(['moon'])
  })

  it('have the default of a text that names it, except with a word for all', async () => {
    const connection = await openDocument(door, document)
    for (const state of ['open', 'closed']) await send(connection, 'POST /boards', { name: state, state })
    const list = async (sent: string) => namesOf(await send(connection, `GET /boards${sent}`))
    expect(await list('')).toEqual(['open'])
    expect(await list('?state=open&token=secret')).toEqual(['open'])
    expect(await list('?state=closed')).toEqual(['closed'])
    expect(await list('?state=all')).toEqual(['closed', 'open'])
  })

  it('use properties that the list does not show', async () => {
    const connection = await openDocument(door, document)
    await send(connection, 'POST /tasks', { name: 'open', completed: false })
    await send(connection, 'POST /tasks', { name: 'early', completed: true, completed_at: '2020-01-01T00:00:00Z' })
    await send(connection, 'POST /tasks', { name: 'late', completed: true, completed_at: '2024-01-01T00:00:00Z' })
    const tasks = await send(connection, 'GET /tasks?completed_since=2022-01-01T00:00:00Z')
    expect(namesOf(tasks)).toEqual(['late'])
    expect(Object.keys(tasks.data[0])).toEqual(['id', 'name'])
    await send(connection, 'POST /tasks', {})
    expect(await send(connection, 'GET /tasks?name=none')).toEqual({ data: [{ id: '4' }] })
    expect(namesOf(await send(connection, 'GET /tasks?name=late'))).toEqual(['late'])
  })
})
