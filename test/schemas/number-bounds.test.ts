// Bounds beyond 2^64: the number that is written in the document is within them, and messages quote what was sent.
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { findChanges } from '../../src/checks/changes/find-changes.js'
import { loadSources } from '../../src/document/load-sources.js'
import { compileSources, compileText } from '../../src/entries/compile-text.js'
import { createSandbox } from '../../src/entries/create-sandbox.js'
import { fromJson, toJson } from '../../src/json/exact-json.js'
import { doors, openDocument, receive } from '../support/one-operation.js'
import { collection, documentOf, serve } from '../support/serve-objects.js'

const record = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    least: { type: 'number', minimum: 1e308 },
    most: { type: 'number', maximum: 1e23 },
    lowest: { type: 'number', minimum: -1e308, maximum: 1e300 },
    whole: { type: 'integer', minimum: 1e21, maximum: 3e21 },
    unsigned: { type: 'integer', minimum: 0, maximum: 2 ** 64 },
    long: { type: 'integer', format: 'int64' },
    price: { type: 'number', multipleOf: 0.01 },
    tenth: { type: 'number', multipleOf: 0.1 },
    tiny: { type: 'number', multipleOf: 1e-7 },
    one: { type: 'number', multipleOf: 1 },
    ten: { type: 'integer', format: 'int64', multipleOf: 10 },
    tenThousand: { type: 'integer', format: 'int64', multipleOf: 10_000 },
  },
}
/** Schemas of a number that an answer is made for. */
const made = [0.01, 0.05, 0.3, 1e-7, 2.5, 7].map((multipleOf) => ({ type: 'number', minimum: 0.07, multipleOf }))
const answers = made.map((value, index): [string, object] => {
  const schema = { type: 'object', required: ['price'], properties: { price: value } }
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema } } } }
  return [`/made/${index}`, { get: { responses } }]
})
const served = serve(documentOf({ ...collection({ path: '/xs', record }), ...Object.fromEntries(answers) }))

const post = (member: string) => served.send('POST', '/xs', { body: `{${member}}` })

it.each([
  '"least":1e308',
  '"least":1.7e308',
  `"least":1${'0'.repeat(308)}`,
  '"most":1e23',
  '"most":99999999999999991611392',
  '"lowest":-1e308',
  '"lowest":1e300',
  '"whole":1e21',
  '"whole":3000000000000000000000',
  '"unsigned":18446744073709551615',
  '"unsigned":18446744073709551616',
  '"long":9223372036854775807',
  '"long":-9223372036854775808',
  '"price":19.99',
  '"price":0.07',
  '"price":-1.13',
  '"price":1234.56',
  '"price":1000000000.01',
  '"price":1234567890123.45',
  '"price":1e300',
  '"tenth":0.3',
  '"tiny":0.0000003',
  '"one":1e21',
  '"ten":9007199254741000',
  '"ten":9223372036854775800',
  '"tenThousand":9223372036854770000',
])('accepts {%s}', async (member) => {
  expect(await post(member)).toMatchObject({ status: 201 })
})

it.each([
  ['"least":9e307', 'least must be at least 1e+308 (got 9e+307)'],
  ['"most":1.1e23', 'most must be at most 1e+23 (got 1.1e23)'],
  ['"lowest":-1.1e308', 'lowest must be at least -1e+308 (got -1.1e+308)'],
  ['"whole":1000000000000000000000.5', 'whole must be an integer (got 1000000000000000000000.5)'],
  ['"whole":1.0000000000000000000000001', 'whole must be an integer (got 1.0000000000000000000000001)'],
  ['"long":9223372036854775808', '(got 9223372036854775808)'],
  ['"long":-9223372036854775809', '(got -9223372036854775809)'],
  ['"long":1e19', '(got 1e19)'],
  ['"price":19.991', 'price must be a multiple of 0.01 (got 19.991)'],
  ['"price":1234567890123.455', 'price must be a multiple of 0.01 (got 1234567890123.455)'],
  ['"tenth":0.30000000000000004', 'tenth must be a multiple of 0.1 (got 0.30000000000000004)'],
  ['"tiny":0.00000015', 'tiny must be a multiple of 1e-7 (got 1.5e-7)'],
  ['"one":5.0000001', 'one must be a multiple of 1 (got 5.0000001)'],
  ['"one":5.00000000000000000001', 'one must be a multiple of 1 (got 5.00000000000000000001)'],
  ['"ten":9007199254740999', 'ten must be a multiple of 10 (got 9007199254740999)'],
])('refuses {%s} and quotes the number', async (member, message) => {
  const { status, text } = await post(member)
  expect([status, JSON.parse(text).message]).toEqual([400, expect.stringContaining(message)])
})

