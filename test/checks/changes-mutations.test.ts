/** Each change of one member of a document is a finding of `diff`: a comparison that passed has compared everything. */
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { findChanges } from '../../src/checks/changes/find-changes.js'
import { type CompiledText, compileText } from '../../src/entries/compile-text.js'

// biome-ignore lint/suspicious/noExplicitAny: documents are changed at any place.
type Node = any
type Path = readonly (string | number)[]

/** Schemas that requests and answers share, so that a change takes something away in both directions. */
const schemas: Record<string, string> = {
  text: '{ type: string, minLength: 2, maxLength: 9, pattern: ^a, default: ab }',
  date: '{ type: string, format: date }',
  'an own format': '{ type: string, format: sku }',
  'an address': '{ type: string, format: uri }',
  float: '{ type: number, format: float }',
  'a small integer': '{ type: integer, format: int32 }',
  'an integer as text': '{ type: string, format: int64 }',
  file: '{ type: string, contentEncoding: base64, contentMediaType: image/png, contentSchema: { type: string } }',
  bytes: '{ type: string, contentMediaType: application/octet-stream }',
  number: '{ type: number, minimum: 2, maximum: 9, multipleOf: 0.5 }',
  'an open range': '{ type: number, exclusiveMinimum: 2, exclusiveMaximum: 9 }',
  'a large integer':
    '{ type: integer, minimum: 9007199254740995, maximum: 9007199254740997, multipleOf: 9007199254740993 }',
  'a large open range': '{ type: integer, exclusiveMinimum: 9007199254740995, exclusiveMaximum: 9007199254740999 }',
  enum: '{ type: string, enum: [x, y] }',
  'large values': '{ enum: [9007199254740993, 9007199254740995] }',
  const: '{ const: k }',
  boolean: '{ type: boolean }',
  null: "{ type: [string, 'null'] }",
  list: '{ type: array, minItems: 1, maxItems: 4, uniqueItems: true, items: { type: string } }',
  contains: '{ type: array, contains: { type: string, maxLength: 5 }, minContains: 1, maxContains: 3 }',
  pair: '{ type: array, prefixItems: [{ type: string }, { type: integer }], items: false }',
  tuple: '{ type: array, prefixItems: [{ type: string }], unevaluatedItems: false }',
  object:
    '{ type: object, minProperties: 1, maxProperties: 9, required: [a], properties: { a: { type: string }, b: { type: string } } }',
  map: '{ type: object, additionalProperties: { type: integer } }',
  'names of a map': '{ type: object, patternProperties: { ^p-: { type: string } }, propertyNames: { maxLength: 60 } }',
  dependencies: '{ type: object, dependentRequired: { a: [b] }, dependentSchemas: { a: { minProperties: 2 } } }',
  not: '{ not: { type: string, maxLength: 3 } }',
  if: '{ if: { required: [a] }, then: { required: [b] }, else: { required: [c] } }',
  allOf: '{ allOf: [{ type: object, required: [a], properties: { a: { type: string } } }, { maxProperties: 4 }] }',
  'anyOf texts':
    '{ anyOf: [{ type: string, pattern: ^b, minLength: 3, format: date }, { type: string, maxLength: 5, format: email }] }',
  'anyOf numbers':
    '{ anyOf: [{ type: integer, maximum: 5 }, { type: integer, minimum: 50, multipleOf: 10 }, { type: boolean }] }',
  'oneOf lists':
    '{ oneOf: [{ type: array, maxItems: 3, items: { type: string } }, { type: array, minItems: 7, items: { type: integer } }] }',
  'anyOf objects':
    '{ anyOf: [{ type: object, required: [a], properties: { a: { type: string, maxLength: 4 } } }, { type: object, required: [b], properties: { b: { type: string, minLength: 4 } } }] }',
  'anyOf of required':
    '{ type: object, properties: { a: { type: string }, b: { type: string } }, anyOf: [{ required: [a] }, { required: [b] }] }',
  'anyOf with several types':
    "{ anyOf: [{ type: [string, 'null'], maxLength: 3 }, { type: [string, integer], minLength: 9, maximum: 4 }] }",
  'alternatives in alternatives':
    '{ oneOf: [{ anyOf: [{ type: string, pattern: ^a }, { type: string, pattern: ^b }] }, { type: string, pattern: ^c }] }',
  discriminator:
    "{ oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }], discriminator: { propertyName: is, mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' } } }",
  'discriminator of a parent':
    "{ type: object, properties: { is: { type: string } }, discriminator: { propertyName: is, mapping: { cat: '#/components/schemas/Cat' } } }",
  dynamic: '{ type: object, properties: { a: { $dynamicRef: "#node" } } }',
  'an unreadable pattern': "{ type: string, pattern: '(?<n>a)(?<n>b' }",
  'a keyword of a vocabulary': '{ type: string, unitOfMeasure: cm }',
}

