/** What `npm run bench documents` takes for right and for wrong. Its figures are only as good as this. */
import { expect, it } from 'vitest'
import { load, type MeasuredOperation } from '../support/measured-documents.js'

const { breakRequest } = await load('break-request')
const { createKeys } = await load('collect-keys')
const { createSchemas } = await load('json-schemas')
const { createJudge } = await load('judge')
const { listOperations } = await load('list-operations')
const { pickSome } = await load('random')
const { chooseMedia, writeBody } = await load('write-body')
const { writePairs, writeSimple } = await load('write-parameter')

const document = {
  openapi: '3.0.3',
  paths: {
    '/owners/{ownerId}/pets': {
      get: {
        responses: {
          200: {
            headers: { 'X-Total': { required: true, schema: { type: 'integer' } } },
            content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } } },
          },
        },
      },
      post: {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
        },
        responses: { 201: { description: 'created' }, 422: { description: 'refused' } },
      },
    },
    '/owners/{ownerId}/pets/{petId}': {
      parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        parameters: [
          { name: 'deep', in: 'query', schema: { type: 'boolean' } },
          { name: 'sort', in: 'query', schema: { enum: ['up'] } },
        ],
        responses: { 200: {} },
      },
      delete: { responses: { default: { description: 'done' } } },
    },
    '/nothing': { get: { responses: { 404: { description: 'never there' } } } },
  },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        required: ['id', 'name', 'secret'],
        properties: {
          id: { type: 'integer', readOnly: true },
          name: { type: 'string', nullable: true },
          secret: { type: 'string', writeOnly: true },
          price: { type: 'number', minimum: 0, exclusiveMinimum: true },
          parent: { $ref: '#/components/schemas/Pet' },
        },
      },
    },
  },
}

function resolve(value: unknown): unknown {
  const reference = (value as { $ref?: string } | undefined)?.$ref
  return reference === '#/components/schemas/Pet' ? document.components.schemas.Pet : value
}

const requests = createSchemas({ document, resolve, mode: 'request' })
const responses = createSchemas({ document, resolve, mode: 'response' })
const { judgeSuccess, judgeRefusal } = createJudge({ schemas: responses })
const operations = new Map(listOperations({ document, resolve }).map((operation) => [operation.id, operation]))

function operation(id: string): MeasuredOperation {
  const found = operations.get(id)
  if (!found) throw new Error(`No operation ${id}`)
  return found
}

function answer(status: number, value: unknown, headers: Record<string, string> = {}) {
  const type = { 'content-type': 'application/json; charset=utf-8' }
  const body = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
  return { status, headers: { ...type, ...headers }, body }
}

const list = operation('GET /owners/{ownerId}/pets')
const create = operation('POST /owners/{ownerId}/pets')
const read = operation('GET /owners/{ownerId}/pets/{petId}')
const pet = { id: 1, name: null, price: 0.5, parent: { id: 2, name: 'Rex' } }
const total = { 'x-total': '1' }

it.each([
  ['a success as documented', list, answer(200, [pet], total), 'ok'],
  ['a property of another type', list, answer(200, [{ ...pet, id: '1' }], total), 'broken body'],
  [
    'a required property that is left out, in a schema that refers to itself',
    list,
    answer(200, [{ ...pet, parent: {} }], total),
    'broken body',
  ],
  ['the exclusive minimum of OpenAPI 3.0', list, answer(200, [{ ...pet, price: 0 }], total), 'broken body'],
  ['what is not JSON', list, answer(200, '[', total), 'broken body'],
  ['no body', list, answer(200, '', total), 'broken body'],
  ['a required header that is left out', list, answer(200, [pet]), 'broken headers'],
  ['a header of another type', list, answer(200, [pet], { 'x-total': 'many' }), 'broken headers'],
  ['another media type', list, answer(200, [pet], { ...total, 'content-type': 'text/html' }), 'undocumented type'],
  ['another success', list, answer(201, [pet], total), 'undocumented status'],
  ['a refusal', list, answer(404, { message: 'no' }), 'refused'],
  ['a refusal that is documented', create, answer(422, {}), 'refused'],
  ['501', list, answer(501, {}), 'not implemented'],
  ['500', list, answer(500, {}), 'internal error'],
  [
    'any 2xx where only a default is described',
    operation('DELETE /owners/{ownerId}/pets/{petId}'),
    answer(204, ''),
    'ok',
  ],
  ['an answer where no success is described', operation('GET /nothing'), answer(501, {}), 'undescribed'],
] as const)('judges %s', (_, judged, given, verdict) => {
  expect(judgeSuccess(judged, given).verdict).toBe(verdict)
})

it.each([
  ['a documented refusal', create, 422, 'documented refusal'],
  ['an undocumented one although one that fits is documented', create, 400, 'undocumented refusal'],
  ['an undocumented one if none fits', list, 400, 'refused'],
  ['a success', create, 201, 'accepted'],
  ['a failure of the server', create, 500, 'internal error'],
] as const)('judges %s as the answer to an invalid request', (_, judged, status, verdict) => {
  expect(judgeRefusal(judged, {}, answer(status, {})).verdict).toBe(verdict)
})

