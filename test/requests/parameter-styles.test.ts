/** Parameters in every style of OpenAPI, through every transport. A `const` in the schema proves what was decoded. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive, success } from '../support/one-operation.js'
import type { Header } from '../support/raw-request.js'

const list = [3, 4, 5]
const color = { R: 100, G: 200, name: 'x,y' }
const rgb = { R: 100, G: 200 }
const numbers = { type: 'array', items: { type: 'integer' }, const: list }
const texts = (...items: string[]): Part => ({ type: 'array', items: { type: 'string' }, const: items })
const properties = { R: { type: 'integer' }, G: { type: 'integer' }, name: { type: 'string' } }
const object = (value: unknown): Part => ({ type: 'object', properties, const: value })
const json = (schema: Part): Part => ({ 'application/json': { schema } })

interface Row {
  place?: string
  /** Members of the parameter besides name, place and schema. */
  parameter: Part
  schema?: Part
  /** What is sent in the place, and is valid. */
  valid: string[]
  /** What is sent there, and is refused. Absent: nothing. */
  invalid?: string[]
  /** What the message about it contains. */
  message?: string
}

const inPath: Row[] = [
  { parameter: {}, schema: { const: 'blue' }, valid: ['blue', 'bl%75e'], invalid: ['red'] },
  { parameter: {}, schema: numbers, valid: ['3,4,5', '3%2C4,5'], invalid: ['3,x', '3,4'], message: 'path parameter p' },
  { parameter: { explode: true }, schema: numbers, valid: ['3,4,5'] },
  { parameter: {}, schema: object(rgb), valid: ['R,100,G,200', 'G,200,R,100'], invalid: ['R,100,G', 'R=100,G=200'] },
  { parameter: { explode: true }, schema: object(rgb), valid: ['R=100,G=200'], invalid: ['R,100,G,200'] },
  { parameter: { style: 'label' }, schema: { type: 'string', const: 'blue' }, valid: ['.blue'], invalid: ['blue'] },
  { parameter: { style: 'label' }, schema: {}, valid: ['.blue'], invalid: ['blue'], message: 'begin with a dot' },
  { parameter: { style: 'label' }, schema: numbers, valid: ['.3,4,5'], invalid: ['3,4,5', '.3,4'] },
  { parameter: { style: 'label', explode: true }, schema: numbers, valid: ['.3.4.5'], invalid: ['3.4.5'] },
  { parameter: { style: 'label' }, schema: object(rgb), valid: ['.R,100,G,200'] },
  { parameter: { style: 'label', explode: true }, schema: object(rgb), valid: ['.R=100.G=200'] },
  { parameter: { style: 'matrix' }, schema: { type: 'integer', const: 7 }, valid: [';p=7'], invalid: ['7', ';q=7'] },
  { parameter: { style: 'matrix' }, schema: { type: 'string', const: '' }, valid: [';p', ';p='], invalid: ['p'] },
  { parameter: { style: 'matrix' }, schema: numbers, valid: [';p=3,4,5'], invalid: ['3,4,5', ';p=3,4'] },
  { parameter: { style: 'matrix', explode: true }, schema: numbers, valid: [';p=3;p=4;p=5'] },
  { parameter: { style: 'matrix' }, schema: object(rgb), valid: [';p=R,100,G,200'] },
  { parameter: { style: 'matrix', explode: true }, schema: object(rgb), valid: [';R=100;G=200'] },
  { parameter: { content: json(object(rgb)) }, valid: ['%7B%22R%22%3A100,%22G%22%3A200%7D'], invalid: ['x'] },
]

