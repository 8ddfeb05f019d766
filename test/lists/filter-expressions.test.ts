/** Filters that are expressions, and filters by the key of a record that is shown in another, through every transport. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { Connection } from '../support/raw-request.js'

const text: Part = { type: 'string' }
const object = (properties: Part): Part => ({ type: 'object', properties })
const json = (schema: Part): Part => ({ content: { 'application/json': { schema } } })
const ok = (schema: Part): Part => ({ 200: { description: 'ok', ...json(schema) } })
const inQuery = (name: string, description = ''): Part => ({ name, in: 'query', description, schema: text })

const maker = object({ id: text, title: text })
const lamp = object({
  id: text,
  name: text,
  watts: { type: 'integer' },
  isOn: { type: 'boolean' },
  contact: { type: 'string', format: 'email' },
  tags: { type: 'array', items: text },
  maker: { anyOf: [text, maker] },
})
const parameters = [
  inQuery('filter', 'For example `name eq "x"`.'),
  inQuery('q', 'Words, or an expression in the search syntax.'),
  inQuery('maker', 'Only lamps of this maker.'),
]
const document = documentOf({
  '/lamps': {
    get: { parameters, responses: ok({ type: 'array', items: lamp }) },
    post: { requestBody: json(lamp), responses: ok(lamp) },
  },
  '/lamps/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
    get: { responses: ok(lamp) },
  },
})

async function open(door: string): Promise<Connection> {
  const connection = await openDocument(door, document)
  for (const body of [
    { name: 'Desk lamp', watts: 5, isOn: true, tags: ['red'], maker: 'm1' },
    { name: 'Night light', watts: 40, tags: ['red', 'small'], maker: 'm2', contact: 'ana@example.com' },
    { name: 'Torch', watts: 100, tags: [], maker: 'm2' },
  ]) {
    const headers: [string, string][] = [['Content-Type', 'application/json']]
    await receive(connection, { method: 'POST', target: '/lamps', headers, body: JSON.stringify(body) })
  }
  return connection
}

async function list(connection: Connection, query: string): Promise<string> {
  const { text: answer } = await receive(connection, { method: 'GET', target: `/lamps?${query}`, headers: [] })
  const names = JSON.parse(answer).map(({ name }: { name: string }) => name[0])
  return names.sort().join('')
}

describe.each(doors)('through %s', (door) => {
  it.each([
    ['name eq "Torch"', 'T'],
    ['name = \'Torch\' or name = "Desk lamp"', 'DT'],
    ['name co "L"', 'DN'],
    ['name sw "desk"', 'D'],
    ['watts gt 5 and watts le 100 and not (name eq "Torch")', 'N'],
    ["'red' in tags", 'DN'],
    ['isOn = false', 'NT'],
    ['isOn pr', 'D'],
    ['startswith(name, "N")', 'N'],
    ['name ne "Torch"', 'DN'],
    ['watts:5', 'D'],
    ['{"watts":{"$gte":40},"tags":"small"}', 'N'],
    ['{"name":["Torch","Desk lamp"]}', 'DT'],
    ['{"+or":[{"watts":5},{"watts":100}]}', 'DT'],
  ])('%s chooses %s', async (expression, expected) => {
    const connection = await open(door)
    expect(await list(connection, `filter=${encodeURIComponent(expression)}`)).toBe(expected)
  })

  const deep = ['('.repeat(10_000), 'not '.repeat(2_000), '{"and":['.repeat(700)]

  it.each(['shape eq "round"', 'name eq', 'whatever', '(name eq "Torch"', ...deep])(
    '%.20s is not understood, which is noted, and empties no list',
    async (expression) => {
      const connection = await open(door)
      expect(await list(connection, `filter=${encodeURIComponent(expression)}`)).toBe('DNT')
      const [exchange] = connection.sandbox.journal.list().slice(-1)
      expect(exchange?.notes).toEqual(['the filter "filter" was ignored: it is not understood'])
    },
  )

  it('a search may be words or an expression', async () => {
    const connection = await open(door)
    expect(await list(connection, 'q=light')).toBe('N')
    expect(await list(connection, 'q=ANA@')).toBe('N')
    expect(await list(connection, `q=${encodeURIComponent('watts>5')}`)).toBe('NT')
    expect(await list(connection, `q=${encodeURIComponent('light in:title')}`)).toBe('DNT')
  })

  it('a property that has a record or its key is filtered by the key', async () => {
    const connection = await open(door)
    expect(await list(connection, 'maker=m2')).toBe('NT')
  })
})
