// Compares the document in spec/ with the service, fact by fact, and with the standards that it follows.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

type Value = null | boolean | number | string | Value[] | { [key: string]: Value }

const file = fileURLToPath(new URL('../../spec/petstore.openapi.yaml', import.meta.url))
const source = readFileSync(file, 'utf8')
const document: { [key: string]: Value } = parse(source)

// --- the standards -------------------------------------------------------------------------------------------------

it('is valid against the official schema of OpenAPI 3.1', async () => {
  const validator = new Validator()
  // The official schema does not check Schema Objects. The tests below compile them.
  expect(await validator.validate(parse(source))).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

it('passes the strict rules of the linter, except for the store orders, which have no success response', async () => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      // The service states no licence, and an invented one would be wrong.
      'info-license': 'off',
      'operation-description': 'error',
      'operation-singular-tag': 'error',
      'operation-tag-defined': 'error',
      'parameter-description': 'error',
      'paths-kebab-case': 'error',
      'component-name-unique': 'error',
      'request-mime-type': { severity: 'error', allowedValues: ['application/json'] },
      'response-mime-type': { severity: 'error', allowedValues: ['application/json'] },
    },
  })
  const problems = await lintFromString({ source, absoluteRef: file, config })
  expect(
    problems.map(({ ruleId, severity, location }) => [severity, ruleId, ...location.map(({ pointer }) => pointer)]),
  ).toEqual([['error', 'operation-2xx-response', '#/paths/~1store~1orders/get/responses']])
})

// --- the service ---------------------------------------------------------------------------------------------------

it('is the Pet Store, interface version 1.0.0', () => {
  expect(at('/openapi')).toMatch(/^3\.1\.\d+$/)
  expect(at('/info/title')).toBe('Pet Store')
  expect(at('/info/version')).toBe('1.0.0')
  expect(Object.keys(fields('/info'))).toEqual(['title', 'version', 'summary', 'description'])
})

it('has a production and a staging server, both with a reserved domain and /v1 as the last segment', () => {
  expect(at('/servers')).toEqual([
    { url: 'https://api.petstore.example/v1', description: 'Production server' },
    { url: 'https://staging.petstore.example/v1', description: 'Staging server' },
  ])
})

it('requires an API key as a bearer token on every operation', () => {
  expect(at('/security')).toEqual([{ bearerAuth: [] }])
  expect(at('/components/securitySchemes')).toEqual({
    bearerAuth: {
      type: 'http',
      scheme: 'bearer',
      description: 'Keys are generated after creating an account',
    },
  })
  for (const { place } of operations) expect(fields(place), place).not.toHaveProperty('security')
})

interface DescribedOperation {
  called: string
  place: string
  operationId: string
  tags: string[]
  /** Further properties of the operation. */
  marks?: { [key: string]: Value }
  parameters?: Value[]
  /** The schema of the request body, which is required. */
  body?: string
  /** The schema of the body of each documented status. Every body is `application/json`. */
  answers: { [status: string]: string }
}

const operations: DescribedOperation[] = [
  {
    called: 'GET /pets is listPets',
    place: '/paths/~1pets/get',
    operationId: 'listPets',
    tags: ['pets'],
    parameters: [
      {
        name: 'limit',
        in: 'query',
        required: false,
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      },
      { name: 'status', in: 'query', required: false, schema: { $ref: '#/components/schemas/PetStatus' } },
    ],
    answers: { '200': 'Pets', '401': 'Error' },
  },
  {
    called: 'POST /pets is createPet',
    place: '/paths/~1pets/post',
    operationId: 'createPet',
    tags: ['pets'],
    body: 'NewPet',
    answers: { '201': 'Pet', '400': 'Error', '401': 'Error' },
  },
  {
    called: 'GET /pets/{petId} is getPet, deprecated and removed on 5 December 2030 in favour of listPets',
    place: '/paths/~1pets~1{petId}/get',
    operationId: 'getPet',
    tags: ['pets'],
    marks: {
      deprecated: true,
      'x-deprecated-since': '2026-11-20',
      'x-sunset': '2030-12-05',
      'x-successor': { operationId: 'listPets' },
    },
    parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } }],
    answers: { '200': 'Pet', '401': 'Error', '404': 'Error' },
  },
  {
    called: 'GET /store/orders is only referred to, and not to be tried out interactively',
    place: '/paths/~1store~1orders/get',
    operationId: 'listStoreOrders',
    tags: ['store'],
    marks: { 'x-interactive': false },
    answers: { '401': 'Error' },
  },
  {
    called: 'POST /messages is the quickstart, at an address of its own without /v1',
    place: '/paths/~1messages/post',
    operationId: 'sendMessage',
    tags: ['quickstart'],
    marks: { servers: [{ url: 'https://quickstart.petstore.example', description: 'Quickstart server' }] },
    body: 'NewMessage',
    answers: { '2XX': 'Message', '400': 'Error', '401': 'Error' },
  },
]