it.each(made.map(({ multipleOf }, index) => [multipleOf, index]))('makes a multiple of %d', async (step, index) => {
  const { price } = JSON.parse((await served.send('GET', `/made/${index}`)).text)
  expect(price).toBeGreaterThanOrEqual(0.07)
  expect(Math.round(price * 1e7) % Math.round(Number(step) * 1e7)).toBe(0)
})

/** Numbers that are not doubles, where a document may have numbers. */
const exact = `{
  "openapi": "3.1.0", "info": { "title": "T", "version": "1" },
  "paths": {
    "/ranks": {
      "get": {
        "parameters": [
          { "name": "rank", "in": "query", "schema": { "type": "integer", "enum": [9007199254740997, 5] } },
          { "name": "low", "in": "query", "schema": { "type": "integer", "minimum": -9223372036854775811, "maximum": 9223372036854775809 } },
          { "name": "step", "in": "query", "schema": { "type": "integer", "multipleOf": 9007199254740993 } }
        ],
        "responses": { "200": { "description": "ok", "content": { "application/json": { "schema": { "type": "array", "items": { "$ref": "#/components/schemas/Rank" } } } } } }
      },
      "post": {
        "requestBody": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Rank" } } } },
        "responses": { "201": { "description": "ok", "content": { "application/json": {
          "schema": { "$ref": "#/components/schemas/Rank" },
          "examples": { "one": { "value": { "id": 9007199254740999, "rank": 9223372036854775803 } } }
        } } } }
      }
    },
    "/calc": {
      "post": {
        "requestBody": { "content": { "application/json": { "schema": { "properties": {
          "fixed": { "const": 9007199254740993 }, "listed": { "enum": [{ "a": [9007199254740993] }] },
          "least": { "minimum": 9007199254740993 }, "most": { "maximum": 9223372036854775807 },
          "below": { "exclusiveMaximum": 9223372036854775807 }, "sets": { "uniqueItems": true },
          "third": { "multipleOf": 3 }, "thousand": { "type": "array", "items": { "multipleOf": 1000 } },
          "either": { "anyOf": [{ "const": 9007199254740993 }, { "type": "string" }] }
        } } } } },
        "responses": { "200": { "description": "ok", "content": { "application/json": {
          "schema": { "type": "object" },
          "example": { "total": 9007199254740993, "list": [18446744073709551615, 0.5] }
        } } } }
      }
    }
  },
  "components": { "schemas": { "Rank": { "type": "object", "required": ["rank"], "properties": {
    "id": { "type": "integer", "format": "int64" },
    "rank": { "type": "integer", "format": "int64", "readOnly": true, "example": 9223372036854775806 },
    "kind": { "type": "integer", "enum": [9007199254740993, 9007199254740995], "default": 9007199254740995 },
    "fixed": { "const": 9007199254740997 }
  } } } }
}`

