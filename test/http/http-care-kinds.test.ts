/** Conditions, entity tags, repeated requests and `Location` for every kind of operation, not only for one record by its path. */
import { compileDocument, createSandbox, type SandboxOptions } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../support/read-json.js'
import { documentOf } from '../support/serve-objects.js'

const Item = {
  type: 'object',
  properties: { id: { type: 'string', readOnly: true }, name: { type: 'string' }, more: { type: 'string' } },
}
const json = (schema: object) => ({ 'application/json': { schema } })
const answer = (schema: object, headers: object = {}) => ({ description: '', headers, content: json(schema) })
const bytes = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
const text = { schema: { type: 'string' } }
const ETag = text
const list = { type: 'array', items: Item }
const none = { description: '' }
const path = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } })
const query = (name: string) => ({ name, in: 'query', required: true, schema: { type: 'string' } })
const idempotency = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }
const write = (schema: object, status: string, others: object = {}, headers: object = {}) => ({
  requestBody: { required: true, content: json(schema) },
  responses: { [status]: answer(schema, headers), '412': none, '428': none },
  ...others,
})
const item = { parameters: [path('id')], get: { responses: { '200': answer(Item, { ETag }) } } }

async function open(paths: JsonObject, options: SandboxOptions = {}) {
  const { contract } = await compileDocument(JSON.stringify(documentOf(paths)))
  const sandbox = createSandbox({ contract, ...options })
  return async (method: string, target: string, body?: unknown, headers: Record<string, string> = {}) => {
    const isJson = body !== undefined && !(body instanceof FormData) && !(body instanceof Uint8Array)
    const type: Record<string, string> = isJson ? { 'Content-Type': 'application/json' } : {}
    const sent = isJson ? JSON.stringify(body) : (body as FormData | undefined)
    const init = { method, headers: { ...type, ...headers }, ...(sent !== undefined && { body: sent }) }
    const response = await sandbox.fetch(`http://localhost${target}`, init)
    const { status } = response
    return { status, etag: response.headers.get('etag') ?? '', headers: response.headers, text: await response.text() }
  }
}

interface Kind {
  name: string
  paths: JsonObject
  scenario?: NonNullable<SandboxOptions['scenario']>
  /** What is read, and what changes it. */
  read: string
  change: [method: string, target: string, body?: unknown]
  /** Headers of the change besides the condition. */
  headers?: Record<string, string>
}

