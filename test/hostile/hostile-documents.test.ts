/** Small documents that stand for something endless or huge are served, or refused, without delay. */
import { compileDocument, createSandbox, generateScenario, SandboxError } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'

type Schema = Record<string, unknown>

const itself: Schema = { $ref: '#/components/schemas/Record' }
const content = (schema: Schema) => ({ content: { 'application/json': { schema } } })

/** A collection of records that have these properties besides an id. */
function documentOf(properties: Record<string, Schema>, required: string[] = [], others: Schema = {}): string {
  const record = {
    type: 'object',
    required: ['id', ...required],
    properties: { id: { type: 'integer' }, ...properties },
  }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    components: { schemas: { Record: record, ...others } },
    paths: {
      '/xs': {
        get: { responses: { 200: { description: 'ok', ...content({ type: 'array', items: itself }) } } },
        post: { requestBody: content(itself), responses: { 201: { description: 'ok', ...content(itself) } } },
      },
    },
  })
}

function numbered<T>(count: number, make: (index: number) => T): [string, T][] {
  return Array.from({ length: count }, (_, index) => [`p${index}`, make(index)])
}

/** Schemas that each refer to the next one twice. */
function doubled(keyword: string, count: number): Schema {
  const schemas = numbered(count, (index): Schema => {
    const next = { $ref: `#/components/schemas/p${index + 1}` }
    return { [keyword]: [next, { allOf: [next] }] }
  })
  return { ...Object.fromEntries(schemas), [`p${count}`]: { type: 'string' } }
}

function nested(levels: number): Schema {
  let schema: Schema = { type: 'string' }
  for (let level = 0; level < levels; level++) schema = { type: 'array', items: schema }
  return schema
}

/** Schemas with two alternatives: the next one, or an object with two properties of it. */
function branching(count: number): Schema {
  const schemas = numbered(count, (index): Schema => {
    const next = { $ref: `#/components/schemas/p${index + 1}` }
    return { oneOf: [next, { type: 'object', required: ['a'], properties: { a: next, b: next } }] }
  })
  return { ...Object.fromEntries(schemas), [`p${count}`]: { type: 'string' } }
}

/** Schemas that each refer to all. */
function mesh(count: number): Schema {
  const all = Object.fromEntries(numbered(count, (index) => ({ $ref: `#/components/schemas/p${index}` })))
  return Object.fromEntries(numbered(count, () => ({ type: 'object', properties: { ...all } })))
}

function nestedAlternatives(levels: number): Schema {
  let schema: Schema = { type: 'string' }
  for (let level = 0; level < levels; level++) schema = { anyOf: [schema, { type: 'integer', minimum: level }] }
  return schema
}

/** Objects that each merge the one before. */
function merges(count: number): string {
  const objects = numbered(count, (index) => `x-${index}: &m${index + 1}\n  <<: *m${index}\n  k${index}: v`)
  return ['openapi: 3.1.0', 'x-first: &m0 { k: v }', ...objects.map(([, text]) => text), 'paths: {}'].join('\n')
}

/** A document with a long text wherever it may have one: what grows faster than the text would take minutes. */
function withLongTexts(unit: string): string {
  const long = unit.repeat(unit === '' ? 0 : 50_000 / unit.length)
  const description = `The id of it ${long}`
  const status = { type: 'string', description, enum: ['open', `closed${long}`] }
  const record = {
    ...{ type: 'object', title: long, description, required: ['id'] },
    properties: { id: { type: 'string' }, status, [`name${long}`]: { type: 'string', example: long, description } },
  }
  const problem = {
    type: 'object',
    required: ['message'],
    properties: { message: { type: 'string' }, code: { ...status, enum: ['not_found', `taken${long}`] } },
  }
  const missing = { 404: { description, ...content(problem) } }
  const sort = { name: 'sort', in: 'query', description, schema: { type: 'string', enum: ['status', `name${long}`] } }
  const id = { name: 'id', in: 'path', required: true, description, schema: { type: 'string' } }
  const one = { 200: { description, ...content({ $ref: `#/components/schemas/Record${long.replaceAll('/', '~1')}` }) } }
  const about = (name: string) => ({ operationId: name + long, tags: [long], summary: `Find by ${long}`, description })
  return JSON.stringify({
    ...{ openapi: '3.1.0', info: { title: 'T', version: '1', description }, tags: [{ name: long, description }] },
    components: { schemas: { [`Record${long}`]: record } },
    paths: {
      '/xs': {
        get: {
          ...about('list'),
          parameters: [sort, { name: `of${long}`, in: 'query', description, schema: { type: 'string' } }],
          responses: { 200: { description, ...content({ type: 'array', items: record }) } },
        },
        post: { ...about('create'), requestBody: content(record), responses: { ...missing, 201: one[200] } },
      },
      '/xs/{id}': { get: { ...about('get'), parameters: [id], responses: { ...one, ...missing } } },
      '/xs/{id}/close': { post: { ...about('close'), parameters: [id], responses: { ...one, 409: missing[404] } } },
    },
    webhooks: { [`closed${long}`]: { post: { ...about('onClosed'), requestBody: content(record) } } },
  })
}