describe.each(doors)('numbers of a document that are not doubles, through %s', (door) => {
  it.each([
    ['JSON', exact],
    ['YAML', stringify(fromJson(exact))],
  ])('are exact in %s', async (_, text) => {
    const connection = await openDocument(door, text)
    const send = async (method: string, target: string, body?: string, prefer = 'x') => {
      const headers = [
        ['Content-Type', 'application/json'],
        ['Prefer', prefer],
      ] as const
      const sent = await receive(connection, { method, target, headers, ...(body && { body }) })
      return [sent.status, sent.status === 400 ? JSON.parse(sent.text).message : sent.text]
    }
    const made = '{"id":1,"rank":9223372036854775806,"kind":9007199254740995,"fixed":9007199254740997}'
    const all = '"least":9007199254740993,"most":9223372036854775807,"below":9223372036854775806'
    expect([
      await send('POST', '/ranks', '{}'),
      await send('POST', '/ranks', '{}', 'example=one'),
      await send('POST', '/ranks', '{"kind":9007199254740994,"fixed":9007199254740996}'),
      await send('GET', '/ranks?low=9223372036854775809&step=18014398509481986'),
      await send('GET', '/ranks?low=-9223372036854775811&rank=9007199254740997&step=0'),
      await send('GET', '/ranks?rank=9007199254740996&low=9223372036854775810&step=18014398509481985'),
      await send('GET', '/ranks?low=-9223372036854775812'),
      await send('POST', '/calc', `{"fixed":9007199254740993,"listed":{"a":[9007199254740993]},${all}}`),
      await send('POST', '/calc', '{"sets":[9007199254740993,9007199254740992],"either":9007199254740993}'),
      await send(
        'POST',
        '/calc',
        '{"fixed":9007199254740992,"listed":{"a":[9007199254740992]},"least":9007199254740992}',
      ),
      await send(
        'POST',
        '/calc',
        '{"third":9223372036854775806,"thousand":[9223372036854775000,-9223372036854775000]}',
      ),
      await send('POST', '/calc', '{"third":9223372036854775807,"thousand":[9223372036854775001]}'),
      await send('POST', '/calc', '{"most":9223372036854775808,"below":9223372036854775807,"either":9007199254740992}'),
    ]).toEqual([
      [201, made],
      [201, '{"id":9007199254740999,"rank":9223372036854775803}'],
      [
        400,
        'kind must be one of 9007199254740993, 9007199254740995 (got 9007199254740994); fixed must be 9007199254740997 (got 9007199254740996)',
      ],
      [200, `[${made}]`],
      [200, '[]'],
      [
        400,
        'query parameter rank must be one of 9007199254740997, 5 (got 9007199254740996); query parameter low must be at most 9223372036854775809 (got 9223372036854775810); query parameter step must be a multiple of 9007199254740993 (got 18014398509481985)',
      ],
      [400, 'query parameter low must be at least -9223372036854775811 (got -9223372036854775812)'],
      [200, '{"total":9007199254740993,"list":[18446744073709551615,0.5]}'],
      [200, '{"total":9007199254740993,"list":[18446744073709551615,0.5]}'],
      [
        400,
        'fixed must be 9007199254740993 (got 9007199254740992); listed must be one of {"a":[9007199254740993]} (got an object); least must be at least 9007199254740993 (got 9007199254740992)',
      ],
      [200, '{"total":9007199254740993,"list":[18446744073709551615,0.5]}'],
      [
        400,
        'third must be a multiple of 3 (got 9223372036854775807); thousand[0] must be a multiple of 1000 (got 9223372036854775001)',
      ],
      [400, expect.stringContaining('below must be less than 9223372036854775807 (got 9223372036854775807)')],
    ])
  })
})

it.each([
  ['[9007199254740997, 5]', '[9007199254740998, 5]', '9007199254740997 is refused; accepted: 9007199254740998, 5'],
  [
    '"maximum": 9223372036854775809',
    '"maximum": 9223372036854775808',
    'It accepts at most 9223372036854775808, not 9223372036854775809',
  ],
  [
    '"multipleOf": 9007199254740993',
    '"multipleOf": 9007199254740995',
    'It needs the multipleOf 9007199254740995, not the multipleOf 9007199254740993',
  ],
  [
    '"default": 9007199254740995',
    '"default": 9007199254740993',
    'The default is 9007199254740993, not 9007199254740995',
  ],
])('diff sees the change of %s to %s', (before, after, message) => {
  const changes = findChanges(compileText(exact, 'a.json'), compileText(exact.replace(before, after), 'b.json'))
  expect(changes.map(({ finding }) => finding.message)).toEqual([message])
})

it('writes exact numbers of documents, overlays and validators of modules', async () => {
  const update = 'update: { example: 9223372036854775801, maximum: 9223372036854775805 }'
  const actions = `actions: [{ target: $.components.schemas.Rank.properties.rank, ${update} }]`
  const overlay = { file: 'o.yaml', text: `overlay: 1.0.0\ninfo: { title: x, version: '1' }\n${actions}` }
  const read = () => Promise.reject(new Error('nothing else is read'))
  const composed = compileSources(await loadSources({ file: 'a.json', text: exact }, { read, overlays: [overlay] }))
  expect(composed.text).toMatch(/"example": 9223372036854775801,\s*"maximum": 9223372036854775805\s*\}/)
  expect(composed.toModule().validators).toContain('9223372036854775805n')
})

