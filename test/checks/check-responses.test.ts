/** A check judges every part of a response by the documented schema, and nothing else. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { ProviderResponse } from '../../src/checks/provider/client.js'
import type { ProviderRequest } from '../../src/checks/provider/requests/request-draft.js'
import { hold, listen } from '../support/providers.js'

type Schema = object | boolean

interface Documented {
  type?: string
  headers?: object
  method?: 'get' | 'head'
  parameters?: object[]
}

function documentOf(
  schema: Schema,
  { type = 'application/json', headers, method = 'get', parameters }: Documented = {},
) {
  const ok = { description: 'OK', content: { [type]: { schema } }, ...(headers ? { headers } : {}) }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    servers: [{ url: 'https://things.example' }],
    paths: { '/things': { [method]: { operationId: 'things', parameters, responses: { 200: ok } } } },
  })
}

const url = 'http://things.example'

/** The findings and notes of a check of a provider that answers always the same. */
async function check(text: string, answer: Partial<ProviderResponse> = {}) {
  const sent: ProviderRequest[] = []
  const { findings, notes } = await hold(
    url,
    { text },
    {
      key: '',
      async sendRequest(request) {
        sent.push(request)
        return { status: 200, headers: { 'content-type': 'application/json' }, text: '{}', ...answer }
      },
    },
  )
  return { findings, ids: findings.map(({ id }) => id.replace('response-schema ', '')), notes, sent }
}

const checkBody = (schema: Schema, body: unknown) =>
  check(documentOf(schema), { text: typeof body === 'string' ? body : JSON.stringify(body) })

const integer = { type: 'integer' }
const integers = { type: 'array', items: integer }
const ones = (count: number) => Array(count).fill(1)
const range = (count: number) => Array.from({ length: count }, (_, index) => index)

describe('a long list is judged as a whole:', () => {
  it.each([
    ['a wrong item in the middle', integers, [...ones(500), 'x', ...ones(500)], ['GET /things 200 body[] type']],
    ['too many items', { ...integers, maxItems: 1000 }, ones(5000), ['GET /things 200 body maxItems']],
    ['enough items', { ...integers, minItems: 1001 }, ones(1001), []],
    ['an item twice', { ...integers, uniqueItems: true }, [...range(1500), 700], ['GET /things 200 body uniqueItems']],
    ['what it contains', { ...integers, contains: { const: 7 } }, [...ones(1500), 7, ...ones(1500)], []],
    [
      'inside an object',
      { properties: { a: integers } },
      { a: [...ones(900), 'x', ...ones(900)] },
      ['GET /things 200 body.a[] type'],
    ],
    [
      'integers beyond their format',
      { ...integers, items: { type: 'integer', format: 'int32' } },
      [...ones(900), 2 ** 31, ...ones(900)],
      ['integer-range GET /things 200 body[]'],
    ],
  ])('%s', async (_, schema, body, expected) => {
    expect((await checkBody(schema, body)).ids).toEqual(expected)
  })

  it('the index is that of the response', async () => {
    const { findings } = await checkBody(integers, [...ones(1500), 'x', ...ones(500)])
    expect(findings.map(({ message }) => message)).toEqual([
      'answered 200: Response body property 1500 must be an integer',
    ])
  })

  it('50,000 wrong items of a referenced schema are one finding, at once', async () => {
    const text = documentOf({ type: 'array', items: { $ref: '#/components/schemas/Item' } })
    const components = {
      schemas: { Item: { type: 'object', properties: { next: { $ref: '#/components/schemas/Item' } } } },
    }
    const document = JSON.stringify({ ...JSON.parse(text), components })
    expect((await check(document, { text: JSON.stringify(ones(50_000)) })).ids).toEqual(['GET /things 200 body[] type'])
  })
})

