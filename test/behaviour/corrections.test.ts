/** `x-sandbox-effect` corrects what is inferred for an operation. What it names must exist. */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { compileFiles } from '../support/files.js'
import { plainHabits } from '../support/plain-habits.js'
import { ask, standard } from '../support/script.js'
import { flag, integer, list as listOf, named, object, text, time, toDocument } from '../support/sketch.js'
import { runWarm as run } from '../support/warm.js'

const schema = JSON.parse(readFileSync(new URL('../../spec/sandbox-effect.schema.json', import.meta.url), 'utf8'))
const isAllowed = new Ajv2020().compile(schema)

const order = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, number: { type: 'integer' }, name: { type: 'string' } },
}
const content = (value: object) => ({ content: { 'application/json': { schema: value } } })
const answer = (value: object) => ({ responses: { 200: { description: 'ok', ...content(value) } } })
const list = { type: 'array', items: order }
const id = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'integer' } })

/** Operations by name, with their corrections. */
function shop(corrections: Record<string, unknown> = {}): object {
  const correct = (name: string) => (name in corrections ? { 'x-sandbox-effect': corrections[name] } : {})
  return {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    ...plainHabits,
    paths: {
      '/orders': {
        get: { operationId: 'list', ...correct('list'), ...answer(list) },
        post: { operationId: 'create', ...correct('create'), requestBody: content(order), ...answer(order) },
      },
      '/orders/{no}': {
        parameters: [id('no')],
        get: { operationId: 'read', ...correct('read'), ...answer(order) },
      },
      '/orders/search': {
        post: {
          operationId: 'search',
          ...correct('search'),
          ...answer({ type: 'object', properties: { found: list, 'also/found': list } }),
        },
      },
      '/shops/{shop}/orders/{no}': {
        parameters: [id('shop'), id('no')],
        get: { operationId: 'readInShop', ...correct('readInShop'), ...answer(order) },
      },
    },
  }
}

async function serve(corrections: Record<string, unknown>) {
  const { contract } = await compileDocument(JSON.stringify(shop(corrections)))
  const records = [
    { id: 1, number: 11, name: 'a' },
    { id: 2, number: 12, name: 'b' },
  ]
  const sandbox = createSandbox({ contract, scenario: { orders: records } })
  return (target: string, method = 'GET') => sandbox.fetch(`http://localhost${target}`, { method })
}

it('chooses the effect of an operation', async () => {
  const send = await serve({ read: 'undescribed' })
  expect((await send('/orders/1')).status).toBe(501)
})

it('chooses the collection and the list', async () => {
  const send = await serve({ search: { effect: 'list', collection: '/orders', list: '/also~1found' } })
  expect(await (await send('/orders/search', 'POST')).json()).toMatchObject({
    'also/found': [{ name: 'b' }, { name: 'a' }],
  })
})

it('chooses the collection and the parameter', async () => {
  const send = await serve({ readInShop: { effect: 'read', collection: '/orders', parameter: 'no' } })
  expect(await (await send('/shops/7/orders/2')).json()).toMatchObject({ name: 'b' })
  expect((await send('/shops/7/orders/3')).status).toBe(404)
})

it('chooses the key', async () => {
  const send = await serve({ read: { key: 'number' } })
  expect(await (await send('/orders/12')).json()).toMatchObject({ name: 'b' })
  expect((await send('/orders/2')).status).toBe(404)
})