it('needs no read-only properties in requests and no write-only ones in responses', () => {
  const schema = create.body?.media[0]?.schema
  expect(requests.errorsOf(schema, { name: 'Rex', secret: 'x' })).toEqual([])
  expect(requests.errorsOf(schema, { name: 'Rex' })).toMatchObject([{ params: { missingProperty: 'secret' } }])
  expect(responses.errorsOf(schema, { id: 1, name: 'Rex' })).toEqual([])
})

it('gives schemas on their own to tools that follow no references', () => {
  const whole = requests.toWhole({ $ref: '#/components/schemas/Pet' })
  expect(whole).toMatchObject({ $ref: '#/$defs/schema0', $defs: { schema0: { required: ['name', 'secret'] } } })
})

it('breaks a request in one place, in ways that the document forbids', () => {
  const media = chooseMedia(create.body?.media ?? [])
  const parts = { parameters: new Map(), media, body: { name: 'Rex', secret: 'x', price: 1 } }
  const broken = breakRequest(create, parts, { schemas: requests, random: () => 0, count: 20 })
  expect(broken.map(({ what }) => what)).toEqual([
    'the body left out',
    'the property name left out',
    'the property secret left out',
    '{"text":"Rex"} as property name',
    '{"text":"x"} as property secret',
    '"not-of-this-type" as property price',
  ])
})

it('leaves a text in the place of a text', () => {
  const values: Record<string, unknown> = { ownerId: 'ann', petId: 1, deep: true, sort: 'up' }
  const parameters = new Map(read.parameters.map((parameter) => [parameter, values[parameter.name]]))
  const broken = breakRequest(read, { parameters }, { schemas: requests, random: () => 0, count: 20 })
  expect(broken.map(({ kind, isInPath }) => `${kind} ${isInPath}`).sort()).toEqual([
    'path parameter of another type true',
    'query parameter of another type false',
  ])
})

it('finds keys in lists and creations, those of one record and its parents', () => {
  const keys = createKeys()
  const isNumber = ({ name }: { name: string }, value: unknown) => name === 'ownerId' || typeof value === 'number'
  keys.add(list, { ownerId: 'ann' }, { data: [{ id: 'x', pet_id: 7 }, { id: 8 }] })
  expect(keys.find(read, isNumber)).toEqual({ ownerId: 'ann', petId: 7 })
  keys.remove(read, { ownerId: 'ann', petId: 7 })
  expect(keys.find(read, isNumber)).toEqual({ ownerId: 'ann', petId: 8 })
  keys.add(create, { ownerId: 'bob' }, { code: 200, pet: { id: 9, tags: [{ id: 3 }] } })
  expect(keys.find({ ...read, method: 'DELETE' }, isNumber)).toEqual({ ownerId: 'bob', petId: 9 })
})

it('writes parameters as their style says', () => {
  const pairs = (style: string, explode: boolean, value: unknown) =>
    writePairs({ name: 'a', style, explode }, value).map((pair) => pair.join('='))
  expect(pairs('form', true, ['x y', 2])).toEqual(['a=x%20y', 'a=2'])
  expect(pairs('form', false, ['x', 2])).toEqual(['a=x,2'])
  expect(pairs('form', true, { b: 1, c: 2 })).toEqual(['b=1', 'c=2'])
  expect(pairs('form', false, { b: 1 })).toEqual(['a=b,1'])
  expect(pairs('pipeDelimited', false, [1, 2])).toEqual(['a=1%7C2'])
  expect(pairs('deepObject', true, { b: { c: 1 } })).toEqual(['a[b][c]=1'])
  const simple = (style: string, explode: boolean, value: unknown) =>
    writeSimple({ name: 'a', style, explode }, value, encodeURIComponent)
  expect(simple('simple', false, ['x/y', 2])).toBe('x%2Fy,2')
  expect(simple('simple', true, { b: 1 })).toBe('b=1')
  expect(simple('label', true, [1, 2])).toBe('.1.2')
  expect(simple('matrix', true, [1, 2])).toBe(';a=1;a=2')
  expect(simple('matrix', false, [1, 2])).toBe(';a=1,2')
})

it('writes bodies as their media type says', () => {
  const write = (type: string, value: unknown) => {
    const schema = { properties: { file: { type: 'string', format: 'binary' } } }
    const media = chooseMedia([{ type, schema, encoding: {}, examples: [] }])
    return writeBody(media, value, resolve)
  }
  expect(write('application/x-www-form-urlencoded', { a: [1, 2], b: { c: 'ä' } }).text).toBe(
    'a=1&a=2&b=%7B%22c%22%3A%22%C3%A4%22%7D',
  )
  const { contentType, text } = write('multipart/form-data', { file: 'x', meta: { a: 1 } })
  expect(contentType).toMatch(/^multipart\/form-data; boundary=/)
  expect(text).toContain('name="file"; filename="file.bin"\r\nContent-Type: application/octet-stream\r\n\r\nx\r\n')
  expect(text).toContain('name="meta"\r\nContent-Type: application/json\r\n\r\n{"a":1}\r\n')
  expect(write('application/*+json', { a: 1 })).toEqual({ contentType: 'application/vnd.api+json', text: '{"a":1}' })
})

it('picks the same part of a list for the same lots, in its order', () => {
  const lots = [0.5, 0.1, 0.9, 0.2]
  expect(pickSome(['a', 'b', 'c', 'd'], 2, () => lots.shift() ?? 0)).toEqual(['b', 'd'])
})
