/** A document of OpenAPI 3.0 is upgraded to 3.1 wherever a schema can be, and nowhere else. */
import fc from 'fast-check'
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../support/read-json.js'

type Path = readonly string[]

/** A schema with every keyword that 3.1 changed, and what it becomes. */
const old = { type: 'integer', nullable: true, minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false }
const upgraded = { type: ['integer', 'null'], exclusiveMinimum: 0, maximum: 9 }

/** Names of properties, components and headers that are keywords elsewhere. */
const names = [
  'a',
  'default',
  'example',
  'examples',
  'enum',
  'const',
  'value',
  'schema',
  'schemas',
  'properties',
].concat(['type', 'nullable', 'required', 'items', 'not', 'x-a', '$ref', 'constructor', '0'])
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const media = ['content', 'application/json']
const get = ['paths', '/xs', 'get']
const callback = [...get, 'callbacks', 'default', '{$request.body#/url}', 'post']

/** Places of a schema. An asterisk is any name. */
const places: readonly Path[] = [
  ['components', 'schemas', '*'],
  ['components', 'responses', '*', ...media, 'schema'],
  ['components', 'responses', '*', 'headers', '*', 'schema'],
  ['components', 'parameters', '*', 'schema'],
  ['components', 'parameters', '*', ...media, 'schema'],
  ['components', 'requestBodies', '*', ...media, 'schema'],
  ['components', 'requestBodies', '*', ...media, 'encoding', '*', 'headers', '*', 'schema'],
  ['components', 'headers', '*', 'schema'],
  ['components', 'headers', '*', ...media, 'schema'],
  ['components', 'callbacks', '*', '{$url}', 'post', 'responses', 'default', ...media, 'schema'],
  ['paths', '/xs', 'parameters', '0', 'schema'],
  [...get, 'parameters', '0', 'schema'],
  [...get, 'parameters', '0', ...media, 'schema'],
  ['paths', '/xs', 'post', 'requestBody', ...media, 'schema'],
  [...get, 'responses', 'default', ...media, 'schema'],
  [...get, 'responses', '200', ...media, 'schema'],
  [...get, 'responses', '4XX', 'headers', '*', 'schema'],
  [...get, 'responses', 'default', 'headers', '*', ...media, 'schema'],
  [...callback, 'requestBody', ...media, 'schema'],
  [...callback, 'responses', 'default', ...media, 'schema'],
]

/** Places of a schema in a schema. */
const inner: readonly Path[] = [
  ['properties', '*'],
  ['items'],
  ['additionalProperties'],
  ['not'],
  ['allOf', '0'],
  ['oneOf', '1'],
  ['anyOf', '0'],
]

/** Places of values that belong to the user, and which only look like schemas. An asterisk is any name. */
const values: readonly Path[] = [
  ['x-extension'],
  ['info', 'x-extension'],
  ['paths', 'x-extension'],
  ['components', 'x-extension'],
  ['components', 'examples', '*', 'value'],
  ['components', 'links', '*', 'parameters', '*'],
  ['components', 'links', '*', 'requestBody'],
  ['components', 'schemas', '*', 'example'],
  ['components', 'schemas', '*', 'default'],
  ['components', 'schemas', '*', 'enum', '0'],
  ['components', 'schemas', '*', 'x-extension'],
  ['components', 'schemas', '*', 'properties', '*', 'example'],
  ['components', 'parameters', '*', 'example'],
  ['components', 'parameters', '*', 'examples', '*', 'value'],
  ['components', 'headers', '*', 'example'],
  ['components', 'responses', '*', ...media, 'example'],
  ['components', 'responses', '*', ...media, 'examples', '*', 'value'],
  ['components', 'responses', '*', 'links', '*', 'parameters', '*'],
  ['components', 'callbacks', '*', 'x-extension'],
  ['components', 'securitySchemes', '*', 'x-extension'],
  [...get, 'x-extension', 'schema'],
  [...get, 'responses', 'x-extension', ...media, 'schema'],
  ['paths', '/xs', 'parameters', '0', 'example'],
]