describe('a keyword of JSON Schema 2020-12 is judged:', () => {
  const conditional = JSON.parse('{"if":{"type":"string"},"then":{"minLength":3}}')
  const tuple = { type: 'array', prefixItems: [{ type: 'string' }, integer], items: false }
  it.each<[string, Schema, unknown, string[]]>([
    ['a tuple', tuple, ['a', 1], []],
    ['a wrong tuple', tuple, [1, 'a'], ['body[] type']],
    ['a tuple that is too long', tuple, ['a', 1, 2], ['body items']],
    ['dependentRequired', { dependentRequired: { a: ['b'] } }, { a: 1 }, ['body dependentRequired']],
    ['dependentSchemas', { dependentSchemas: { a: { required: ['b'] } } }, { a: 1 }, ['body required']],
    [
      'unevaluatedProperties',
      { allOf: [{ properties: { a: integer } }], unevaluatedProperties: false },
      { a: 1, b: 2 },
      ['body unevaluatedProperties'],
    ],
    ['unevaluatedItems', { prefixItems: [integer], unevaluatedItems: false }, [1, 2], ['body unevaluatedItems']],
    ['minContains', { contains: { const: 1 }, minContains: 2 }, [1], ['body contains']],
    ['maxContains', { contains: { const: 1 }, maxContains: 1 }, [1, 1], ['body contains']],
    ['propertyNames, once', { propertyNames: { maxLength: 1 } }, { ab: 1 }, ['body propertyNames']],
    ['if, once', conditional, '"a"', ['body minLength']],
    ['an inherited name that is optional', { properties: { toString: { type: 'string' } } }, { a: 1 }, []],
    ['an inherited name that is required', { required: ['toString'] }, { a: 1 }, ['body required']],
    ['a required __proto__', { required: ['__proto__'] }, { a: 1 }, ['body required']],
    ['an int32, once', { properties: { a: { type: 'integer', format: 'int32' } } }, { a: 2 ** 31 }, ['body.a']],
  ])('%s', async (_, schema, body, expected) => {
    const { ids } = await checkBody(schema, body)
    expect(ids.map((id) => id.replace(/^.*GET \/things 200 /, ''))).toEqual(expected)
  })
})

describe('a response header is read by its type:', () => {
  const list = { schema: { type: 'array', items: integer } }
  const object = { schema: { type: 'object', required: ['a'], properties: { a: integer } } }
  const mixed = { schema: { oneOf: [integer, { type: 'string', pattern: '^x' }] } }
  const json = { content: { 'application/json': { schema: { required: ['a'] } } } }
  it.each<[string, object, string | undefined, string[]]>([
    ['an absent list', list, undefined, []],
    ['an absent object', object, undefined, []],
    ['a required list', { ...list, required: true }, undefined, ['header required']],
    ['a list', list, '1, 2', []],
    ['a wrong list', list, '1, x', ['header.x-a[] type']],
    ['an object', object, 'a,1,b,2', []],
    ['an exploded object', { ...object, explode: true }, 'a=1,b=2', []],
    ['a wrong object', object, 'a,x', ['header.x-a.a type']],
    ['no schema', {}, 'x', []],
    ['JSON', json, '{"a":1}', []],
    ['wrong JSON', json, '{"b":1}', ['header.x-a required']],
    ['an enum without type', { schema: { enum: [1, 2] } }, '1', []],
    ['a wrong enum', { schema: { enum: [1, 2] } }, '3', ['header.x-a enum']],
    ['one of two types', mixed, '12', []],
    ['the other one', mixed, 'xy', []],
    ['an empty text that is required', { required: true, schema: { type: 'string' } }, '', []],
    ['a deprecated one', { deprecated: true, schema: { type: 'string' } }, 'x', []],
  ])('%s', async (_, header, value, expected) => {
    const headers = { 'content-type': 'application/json', ...(value === undefined ? {} : { 'x-a': value }) }
    const { ids } = await check(documentOf({}, { headers: { 'X-A': header } }), { headers })
    expect(ids.map((id) => id.replace('GET /things 200 ', ''))).toEqual(expected)
  })
})