const names = [...'abcdefghij']
const each = (schema: Schema) => Object.fromEntries(names.map((name) => [name, schema]))
const first = { a: { $ref: '#/components/schemas/p0' } }

const served: [what: string, text: string][] = [
  ...['A', 'aB', '_', ' ', '`', 'a or ', '[{<'].map((unit): [string, string] => [
    `long texts of "${unit}" at each place`,
    withLongTexts(unit),
  ]),
  ['ten properties that require the record itself', documentOf(each(itself), names)],
  ['ten optional properties with the record itself', documentOf(each(itself))],
  ['ten lists of at least two of the record itself', documentOf(each({ type: 'array', items: itself, minItems: 2 }))],
  ['a list of a billion items', documentOf({ a: { type: 'array', items: { type: 'string' }, minItems: 1e9 } }, ['a'])],
  ['a text of a billion characters', documentOf({ a: { type: 'string', minLength: 1e9 } }, ['a'])],
  ['an object of a billion properties', documentOf({ a: { type: 'object', minProperties: 1e9 } }, ['a'])],
  ['twenty thousand different items', documentOf({ a: { type: 'array', minItems: 20_000, uniqueItems: true } }, ['a'])],
  ['allOf that doubles forty times', documentOf(first, [], doubled('allOf', 40))],
  ['anyOf that doubles forty times', documentOf(first, [], doubled('anyOf', 40))],
  ['oneOf that doubles forty times', documentOf(first, [], doubled('oneOf', 40))],
  ['a chain of two thousand references', documentOf(first, [], chain(2000))],
  ['three hundred levels', documentOf({ a: nested(300) })],
  ['two thousand properties', documentOf(Object.fromEntries(numbered(2000, () => ({ type: 'string' }))))],
  [
    'a thousand alternatives',
    documentOf({
      a: { oneOf: numbered(1000, (index) => ({ type: 'object', required: [`k${index}`] })).map(([, s]) => s) },
    }),
  ],
  ['a pattern that takes exponential time', documentOf({ a: { type: 'string', pattern: '^(a+)+$' } })],
  ['such a pattern with lookahead', documentOf({ a: { type: 'string', pattern: '^(?=(a+)+b)a' } })],
  [
    'a hundred thousand required properties',
    documentOf({}, Object.keys(Object.fromEntries(numbered(100_000, () => 0)))),
  ],
  [
    'five thousand parameters in a segment',
    documentOf({}).replace(
      '"/xs":',
      `"/${numbered(5000, () => 0)
        .map(([name]) => `{${name}}-`)
        .join('')}":{"get":{}},"/xs":`,
    ),
  ],
  [
    'a path of twenty thousand segments',
    documentOf({}).replace('"/xs":', `"${'/a'.repeat(20_000)}":{"get":{"operationId":"long"}},"/xs":`),
  ],
  ...['/a', '{a}'].map((unit): [string, string] => [
    `a server with "${unit}" twenty thousand times`,
    documentOf({}).replace(
      '"paths":',
      `"servers":[{"url":"/"},{"url":"https://a.example/${unit.repeat(20_000)}"}],"paths":`,
    ),
  ]),
  [
    'a callback to a property at a depth of twenty thousand',
    documentOf({}).replace(
      '"post":{',
      `"post":{"callbacks":{"a":{"{$request.body#${'/a'.repeat(20_000)}}":{"post":{"responses":{}}}}},`,
    ),
  ],
  ['a JSON document of twenty million characters', `${documentOf({})}${' '.repeat(20_000_000)}`],
  ['half a surrogate pair as property', documentOf({ '\ud800': { type: 'string' } }, ['\ud800'])],
  [
    'half a surrogate pair as parameter',
    documentOf({}).replace(
      '"get":{',
      String.raw`"get":{"parameters":[{"in":"query","name":"\udfff","schema":{"type":"string"}}],`,
    ),
  ],
  [
    'half a surrogate pair as schema, tag and operationId',
    documentOf({}, [], { '\ud800': { type: 'string', enum: ['\udc00'] } }).replace(
      '"get":{',
      String.raw`"get":{"operationId":"\ud800","tags":["\udfff"],`,
    ),
  ],
  ['half a surrogate pair that is not escaped', documentOf({}).replace('"T"', '"\ud800"')],
  ['twenty thousand aliases', aliases(Array(20_000).fill('*a'))],
  ['forty alternatives that contain the next one twice', documentOf(first, ['a'], branching(40))],
  ['a hundred schemas that each refer to all', documentOf(first, [], mesh(100))],
  [
    'allOf of two thousand objects',
    documentOf({
      a: { allOf: numbered(2000, (index) => ({ properties: { [`k${index}`]: {} } })).map(([, schema]) => schema) },
    }),
  ],
  [
    'allOf of two thousand alternatives',
    documentOf({
      a: { allOf: numbered(2000, (index) => ({ anyOf: [{ minLength: index }, {}] })).map(([, schema]) => schema) },
    }),
  ],
  ['a hundred levels of alternatives', documentOf({ a: nestedAlternatives(100) })],
  [
    'a name of a million characters',
    documentOf({ ['k'.repeat(1_000_000)]: { type: 'string' } }, ['k'.repeat(1_000_000)]),
  ],
  [
    'fifty thousand values of enum',
    documentOf({ a: { enum: numbered(50_000, () => 0).map(([name]) => name) } }, ['a']),
  ],
  [
    'twenty thousand states, of which an action chooses one',
    withLongTexts('').replace(
      '"open",',
      `"open",${JSON.stringify(numbered(20_000, () => 0).map(([name]) => name)).slice(1, -1)},`,
    ),
  ],
  [
    'a pattern of five thousand alternatives',
    documentOf(
      {
        a: {
          type: 'string',
          pattern: `^(${numbered(5000, () => 0)
            .map(([name]) => name)
            .join('|')})+$`,
        },
      },
      ['a'],
    ),
  ],
  [
    'a pattern of a hundred thousand letters',
    documentOf({ a: { type: 'string', pattern: `^${'a'.repeat(100_000)}` } }, ['a']),
  ],
  [
    'three different items of two values',
    documentOf({ a: { type: 'array', minItems: 3, uniqueItems: true, items: { enum: [1, 2] } } }, ['a']),
  ],
  ['a default of three hundred levels', documentOf({ a: { default: nested(300) } }, ['a'])],
  [
    'twenty thousand tags',
    documentOf({}).replace(
      '"paths":',
      `"tags":${JSON.stringify(numbered(20_000, () => 0).map(([name]) => ({ name })))},"paths":`,
    ),
  ],
  [
    'a discriminator whose schemas are each other',
    documentOf(first, ['a'], {
      p0: {
        oneOf: [{ $ref: '#/components/schemas/p1' }],
        discriminator: { propertyName: 'kind', mapping: { a: '#/components/schemas/p1' } },
      },
      p1: { allOf: [{ $ref: '#/components/schemas/p0' }], properties: { kind: { type: 'string' } } },
    }),
  ],
  [
    'a thousand servers with variables',
    documentOf({}).replace(
      '"paths":',
      `"servers":[{"url":"/"},${JSON.stringify(numbered(1000, (index) => ({ url: `https://{host}/v${index}`, variables: { host: { default: 'a.example', enum: ['a.example'] } } })).map(([, server]) => server)).slice(1)},"paths":`,
    ),
  ],
]

