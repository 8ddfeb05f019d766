/** `explain` says what each operation of a document does and why, and what is wrong in the document. */
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeFolder } from '../support/serving.js'
import { runWarm, serveWarm as serve } from '../support/warm.js'

let folder: string

const order = { $ref: '#/components/schemas/Order' }
const answer = (schema: object) => ({
  responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
})
const document = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  components: { schemas: { Order: { type: 'object', properties: { id: { type: 'integer' } } } } },
  paths: {
    '/orders': {
      get: {
        operationId: 'list',
        ...answer({ type: 'object', properties: { 'a/b': { type: 'array', items: order } } }),
      },
      post: {
        requestBody: { content: { 'application/json': { schema: order } } },
        ...answer(order),
      },
    },
    '/orders/{number}': {
      parameters: [{ name: 'number', in: 'path', required: true, schema: { type: 'integer' } }],
      get: answer(order),
      delete: { 'x-sandbox-effect': 'example', ...answer({ $ref: '#/nothing' }) },
    },
    '/orders/{number}/lines': {
      parameters: [{ name: 'number', in: 'path', required: true, schema: { type: 'integer' } }],
      get: answer({ type: 'array', items: { type: 'object' } }),
      head: { responses: { '4XX': { description: 'any' } } },
    },
  },
}

const withCertificate = {
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  components: { securitySchemes: { certificate: { type: 'mutualTLS' } } },
  paths: { '/x': { get: { security: [{ certificate: [] }], ...answer({ type: 'object' }) } } },
}

const withValues = {
  openapi: '3.1.0',
  info: { title: 'V', version: '1' },
  paths: {
    '/people': {
      get: answer({
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: { type: 'integer' },
            name: { type: 'string', 'x-sandbox-hint': { enum: ['Ada'] } },
            motto: { type: 'string', example: 'Slow and steady' },
            state: { enum: ['new', 'old'] },
            site: { type: 'string', format: 'uri' },
            mood: { type: 'string', description: "One of 'good' and 'bad'" },
            city: { type: 'string' },
            zorb: { type: 'string' },
            born_at: { type: 'integer' },
          },
        },
      }),
    },
  },
}

beforeAll(async () => {
  const text = JSON.stringify(document, null, 1)
  const same = JSON.stringify(document).replaceAll('"type":"integer"', '"type":"int"')
  folder = await writeFolder({
    'same.json': same,
    'shop.json': text,
    'broken.json': '{}',
    'twice.json': text.replace('{', '{"info":{},'),
    'certificate.json': JSON.stringify(withCertificate),
    'values.json': JSON.stringify(withValues),
    'empty overlay.yaml': "overlay: 1.1.0\ninfo: { title: T, version: '1' }\nactions: []\n",
  })
})

afterAll(() => rm(folder, { recursive: true }))

async function explain(...args: string[]) {
  const { code, stdout, stderr } = await runWarm(['explain', '--json', ...args], { cwd: folder })
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return JSON.parse(stdout)
}

it('says where the values of records come from', async () => {
  const { collections } = await explain('--spec', 'values.json')
  type Fact = { fact: string; about: string; evidence: string }
  const values = (collections[0].facts as Fact[]).filter(({ fact }) => fact === 'value')
  expect(values.map(({ about, evidence }) => `${about} by ${evidence}`)).toEqual([
    'name by extension',
    'motto by example',
    'state by schema',
    'site by schema',
    'mood by description',
    'city by name',
    'zorb by schema',
    'born_at by name',
  ])
  expect(values[6]).toMatchObject({ why: expect.stringContaining('nothing says') })
  const { stdout } = await runWarm(['explain', '--spec', 'values.json', '/people'], { cwd: folder })
  expect(stdout).toContain('/people  value city  by name: its name says what it is')
})