const inQuery: Row[] = [
  { parameter: {}, schema: numbers, valid: ['p=3&p=4&p=5', 'p=3&q=1&p=4&p=5'], invalid: ['p=3,4,5', 'p=3'] },
  { parameter: {}, schema: { ...numbers, const: [3] }, valid: ['p=3'], invalid: ['p=x'] },
  { parameter: { explode: false }, schema: numbers, valid: ['p=3,4,5', 'p=3%2C4%2C5'], invalid: ['p=3&p=4&p=5'] },
  { parameter: { explode: false }, schema: texts('a,b', 'c d'), valid: ['p=a%2Cb,c+d', 'p=a%2cb,c%20d'] },
  { parameter: { style: 'spaceDelimited', explode: false }, schema: numbers, valid: ['p=3%204%205', 'p=3+4+5'] },
  { parameter: { style: 'pipeDelimited', explode: false }, schema: numbers, valid: ['p=3|4|5', 'p=3%7C4%7C5'] },
  { parameter: { style: 'pipeDelimited', explode: true }, schema: numbers, valid: ['p=3&p=4&p=5'] },
  { parameter: {}, schema: object(color), valid: ['R=100&G=200&name=x,y'], invalid: ['R=100', 'R=x&G=200'] },
  { parameter: { explode: false }, schema: object(color), valid: ['p=R,100,G,200,name,x%2Cy'], invalid: ['p=R,100,G'] },
  { parameter: { style: 'spaceDelimited', explode: false }, schema: object(rgb), valid: ['p=R%20100%20G%20200'] },
  { parameter: { style: 'pipeDelimited', explode: false }, schema: object(rgb), valid: ['p=R%7C100%7CG%7C200'] },
  {
    parameter: { style: 'deepObject', explode: true },
    schema: object(color),
    valid: ['p[R]=100&p[G]=200&p[name]=x,y', 'p%5BR%5D=100&p%5BG%5D=200&p%5Bname%5D=x%2Cy'],
    invalid: ['p[R]=100', 'R=100&G=200&name=x,y', 'p[R]=x&p[G]=200&p[name]=x,y'],
  },
  {
    parameter: { style: 'deepObject' },
    schema: numbers,
    valid: ['p[]=3&p[]=4&p[]=5', 'p[1]=4&p[0]=3&p[10]=5', 'p=3&p=4&p=5'],
  },
  {
    parameter: { style: 'deepObject' },
    schema: {
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'object', properties: { b: { type: 'boolean' } } } } },
      const: { a: [{ b: true }, { b: false }] },
    },
    valid: ['p[a][0][b]=true&p[a][1][b]=false', 'p[a][][b]=true&p[a][][b]=false'],
  },
  {
    parameter: { style: 'deepObject' },
    schema: {
      anyOf: [{ type: 'integer' }, { type: 'object', required: ['gt'], properties: { gt: { type: 'integer' } } }],
    },
    valid: ['p=5', 'p[gt]=5', 'p[gt]=5&p[lt]=6'],
    invalid: ['p=x', 'p[gt]=x', 'p[lt]=5'],
  },
  { parameter: { content: json(object(rgb)) }, valid: ['p=%7B%22R%22:100,%22G%22:200%7D', 'p={"R":100,"G":200}'] },
  { parameter: { content: json({}) }, valid: ['p=1', 'p=%22x%22'], invalid: ['p={', 'p=x'], message: 'not JSON' },
  {
    parameter: { content: { 'application/x-www-form-urlencoded': { schema: object(rgb) } } },
    valid: ['p=R%3D100%26G%3D200'],
    invalid: ['p=R%3Dx'],
  },
  { parameter: { allowEmptyValue: true }, schema: { type: 'integer' }, valid: ['p=', 'p', 'p=1'], invalid: ['p=x'] },
  { parameter: { style: 'matrix' }, schema: { type: 'integer' }, valid: ['p=1'], invalid: ['p=;p=1'] },
]

const inHeader: Row[] = [
  { parameter: {}, schema: numbers, valid: ['3,4,5', '3, 4 ,5'], invalid: ['3', '3;4;5'] },
  { parameter: {}, schema: object(rgb), valid: ['R,100,G,200'], invalid: ['R,100,G'] },
  {
    parameter: { explode: true },
    schema: object(rgb),
    valid: ['R=100,G=200', 'R=100, G=200'],
    invalid: ['R,100,G,200'],
  },
  { parameter: { content: json(object(rgb)) }, valid: ['{"R":100, "G":200}'], invalid: ['{"R":100', '{"R":"1"}'] },
]

const inCookie: Row[] = [
  {
    parameter: {},
    schema: { type: 'string', const: 'a b' },
    valid: ['p=a%20b', 'q=1; p=a%20b'],
    invalid: ['p=a+b', 'p=c'],
  },
  { parameter: { style: 'cookie' }, schema: { type: 'string', const: 'a%20b' }, valid: ['p=a%20b'], invalid: ['p=c'] },
  { parameter: {}, schema: numbers, valid: ['p=3&p=4&p=5', 'p=3; p=4; p=5', 'p=3,4,5'], invalid: ['p=3', 'p=a,b,c'] },
  { parameter: { explode: false }, schema: texts('a,b', 'c'), valid: ['p=a%2Cb,c'], invalid: ['p=a,b,c'] },
  { parameter: { explode: false }, schema: object(rgb), valid: ['p=R,100,G,200'], invalid: ['p=R'] },
  { parameter: {}, schema: object(rgb), valid: ['R=100&G=200', 'R=100; G=200'], invalid: ['R=x; G=200'] },
  { parameter: { content: json(object(rgb)) }, valid: ['p=%7B%22R%22%3A100%2C%22G%22%3A200%7D'], invalid: ['p=%7B'] },
]