it('makes an update of an operation whose answer has nothing of the record', async () => {
  const document = toDocument(
    {
      'GET /xs': { 200: listOf(named('X')) },
      'POST /xs': { body: object({ name: text }), 201: named('X') },
      'GET /xs/{id}': { 200: named('X') },
      'POST /xs/{id}/rename': { body: object({ name: text }), 200: object({ 'accepted!': flag }) },
    },
    { X: object({ 'id!': integer, name: text, updatedAt: { ...time, readOnly: true } }) },
  )
  const corrected = JSON.parse(document)
  corrected.paths['/xs/{id}/rename'].post['x-sandbox-effect'] = 'update'
  const { contract } = await compileDocument(JSON.stringify(corrected))
  const sandbox = createSandbox({ contract, ...standard })
  await ask(sandbox, 'POST /xs {"name":"x"}')
  await sandbox.clock.advance(1000)
  expect(await ask(sandbox, 'POST /xs/1/rename {"name":"y"}')).toBe('200 {"accepted":true}')
  expect(await ask(sandbox, 'GET /xs/1')).toBe('200 {"id":1,"name":"y","updatedAt":"2026-11-21T00:00:01.000Z"}')
  const [exchange] = (await sandbox.exchanges.list()).filter(({ request }) => request.path.endsWith('rename'))
  expect(exchange?.notes).toEqual([])
})

const refused: [what: string, corrections: Record<string, unknown>, message: RegExp][] = [
  ['an unknown effect', { read: 'reed' }, /must be one of .* \(got "reed"\); the closest is "read"/],
  ['an impossible effect', { search: 'read' }, /must be one of .* here \(got "read"\)$/],
  ['a number', { read: 5 }, /must be an effect or an object/],
  ['an unknown member', { read: { colection: '/orders' } }, /has no member "colection"; the closest is "collection"/],
  ['a member of another type', { read: { key: 5 } }, /\.key must be a string/],
  [
    'a collection that does not exist',
    { read: { collection: '/order' } },
    /\.collection: there is no path "\/order"; the closest is "\/orders"/,
  ],
  [
    'a parameter that does not exist',
    { readInShop: { parameter: 'shops' } },
    /\.parameter: there is no path parameter "shops"; the closest is "shop"/,
  ],
  [
    'a property that does not exist',
    { read: { key: 'numbr' } },
    /\.key: there is no property of the record "numbr"; the closest is "number"/,
  ],
  [
    'a list that does not exist',
    { search: { list: '/fund' } },
    /\.list: there is no array of objects "\/fund"; the closest is "\/found"/,
  ],
]

describe('refuses', () => {
  for (const [what, corrections, message] of refused) {
    it(what, async () => {
      const text = JSON.stringify(shop(corrections), null, 1)
      // A note of the document must not hide the error.
      const error = await compileDocument(text.replace('"integer"', '"int"'), 'a.json').catch(
        (reason: unknown) => reason,
      )
      expect(error).toMatchObject({ code: 'INVALID_DOCUMENT', message: expect.stringMatching(message) })
      const line = text.split('\n').findIndex((each) => each.includes('x-sandbox-effect')) + 1
      const found = (error as { location: { line: number } }).location.line
      expect([line, line + 1]).toContain(found)
    })
  }

  it.each([
    [
      'a path',
      (document: object) =>
        Reflect.set(Reflect.get(Reflect.get(document, 'paths'), '/orders'), 'x-sandbox-effect', 'list'),
    ],
    ['the document', (document: object) => Reflect.set(document, 'x-sandbox-effect', 'list')],
  ])('a correction of %s', async (_, change) => {
    const document = shop()
    change(document)
    await expect(compileDocument(JSON.stringify(document))).rejects.toThrow('x-sandbox-effect must be in an operation')
  })
})

it('has a JSON schema that allows and refuses the same, as far as it can know', () => {
  for (const correction of [
    'read',
    { effect: 'list', list: '' },
    { key: 'id', parameter: 'x', collection: '/a', list: '/b' },
    {},
  ]) {
    expect(isAllowed(correction), JSON.stringify(correction)).toBe(true)
  }
  for (const correction of ['reed', 5, null, { colection: '/orders' }, { key: 5 }, { list: 'a' }]) {
    expect(isAllowed(correction), JSON.stringify(correction)).toBe(false)
  }
})