it('has no mistake in Swagger 2.0 either, where numbers are not doubles', async () => {
  const schema = 'type: object, properties: { n: { type: integer, example: 9007199254740993 } }'
  const compiled = compileText(
    `swagger: '2.0'
info: { title: T, version: '1' }
produces: [application/json, application/xml]
paths:
  /one:
    get:
      parameters: [{ name: most, in: query, type: integer, maximum: 9007199254740993, enum: [9007199254740992, 3] }]
      responses:
        200: { description: ok, schema: { ${schema} } }
        404: { description: no, schema: { type: object, maxProperties: 9223372036854775807 }, examples: { application/json: { n: 9007199254740995 } } }
`,
    'a.yaml',
    { thorough: true },
  )
  expect(compiled.notes()).toEqual([])
  const sandbox = createSandbox({ contract: compiled.contract, scenario: {} })
  const textOf = async (target: string, headers: Record<string, string>) =>
    (await sandbox.fetch(`http://localhost${target}`, { headers })).text()
  expect(await textOf('/one?most=9007199254740992', {})).toBe('{"n":9007199254740993}')
  expect(await textOf('/one', { accept: 'application/xml' })).toContain('<n>9007199254740993</n>')
  expect(await textOf('/one', { prefer: 'code=404' })).toBe('{"n":9007199254740995}')
  expect(await textOf('/one?most=9007199254740993', {})).toBe('{"n":9007199254740995}')
})

it('leaves out numbers that no double has, with a note', () => {
  const content = '{ application/json: { schema: { type: object }, example: { a: 1e400 } } }'
  const { notes } = compileText(
    `openapi: 3.1.0
info: { title: T, version: '1' }
paths: { /x: { get: { responses: { 200: { description: ok, content: ${content} } } } } }
`,
    'a.yaml',
  )
  expect(notes().map(({ message }) => message)).toEqual([
    'paths./x.get.responses.200.content.application/json.example is not a value: it has a number beyond 1.8e308',
  ])
})

const oneLarge = { type: 'integer', minimum: 9007199254740993n, maximum: 9007199254740993n }
const large = toJson({
  openapi: '3.1.0',
  paths: {
    '/texts': {
      get: {
        parameters: Object.entries({
          listed: {
            oneOf: [
              { type: 'string', enum: ['all'] },
              { type: 'integer', enum: [9007199254740993n] },
            ],
          },
          untyped: { enum: ['all', 9007199254740993n] },
          within: { anyOf: [{ enum: ['all'] }, oneLarge] },
        }).map(([name, schema]) => ({ name, in: 'query', schema })),
        responses: { 200: { description: 'ok' } },
      },
    },
    ...Object.fromEntries(
      Object.entries({
        one: oneLarge,
        below: { type: 'integer', maximum: -9007199254740995n, minimum: -9007199254740995n },
        between: { type: 'integer', exclusiveMinimum: 9007199254740993n, exclusiveMaximum: 9007199254740995n },
        last: { type: 'integer', format: 'int64', minimum: 9223372036854775806n },
        step: { type: 'integer', minimum: 1, multipleOf: 9007199254740997n },
      }).map(([name, schema]) => [
        `/${name}`,
        {
          get: {
            responses: {
              200: {
                description: 'ok',
                content: {
                  'application/json': { schema: { type: 'object', required: ['n'], properties: { n: schema } } },
                },
              },
            },
          },
        },
      ]),
    ),
  },
})

it.each(doors)('numbers beyond doubles have one reading, and are made, through %s', async (door) => {
  const connection = await openDocument(door, large)
  const send = async (target: string) => {
    const { status, text } = await receive(connection, { method: 'GET', target, headers: [] })
    return status === 200 ? text : status
  }
  for (const name of ['listed', 'untyped', 'within']) {
    expect(await send(`/texts?${name}=all`)).not.toBe(400)
    expect(await send(`/texts?${name}=9007199254740993`)).not.toBe(400)
    expect(await send(`/texts?${name}=9007199254740992`)).toBe(400)
  }
  expect([await send('/one'), await send('/below'), await send('/between')]).toEqual([
    '{"n":9007199254740993}',
    '{"n":-9007199254740995}',
    '{"n":9007199254740994}',
  ])
  expect(await send('/last')).toMatch(/^\{"n":922337203685477580[67]\}$/)
  expect(BigInt(/\d+/.exec(String(await send('/step')))?.[0] ?? 1) % 9007199254740997n).toBe(0n)
})