/** Members that OpenAPI requires beside the place, so that the document is valid. */
function complete(document: JsonObject): void {
  const components = (document['components'] ?? {}) as Record<string, Record<string, JsonObject>>
  const item = (document['paths'] as Record<string, JsonObject>)['/xs'] as Record<string, JsonObject>
  for (const method of ['get', 'post']) {
    const operation = item[method]
    if (operation) completeOperation(operation)
  }
  for (const parameter of (item['parameters'] ?? []) as JsonObject[]) completeParameter(parameter)
  for (const parameter of Object.values(components['parameters'] ?? {})) completeParameter(parameter)
  for (const each of Object.values(components['headers'] ?? {})) completeHeader(each)
  for (const response of Object.values(components['responses'] ?? {})) completeResponse(response)
  for (const body of Object.values(components['requestBodies'] ?? {})) body['content'] ??= {}
  for (const each of Object.values(components['callbacks'] ?? {})) completeCallback(each)
  for (const scheme of Object.values(components['securitySchemes'] ?? {})) {
    Object.assign(scheme, { type: 'http', scheme: 'bearer' })
  }
  for (const link of Object.values(components['links'] ?? {})) link['operationId'] = 'listXs'
}

function completeOperation(operation: JsonObject): void {
  operation['responses'] ??= {}
  const responses = operation['responses'] as Record<string, JsonObject>
  if (Object.keys(responses).every((status) => status.startsWith('x-'))) responses['200'] = {}
  for (const [status, response] of Object.entries(responses)) {
    if (!status.startsWith('x-')) completeResponse(response)
  }
  for (const parameter of (operation['parameters'] ?? []) as JsonObject[]) completeParameter(parameter)
  for (const each of Object.values((operation['callbacks'] ?? {}) as Record<string, JsonObject>)) completeCallback(each)
}

function completeCallback(callbackObject: JsonObject): void {
  for (const item of Object.values(callbackObject) as Record<string, JsonObject>[]) {
    if (item['post']) completeOperation(item['post'])
  }
}

function completeResponse(response: JsonObject): void {
  response['description'] = 'ok'
  for (const each of Object.values((response['headers'] ?? {}) as Record<string, JsonObject>)) completeHeader(each)
  for (const link of Object.values((response['links'] ?? {}) as Record<string, JsonObject>)) link['operationId'] = 'l'
}

function completeParameter(parameter: JsonObject): void {
  Object.assign(parameter, { name: 'p', in: 'query' })
  completeHeader(parameter)
}

function completeHeader(header: JsonObject): void {
  if (!header['content']) header['schema'] ??= {}
}

/** A valid document of 3.0 with a value at a place. */
function documentWith(place: Path, value: unknown): JsonObject {
  const document: JsonObject = {
    openapi: '3.0.3',
    info: { title: 'T', version: '1' },
    paths: { '/xs': { get: {} } },
  }
  let node: JsonObject = document
  for (const [index, key] of place.entries()) {
    const next = place[index + 1]
    const isList = ['parameters', 'enum', 'allOf', 'oneOf', 'anyOf'].includes(key) && next !== undefined
    const isArray = isList && /^\d$/.test(next) && !isNamed(place, index + 1)
    const child = next === undefined ? value : isArray ? [] : {}
    if (Array.isArray(node)) for (let fill = 0; fill < Number(key); fill++) node[fill] ??= {}
    if (!Object.hasOwn(node, key)) node[key] = child
    node = node[key] as JsonObject
  }
  complete(document)
  return document
}

/** Whether the user chose the name at this index: of a component or a property. */
function isNamed(place: Path, index: number): boolean {
  if (place[0] === 'components' && index === 2) return true
  return place[index - 1] === 'properties' && place[index - 2] !== 'properties'
}

function valueAt(root: unknown, place: Path): unknown {
  return place.reduce((value, key) => (value as JsonObject)[key], root)
}

function named(place: Path, name: string): Path {
  return place.map((key) => (key === '*' ? name : key))
}

async function upgrade(document: JsonObject): Promise<unknown> {
  return (await compileDocument(JSON.stringify(document))).document
}