const documents: Record<string, string> = {
  'operations of OpenAPI 3.2': `
openapi: 3.2.0
info: { title: Kiln, version: '1' }
jsonSchemaDialect: https://spec.openapis.org/oas/3.1/dialect/base
servers: [{ url: 'https://{zone}.kiln.example/{base}', variables: { zone: { default: eu, enum: [eu, us] }, base: { default: v1 } } }]
webhooks: { fired: { post: { requestBody: { content: { application/json: { schema: { type: object } } } } } } }
paths:
  /glazes:
    get: { deprecated: true, responses: { '204': {} } }
    query: { operationId: readGlaze, responses: { '200': { content: { application/json: { schema: { type: string } } } } } }
    additionalOperations: { FIRE: { responses: { '204': {} } } }
    post:
      servers: [{ url: https://glazes.example }]
      callbacks: { done: { '{$request.body#/url}': { post: { requestBody: { content: { application/json: { schema: { type: string } } } } } } } }
      requestBody: { required: true, content: { application/json: { schema: { type: string } } } }
      responses:
        '200': { content: { application/json: { schema: { type: string } } }, links: { next: { operationId: readGlaze, parameters: { id: $response.body#/a } } } }
        '404': { content: { application/problem+json: { schema: { type: object, properties: { a: { type: string } } } } } }
        default: { content: { text/plain: { schema: { type: string } } } }
`,
  parameters: `
openapi: 3.2.0
info: { title: Kiln, version: '1' }
paths:
  /glazes/{id}/{row}:
    parameters:
      - { name: id, in: path, required: true, style: label, schema: { type: string } }
      - { name: row, in: path, required: true, explode: true, schema: { type: object, properties: { a: { type: string } } } }
    get:
      parameters:
        - { name: hues, in: query, required: true, style: pipeDelimited, schema: { type: array, items: { type: string } } }
        - { name: note, in: query, allowReserved: true, allowEmptyValue: true, schema: { type: string } }
        - { name: where, in: query, style: deepObject, schema: { type: object, properties: { a: { type: string } } } }
        - { name: size, in: query, content: { application/json: { schema: { type: integer } } } }
        - { name: any, in: query, explode: false, schema: {} }
        - { name: X-Batch, in: header, required: true, explode: true, schema: { type: object, properties: { a: { type: string } } } }
        - { name: tray, in: cookie, required: true, schema: { type: string } }
      responses: { '204': {} }
`,
  bodies: `
openapi: 3.2.0
info: { title: Kiln, version: '1' }
paths:
  /glazes:
    post:
      requestBody:
        content:
          application/x-www-form-urlencoded:
            schema: { type: object, properties: { tags: { type: array, items: { type: string } }, at: { type: object } } }
            encoding: { tags: { style: spaceDelimited, explode: false, allowReserved: true }, at: { contentType: text/plain } }
          multipart/form-data:
            schema: { type: object, properties: { photo: { type: string, format: binary } } }
            encoding: { photo: { contentType: image/png, headers: { x-part: { required: true, schema: { type: string } } } } }
          multipart/mixed: { prefixEncoding: [{ contentType: text/csv }], itemEncoding: { contentType: image/gif }, itemSchema: { type: string, maxLength: 7 } }
          application/xml: { schema: { type: object, xml: { name: mark }, properties: { a: { type: string, xml: { attribute: true } } } } }
      responses:
        '200':
          headers:
            X-Left: { required: true, explode: true, schema: { type: object, properties: { a: { type: string } } } }
            X-Why: { content: { application/json: { schema: { type: object, properties: { a: { type: string } } } } } }
          content:
            application/jsonl: { itemSchema: { type: object, required: [a], properties: { a: { type: string } } } }
            multipart/form-data:
              schema: { type: object, properties: { photo: { type: string, format: binary } } }
              encoding: { photo: { contentType: image/png } }
            application/xml: { schema: { type: object, properties: { a: { type: string, xml: { attribute: true } } } } }
`,
  credentials: `
openapi: 3.1.0
info: { title: Kiln, version: '1' }
security: [{ key: [] }]
paths:
  /glazes:
    get: { responses: { '204': {} } }
    put: { security: [{ token: [fire] }, { login: [] }], responses: { '204': {} } }
    post: { security: [{ basic: [], key: [] }], responses: { '204': {} } }
    delete: { security: [{ tls: [] }], responses: { '204': {} } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    basic: { type: http, scheme: basic }
    tls: { type: mutualTLS }
    login: { type: openIdConnect, openIdConnectUrl: https://a.example/o }
    token: { type: oauth2, flows: { clientCredentials: { tokenUrl: https://a.example/t, refreshUrl: https://a.example/r, scopes: { fire: Fires, cool: Cools } } } }
`,
  'OpenAPI 3.0': `
openapi: 3.0.3
info: { title: Kiln, version: '1' }
paths:
  /glazes:
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Glaze' } } } }
      responses: { '201': { description: a, content: { application/json: { schema: { $ref: '#/components/schemas/Glaze' } } } } }
components:
  schemas:
    Glaze:
      type: object
      properties:
        none: { type: string, nullable: true }
        over: { type: number, minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: true }
        file: { type: string, format: byte }
        both: { nullable: true, allOf: [{ type: object, properties: { a: { type: string } } }] }
        read: { type: string, readOnly: true }
        written: { type: string, writeOnly: true }
`,
  'Swagger 2.0': `
swagger: '2.0'
info: { title: Kiln, version: '1' }
host: kiln.example
basePath: /v1
schemes: [http]
consumes: [multipart/form-data]
produces: [application/vnd.kiln+json]
security: [{ token: [fire] }]
securityDefinitions: { token: { type: oauth2, flow: accessCode, authorizationUrl: https://a.example/a, tokenUrl: https://a.example/t, scopes: { fire: Fires } } }
paths:
  /glazes:
    post:
      parameters:
        - { name: ids, in: query, required: true, type: array, collectionFormat: pipes, items: { type: array, collectionFormat: ssv, items: { type: integer, maximum: 5 } } }
        - { name: rows, in: formData, type: array, collectionFormat: multi, maxItems: 7, items: { type: string } }
        - { name: file, in: formData, type: file, required: true }
        - { name: word, in: formData, type: string, pattern: ^a }
      responses:
        '200': { description: a, schema: { $ref: '#/definitions/Glaze' }, headers: { X-Ids: { type: array, collectionFormat: pipes, items: { type: string } } } }
definitions:
  Glaze: { type: object, discriminator: is, required: [is], properties: { is: { type: string }, none: { type: string, x-nullable: true } } }
`,
}