for (const { called, place, operationId, tags, marks, parameters, body, answers } of operations) {
  it(`${called}, with exactly what the service shows`, () => {
    const { summary, description, parameters: found = [], requestBody, responses, ...rest } = fields(place)
    expect([typeof summary, typeof description]).toEqual(['string', 'string'])
    expect(rest).toEqual({ operationId, tags, ...marks })
    expect(withoutProse(found)).toEqual(parameters ?? [])
    expect(requestBody && withoutProse(requestBody)).toEqual(body && { required: true, content: json(body) })
    const answered = mapValues(responses ?? {}, (response) => withoutProse(dereference(response)))
    expect(answered).toEqual(mapValues(answers, (schema) => expect.objectContaining({ content: json(String(schema)) })))
  })
}

it('has no other operation: none updates or removes animals, and none sends events', () => {
  const found = Object.entries(fields('/paths')).flatMap(([path, item]) =>
    Object.keys(item ?? {}).map((key) => `/paths/${path.replaceAll('/', '~1')}/${key}`),
  )
  expect(found).toEqual(operations.map(({ place }) => place))
  expect(Object.keys(document).sort()).toEqual([
    'components',
    'info',
    'openapi',
    'paths',
    'security',
    'servers',
    'tags',
    'x-sandbox-service',
  ])
})

it('marks no operation as experimental or beta', () => {
  for (const { place } of operations) expect(fields(place), place).not.toHaveProperty('x-stability-level')
})

it('has exactly the fields that the service shows, with their types, formats and bounds', () => {
  const int64 = { type: 'integer', format: 'int64' }
  const string = { type: 'string' }
  expect(withoutProse(at('/components/schemas'))).toEqual({
    PetStatus: { type: 'string', enum: ['available', 'pending', 'sold'] },
    NewPet: {
      type: 'object',
      required: ['name', 'categoryId'],
      properties: { name: string, categoryId: int64, status: { $ref: '#/components/schemas/PetStatus' } },
    },
    Pet: {
      allOf: [{ type: 'object', required: ['id'], properties: { id: int64 } }, { $ref: '#/components/schemas/NewPet' }],
    },
    Pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
    Error: {
      type: 'object',
      required: ['code', 'message', 'status'],
      properties: { code: string, message: string, status: { type: 'integer' } },
    },
    NewMessage: { type: 'object', required: ['message'], properties: { message: string } },
    Message: {
      type: 'object',
      required: ['id', 'message', 'status', 'createdAt'],
      properties: {
        id: string,
        message: string,
        status: { type: 'string', examples: ['queued'] },
        createdAt: { type: 'string', format: 'date-time' },
      },
    },
  })
})

it('has only the example of the service, the status queued', () => {
  const examples = everyField().filter(([place]) => /\/examples?$/.test(place))
  expect(examples).toEqual([['/components/schemas/Message/properties/status/examples', ['queued']]])
})

it('has only extensions that it explains', () => {
  const extensions = everyField().filter(([place]) => /\/x-[^/]*$/.test(place))
  expect(extensions.map(([place]) => place).sort()).toEqual([
    '/paths/~1messages/post/responses/2XX/x-sandbox-status',
    '/paths/~1pets~1{petId}/get/x-deprecated-since',
    '/paths/~1pets~1{petId}/get/x-successor',
    '/paths/~1pets~1{petId}/get/x-sunset',
    '/paths/~1store~1orders/get/x-interactive',
    '/x-sandbox-service',
  ])
})

// --- the values that the schemas accept ----------------------------------------------------------------------------

// `strictSchema` would refuse the keywords of the document around the schemas, such as `openapi`.
const ajv = new Ajv2020({ strictSchema: false, formats: { int64: true } })
addFormats.default(ajv, ['date-time'])
ajv.addSchema(document, 'petstore')

const animal = { id: 1, name: 'Rex', categoryId: 7, status: 'available' }
const message = { id: 'm1', message: 'hi', status: 'queued', createdAt: '2026-11-20T12:00:00Z' }