describe('the keywords that 3.1 changed are upgraded', () => {
  it.each(places.map((place) => [place.join(' '), place] as const))('at %s', async (_, place) => {
    const at = named(place, 'default')
    expect(valueAt(await upgrade(documentWith(at, old)), at)).toEqual(upgraded)
  })

  it('at any depth of any schema, whatever its properties and components are called', async () => {
    const anyName = fc.constantFrom(...names)
    const anyPlace = fc
      .tuple(fc.constantFrom(...places), fc.array(fc.constantFrom(...inner), { maxLength: 4 }), anyName, anyName)
      .map(([place, steps, first, second]) => [...named(place, first), ...named(steps.flat(), second)])
    await fc.assert(
      fc.asyncProperty(anyPlace, async (place) => {
        expect(valueAt(await upgrade(documentWith(place, old)), place)).toEqual(upgraded)
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    ['a lower bound that is not exclusive', { minimum: 1, exclusiveMinimum: false }, { minimum: 1 }],
    ['an exclusive bound without its number', { exclusiveMaximum: true }, {}],
    ['a type that is not nullable', { type: 'string', nullable: false }, { type: 'string' }],
    ['an enum', { type: 'string', nullable: true, enum: ['a'] }, { type: ['string', 'null'], enum: ['a', null] }],
    ['an enum with null', { type: 'string', nullable: true, enum: [null] }, { type: ['string', 'null'], enum: [null] }],
    ['a schema without a type, where nullable has no effect', { nullable: true, not: {} }, { not: {} }],
    [
      'a reference, whose siblings are ignored',
      { $ref: '#/components/schemas/b', nullable: false, minimum: 3 },
      ref('b'),
    ],
    [
      'a reference beside nullable, which means null',
      { $ref: '#/components/schemas/b', nullable: true, minimum: 3 },
      { anyOf: [ref('b'), { type: 'null' }], 'x-sandbox-rarely-null': true },
    ],
  ])('in %s', async (_, schema, expected) => {
    const document = documentWith(['components', 'schemas', 'a'], schema)
    Object.assign(valueAt(document, ['components', 'schemas']) as JsonObject, { b: {} })
    expect(valueAt(await upgrade(document), ['components', 'schemas', 'a'])).toEqual(expected)
  })

  it('in an extension that a reference leads to, and in no other', async () => {
    const document = documentWith(['components', 'schemas', 'a'], { $ref: '#/x-shared/a/0' })
    const shared = { a: [{ ...old, properties: { b: { $ref: '#/x-shared/b' } } }, old], b: old, c: old }
    const { 'x-shared': after } = (await upgrade({ ...document, 'x-shared': shared })) as JsonObject
    const first = { ...upgraded, properties: { b: { $ref: '#/x-shared/b' } } }
    expect(after).toEqual({ a: [first, old], b: upgraded, c: old })
  })
})

it.each(['3.0.3', '3.1.0', '2.0'])(
  'null is accepted where nullable is beside parts, with one note, in %s',
  async (version) => {
    const isSwagger = version === '2.0'
    const to = (name: string) => ({ $ref: isSwagger ? `#/definitions/${name}` : `#/components/schemas/${name}` })
    const nullable = isSwagger ? { 'x-nullable': true } : { nullable: true }
    const part = { ...nullable, allOf: [to('Person')] }
    const properties = {
      ...{ a: part, b: { ...nullable, oneOf: [to('Person'), to('Kind')] }, c: { ...nullable, anyOf: [to('Person')] } },
      ...{
        d: { ...nullable, ...to('Person') },
        e: { ...part, type: 'object' },
        f: { ...nullable, allOf: [to('Kind')] },
      },
      ...{ g: { type: 'array', items: part }, h: { type: 'object', additionalProperties: part } },
    }
    const schemas = {
      Team: { type: 'object', required: ['a'], properties },
      Person: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      Kind: { type: 'string', enum: ['x'] },
    }
    const parameters = [{ name: 'team', in: 'body', required: true, schema: to('Team') }]
    const requestBody = { required: true, content: { 'application/json': { schema: to('Team') } } }
    const post = { ...(isSwagger ? { parameters } : { requestBody }), responses: { 204: { description: 'ok' } } }
    const document = {
      ...(isSwagger ? { swagger: version, definitions: schemas } : { openapi: version, components: { schemas } }),
      ...{ info: { title: 'T', version: '1' }, paths: { '/teams': { post } } },
    }
    const { contract, notes } = await compileDocument(JSON.stringify(document))
    expect(notes().map(({ instead }) => instead)).toEqual(['null is accepted wherever it is written so'])
    const { fetch, contract: own } = createSandbox({ contract })
    const send = async (value: object) => {
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) }
      return (
        await fetch(`${own.servers[0]?.url.startsWith('http') ? own.servers[0].url : 'http://localhost'}/teams`, init)
      ).status
    }
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) expect(await send({ a: null, [name]: null }), name).toBe(204)
    expect(await send({ a: { name: 'Ann' }, g: [null, { name: 'Bo' }], h: { x: null } })).toBe(204)
    for (const wrong of [{}, { a: {} }, { a: null, f: 'y' }, { a: null, g: [{}] }]) expect(await send(wrong)).toBe(400)
  },
)

describe('values of the user stay as they are', () => {
  it.each(values.map((place) => [place.join(' '), place] as const))('at %s', async (_, place) => {
    const at = named(place, 'schema')
    const value = { schema: old, properties: { a: old }, schemas: [old], ...old }
    expect(valueAt(await upgrade(documentWith(at, value)), at)).toEqual(value)
  })
})