/** Members that say nothing about what is sent and answered. */
const excepted =
  /^(?:description|summary|title|examples?|tags|externalDocs|operationId|info|openapi|swagger|(?!x-nullable)x-.*)$/
/** Objects whose members have any name. */
const maps = /^(?:properties|patternProperties|headers|scopes|schemas|definitions|mapping|encoding)$/

/** What a member becomes. */
const others: Record<string, readonly unknown[]> = {
  type: ['string', 'integer'],
  style: ['form', 'simple', 'matrix'],
  format: ['date-time', 'uuid'],
  in: ['query', 'header'],
  collectionFormat: ['tsv', 'csv'],
  flow: ['implicit'],
  scheme: ['digest'],
}

/** What an alternative becomes, and a whole: another way to combine. */
const combinations: Record<string, string> = { oneOf: 'anyOf', anyOf: 'oneOf' }

/** Keywords that imply a type, and changes that are none: path parameters are always required, scopes have descriptions … */
const implying =
  /^(?:properties|required|items|prefixItems|additionalProperties|patternProperties|enum|pattern|m(?:in|ax)\w+|exclusive\w+)$/
const same = [
  /parameters \d required/,
  /parameters 4 schema is gone$/,
  /scopes \w+ becomes/,
  /variables \w+ default is gone$/,
  /^consumes/,
  // A value has one name only.
  /^oneOf becomes anyOf of names/,
  /securitySchemes key in is gone/,
]