const correction = { 'x-sandbox-effect': 'example' }
const lost: [what: string, action: object, message: RegExp][] = [
  [
    'a path',
    { target: "$.paths['/order'].get", update: correction },
    /there is no "\/order"; the closest is "\/orders"$/,
  ],
  ['a method', { target: "$.paths['/orders'].pot", update: correction }, /there is no "pot"; the closest is "post"$/],
  [
    'an operationId',
    { target: "$.paths.*[?@.operationId == 'serch']", update: correction },
    /matches nothing; the closest is "search"$/,
  ],
  [
    'a path that it mirrors',
    { target: '$.paths', update: { '/order': { get: correction } } },
    /does not have: there is no "\/order"; the closest is "\/orders"$/,
  ],
  [
    'a method that it mirrors',
    { target: '$', update: { paths: { '/orders': { pot: correction } } } },
    /does not have: there is no "pot"; the closest is "post"$/,
  ],
  ['any part', { target: '$.paths[', update: correction }, /is not a JSONPath \(RFC 9535\)/],
  ['nothing at all', { update: correction }, /must have a target|with a target .* so its x-sandbox-effect is lost/],
]

describe('refuses an overlay with a correction of', () => {
  for (const [what, action, message] of lost) {
    it(`${what} that the document does not have`, async () => {
      const overlay = { overlay: '1.0.0', info: { title: 'T', version: '1' }, actions: [action] }
      const error = await compileFiles({ 'a.json': shop(), 'o.json': overlay }, { overlays: ['o.json'] }).catch(
        (reason: unknown) => reason,
      )
      expect(error).toMatchObject({
        message: expect.stringMatching(message),
        location: { file: expect.stringMatching(/o\.json$/) },
      })
    })
  }
})

it('names the place in the overlay of a correction that does not apply', async () => {
  const overlay = `overlay: 1.0.0
info: { title: T, version: '1' }
actions:
  - target: $.paths['/orders/{no}'].get
    update:
      x-sandbox-effect:
        key: numbr
`
  const error = await compileFiles({ 'a.json': shop(), 'o.yaml': overlay }, { overlays: ['o.yaml'] }).catch(
    (reason: unknown) => reason,
  )
  expect(error).toMatchObject({ location: { file: expect.stringMatching(/o\.yaml$/), line: 7, column: 9 } })
})

it('allows an overlay to add an operation with a correction, and ends other programs with 2', async () => {
  const update = { '/new': { get: { ...correction, ...answer(order) } } }
  const added = { overlay: '1.0.0', info: { title: 'T', version: '1' }, actions: [{ target: '$.paths', update }] }
  const { send } = await compileFiles({ 'a.json': shop(), 'o.json': added }, { overlays: ['o.json'] })
  expect((await send('/new')).status).toBe(200)
  const { code, stderr } = await run(['explain', '--overlay', 'test/support/books.openapi.yaml'])
  expect(code).toBe(2)
  expect(stderr).toContain('This is not an OpenAPI Overlay')
})

describe('a target behind a $ref', () => {
  const behind = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { '/orders': { $ref: '#/components/pathItems/Orders' } },
    components: {
      pathItems: {
        Orders: {
          get: answer({ type: 'array', items: { $ref: '#/components/schemas/Order' } }),
          post: { requestBody: { $ref: '#/components/requestBodies/Order' }, ...answer(order) },
        },
      },
      requestBodies: { Order: content(order) },
      schemas: { Order: order },
    },
  }
  const compile = (target: string, update: object) => {
    const overlay = { overlay: '1.0.0', info: { title: 'T', version: '1' }, actions: [{ target, update }] }
    return compileFiles({ 'a.json': behind, 'o.json': overlay }, { overlays: ['o.json'] })
  }

  it('is found: a path item, an operation, a body', async () => {
    const draft = { 'x-sandbox-resource': { first: { name: 'draft' } } }
    const post = { method: 'POST', body: '{"id":1}', headers: { 'Content-Type': 'application/json' } }
    const byPath = await compile("$.paths['/orders']", draft)
    expect(await (await byPath.send('/orders', post)).json()).toMatchObject({ name: 'draft' })
    const bySchema = await compile("$.paths['/orders'].get.responses['200'].content.*.schema.items", draft)
    expect(bySchema.notes).toEqual([])
    const byOperation = await compile("$.paths['/orders'].post", {
      'x-sandbox-effect': { errors: { invalid_request: 418 } },
    })
    expect((await byOperation.send('/orders', { ...post, body: '{"id":"x"}' })).status).toBe(418)
    const body = "$.paths['/orders'].post.requestBody.content['application/json'].schema"
    const byBody = await compile(body, { required: ['id', 'name'] })
    expect((await byBody.send('/orders', { ...post, body: '{"id":1}' })).status).toBe(400)
  })

  it('is an error if nothing is there', async () => {
    const wrong = compile("$.paths['/orders'].put", { 'x-sandbox-effect': 'example' })
    await expect(wrong).rejects.toThrow(/target .* of an x-sandbox-effect matches nothing/)
    const lost = compile("$.paths['/order']", { 'x-sandbox-resource': { key: 'id' } })
    await expect(lost).rejects.toThrow(
      /x-sandbox-resource matches nothing: there is no "\/order"; the closest is "\/orders"/,
    )
  })
})