const values: { what: string; schema: string; value: Value; taken: boolean }[] = [
  { what: 'an animal', schema: 'Pet', value: animal, taken: true },
  { what: 'an animal without a status', schema: 'Pet', value: { id: 1, name: 'Rex', categoryId: 7 }, taken: true },
  { what: 'an animal without an id', schema: 'Pet', value: { name: 'Rex', categoryId: 7 }, taken: false },
  { what: 'an animal with an unknown status', schema: 'Pet', value: { ...animal, status: 'gone' }, taken: false },
  { what: 'a list of animals', schema: 'Pets', value: [animal], taken: true },
  { what: 'an empty list', schema: 'Pets', value: [], taken: true },
  { what: 'an animal in place of a list', schema: 'Pets', value: animal, taken: false },
  { what: 'a new animal', schema: 'NewPet', value: { name: 'Rex', categoryId: 7 }, taken: true },
  { what: 'an empty name', schema: 'NewPet', value: { name: '', categoryId: 7 }, taken: true },
  { what: 'a category of 0', schema: 'NewPet', value: { name: 'Rex', categoryId: 0 }, taken: true },
  { what: 'a negative category', schema: 'NewPet', value: { name: 'Rex', categoryId: -7 }, taken: true },
  { what: 'a new animal without a name', schema: 'NewPet', value: { categoryId: 7 }, taken: false },
  { what: 'a new animal without a category', schema: 'NewPet', value: { name: 'Rex' }, taken: false },
  { what: 'a status of null', schema: 'NewPet', value: { name: 'Rex', categoryId: 7, status: null }, taken: false },
  { what: 'an error', schema: 'Error', value: { code: 'not_found', message: 'no', status: 404 }, taken: true },
  { what: 'an error without a status', schema: 'Error', value: { code: 'not_found', message: 'no' }, taken: false },
  { what: 'a new message', schema: 'NewMessage', value: { message: 'hi' }, taken: true },
  { what: 'a new message without a message', schema: 'NewMessage', value: {}, taken: false },
  { what: 'a message', schema: 'Message', value: message, taken: true },
  { what: 'a message with another status', schema: 'Message', value: { ...message, status: 'sent' }, taken: true },
  {
    what: 'a message with a bare date',
    schema: 'Message',
    value: { ...message, createdAt: '2026-11-20' },
    taken: false,
  },
]

for (const { what, schema, value, taken } of values) {
  it(`${taken ? 'accepts' : 'refuses'} ${what} as ${schema}`, () => {
    const validate = ajv.compile({ $ref: `petstore#/components/schemas/${schema}` })
    expect(validate(value), JSON.stringify(validate.errors)).toBe(taken)
  })
}

// --- what it explains to its reader --------------------------------------------------------------------------------

it.each([
  ['/components/schemas/NewPet/properties/name', "The animal's name"],
  ['/components/schemas/NewPet/properties/categoryId', 'Identifier of the category the animal belongs to'],
  ['/components/schemas/NewPet/properties/status', 'Availability status. No default is given'],
  ['/components/schemas/Pet/allOf/0/properties/id', 'Unique identifier assigned by the service on creation'],
  ['/components/schemas/PetStatus', '`available`: the animal is available'],
  ['/components/schemas/PetStatus', '`pending`: an allowed status value'],
  ['/components/schemas/PetStatus', '`sold`: an allowed status value'],
  ['/components/schemas/PetStatus', 'Transitions between the values are not shown'],
  ['/components/schemas/Error/properties/code', 'Machine-readable error code. The set of values is not shown'],
  ['/components/schemas/Error/properties/message', 'Human-readable description'],
  ['/components/schemas/Error/properties/status', 'The HTTP status code of the response'],
  ['/components/schemas/Message/properties/status', '`queued` means that the request may only be queued'],
  ['/components/schemas/Message/properties/createdAt', 'ISO 8601 timestamp'],
  ['/components/responses/Unauthorized', 'Missing or invalid API key'],
  ['/paths/~1pets/get', 'Returns a paginated list of animals'],
  ['/paths/~1pets/get', 'Pagination parameters other than `limit`'],
  [
    '/paths/~1pets/get/parameters/0',
    'Maximum number of animals returned. At least 1, at most 100, and 20 if not given',
  ],
  ['/paths/~1pets/get/parameters/1', 'Filters by availability status'],
  ['/paths/~1pets/post', 'Adds a new animal'],
  ['/paths/~1pets/post/requestBody', '`name` and `categoryId` are required, `status` is optional'],
  ['/paths/~1pets/post/responses/201', 'The created animal, including the assigned `id`'],
  ['/paths/~1pets/post/responses/400', 'Body missing required fields or containing invalid values'],
  ['/paths/~1pets~1{petId}/get', 'Returns one animal by identifier'],
  ['/paths/~1pets~1{petId}/get', 'to be removed on 5 December 2030'],
  ['/paths/~1pets~1{petId}/get', 'The replacement is `GET /pets` (listPets) with a `status` filter'],
  ['/paths/~1pets~1{petId}/get/parameters/0', 'Identifier of the animal to retrieve'],
  ['/paths/~1pets~1{petId}/get/responses/404', 'the requested resource could not be found'],
  ['/paths/~1store~1orders/get', 'with its interactive test panel disabled'],
  ['/paths/~1store~1orders/get', 'Its parameters, payloads and responses are not shown'],
  ['/paths/~1messages/post', 'It uses a separate address, not the pet store server'],
  ['/paths/~1messages/post/responses/400', 'The JSON is invalid or `message` is missing'],
  ['/info', 'optionally filtered by availability status and limited in page size'],
  ['/info', 'have `/v1` as the last segment of the base address'],
  ['/info', 'The service does not show: operations for updating or removing animals, the fields of a category'],
])('describes %s with "%s"', (place, text) => {
  expect(String(fields(place).description).replace(/\s+/g, ' ')).toContain(text)
})