it('explains each operation as JSON', async () => {
  const { operations, collections, notes } = await explain('--spec', 'shop.json')
  const none = { state: 'none', collection: null, key: null, list: null, record: null }
  const kept = { state: 'none', collection: '/orders', key: 'id', list: null, record: '', backed: true }
  // No path has a key of theirs.
  const lines = { state: 'none', collection: '/orders/{number}/lines', key: null, list: '', record: null }
  const reason = expect.stringMatching(/^[a-z].*[^.]$/i)
  const id = { operationId: null, reason }
  expect(operations).toEqual([
    {
      method: 'GET',
      path: '/orders',
      ...kept,
      operationId: 'list',
      effect: 'list',
      list: '/a~1b',
      record: null,
      rule: 'collection-list',
      reason,
      sure: 'high',
    },
    { method: 'POST', path: '/orders', ...kept, ...id, effect: 'create', rule: 'collection-post', sure: 'high' },
    { method: 'GET', path: '/orders/{number}', ...kept, ...id, effect: 'read', rule: 'item-get', sure: 'high' },
    { method: 'DELETE', path: '/orders/{number}', ...none, ...id, effect: 'example', rule: null, sure: 'high' },
    { method: 'GET', path: lines.collection, ...lines, ...id, effect: 'list', rule: 'collection-list', sure: 'high' },
    { method: 'HEAD', path: '/orders/{number}/lines', ...none, ...id, effect: 'undescribed', rule: null, sure: 'high' },
  ])
  const key = { fact: 'key', about: 'id', evidence: 'name', why: expect.any(String) }
  expect(collections).toEqual([
    { name: 'orders', path: '/orders', key: 'id', keyKind: 'integer', servers: ['default'], facts: [key] },
    {
      name: 'lines',
      path: '/orders/{number}/lines',
      key: 'id',
      keyKind: 'integer',
      servers: ['default'],
      facts: [
        {
          fact: 'owner',
          about: expect.stringContaining('/orders'),
          evidence: 'name',
          why: 'its path is below {number}',
        },
      ],
    },
  ])
  expect(notes).toEqual([
    {
      message: '$ref "#/nothing" points to nothing: there is no "nothing"',
      instead: 'any value is accepted',
      file: 'shop.json',
      line: expect.any(Number),
      column: expect.any(Number),
    },
  ])
})

it('shows only operations whose path contains a text', async () => {
  const { operations } = await explain('--spec', 'shop.json', 'lines')
  expect(operations).toHaveLength(2)
})

it('explains the bundled document, which has no notes', async () => {
  const { operations, notes } = await explain()
  expect(operations.map(({ effect }: { effect: string }) => effect)).toEqual([
    'list',
    'create',
    'read',
    'undescribed',
    'create',
  ])
  expect(notes).toEqual([])
  expect((await runWarm(['explain'], { cwd: folder })).stdout).toContain(
    '\nNothing is wrong in the document; 1 operation is guessed\n',
  )
})

it('groups notes that say the same, except in JSON', async () => {
  const { notes } = await explain('--spec', 'same.json')
  expect(notes).toHaveLength(4)
  const { stdout } = await runWarm(['explain', '--spec', 'same.json'], { cwd: folder })
  expect(stdout).toMatch(
    /\n4 notes:\n {2}3 ×, first at same\.json:1:\d+ {2}type must be .*\n {2}same\.json:1:\d+ {2}\$ref .*\n$/,
  )
})

it('finds keys that are given twice in JSON', async () => {
  const { notes } = await explain('--spec', 'twice.json')
  expect(notes).toContainEqual(expect.objectContaining({ message: 'The key "info" is given twice in the same object' }))
})

it('refuses a document that is none, and with --strict one with a mistake', async () => {
  expect(await runWarm(['explain', '--spec', 'broken.json'], { cwd: folder })).toMatchObject({ code: 2, stdout: '' })
  const { code, stderr } = await runWarm(['explain', '--strict', '--spec', 'shop.json'], { cwd: folder })
  expect(code).toBe(2)
  expect(stderr).toMatch(/shop\.json:\d+:\d+: \$ref "#\/nothing" points to nothing/)
})

it('accepts what it cannot do with --strict, if the document is right', async () => {
  const { notes } = await explain('--strict', '--spec', 'certificate.json')
  expect(notes).toMatchObject([{ message: 'Client certificates are not checked' }])
})

it('names the overlays in the banner, and the other options of the document', async () => {
  const options = [
    '--spec',
    'shop.json',
    '--overlay',
    'empty overlay.yaml',
    '--allow-remote-refs',
    '--allow-outside-refs',
  ]
  const server = await serve(options, { cwd: folder })
  const command =
    'explain --spec shop.json --overlay "empty overlay.yaml" --allow-remote-refs --allow-outside-refs lists them'
  expect(server.stdout()).toContain(command)
  await server.stop()
})

it('counts the notes in the banner', async () => {
  const server = await serve(['--spec', 'shop.json'], { cwd: folder })
  expect(server.stdout()).toContain('petstore-sandbox explain --spec shop.json')
  await server.stop()
})