const items = { items: [{ id: 'a', name: 'x' }] }
const kinds: readonly Kind[] = [
  {
    name: 'the key is in the body',
    paths: {
      '/items/{id}': item,
      '/items': { get: { responses: { '200': answer(list) } }, put: write(Item, '200') },
    },
    ...{ read: '/items/a', change: ['PUT', '/items', { id: 'a', name: 'y' }], scenario: items },
  },
  {
    name: 'the key is in the query',
    paths: {
      '/item': {
        parameters: [query('id')],
        get: { responses: { '200': answer(Item, { ETag }) } },
        post: { requestBody: { content: json(Item) }, responses: { '201': answer(Item) } },
        delete: { responses: { '204': none, '412': none, '428': none } },
      },
    },
    ...{ read: '/item?id=a', change: ['DELETE', '/item?id=a'], scenario: { item: [{ id: 'a', name: 'x' }] } },
  },
  {
    name: 'a file is replaced',
    paths: {
      '/docs/{id}/content': {
        parameters: [path('id')],
        get: { responses: { '200': { description: '', headers: { ETag }, content: bytes } } },
        put: { requestBody: { content: bytes }, responses: { '204': none, '412': none, '428': none } },
      },
    },
    ...{ read: '/docs/1/content', change: ['PUT', '/docs/1/content', new Uint8Array([1, 2])] },
    headers: { 'Content-Type': 'application/octet-stream' },
  },
  {
    name: 'a whole collection is replaced',
    paths: {
      '/items': { get: { responses: { '200': answer(list, { ETag }) } }, put: write(list, '200') },
      '/items/{id}': item,
    },
    ...{ read: '/items', change: ['PUT', '/items', [{ name: 'z' }]], scenario: items },
  },
  {
    name: 'nothing is known of records',
    paths: {
      '/config/rules/active': {
        get: { responses: { '200': answer({ type: 'string', example: 'on' }, { ETag }) } },
        put: {
          requestBody: { content: json({ type: 'string' }) },
          responses: { '204': none, '412': none, '428': none },
        },
      },
    },
    ...{ read: '/config/rules/active', change: ['PUT', '/config/rules/active', 'off'] },
  },
]
describe.each(kinds)(
  'a change where $name',
  ({ paths, scenario = {}, read, change: [method, target, body], headers }) => {
    it('needs the condition that is documented, and one that holds', async () => {
      const send = await open(paths, { scenario })
      const change = (condition: Record<string, string>) => send(method, target, body, { ...headers, ...condition })
      const { etag } = await send('GET', read)
      expect(etag).toMatch(/^"/)
      expect((await change({})).status).toBe(428)
      expect((await change({ 'If-Match': '"stale"' })).status).toBe(412)
      expect((await send('GET', read)).etag).toBe(etag)
      expect((await change({ 'If-Match': etag })).status).toBeLessThan(300)
    })
  },
)

describe('a property that is an entity tag', () => {
  const withTag = (schema: object) => ({
    ...Item,
    properties: { ...Item.properties, id: { type: 'string' }, etag: { type: 'string', readOnly: true, ...schema } },
  })
  const document = (schema: object): JsonObject => {
    const Tagged = withTag(schema)
    const change = write(Tagged, '200')
    return {
      '/items': {
        get: { responses: { '200': answer({ type: 'array', items: Tagged }) } },
        post: { requestBody: { content: json(Tagged) }, responses: { '201': answer(Tagged) } },
        patch: {
          requestBody: { content: json({ type: 'array', items: Tagged }) },
          responses: { '200': answer({ type: 'array', items: Tagged }) },
        },
      },
      '/items/{id}': {
        parameters: [path('id')],
        get: {
          responses: {
            '200': {
              description: '',
              headers: { ETag },
              content: { ...json(Tagged), 'application/xml': { schema: Tagged } },
            },
          },
        },
        put: {
          ...change,
          responses: { '200': answer(Tagged), '412': none },
          parameters: [{ name: 'If-Match', in: 'header', schema: { type: 'string' } }],
        },
      },
    }
  }

  it.each([
    ['of any text', {}, /^"[\da-f]{16}"$/],
    ['in Base64', { format: 'byte' }, /^[\da-f]{16}$/],
    ['with a pattern', { pattern: '^[a-f0-9]{32}$' }, /^[\da-f]{32}$/],
    ['of at least 20 characters', { minLength: 20 }, /^[\da-f]{32}$/],
    ['that is a UUID', { format: 'uuid' }, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/],
  ])('%s is that of the header, and changes with each change', async (_, schema, form) => {
    const send = await open(document(schema))
    const created = JSON.parse((await send('POST', '/items', { name: 'x' })).text)
    expect(created.etag).toMatch(form)
    const target = `/items/${created.id}`
    const read = await send('GET', target)
    expect([JSON.parse(read.text).etag, read.etag]).toEqual([created.etag, `"${created.etag.replaceAll('"', '')}"`])
    const bulk = await send('PATCH', '/items', [{ id: created.id, name: 'y' }])
    expect(bulk.status).toBe(200)
    expect((await send('GET', target, undefined, { 'If-None-Match': read.etag })).status).toBe(200)
    expect((await send('PUT', target, { name: 'z' }, { 'If-Match': read.etag })).status).toBe(412)
    const xml = await send('GET', target, undefined, { Accept: 'application/xml' })
    expect((await send('PUT', target, { name: 'z' }, { 'If-Match': xml.etag })).status).toBe(200)
  })
})

describe('entity tags', () => {
  it('are those of the media type, not of what was accepted, and of the record, not of the order of its properties', async () => {
    const both = { ...json(Item), 'application/xml': { schema: Item } }
    const ok = { '200': { description: '', headers: { ETag }, content: both } }
    const send = await open(
      {
        '/items/{id}': {
          parameters: [path('id')],
          get: { responses: ok },
          put: { requestBody: { content: json(Item) }, responses: ok },
        },
        '/items': { get: { responses: { '200': answer(list) } } },
      },
      { scenario: items },
    )
    const put = (body: object) => send('PUT', '/items/a', body)
    const first = await put({ name: 'n', more: 'm' })
    expect((await put({ more: 'm', name: 'n' })).etag).toBe(first.etag)
    for (const accept of ['application/json', 'application/json, */*', '*/*']) {
      expect((await send('GET', '/items/a', undefined, { Accept: accept, 'If-None-Match': first.etag })).status).toBe(
        304,
      )
    }
  })

  it('of HEAD are those of GET, where it is documented, too', async () => {
    const ok = { '200': answer(Item, { ETag }) }
    const head = { responses: { '200': { description: '', headers: { ETag } }, '404': none } }
    const send = await open(
      {
        '/items/{id}': { parameters: [path('id')], get: { responses: ok }, head },
        '/items': { get: { responses: { '200': answer(list) } } },
      },
      { scenario: items },
    )
    const [get, ofHead] = [await send('GET', '/items/a'), await send('HEAD', '/items/a')]
    expect([ofHead.status, ofHead.etag, ofHead.text]).toEqual([200, get.etag, ''])
    expect((await send('HEAD', '/items/b')).status).toBe(404)
  })

  it('of a documented form of their own stay as they are described', async () => {
    const number = { schema: { type: 'integer', example: 7 }, required: true }
    const send = await open(
      {
        '/items/{id}': {
          parameters: [path('id')],
          get: { responses: { '200': answer(Item, { ETag: number }) } },
          put: write(Item, '200', { parameters: [{ name: 'If-Match', in: 'header', schema: { type: 'integer' } }] }),
        },
        '/items': { get: { responses: { '200': answer(list) } } },
      },
      { scenario: items },
    )
    expect((await send('GET', '/items/a')).etag).toBe('7')
    expect((await send('PUT', '/items/a', { name: 'y' }, { 'If-Match': '7' })).status).toBe(200)
  })

  it('are sent once, under the documented name', async () => {
    const required = { etag: { ...text, required: true }, 'last-modified': { ...text, required: true } }
    const send = await open(
      {
        '/items/{id}': { parameters: [path('id')], get: { responses: { '200': answer(Item, required) } } },
        '/items': { get: { responses: { '200': answer(list) } } },
      },
      { scenario: items },
    )
    const { headers, etag } = await send('GET', '/items/a')
    expect(etag).toMatch(/^"[\da-f]{16}"$/)
    expect(headers.get('last-modified')).toBe('Sat, 01 Jan 2000 00:00:00 GMT')
  })
})

describe('a repeated request', () => {
  const Doc = {
    type: 'object',
    properties: {
      id: { type: 'integer', readOnly: true },
      title: { type: 'string' },
      file: { type: 'string', format: 'binary' },
    },
  }
  const docs = {
    '/docs': {
      get: { responses: { '200': answer({ type: 'array', items: Doc }) } },
      post: {
        parameters: [idempotency],
        requestBody: { content: { 'multipart/form-data': { schema: Doc } } },
        responses: { '201': answer(Doc) },
      },
    },
  }
  const form = (title: string, ...content: number[]) => {
    const data = new FormData()
    data.set('title', title)
    data.set('file', new Blob([new Uint8Array(content)]), 'a.bin')
    return data
  }

  it.each([
    ['text', [65, 66]],
    ['other bytes', [255, 254, 0]],
  ])('may be a form with a file of %s, whose boundary is another one each time', async (_, content) => {
    const send = await open(docs)
    const post = (data: FormData) => send('POST', '/docs', data, { 'Idempotency-Key': 'k' })
    const first = await post(form('a', ...content))
    expect(first.status).toBe(201)
    expect(await post(form('a', ...content))).toMatchObject({ status: 201, text: first.text })
    expect((await post(form('b', ...content))).status).toBe(422)
    expect((await post(form('a', ...content, 1))).status).toBe(422)
  })

  it('sends its callbacks once', async () => {
    const callbacks = {
      told: { 'http://localhost:9/{$request.header.idempotency-key}': { post: { responses: { '200': none } } } },
    }
    const post = {
      parameters: [idempotency],
      requestBody: { content: json(Item) },
      responses: { '201': answer(Item) },
      callbacks,
    }
    const sent: string[] = []
    const fetch = async (url: unknown) => {
      sent.push(String(url))
      return new Response()
    }
    const { contract } = await compileDocument(
      JSON.stringify(documentOf({ '/items': { get: { responses: { '200': answer(list) } }, post } })),
    )
    const sandbox = createSandbox({ contract, fetch })
    const create = (key: string) =>
      sandbox.fetch('http://localhost/items', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
        body: '{}',
      })
    for (const key of ['a', 'a', 'b']) expect((await create(key)).status).toBe(201)
    // Those of one world to one origin are sent in order.
    await expect.poll(() => sent.includes('http://localhost:9/b')).toBe(true)
    expect(sent).toEqual(['http://localhost:9/a', 'http://localhost:9/b'])
  })

  it('may be corrected, with the same key, after it was wrong', async () => {
    const patch = {
      requestBody: {
        content: {
          'application/json-patch+json': { schema: { type: 'array', items: { type: 'object' } } },
          ...json(Item),
        },
      },
    }
    const send = await open(
      {
        '/items/{id}': { ...item, patch: { ...patch, parameters: [idempotency], responses: { '200': answer(Item) } } },
        '/items': { get: { responses: { '200': answer(list) } } },
      },
      { scenario: items },
    )
    const change = (value: string) =>
      send(
        'PATCH',
        '/items/a',
        [
          { op: 'test', path: '/name', value },
          { op: 'replace', path: '/name', value: 'y' },
        ],
        {
          'Content-Type': 'application/json-patch+json',
          'Idempotency-Key': 'k',
        },
      )
    expect((await change('wrong')).status).toBe(400)
    expect((await change('x')).status).toBe(200)
    expect((await change('x')).status).toBe(200)
    expect((await change('z')).status).toBe(422)
  })

  it('is forgotten if the answers of a world have more than 16 MiB', async () => {
    const Large = { type: 'object', properties: { id: { type: 'integer', readOnly: true }, data: { type: 'string' } } }
    const send = await open({
      '/large': {
        get: { responses: { '200': answer({ type: 'array', items: Large }) } },
        post: { parameters: [idempotency], requestBody: { content: json(Large) }, responses: { '201': answer(Large) } },
      },
    })
    const post = async (key: number) => {
      const { text } = await send('POST', '/large', { data: 'x'.repeat(900_000) }, { 'Idempotency-Key': String(key) })
      return JSON.parse(text).id
    }
    for (let key = 1; key <= 20; key++) expect(await post(key)).toBe(key)
    expect([await post(20), await post(4), await post(1)]).toEqual([20, 4, 21])
  })
})

