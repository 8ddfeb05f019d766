// Which ids a creation takes from its caller, and that the next creation gets an id, whatever came before.
import { describe, expect, it } from 'vitest'
import { type JsonObject, readArray, readObject } from '../support/read-json.js'
import { collection, documentOf, serve } from '../support/serve-objects.js'

const schemas = {
  integer: { type: 'integer' },
  number: { type: 'number' },
  string: { type: 'string' },
  uuid: { type: 'string', format: 'uuid' },
  untyped: {},
  'integer or text': { type: ['integer', 'string'] },
} as const
const kinds = Object.keys(schemas)
const toPath = (kind: string) => `/${kind.replaceAll(' ', '-')}`

const paths = Object.entries(schemas).map(([kind, id]) => {
  const record = { type: 'object', properties: { id, name: { type: 'string' } } }
  return collection({ path: toPath(kind), record, body: { type: 'object', properties: { id: {}, name: {} } } })
})
const served = serve(documentOf(Object.assign({}, ...paths)))

/** The ids in each collection. */
const taken = new Map(kinds.map((kind) => [kind, new Set<unknown>()]))

async function create(kind: string, body: string): Promise<{ status: number; body: JsonObject }> {
  const { status, text, headers } = await served.send('POST', toPath(kind), { body })
  expect(headers['content-type']).toBe('application/json')
  const created = readObject(JSON.parse(text))
  if (status === 201) taken.get(kind)?.add(idIn(text))
  return { status, body: created }
}

/** The JSON text of the id, with every digit. */
function idIn(text: string): string {
  return /^\{"id":("(?:[^"\\]|\\.)*"|[^,]*),/.exec(text)?.[1] ?? ''
}

/** Whether the schema of records allows an id, which may be converted between a number and its text. */
function isAllowed(kind: string, id: unknown): boolean {
  const types: string[] = [Object(schemas[kind as keyof typeof schemas]).type ?? []].flat()
  if (kind === 'uuid') return false
  return types.length === 0 || types.includes('string') || typeof id === 'number'
}

/** Creates a record whose id the service makes. */
async function createNext(kind: string): Promise<unknown> {
  const before = [...(taken.get(kind) ?? [])]
  const { status, body } = await create(kind, '{"name":"next"}')
  expect([status, body['name']]).toEqual([201, 'next'])
  expect(before).not.toContain(JSON.stringify(body['id']))
  return body['id']
}

describe.each(kinds)('with an id that is %s', (kind) => {
  it.each([
    ...['{}', '[]', '[1]', 'true', 'false', 'null', '1.5', '-0.5', '1e-7', '1e999'],
    ...['{"reason":"x"}', '{"status":1000,"reason":"not_found"}', '{"message":"m","reason":"unauthorized"}'],
    ...[
      '{"toString":1}',
      '{"__proto__":{"id":1}}',
      '{"valueOf":null}',
      '{"a":{"b":{"c":[{}]}}}',
      '[[[]]]',
      '{"length":1}',
    ],
  ])('refuses %s and creates the next record', async (id) => {
    const { status, body } = await create(kind, `{"id":${id},"name":"n"}`)
    expect([status, body['code']]).toEqual([400, 'invalid_request'])
    await createNext(kind)
  })

  // A record that cannot have the id that was sent gets a new one.
  it.each([
    ...['-5', '0', '1007', '2e3', '3007.0', '9007199254740992', '9007199254740993', '-9007199254740993'],
    ...['1e30', '123456789012345678901234567890'],
    ...[
      '""',
      '" "',
      '"a"',
      '"007"',
      '"1.0"',
      '"constructor"',
      '"__proto__"',
      '"é😀"',
      '"a/b?c#d%20"',
      '"\\u0000"',
      '"\\ud800"',
    ],
    `"${'x'.repeat(5000)}"`,
  ])('takes %s once if records can have it, and creates the next record', async (id) => {
    const sent = `{"id":${id},"name":"n"}`
    const { status, body } = await create(kind, sent)
    expect(status).toBe(201)
    if (!isAllowed(kind, JSON.parse(id))) {
      expect(body['id']).not.toEqual(JSON.parse(id))
      return void (await createNext(kind))
    }
    expect(Number.isNaN(Number(id)) ? body['id'] : Number(body['id'])).toEqual(JSON.parse(id))
    const again = await create(kind, sent)
    expect([again.status, again.body['code']]).toEqual([409, 'conflict'])
    await createNext(kind)
  })

  it('lists each of them once', async () => {
    const records = readArray(JSON.parse((await served.send('GET', toPath(kind))).text))
    expect(records).toHaveLength(taken.get(kind)?.size ?? 0)
  })
})

describe('the next id', () => {
  it('follows the greatest integer that was ever taken', async () => {
    const createWith = async (id?: number) => (await create('integer', JSON.stringify({ id }))).body['id']
    const first = Number(await createWith())
    expect(await createWith(first + 500)).toBe(first + 500)
    expect(await createWith()).toBe(first + 501)
    expect((await served.send('DELETE', `/integer/${first + 501}`)).status).toBe(204)
    expect(await createWith()).toBe(first + 502)
    expect(await createWith(first + 5)).toBe(first + 5)
    expect(await createWith()).toBe(first + 503)
  })

  it('passes over texts that are taken', async () => {
    const first = Number(await createNext('string'))
    for (const id of [first + 1, first + 2, first + 4]) await create('string', `{"id":"${id}"}`)
    const next = [await createNext('string'), await createNext('string'), await createNext('string')]
    expect(next).toEqual([`${first + 3}`, `${first + 5}`, `${first + 6}`])
  })

  it('is refused with 503 once the last integer below 2^53 is taken, and a sent one is still taken', async () => {
    const body = '{"id":9007199254740991,"name":"last"}'
    expect((await served.send('POST', '/number', { body })).status).toBe(201)
    expect((await served.send('POST', '/number', { body: {} })).status).toBe(503)
    expect((await served.send('POST', '/number', { body: { id: 424242 } })).status).toBe(201)
    expect((await served.send('GET', '/number/9007199254740991')).text).toBe(body)
    expect((await served.send('DELETE', '/number/9007199254740991')).status).toBe(204)
    expect((await served.send('POST', '/number', { body: {} })).status).toBe(503)
  })
})