const inQuerystring: Row[] = [
  {
    parameter: { content: { 'application/x-www-form-urlencoded': { schema: object(rgb) } } },
    valid: ['R=100&G=200'],
    invalid: ['R=100', 'R=x&G=200'],
  },
  { parameter: { content: json(object(rgb)) }, valid: ['%7B%22R%22:100,%22G%22:200%7D'], invalid: ['R=100', '%7B'] },
]

const last = { type: 'string', enum: ['last'] }
const integer = { type: 'integer' }
const listOf = (items: Part): Part => ({ type: 'array', items })

/** Alternatives and types mean the same in any order. */
const alternatives: Row[] = [
  { parameter: {}, schema: { oneOf: [last, integer] }, valid: ['last', '7', '0'], invalid: ['first', '7.5'] },
  { parameter: {}, schema: { anyOf: [integer, last] }, valid: ['last', '7'], invalid: ['first', 'true'] },
  { parameter: {}, schema: { allOf: [{ oneOf: [last, { maximum: 9, ...integer }] }] }, valid: ['9'], invalid: ['10'] },
  {
    parameter: {},
    schema: { type: ['string', 'integer'], pattern: '^x', minimum: 3 },
    valid: ['x', '3'],
    invalid: ['2'],
  },
  {
    parameter: {},
    schema: { enum: ['any', 3, 2.5, false, null] },
    valid: ['any', '3', '2.5', 'false', 'null'],
    invalid: ['4'],
  },
  { parameter: {}, schema: { type: ['string', 'number'], enum: ['any', 3] }, valid: ['any', '3'], invalid: ['4'] },
  { parameter: {}, schema: { oneOf: [{ const: 'any' }, { const: 3 }] }, valid: ['any', '3'], invalid: ['4', 'x'] },
  {
    parameter: {},
    schema: { anyOf: [{ format: 'uuid', type: 'string' }, { type: 'boolean' }] },
    valid: ['true'],
    invalid: ['1'],
  },
  {
    parameter: {},
    schema: {
      anyOf: [
        { maxLength: 2, type: 'string' },
        { minimum: 1000, ...integer },
      ],
    },
    valid: ['ab', '1000', '12'],
    invalid: ['999', 'abc'],
  },
  { parameter: {}, schema: { anyOf: [last, { type: 'null' }] }, valid: ['last', 'null'], invalid: ['none'] },
  {
    parameter: { style: 'form', explode: false },
    schema: { oneOf: [listOf(integer), last] },
    valid: ['7', '7,8', 'last'],
    invalid: ['7,last', 'x'],
  },
  { parameter: {}, schema: { $ref: '#/components/schemas/Row' }, valid: ['last', '7'], invalid: ['first'] },
  {
    parameter: { explode: false },
    schema: listOf({ $ref: '#/components/schemas/Row' }),
    valid: ['last,7', '7', '7,8,last,9'],
    invalid: ['7,first'],
  },
  {
    parameter: { explode: false },
    schema: { oneOf: [listOf({ type: 'string', pattern: '^[a-z]$' }), listOf(integer)] },
    valid: ['a,b', '1,2', '7', 'a'],
    invalid: ['a,1'],
  },
  {
    parameter: { explode: false },
    schema: { oneOf: [{ type: 'object', properties: { a: integer }, required: ['a'] }, listOf(integer), last] },
    valid: ['a,1', '1,2', '1', 'last'],
    invalid: ['b,1', 'x'],
  },
]

const rows: Row[] = [
  ...alternatives.flatMap((row) => ['query', 'path', 'header', 'cookie'].map((place) => inPlace(row, place))),
  ...inPath.map((row) => ({ ...row, place: 'path' })),
  ...inQuery.map((row) => ({ ...row, place: 'query' })),
  ...inHeader.map((row) => ({ ...row, place: 'header' })),
  ...inCookie.map((row) => ({ ...row, place: 'cookie' })),
  ...inQuerystring.map((row) => ({ ...row, place: 'querystring' })),
]

/** A row of alternatives in a place, where the style of a list has another name. */
function inPlace({ parameter, valid, invalid = [], ...row }: Row, place: string): Row {
  const toSent = (text: string) => (place === 'query' || place === 'cookie' ? `p=${text}` : text)
  const own = place === 'query' || place === 'cookie' ? parameter : {}
  return { ...row, place, parameter: own, valid: valid.map(toSent), invalid: invalid.map(toSent) }
}

function toTarget(place: string, sent: string): { target: string; headers: Header[] } {
  if (place === 'path') return { target: `/xs/${sent}`, headers: [] }
  if (place === 'header') return { target: '/xs', headers: [['p', sent]] }
  if (place === 'cookie') return { target: '/xs', headers: [['Cookie', sent]] }
  return { target: `/xs?${sent}`, headers: [] }
}