const wrongResources: [what: string, correction: object, message: RegExp][] = [
  ['a member', { uniqe: [] }, /^x-sandbox-resource has no member "uniqe"; the closest is "unique"$/],
  ['a type', { unique: 'name' }, /^x-sandbox-resource\.unique must be a list of strings \(got "name"\)$/],
  [
    'a key',
    { key: 'numbr' },
    /^x-sandbox-resource\.key: there is no property of the record "numbr"; the closest is "number"$/,
  ],
  ['a first value', { first: { nam: 1 } }, /first: there is no property of the record "nam"; the closest is "name"$/],
  [
    'a unique property',
    { unique: ['nam'] },
    /unique: there is no property that creations send "nam"; the closest is "name"$/,
  ],
  [
    'a collection',
    { references: { name: '/order' } },
    /references: there is no collection "\/order"; the closest is "\/orders"$/,
  ],
  ['an owner', { owner: { name: '/shop' } }, /owner: there is no collection "\/shop"; the closest is "\/orders"$/],
  ['a made text', { made: { nam: '{id}' } }, /made: there is no property of the record "nam"; the closest is "name"$/],
  [
    'a duration',
    { lifecycle: { property: 'name', from: 'a', to: [{ after: '5 seconds', value: 'b' }] } },
    /after must be a duration such as 500ms/,
  ],
  [
    'a server',
    { environment: 'prodution' },
    /environment: there is no server or environment "prodution"; the closest is "production"$/,
  ],
]

describe('refuses in x-sandbox-resource, with the line and the closest name,', () => {
  it.each(wrongResources)('%s', async (_, correction, message) => {
    const document = shop()
    Reflect.set(Reflect.get(Reflect.get(document, 'paths'), '/orders'), 'x-sandbox-resource', correction)
    const text = JSON.stringify(document, null, 1)
    const error = await compileDocument(text, 'a.json').catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'INVALID_DOCUMENT', message: expect.stringMatching(message) })
    const start = text.split('\n').findIndex((each) => each.includes('x-sandbox-resource')) + 1
    const { line } = (error as { location: { line: number } }).location
    expect(line).toBeGreaterThan(start)
    expect(line).toBeLessThan(start + 12)
  })

  it.each([
    [
      'an operation',
      (document: object) => Reflect.get(Reflect.get(Reflect.get(document, 'paths'), '/orders'), 'get'),
      /must be on a path, a schema or a tag/,
    ],
    [
      'a path without records',
      (document: object) => Reflect.get(Reflect.get(document, 'paths'), '/ping'),
      /is about no records/,
    ],
  ])('a correction of %s', async (_, find, message) => {
    const document = shop()
    Reflect.set(Reflect.get(document, 'paths'), '/ping', { get: answer({ type: 'string' }) })
    Reflect.set(find(document), 'x-sandbox-resource', { key: 'id' })
    await expect(compileDocument(JSON.stringify(document))).rejects.toThrow(message)
  })
})
