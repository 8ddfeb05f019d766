/** Links to other pages: in the form of the document's examples, and followed by appending them, through every transport. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { Connection } from '../support/raw-request.js'

const text: Part = { type: 'string' }
const object = (properties: Part): Part => ({ type: 'object', properties })
const lamp: Part = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', readOnly: true }, name: text },
}
const json = (schema: Part, others: Part = {}): Part => ({ content: { 'application/json': { schema, ...others } } })

function list(next: Part, others: Part = {}): Part {
  const properties = { items: { type: 'array', items: lamp }, next }
  const schema = { type: 'object', properties }
  return {
    get: {
      parameters: ['page', 'limit'].map((name) => ({ name, in: 'query', schema: { type: 'integer' } })),
      responses: { 200: { description: 'ok', ...json(schema, others) } },
    },
    post: { requestBody: json(lamp), responses: { 201: { description: 'created', ...json(lamp) } } },
  }
}

const shown = (next: string): Part => ({ example: { items: [{ id: 'a' }], next } })

const document = documentOf({
  '/lamps': list({ type: ['string', 'null'] }, shown('https://lights.example/v1/lamps?page=2')),
  '/stands': list({ type: ['string', 'null'], example: 'http://lights.example/v1/stands?page=2' }),
  '/shelves': list({ type: ['string', 'null'] }, shown('/v1/shelves?page=2')),
  '/cables': list({ type: ['string', 'null'] }),
  '/plugs': list({ type: ['string', 'null'], format: 'uri' }),
  '/bulbs': {
    ...list({ type: ['string', 'null'] }),
    get: {
      ...(list({ type: ['string', 'null'] })['get'] as Part),
      parameters: [
        { name: 'limit', in: 'query', schema: { type: 'integer' } },
        { name: 'resume', in: 'query', schema: text },
      ],
      'x-sandbox-effect': { page: { size: 'limit', cursor: 'resume' } },
    },
  },
})

async function get(connection: Connection, target: string) {
  const { status, text: body } = await receive(connection, { method: 'GET', target })
  return { status, body: JSON.parse(body) }
}

async function fill(connection: Connection, path: string): Promise<void> {
  for (const name of ['one', 'two', 'three']) {
    const headers = [['Content-Type', 'application/json']] as const
    await receive(connection, { method: 'POST', target: path, headers, body: JSON.stringify({ name }) })
  }
}

/** What a list says of its page, as texts. */
const counted = object({
  shades: { type: 'array', items: lamp },
  ...Object.fromEntries(['resultSetSize', 'totalSetSize', 'startPosition', 'endPosition'].map((name) => [name, text])),
})
const sets = documentOf({
  '/shades': {
    get: {
      parameters: ['start_position', 'count'].map((name) => ({ name, in: 'query', schema: { type: 'integer' } })),
      responses: { 200: { description: 'ok', ...json(counted) } },
    },
    post: { requestBody: json(lamp), responses: { 201: { description: 'created', ...json(lamp) } } },
  },
})

describe.each(doors)('Page links through %s', (door) => {
  it('have a host if those of the examples have one', async () => {
    const connection = await openDocument(door, document)
    const hosts: Record<string, boolean> = {}
    for (const path of ['/lamps', '/stands', '/shelves', '/cables', '/plugs']) {
      await fill(connection, path)
      const { body } = await get(connection, `${path}?limit=2`)
      expect(body.next).toMatch(new RegExp(`${path}\\?limit=2&page=2$`))
      hosts[path] = /^https?:/.test(body.next)
    }
    expect(hosts).toEqual({ '/lamps': true, '/stands': true, '/shelves': false, '/cables': false, '/plugs': true })
  })

  it('have texts with the size and the place of the page', async () => {
    const connection = await openDocument(door, sets)
    await fill(connection, '/shades')
    const { body } = await get(connection, '/shades?count=2')
    expect(body).toMatchObject({ resultSetSize: '2', totalSetSize: '3', startPosition: '0', endPosition: '1' })
    const { body: last } = await get(connection, '/shades?count=2&start_position=2')
    expect(last).toMatchObject({ resultSetSize: '1', totalSetSize: '3', startPosition: '2', endPosition: '2' })
  })

  it('have the parameter that a correction names from the first page on', async () => {
    const connection = await openDocument(door, document)
    await fill(connection, '/bulbs')
    const { body: first } = await get(connection, '/bulbs?limit=2')
    expect(first.next).toMatch(/\?limit=2&resume=\w+$/)
    const { body: second } = await get(connection, first.next.replace(/^.*(?=\/bulbs)/, ''))
    expect([first, second].map(({ items }) => items.map(({ name }: { name: string }) => name))).toEqual([
      ['three', 'two'],
      ['one'],
    ])
  })

  it('are found if a client appends them to the address of the server', async () => {
    const connection = await openDocument(door, document)
    await fill(connection, '/plugs')
    const first = await get(connection, '/plugs?limit=1')
    const second = await get(connection, `/${first.body.next}`)
    const third = await get(connection, `/${second.body.next}`)
    expect([first, second, third].map(({ body }) => body.items?.length)).toEqual([1, 1, 1])
    expect(second.body.next).toBe(first.body.next.replace('page=2', 'page=3'))
    expect(third.body.next).toBeNull()
    const [exchange] = connection.sandbox.journal.list().slice(-1)
    expect(exchange?.notes).toEqual(['the path was taken for /plugs'])
    expect((await get(connection, '/http://lights.example/unknown')).status).toBe(404)
  })
})
