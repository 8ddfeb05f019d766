/** Named examples and made values as answers, by preferences and by the query parameters of Prism. */
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'

const seat: Part = {
  type: 'object',
  properties: { row: { type: 'integer', minimum: 1 }, note: { type: 'string' } },
  required: ['row'],
}
const aisle = { row: 3, note: 'aisle' }
const named = (examples: Record<string, unknown>): Part =>
  Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]))
const json = (schema: Part, examples: Record<string, unknown>): Part => ({ schema, examples: named(examples) })
const problem: Part = { type: 'object', properties: { why: { type: 'string' } }, required: ['why'] }

const document = documentOf({
  '/seat': {
    get: {
      responses: {
        200: {
          description: 'ok',
          content: {
            'application/json': json(seat, {
              front: { row: 1 },
              aisle,
              broken: { note: 'no row' },
              'by, window': { row: 7 },
            }),
            'text/plain': { schema: { type: 'string' }, examples: named({ front: 'row 1' }) },
          },
        },
        206: { description: 'part', content: { 'application/json': json(seat, { rest: { row: 9 } }) } },
        404: {
          description: 'none',
          content: { 'application/json': json(problem, { sold: { why: 'sold' }, closed: { why: 'closed' } }) },
        },
      },
    },
  },
})

async function ask(door: string, target: string, headers: [string, string][] = [], prismQuery = false) {
  const connection = await openDocument(door, document, { prismQuery })
  const received = await receive(connection, { method: 'GET', target, headers })
  return { ...received, applied: received.headers['preference-applied'] }
}

const front = '{"row":1}'
const byHeader: [prefer: string, status: number, body: string, applied: string][] = [
  ['example=aisle', 200, '{"row":3,"note":"aisle"}', 'example=aisle'],
  ['example="by, window"', 200, '{"row":7}', 'example=by, window'],
  ['example=rest', 206, '{"row":9}', 'example=rest'],
  ['code=404, example=closed', 404, '{"why":"closed"}', 'code=404, example=closed'],
  ['code=404; example=closed', 404, '{"why":"closed"}', 'code=404, example=closed'],
  ['example=front, example=aisle', 200, front, 'example=front'],
]

describe.each(doors)('a preference, through %s', (door) => {
  it.each(byHeader)('%s chooses the example', async (prefer, status, body, applied) => {
    const received = await ask(door, '/seat', [['Prefer', prefer]])
    expect([received.status, received.text, received.applied]).toEqual([status, body, applied])
  })

  it('chooses the example of the accepted media type', async () => {
    const received = await ask(door, '/seat', [
      ['Prefer', 'example=front'],
      ['Accept', 'text/plain'],
    ])
    expect([received.headers['content-type'], received.text]).toEqual(['text/plain', 'row 1'])
  })

  it('makes an example valid', async () => {
    const { text } = await ask(door, '/seat', [['Prefer', 'example=broken']])
    expect(JSON.parse(text)).toEqual({ note: 'no row', row: expect.any(Number) })
  })

  it('makes other values for each request', async () => {
    const connection = await openDocument(door, document)
    const texts = [1, 2, 3, 4, 5].map(async () => {
      const received = await receive(connection, {
        method: 'GET',
        target: '/seat',
        headers: [['Prefer', 'dynamic=true']],
      })
      expect([received.status, received.headers['preference-applied']]).toEqual([200, 'dynamic=true'])
      expect(JSON.parse(received.text).row).toBeGreaterThanOrEqual(1)
      return received.text
    })
    expect(new Set(await Promise.all(texts)).size).toBeGreaterThan(1)
  })
})

describe.each(doors)('the query of Prism, through %s', (door) => {
  it('chooses the answer with the option', async () => {
    const received = await ask(door, '/seat?__code=404&__example=sold', [], true)
    expect([received.status, received.text, received.applied]).toEqual([
      404,
      '{"why":"sold"}',
      'code=404, example=sold',
    ])
    const spaced = await ask(door, '/seat?__example=by%2C+window', [], true)
    expect(spaced.text).toBe('{"row":7}')
    expect((await ask(door, '/seat?__dynamic=true', [], true)).applied).toBe('dynamic=true')
    expect((await ask(door, '/seat?__code=404', [['Prefer', 'code=206']], true)).status).toBe(404)
  })

  it('is unknown without the option', async () => {
    const received = await ask(door, '/seat?__code=404&__example=sold')
    expect([received.status, received.text, received.applied]).toEqual([200, front, undefined])
  })
})

describe('a note', () => {
  async function noted(target: string, headers: Record<string, string>, prismQuery = false) {
    const { contract } = await compileDocument(document)
    const sandbox = createSandbox({ contract, prismQuery })
    const { status } = await sandbox.fetch(`http://localhost${target}`, { headers })
    return { status, notes: sandbox.journal.list()[0]?.notes }
  }

  it('lists the names, the nearest first', async () => {
    expect(await noted('/seat', { Prefer: 'code=404, example=close' })).toEqual({
      status: 404,
      notes: ['preference "example=close" was ignored: use "closed" or "sold"'],
    })
    expect((await noted('/seat', { Prefer: 'dynamic=maybe' })).notes).toEqual([
      'preference "dynamic=maybe" was ignored: use true where the response has a schema in JSON',
    ])
  })

  it('is not about the query of Prism with the option', async () => {
    expect((await noted('/seat?__example=aisle', {}, true)).notes).toEqual([])
    expect((await noted('/seat?__example=aisle', {})).notes).toHaveLength(1)
  })
})