describe('a media type is equivalent whatever its spelling and, for JSON, its parameters:', () => {
  it.each<[string, string, string[]]>([
    ['application/json; charset=utf-8', 'application/json', ['body required']],
    ['application/json;charset=UTF-8', 'Application/JSON; Charset="utf-8"', ['body required']],
    ['application/hal+json;profile="x"', 'application/hal+json', ['body required']],
    ['application/*', 'application/json', ['body required']],
    ['text/json', 'text/json', ['body required']],
    ['application/json; charset=utf-8', 'text/html', ['']],
    ['text/csv; header=present', 'text/csv; header=absent', ['']],
    // What a text holds is not described by a schema of an object.
    ['application/xml', 'application/xml', []],
  ])('%s, answered with %s', async (type, answered, expected) => {
    const text = documentOf({ type: 'object', required: ['a'] }, { type })
    const { ids } = await check(text, { headers: { 'content-type': answered } })
    expect(ids.map((id) => id.replace(/^GET \/things 200 ?/, ''))).toEqual(expected)
  })

  it('a text is judged as text, and HEAD has no body', async () => {
    const type = 'text/plain'
    const headers = { 'content-type': type }
    const texts = documentOf({ type: 'string', maxLength: 3 }, { type })
    expect((await check(texts, { headers, text: '5' })).ids).toEqual([])
    expect((await check(texts, { headers, text: '' })).ids).toEqual([])
    expect((await check(texts, { headers, text: 'long' })).ids).toEqual(['GET /things 200 body maxLength'])
    expect((await check(documentOf({ type: 'object' }, { method: 'head' }), { headers: {}, text: '' })).ids).toEqual([])
  })
})

describe('bytes are decoded:', () => {
  const body = Buffer.from('{"a":1}')
  it.each<[string, Buffer, string | undefined, string[]]>([
    ['gzip', gzipSync(body), 'gzip', []],
    ['deflate', deflateSync(body), 'deflate', []],
    ['two codings', brotliCompressSync(gzipSync(body)), 'gzip, br', []],
    ['a coding that is none', body, 'gzip', ['no-answer GET /things not-decodable']],
    ['an unknown coding', body, 'other', ['no-answer GET /things not-decodable']],
    ['too much of it', gzipSync(Buffer.alloc(5_000_000)), 'gzip', ['no-answer GET /things too-large']],
    ['what is not UTF-8', Buffer.from('{"a":"Zo\xeb"}', 'latin1'), undefined, ['GET /things 200 body utf-8']],
  ])('%s', async (_, bytes, encoding, expected) => {
    const asked = new Set<string | undefined>()
    const origin = await listen((request, response) => {
      asked.add(request.headers['accept-encoding'])
      response.setHeader('Content-Type', 'application/json')
      if (encoding !== undefined) response.setHeader('Content-Encoding', encoding)
      response.end(bytes)
    })
    const { findings } = await hold(origin, { text: documentOf({ required: ['a'] }) }, { key: '' })
    expect(findings.map(({ id }) => id.replace('response-schema ', ''))).toEqual(expected)
    expect([...asked]).toEqual(['identity'])
  })
})

it('reads headers in their style, as any of their types', async () => {
  const usage = { type: 'object', required: ['cpu'], properties: { cpu: integer, disk: integer } }
  const seat = { oneOf: [{ type: 'string', enum: ['last'] }, integer] }
  const headers = { use: { explode: true, schema: usage }, seats: { schema: { type: 'array', items: seat } } }
  const judge = async (own: Record<string, string>) =>
    (await check(documentOf(true, { headers }), { headers: { 'content-type': 'application/json', ...own } })).ids
  expect(await judge({ use: 'cpu=3,disk=4', seats: '7, last,8' })).toEqual([])
  expect(await judge({ use: 'cpu,3,disk,4' })).not.toEqual([])
  expect(await judge({ use: 'cpu=x', seats: '7,first' })).not.toEqual([])
})

it('compares a status of many digits in the body of an error', async () => {
  const properties = { status: { type: 'integer' }, message: { type: 'string' } }
  const error = { type: 'object', required: ['status', 'message'], properties }
  const document = JSON.parse(documentOf({ type: 'object' }))
  document.paths['/things'].get.responses['409'] = {
    description: 'None',
    content: { 'application/json': { schema: error } },
  }
  const text = '{"status":40900000000000000001,"message":"there are none"}'
  const { findings } = await check(JSON.stringify(document), { status: 409, text })
  const found = findings.find(({ id }) => id === 'error-status GET /things body status')
  expect(found?.message).toBe('answered 409, and status in the body is 40900000000000000001')
})
