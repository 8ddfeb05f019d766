/** The order and the pages of lists by what their documents say, through every transport. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { Connection } from '../support/raw-request.js'

const text: Part = { type: 'string' }
const object = (properties: Part): Part => ({ type: 'object', properties })
const json = (schema: Part): Part => ({ content: { 'application/json': { schema } } })
const ok = (schema: Part): Part => ({ 200: { description: 'ok', ...json(schema) } })
const listOf = (items: Part): Part => ({ type: 'array', items })
const inQuery = (name: string, schema: Part = text, description = ''): Part => ({
  name,
  in: 'query',
  description,
  schema,
})

const lamp = object({ id: { type: 'integer' }, name: text, created_at: { type: 'integer', readOnly: true } })

/** A collection whose list has a description, parameters and a body. */
function lamps(name: string, description: string, parameters: Part[] = [], body: Part = listOf(lamp)): Part {
  return {
    [`/${name}`]: {
      get: { description, parameters, responses: ok(body) },
      post: { requestBody: json(lamp), responses: ok(lamp) },
    },
    [`/${name}/{id}`]: {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: ok(lamp) },
    },
  }
}

const nullableText = { type: ['string', 'null'] }
const iterated = object({
  data: listOf(lamp),
  iterator: nullableText,
  prevIterator: nullableText,
  done: { type: 'boolean' },
})
const directions = { type: 'string', enum: ['asc', 'desc'] }
const document = documentOf({
  ...lamps('plain', 'Lists all lamps.'),
  ...lamps('oldest', 'The lamps are returned oldest first.'),
  ...lamps('by-id', 'Lamps are ordered by ascending ID.'),
  ...lamps('by-name', 'Sees all lamps, sorted by `name` in ascending order.'),
  ...lamps('by-default', '', [inQuery('order', { ...directions, default: 'asc' })]),
  // The name of the default property only begins like a direction.
  ...lamps('by-description', 'The lamps are returned oldest first.', [
    inQuery('sort', { type: 'string', enum: ['description', 'name'], default: 'description' }),
  ]),
  ...lamps('numbered', '', [inQuery('page', { type: 'integer' }, 'Up to 3 lamps will be returned in a single call.')]),
  ...lamps('iterated', '', [inQuery('iterator'), inQuery('limit', { type: 'integer' })], iterated),
  ...lamps(
    'counted',
    '',
    [inQuery('page', { type: 'integer' }), inQuery('page_size', { type: 'integer' })],
    object({ data: listOf(lamp), results: { type: 'integer' }, first_id: text, last_id: text }),
  ),
})

async function send(connection: Connection, method: string, target: string, body?: Part) {
  const headers: [string, string][] = body ? [['Content-Type', 'application/json']] : []
  const answer = await receive(connection, { method, target, headers, ...(body && { body: JSON.stringify(body) }) })
  return JSON.parse(answer.text)
}

/** Creates lamps in one second, so that only the order of their creation tells them apart. */
async function open(door: string, name: string, names = ['b', 'c', 'a']): Promise<Connection> {
  const connection = await openDocument(door, document)
  for (const each of names) await send(connection, 'POST', `/${name}`, { name: each })
  return connection
}

const namesOf = (list: { name: string }[]) => list.map(({ name }) => name).join('')

describe.each(doors)('through %s', (door) => {
  it.each([
    ['plain', 'acb'],
    ['oldest', 'bca'],
    ['by-id', 'bca'],
    ['by-name', 'abc'],
    ['by-default', 'bca'],
    ['by-description', 'bca'],
  ])('/%s is listed as its document says', async (name, expected) => {
    const connection = await open(door, name)
    expect(namesOf(await send(connection, 'GET', `/${name}`))).toBe(expected)
  })

  it('an order that a request gives comes first', async () => {
    const connection = await open(door, 'by-default')
    expect(namesOf(await send(connection, 'GET', '/by-default?order=desc'))).toBe('acb')
  })

  it('the description of a page number says how many records a page has', async () => {
    const connection = await open(door, 'numbered', ['a', 'b', 'c', 'd'])
    expect(namesOf(await send(connection, 'GET', '/numbered?page=1'))).toBe('dcb')
    expect(namesOf(await send(connection, 'GET', '/numbered?page=2'))).toBe('a')
  })

  it('an iterator leads to the next page, until the last', async () => {
    const connection = await open(door, 'iterated')
    const first = await send(connection, 'GET', '/iterated?limit=2')
    expect([namesOf(first.data), first.done, first.prevIterator]).toEqual(['ac', false, null])
    const last = await send(connection, 'GET', `/iterated?limit=2&iterator=${first.iterator}`)
    expect([namesOf(last.data), last.done, last.iterator]).toEqual(['b', true, null])
    const back = await send(connection, 'GET', `/iterated?limit=2&iterator=${last.prevIterator}`)
    expect(namesOf(back.data)).toBe('ac')
  })

  it('a number of results counts all, and keys are those of the page', async () => {
    const connection = await open(door, 'counted')
    const page = await send(connection, 'GET', '/counted?page=1&page_size=2')
    expect(page).toMatchObject({ results: 3, first_id: String(page.data[0].id), last_id: String(page.data[1].id) })
  })
})
