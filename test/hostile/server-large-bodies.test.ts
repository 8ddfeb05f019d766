/** Bodies that take little space and much work: each is answered in time that grows with its size. */
import { compileDocument, createSandbox, type Sandbox } from 'petstore-sandbox'
import { beforeAll, describe, expect, it } from 'vitest'

let sandbox: Sandbox

const schema = {
  type: 'object',
  properties: {
    unique: { type: 'array', uniqueItems: true },
    repeated: { type: 'array', uniqueItems: false },
    integers: { type: 'array', items: { type: 'integer' } },
    objects: { type: 'array', items: { type: 'object', required: ['a', 'b', 'c'] } },
    map: { type: 'object', additionalProperties: { type: 'integer' } },
  },
}

beforeAll(async () => {
  const content = { 'application/json': { schema } }
  const post = { requestBody: { content }, responses: { '201': { description: 'ok', content } } }
  const { contract } = await compileDocument(
    JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: { '/things': { post } } }),
  )
  sandbox = createSandbox({ contract })
})

async function post(body: string): Promise<{ status: number; text: string }> {
  const headers = { 'Content-Type': 'application/json' }
  const response = await sandbox.fetch('http://localhost/things', { method: 'POST', headers, body })
  return { status: response.status, text: await response.text() }
}

const numbered = (count: number, toItem: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => toItem(i))

describe('uniqueItems', () => {
  // Comparing each item with each other took minutes.
  it.each([
    { what: 'numbers', items: numbered(150_000, (index) => `${index}`) },
    { what: 'objects', items: numbered(60_000, (index) => `{"a":${index}}`) },
    { what: 'arrays', items: numbered(60_000, (index) => `["",[${index}]]`) },
  ])('compares many $what', async ({ items }) => {
    expect((await post(`{"unique":[${items.join()}]}`)).status).toBe(201)
    const twice = await post(`{"unique":[${[...items, items[7]].join()}]}`)
    expect(twice).toMatchObject({ status: 400, text: expect.stringContaining('must not have the same item twice') })
  })

  it.each([
    '1,1',
    '1,1.0',
    '0,-0',
    '1e2,100',
    '"a","\\u0061"',
    '{"a":1,"b":2},{"b":2,"a":1}',
    '{"a":[{"b":1,"c":2}]},{"a":[{"c":2,"b":1}]}',
    '[],[]',
    '{},{}',
    'null,0,null',
    '{"__proto__":1},{"__proto__":1}',
  ])('finds an item twice in [%s]', async (items) => {
    expect((await post(`{"unique":[${items}]}`)).status).toBe(400)
    expect((await post(`{"repeated":[${items}]}`)).status).toBe(201)
  })

  it.each([
    '',
    '1',
    '1,"1"',
    'null,"null"',
    'true,"true"',
    '0,false',
    '"",[]',
    '[],{}',
    '[1,2],[2,1]',
    '[1,[2]],[[1],2]',
    '["a,b"],["a","b"]',
    '["\\"a\\",\\"b\\""],["a","b"]',
    '{"a":1},{"a":2}',
    '{"a":1},{"b":1}',
    '{"a":1},{"a":1,"b":1}',
    '{"a":"1,\\"b\\":2"},{"a":"1","b":2}',
    '{"__proto__":1},{}',
  ])('finds no item twice in [%s]', async (items) => {
    expect((await post(`{"unique":[${items}]}`)).status).toBe(201)
  })
})

describe('many violations', () => {
  it.each([
    { what: 'wrong items', body: `{"integers":[${'"",'.repeat(200_000)}""]}`, rest: '199,981' },
    { what: 'missing properties', body: `{"objects":[${'{},'.repeat(100_000)}{}]}`, rest: '299,983' },
    { what: 'wrong members', body: `{"map":{${numbered(50_000, (i) => `"k${i}":""`).join()}}}`, rest: '49,980' },
  ])('are described up to 20, and the rest is counted: $what', async ({ body, rest }) => {
    const { status, text } = await post(body)
    expect(status).toBe(400)
    expect(text.length).toBeLessThan(10_000)
    const message: string = JSON.parse(text).message
    expect(message.split('; ')).toHaveLength(21)
    expect(message).toMatch(new RegExp(`; and ${rest} more$`))
    expect(sandbox.journal.list().at(-1)?.violations).toHaveLength(21)
  })

  it('are all described up to 20', async () => {
    const { text } = await post(`{"integers":[${Array<string>(20).fill('""').join()}]}`)
    const message: string = JSON.parse(text).message
    expect(message.split('; ')).toHaveLength(20)
    expect(message).toMatch(/integers\[19\] must be an integer \(got ""\)$/)
  })
})