const refused: [what: string, text: string, tells: RegExp][] = [
  ['a million NULs', '\0'.repeat(1_000_000), /it is not text: it has a NUL character$/],
  ['YAML with one NUL', 'openapi: 3.1.0\nx-a: "\0"\npaths: {}\n', /it is not text: it has a NUL character$/],
  ['32 million characters of YAML', '- a\n'.repeat(8_000_000), /YAML may have at most 16777216 characters/],
  ['JSON as long that is cut off', `{"a":"${'x'.repeat(17_000_000)}`, /it is not valid JSON, and YAML may have/],
  ['three thousand levels', documentOf({ a: nested(3000) }), /more than 500 levels/],
  ['aliases that grow exponentially', aliases(['*h']), /aliases expand to more than/],
  ['merge keys that grow', merges(1000), /merge keys add more than/],
  ['an alias that contains itself', 'openapi: 3.1.0\nx-a: &a [*a]\npaths: {}\n', /alias leads back|anchor/],
]

function chain(count: number): Schema {
  const links = numbered(count, (index): Schema => ({ $ref: `#/components/schemas/p${index + 1}` }))
  return { ...Object.fromEntries(links), [`p${count}`]: { type: 'string' } }
}

function aliases(list: string[]): string {
  const growing = [...'bcdefgh'].map((name, index) => {
    const before = String.fromCharCode(name.charCodeAt(0) - 1)
    return `x-${index}: &${name} [${Array(20).fill(`*${before}`).join(', ')}]`
  })
  const path = "paths: { /xs: { get: { responses: { '200': { description: ok } } } } }"
  const anchors = ['x-a: &a { type: string }', ...(list.includes('*h') ? growing : [])]
  return ['openapi: 3.1.0', "info: { title: T, version: '1' }", ...anchors, `x-list: [${list.join(', ')}]`, path].join(
    '\n',
  )
}