const components = { schemas: { Row: { oneOf: [last, integer] } } }

describe.each(doors)('parameters over %s', (door) => {
  it.each(rows)(
    'are read in the $place as $parameter: $valid',
    async ({ place = '', parameter, schema, valid, invalid = [], message = ' p' }) => {
      const described = { name: 'p', in: place, required: true, ...parameter, ...(schema && { schema }) }
      const path = place === 'path' ? '/xs/{p}' : '/xs'
      const connection = await openDocument(
        door,
        documentOf(
          { [path]: { get: { 'x-sandbox-effect': 'example', parameters: [described], responses: success } } },
          { components },
        ),
      )
      for (const sent of valid) {
        const { status, text } = await receive(connection, { method: 'GET', ...toTarget(place, sent) })
        expect(status, `${sent} was answered ${text}`).toBe(200)
      }
      for (const sent of invalid) {
        const { status, text } = await receive(connection, { method: 'GET', ...toTarget(place, sent) })
        expect(status, `${sent} was answered ${text}`).toBe(400)
        expect(JSON.parse(text).message).toContain(message)
      }
    },
  )
})

it('writes headers of answers in their style', async () => {
  const usage = { type: 'object', properties: { cpu: { type: 'integer' }, disk: { type: 'integer' } } }
  const header = (more: Part) => ({ required: true, ...more })
  const example = { cpu: 3, disk: 4 }
  const headers = {
    Exploded: header({ explode: true, schema: { ...usage, example } }),
    Plain: header({ schema: usage, example }),
    Named: header({ explode: true, schema: usage, examples: { busy: { value: example } } }),
    List: header({ explode: true, schema: { ...listOf({}), example: ['a b', 1] } }),
    Json: header({ content: { 'application/json': { schema: usage, example } } }),
    Text: header({ content: { 'text/plain': { schema: { type: 'string', example: 'free' } } } }),
  }
  const responses = { 200: { description: 'ok', headers } }
  const connection = await openDocument('handle', documentOf({ '/xs': { get: { responses } } }))
  expect((await receive(connection, { method: 'GET', target: '/xs' })).headers).toMatchObject({
    ...{ exploded: 'cpu=3,disk=4', plain: 'cpu,3,disk,4', named: 'cpu=3,disk=4' },
    ...{ list: 'a b,1', json: '{"cpu":3,"disk":4}', text: 'free' },
  })
})

it('notes no query parameter that an object has read', async () => {
  const free = { name: 'filter', in: 'query', schema: { type: 'object', additionalProperties: { type: 'integer' } } }
  const limit = { name: 'limit', in: 'query', schema: { type: 'string' } }
  const text = documentOf({ '/xs': { get: { parameters: [free, limit], responses: success } } })
  const connection = await openDocument('handle', text)
  expect((await receive(connection, { method: 'GET', target: '/xs?a=1&b=2&limit=x' })).status).toBe(200)
  expect((await receive(connection, { method: 'GET', target: '/xs?a=x' })).status).toBe(400)
  expect(connection.sandbox.journal.list().map(({ notes }) => notes)).toEqual([[], []])
})

it('reads a parameter whose style its place does not have in the standard style, with a note', async () => {
  const parameter = { name: 'p', in: 'header', style: 'deepObject', schema: { type: 'integer' } }
  const { compileDocument } = await import('petstore-sandbox')
  const compiled = await compileDocument(
    documentOf({ '/xs': { get: { parameters: [parameter], responses: success } } }),
  )
  expect(compiled.notes()).toMatchObject([
    { message: 'style "deepObject" must be one of simple in the header', instead: 'it is read as simple' },
  ])
})

it('quotes an object in the path as it was sent', async () => {
  const point = { type: 'object', properties: { x: { type: 'integer' } } }
  const parameter = { name: 'xId', in: 'path', required: true, schema: point }
  const record = { type: 'object', properties: { id: { type: 'string' } } }
  const content = { 'application/json': { schema: record } }
  const responses = { 200: { description: 'ok', content }, 404: { description: 'unknown' } }
  const list = { description: 'ok', content: { 'application/json': { schema: { type: 'array', items: record } } } }
  const paths = {
    '/xs': { get: { responses: { 200: list } } },
    '/xs/{xId}': { get: { parameters: [parameter], responses } },
  }
  const connection = await openDocument('handle', documentOf(paths))
  const { status, text } = await receive(connection, { method: 'GET', target: '/xs/x,5' })
  expect({ status, text }).toMatchObject({ status: 404, text: expect.stringContaining('id x,5 in') })
})