type Apply = (holder: Node, key: string | number) => unknown

function* changesOf(value: Node, path: Path): Generator<[path: Path, change: string, apply: Apply]> {
  const key = String(path.at(-1))
  if (typeof value !== 'object' || value === null) {
    const [other = `${value}x`] = (others[key] ?? []).filter((each) => each !== value)
    const next = typeof value === 'boolean' ? !value : typeof value === 'number' ? value + 2 : other
    const written = typeof value === 'bigint' ? value + 2n : next
    yield [path, `becomes ${written}`, (holder, name) => (holder[name] = written)]
    return
  }
  const combination = combinations[key]
  if (combination) {
    yield [
      path,
      `becomes ${combination}${write(value).includes('$ref') ? ' of names' : ''}`,
      (holder, name) => {
        holder[combination] = holder[name]
        delete holder[name]
      },
    ]
  }
  for (const [name, inner] of Object.entries(value)) {
    if (!maps.test(key) && excepted.test(name)) continue
    const isImplied = name === 'type' && Object.keys(value).some((each) => implying.test(each))
    const own = [...path, Array.isArray(value) ? Number(name) : name]
    if (!isImplied)
      yield [own, 'is gone', (holder, at) => (Array.isArray(holder) ? holder.splice(Number(at), 1) : delete holder[at])]
    yield* changesOf(inner, own)
  }
}

const read = (text: string): Node => parse(text, { intAsBigInt: true })
const write = (document: Node): string =>
  JSON.stringify(document, (_, each) => (typeof each === 'bigint' ? `<${each}>` : each)).replaceAll(
    /"<(-?\d+)>"/g,
    '$1',
  )
/** What operations do is not compared, and takes most of the time to find out. */
function compile(document: Node): CompiledText {
  const items = Object.values<Node>(document.paths ?? {}).flatMap((item) => [item, item?.additionalOperations])
  for (const operation of items.flatMap((item) => Object.values<Node>(item ?? {}))) {
    if (operation?.responses) operation['x-sandbox-effect'] = 'undescribed'
  }
  return compileText(write(document), 'kiln.json')
}
const findings = (old: CompiledText, next: CompiledText): string[] =>
  findChanges(old, next).map(({ finding }) => finding.id)

/** Each change below a place of which a comparison says nothing. @param isBoth whether each direction has to have a finding */
function silentChanges(text: string, at: Path, isBoth: boolean): string[] {
  const whole = read(text)
  const start = at.reduce((node, name) => node[name], whole)
  const base = compile(structuredClone(whole))
  return [...changesOf(start, at)].flatMap(([path, change, apply]) => {
    const document = structuredClone(whole)
    const holder = path.slice(0, -1).reduce((node, name) => node[name], document)
    apply(holder, path.at(-1) ?? '')
    let next: CompiledText
    try {
      next = compile(document)
    } catch {
      // It cannot be read any more.
      return []
    }
    const place = `${path.slice(at.length).join(' ')} ${change}`.trim()
    if (same.some((each) => each.test(place))) return []
    const forth = findings(base, next).length
    if (forth > 0 && !isBoth) return []
    const back = findings(next, base).length
    if (forth > 0 && back > 0) return []
    if (forth + back === 0) return [place]
    return isBoth ? [`${place} (${forth > 0 ? 'backwards' : 'forwards'})`] : []
  })
}

describe('a change of one member is not silent in', () => {
  it.each(Object.entries(schemas))('a schema: %s', (_, schema) => {
    const text = `
openapi: 3.1.0
info: { title: Kiln, version: '1' }
paths:
  /glazes:
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Glaze' } } } }
      responses: { '201': { content: { application/json: { schema: { $ref: '#/components/schemas/Glaze' } } } } }
components:
  schemas:
    Cat: { type: object, required: [is], properties: { is: { type: string }, fur: { type: string } } }
    Dog: { type: object, required: [is], properties: { is: { type: string }, tail: { type: integer } } }
    Glaze: ${schema}
`
    expect(silentChanges(text, ['components', 'schemas', 'Glaze'], true)).toEqual([])
  })

  it.each(Object.entries(documents))('%s', (_, text) => {
    expect(silentChanges(text, [], false)).toEqual([])
  })
})