describe('serves a document with', () => {
  for (const [what, text] of served) {
    it(what, async () => {
      const compiled = await compileDocument(text, 'x', { thorough: true })
      const scenario = await generateScenario({ compiled, records: 2 })
      const sandbox = createSandbox({ contract: compiled.contract, scenario })
      expect((await sandbox.fetch('http://localhost/xs')).status).toBe(200)
      const body = JSON.stringify({ a: `${'a'.repeat(5000)}!` })
      const headers = { 'Content-Type': 'application/json' }
      const created = await sandbox.fetch('http://localhost/xs', { method: 'POST', headers, body })
      expect(created.status).not.toBe(500)
    })
  }
})

const listed = <T>(count: number, make: (index: number) => T) => numbered(count, make).map(([, each]) => each)
const kindOf = (index: number): Schema => ({
  type: 'object',
  required: ['kind'],
  properties: { kind: { const: `k${index}` }, [`only${index}`]: { type: 'integer' } },
})
const openKind = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' }, size: { maximum: 9 } } }

/** What thousands of alternatives accept and refuse, and why. */
const alternatives: [what: string, schema: Schema, valid: unknown, invalid: unknown, why: RegExp, others?: Schema][] = [
  ['twenty thousand constants', { oneOf: listed(20_000, (index) => ({ const: index })) }, 19_999, -1, /one of 0, 1/],
  [
    'listed texts, of which two alternatives have one',
    { oneOf: listed(5000, (index) => ({ type: 'string', title: 'T', enum: [`v${index}`, 'twice'] })) },
    ...(['v4999', 'twice', /one of v0, v1/] as const),
  ],
  [
    'objects with a constant',
    { oneOf: listed(2000, kindOf) },
    ...([{ kind: 'k1999', only1999: 1 }, { kind: 'k1999', only1999: 'a' }, /a\.only1999 must be an integer/] as const),
  ],
  [
    'objects without this one',
    { anyOf: listed(2000, kindOf) },
    { kind: 'k7' },
    { kind: 'k' },
    /kind must be one of k0, k1/,
  ],
  [
    'objects that a mapping names',
    {
      anyOf: listed(2000, (index) => ({ $ref: `#/components/schemas/s${index}` })),
      discriminator: {
        propertyName: 'kind',
        mapping: Object.fromEntries(listed(2000, (index) => [`m${index}`, `#/components/schemas/s${index}`])),
      },
    },
    ...([{ kind: 'm1999', size: 9 }, { kind: 'm1999', size: 10 }, /a\.size must be at most 9/] as const),
    Object.fromEntries(listed(2000, (index) => [`s${index}`, openKind])),
  ],
  [
    'objects that only their names distinguish',
    { oneOf: listed(2000, (index) => ({ required: [`k${index}`], properties: { [`k${index}`]: { maximum: 5 } } })) },
    ...([{ k1999: 5 }, { k1999: 6 }, /k1999 must be at most 5/] as const),
  ],
  [
    'other types',
    { anyOf: [...listed(2000, kindOf), { type: 'array' }, { type: 'null' }] },
    ...([[], 'a', /a must be an object or an array or null/] as const),
  ],
]

describe('judges a value by many alternatives:', () => {
  it.each(alternatives)('%s', async (_, schema, valid, invalid, why, others) => {
    const { contract } = await compileDocument(documentOf({ a: schema }, [], others))
    const sandbox = createSandbox({ contract, scenario: {} })
    const send = (a: unknown) =>
      sandbox.fetch('http://localhost/xs', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ id: 1, a }),
      })
    const [accepted, refused] = [await send(valid), await send(invalid)]
    expect([accepted.status, refused.status]).toEqual([201, 400])
    expect(((await refused.json()) as { message: string }).message).toMatch(why)
  })
})

describe('refuses a document with', () => {
  for (const [what, text, tells] of refused) {
    it(what, async () => {
      const error = await compileDocument(text).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(SandboxError)
      expect((error as SandboxError).message).toMatch(tells)
    })
  }
})