it('marks every line that was chosen for this document', () => {
  expect(linesMarkedAsChosen()).toEqual([
    'title: Pet Store',
    '- url: https://api.petstore.example/v1',
    '- url: https://staging.petstore.example/v1',
    'tags:',
    'x-deprecated-since: "2026-11-20"',
    'x-sunset: "2030-12-05"',
    'x-successor:',
    'operationId: listStoreOrders',
    'x-interactive: false',
    'operationId: sendMessage',
    '- url: https://quickstart.petstore.example',
    '"2XX":',
    'x-sandbox-status: 202',
    '$ref: "#/components/schemas/Error"',
    '$ref: "#/components/responses/Unauthorized"',
    'bearerAuth:',
    'NewMessage:',
    'description: The message.',
    'Message:',
    'required:',
    'description: Identifier of the message.',
    'description: The message.',
    'format: date-time',
    'description: When the message was created, as an ISO 8601 timestamp.',
    'x-sandbox-service:',
  ])
})

it('explains which parts were chosen and do not come from the provider', () => {
  const [, chosen = ''] = String(at('/info/description')).split('### Chosen in this document')
  for (const choice of [
    '`.example`',
    '2026-11-20',
    'title',
    'tags',
    '`bearerAuth`',
    '`listStoreOrders`',
    '`sendMessage`',
    '`Message`',
    '`NewMessage`',
    'extensions',
    '2XX',
    'all four fields',
    'RFC 3339',
    'Error body',
  ]) {
    expect(chosen).toContain(choice)
  }
})

// --- reading the document ------------------------------------------------------------------------------------------

/** The value at a JSON pointer (RFC 6901). A missing place is a failure, never `undefined`. */
function at(pointer: string): Value {
  let value: Value = document
  for (const segment of pointer.split('/').slice(1)) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    const next: Value | undefined = Object.entries(value ?? {}).find(([name]) => name === key)?.[1]
    if (next === undefined) throw new Error(`Failed to read "${pointer}": the document has no "${key}" there.`)
    value = next
  }
  return value
}

function fields(pointer: string): { [key: string]: Value } {
  const value = at(pointer)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`Failed to read "${pointer}": it is not an object.`)
  }
  return value
}

function dereference(value: Value): Value {
  const reference = Object.entries(value ?? {}).find(([name]) => name === '$ref')?.[1]
  return typeof reference === 'string' ? at(reference.slice(1)) : value
}

function json(schema: string): Value {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } }
}

function mapValues(value: Value, change: (value: Value) => Value): Value {
  return Object.fromEntries(Object.entries(value ?? {}).map(([key, inner]) => [key, change(inner)]))
}

/** Removes summaries and descriptions, which have their own tests. */
function withoutProse(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutProse)
  if (typeof value !== 'object' || value === null) return value
  // A property with the name `description` is a schema, not a string, and stays.
  const kept = Object.entries(value).filter(
    ([key, inner]) => !(typeof inner === 'string' && (key === 'summary' || key === 'description')),
  )
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutProse(inner)]))
}

function everyField(value: Value = document, place = ''): [place: string, value: Value][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const here = `${place}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return [[here, inner], ...everyField(inner, here)]
  })
}

function linesMarkedAsChosen(): string[] {
  const lines = source.split('\n').map((line) => line.trim())
  return lines.flatMap((line, index) => {
    if (!line.startsWith('# chosen:')) return []
    return lines.slice(index).find((later) => !later.startsWith('#')) ?? []
  })
}