describe('the address of a new record', () => {
  const Location = { schema: { $ref: '#/components/schemas/Url' } }
  const created = { '201': answer(Item, { Location }) }
  const body = { requestBody: { content: json(Item) } }

  it('has the encoded parameters of what it is below, whatever their names, and is that of a PUT that creates', async () => {
    const document = documentOf(
      {
        '/users': { post: { ...body, responses: { '201': answer(Item) } } },
        '/users/{id}': { parameters: [path('id')], get: { responses: { '200': answer(Item) } } },
        '/users/{userId}/posts': { post: { parameters: [path('userId')], ...body, responses: created } },
        '/users/{user_id}/posts/{id}': {
          parameters: [path('user_id'), path('id')],
          get: { responses: { '200': answer(Item) } },
        },
        '/notes': { get: { responses: { '200': answer(list) } } },
        '/notes/{id}': {
          parameters: [path('id')],
          get: { responses: { '200': answer(Item) } },
          put: {
            ...body,
            responses: { '200': answer(Item), '201': answer(Item, { location: { ...text, required: true } }) },
          },
        },
      },
      { components: { schemas: { Url: { type: 'string', format: 'uri' } } } },
    )
    const { contract } = await compileDocument(JSON.stringify(document))
    const { fetch } = createSandbox({ contract, scenario: { users: [{ id: 'u/ü 1' }] } })
    const send = async (method: string, target: string) => {
      const headers = { 'Content-Type': 'application/json' }
      const response = await fetch(`http://localhost${target}`, {
        method,
        headers,
        ...(method !== 'GET' && { body: '{"name":"n"}' }),
      })
      return [response.status, response.headers.get('location')]
    }
    const [status, location] = await send('POST', '/users/u%2F%C3%BC%201/posts')
    expect(status).toBe(201)
    expect(location).toMatch(/^http:\/\/localhost\/users\/u%2F%C3%BC%201\/posts\/[^/]+$/)
    expect(await send('GET', new URL(String(location)).pathname)).toEqual([200, null])
    expect(await send('PUT', '/notes/new')).toEqual([201, '/notes/new'])
  })
})