it('says what operations do for HTTP, where the document says so', async () => {
  const number = { name: 'number', in: 'path', required: true, schema: { type: 'integer' } }
  const text = { schema: { type: 'string' } }
  const header = (name: string) => ({ name, in: 'header', ...text })
  const body = { requestBody: { content: { 'application/json': { schema: order } } } }
  const careful = {
    ...document,
    paths: {
      '/orders': {
        get: document.paths['/orders'].get,
        post: {
          ...body,
          parameters: [header('Idempotency-Key')],
          responses: { 201: { description: '', headers: { Location: text } } },
        },
      },
      '/orders/{number}': {
        parameters: [number],
        get: answer(order),
        put: {
          ...body,
          parameters: [header('If-Match')],
          responses: { ...answer(order).responses, 428: { description: '' } },
        },
      },
    },
  }
  const own = await writeFolder({ 'careful.json': JSON.stringify(careful) })
  const { stdout } = await runWarm(['explain', '--spec', 'careful.json'], { cwd: own })
  const lines = stdout.split('\n').filter((line) => line.includes('takes care of'))
  expect(lines.map((line) => line.trim())).toEqual([
    'takes care of ETag, If-Match (412), idempotency-key, Location',
    'takes care of ETag, If-None-Match (304)',
    'takes care of ETag, If-Match (412, 428 without)',
  ])
  const { operations } = JSON.parse(
    (await runWarm(['explain', '--json', '--spec', 'careful.json'], { cwd: own })).stdout,
  )
  expect(operations.map(({ http }: { http?: string[] }) => http?.length ?? 0)).toEqual([0, 4, 2, 2])
})

it('says which documented refusals never happen by themselves', async () => {
  const [list, gone] = [document.paths['/orders'].get, { description: '' }]
  const responses = { ...list.responses, 400: gone, 402: gone, 409: gone, 429: gone, 500: gone }
  const post = { requestBody: { content: { 'application/json': { schema: order } } }, responses }
  const own = await writeFolder({
    'refused.json': JSON.stringify({ ...document, paths: { '/orders': { get: { ...list, responses }, post } } }),
  })
  const { stdout } = await runWarm(['explain', '--spec', 'refused.json'], { cwd: own })
  expect(stdout.match(/never answers .*/g)).toEqual([
    'never answers 400, 402, 409 without a fault',
    'never answers 402 without a fault',
  ])
})

it('says which query parameters nothing reads', async () => {
  const query = (name: string) => ({ name, in: 'query', schema: { type: 'integer' } })
  const list = { ...document.paths['/orders'].get, parameters: [query('limit'), query('region'), query('depth')] }
  const own = await writeFolder({
    'vague.json': JSON.stringify({ ...document, paths: { ...document.paths, '/orders': { get: list } } }),
  })
  const { stdout } = await runWarm(['explain', '--spec', 'vague.json'], { cwd: own })
  expect(stdout.match(/ignores .*/g)).toEqual(['ignores region, depth: nothing says what they mean'])
  const { operations } = JSON.parse((await runWarm(['explain', '--json', '--spec', 'vague.json'], { cwd: own })).stdout)
  expect(operations[0]).toMatchObject({ path: '/orders', unread: ['region', 'depth'] })
  expect(operations.slice(1).some((each: object) => 'unread' in each)).toBe(false)
})

describe('the effect of an operation', () => {
  const key = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
  const file = { content: { 'image/png': { schema: { type: 'string', format: 'binary' } } } }
  const done = { responses: { 204: { description: 'done' } } }
  const items = {
    openapi: '3.1.0',
    info: { title: 'Items', version: '1' },
    paths: {
      '/items': { get: answer({ type: 'array', items: order }), post: answer(order) },
      '/items/{id}': { parameters: [key], get: answer(order), put: { requestBody: {}, ...done } },
      '/items/{id}/cover': {
        parameters: [key],
        put: { requestBody: file, ...done },
        get: { responses: { 200: { description: 'ok', ...file } } },
        delete: done,
      },
      '/items/{id}/star': { parameters: [key], put: done, delete: done },
      '/words': { get: answer({ type: 'array', items: { enum: ['a', 'b'] } }) },
      '/status': { get: answer({ type: 'object', properties: { up: { type: 'boolean' } } }) },
    },
    components: document.components,
  }

  async function effects(): Promise<Record<'explain' | 'banner' | 'control', string[][]>> {
    const own = await writeFolder({ 'items.json': JSON.stringify(items) })
    const { stdout } = await runWarm(['explain', '--json', '--spec', 'items.json'], { cwd: own })
    const server = await serve(['--spec', 'items.json'], { cwd: own })
    const listed = await (await fetch(`${server.url}/_sandbox/operations`)).json()
    const toRows = (operations: Record<string, string>[]) =>
      operations.map(({ method = '', path = '', effect = '' }) => [method, path, effect])
    return {
      explain: toRows(JSON.parse(stdout).operations),
      banner: [...server.stdout().matchAll(/^ {2}([A-Z]+) +(\/\S*) +(\w+)/gm)].map((row) => row.slice(1)),
      control: toRows(listed),
    }
  }

  it('is the same in the explanation, the banner and the control API', async () => {
    const { explain, banner, control } = await effects()
    expect(explain).toContainEqual(['PUT', '/items/{id}/cover', 'create'])
    expect(banner).toEqual(explain)
    expect(control).toEqual(explain)
  })
})
