/** Error bodies of other documents: each says why a request is refused, in the shape that the document describes. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from '../support/one-operation.js'
import type { RawRequest } from '../support/raw-request.js'

const text = { type: 'string' }
const number = { type: 'integer' }
const object = (properties: Part, required = Object.keys(properties)): Part => ({
  type: 'object',
  properties,
  required,
})
const list = (items: Part): Part => ({ type: 'array', items })
const mapOf = (additionalProperties: Part): Part => ({ type: 'object', additionalProperties })
const enumOf = (...values: unknown[]): Part => ({ enum: values })
const json = (schema: Part, example?: unknown): Part => ({
  'application/json': { schema, example },
})

const missing = 'name is required'
const wrong = 'tags[0] must be an integer (got "x")'
const both = `${missing}; ${wrong}`

/** Schemas of an error, each with the body for two violations. */
const shapes: [name: string, schema: Part, body: unknown][] = [
  ['one text', object({ error: text }), { error: both }],
  [
    'a text with a long name',
    object({ userMessage: text, errorCode: text }),
    { userMessage: both, errorCode: 'invalid_request' },
  ],
  ['an optional text', object({ id: number, message: text }, []), { message: both }],
  [
    'a text that its description explains',
    object({ note: { ...text, description: 'A human-readable text' } }),
    { note: both },
  ],
  [
    'a text that its example explains',
    object({ was: { ...text, example: 'The name is missing' }, no: number }, ['was']),
    { was: both },
  ],
  ['a text without evidence', object({ abc: text }), { abc: both }],
  ['a code as the only text', object({ code: text }), { code: both }],
  [
    'a code beside a message',
    object({ error: text, error_description: text }),
    { error: 'invalid_request', error_description: both },
  ],
  [
    'a list of texts',
    object({ errorMessages: list(text), status: number }),
    { errorMessages: [missing, wrong], status: 400 },
  ],
  [
    'a list of texts in an object',
    object({ errors: object({ body: list(text) }) }),
    { errors: { body: [missing, wrong] } },
  ],
  ['a map of texts', object({ errors: mapOf(text) }), { errors: { name: missing, 'tags[0]': wrong } }],
  [
    'a map of lists',
    object({ message: text, errors: mapOf(list(text)) }),
    { message: both, errors: { name: [missing], 'tags[0]': [wrong] } },
  ],
  [
    'a list with pointers',
    object({ errors: list(object({ pointer: text, detail: text })) }),
    {
      errors: [
        { pointer: '/name', detail: missing },
        { pointer: '/tags/0', detail: wrong },
      ],
    },
  ],
  [
    'a list with pointers as fragments',
    object({ errors: list(object({ pointer: { ...text, example: '#/age' }, detail: text })) }),
    {
      errors: [
        { pointer: '#/name', detail: missing },
        { pointer: '#/tags/0', detail: wrong },
      ],
    },
  ],
  [
    'a list with fields and keywords',
    object({ message: text, details: list(object({ field: text, keyword: text, description: text })) }, ['message']),
    {
      message: both,
      details: [
        { field: 'name', keyword: 'required', description: missing },
        { field: 'tags[0]', keyword: 'type', description: wrong },
      ],
    },
  ],
  [
    'a list with places as lists',
    object({ detail: list(object({ loc: list({ anyOf: [text, number] }), msg: text, type: text })) }),
    {
      detail: [
        { loc: ['body', 'name'], msg: missing, type: 'required' },
        { loc: ['body', 'tags', 0], msg: wrong, type: 'type' },
      ],
    },
  ],
  [
    'a list with the status as text, and a source',
    object({
      errors: list(
        object({ status: text, detail: text, source: object({ pointer: text, parameter: text }, []) }, ['detail']),
      ),
    }),
    {
      errors: [
        { status: '400', detail: missing, source: { pointer: '/name' } },
        { status: '400', detail: wrong, source: { pointer: '/tags/0' } },
      ],
    },
  ],
  ['a list', list(object({ message: text })), [{ message: missing }, { message: wrong }]],
  ['a text', text, both],
  [
    'an enum',
    object({ type: enumOf('NOT_FOUND', 'BAD_REQUEST'), message: text }),
    { type: 'BAD_REQUEST', message: both },
  ],
  [
    'an optional enum that does not fit',
    object({ type: enumOf('card', 'bank'), message: text }, ['message']),
    { message: both },
  ],
  ['a status as a constant', object({ statusCode: { const: 400 }, message: text }), { statusCode: 400, message: both }],
  [
    'a status that is a word',
    object({ status: enumOf('success', 'error'), message: text }),
    { status: 'error', message: both },
  ],
  [
    'flags that are not of a failure',
    object({ message: text, hasErrors: { type: 'boolean' }, isTransferred: { type: 'boolean' } }),
    { message: both, hasErrors: true, isTransferred: false },
  ],
  ['a flag', object({ success: { type: 'boolean' }, error: text }), { success: false, error: both }],
  [
    'null for what says nothing',
    object({ message: text, data: { type: ['object', 'null'] } }),
    { message: both, data: null },
  ],
  [
    'optional members that say nothing',
    object({ message: text, links: list(object({ href: text })), help: text }, ['message']),
    { message: both },
  ],
  [
    'required members that say nothing',
    object({ message: text, links: list(object({ href: text })), help: text }),
    { message: both, links: [], help: '' },
  ],
  [
    'a list whose sources no value satisfies',
    object(
      {
        errors: list(
          object(
            { detail: text, source: { oneOf: [object({ pointer: text }, []), object({ parameter: text }, [])] } },
            ['detail'],
          ),
        ),
      },
      [],
    ),
    { errors: [{ detail: missing }, { detail: wrong }] },
  ],
  [
    'a required text that is not described',
    { ...object({ code: number }), required: ['code', 'message'] },
    { code: 400, message: both },
  ],
  ['alternatives of which one has a text', { oneOf: [object({ number }), object({ reason: text })] }, { reason: both }],
  [
    'the path and the time',
    object({ timestamp: { ...text, format: 'date-time' }, path: text, message: text }),
    { timestamp: '1970-01-01T00:00:00.000Z', path: '/x', message: both },
  ],
]

const body = object({ name: text, tags: list(number) }, ['name'])
const broken = {
  method: 'POST',
  target: '/x',
  headers: [['Content-Type', 'application/json']] as [string, string][],
  body: '{"tags":["x"]}',
}

function documentWith(responses: Part): string {
  const created = { 201: { description: 'ok', content: json(object({ id: text }, [])) } }
  const read = { 200: { description: 'ok', content: json(object({ id: text, name: text }, [])) } }
  const parameters = [{ name: 'id', in: 'path', required: true, schema: text }]
  return documentOf({
    '/x': { post: { requestBody: { required: true, content: json(body) }, responses: { ...created, ...responses } } },
    '/x/{id}': { get: { parameters, responses: { ...read, ...responses } } },
  })
}

const failure = (schema: Part, description = 'e', example?: unknown): Part => ({
  description,
  content: json(schema, example),
})

describe.each(doors)('over %s, a refusal', (door) => {
  it.each(shapes)('says why in %s', async (_, schema, expected) => {
    const service = await openDocument(door, documentWith({ default: failure(schema) }))
    expect(JSON.parse((await receive(service, broken)).text)).toEqual(expected)
  })
})

/** Requests in process: what a body says does not depend on the transport. */
async function send(responses: Part, target = '/x'): Promise<{ status: number; body: unknown }> {
  const service = await openDocument('fetch', documentWith(responses))
  const request = target === '/x' ? broken : { method: 'GET', target }
  const answer = await receive(service, request)
  return { status: answer.status, body: JSON.parse(answer.text) }
}

const unknown = 'There is no record with id 7 in x'

it.each([
  [
    'the message of a list that is required',
    object({ errors: list(object({ field: text, message: text }, ['message'])) }),
    { errors: [{ message: unknown }] },
  ],
  [
    'no list beside a message',
    object({ message: text, errors: list(object({ message: text })) }, ['message']),
    { message: unknown },
  ],
  [
    'the value of an enum for it',
    object({ code: enumOf('INVALID', 'RESOURCE_NOT_FOUND'), message: text }),
    { code: 'RESOURCE_NOT_FOUND', message: unknown },
  ],
])('a refusal without violations has %s', async (_, schema, expected) => {
  expect((await send({ 404: failure(schema) }, '/x/7')).body).toEqual(expected)
})

it('takes a required value that fits no reason from the example of the status', async () => {
  const schema = object({ code: enumOf('card', 'bank'), trace: { ...text, format: 'uuid' }, message: text })
  const example = { code: 'bank', trace: '11111111-1111-4111-8111-111111111111', message: 'no' }
  expect((await send({ 400: failure(schema, 'e', example) })).body).toEqual({ ...example, message: both })
})

describe('a request that breaks the contract', () => {
  const schema = object({ message: text })

  it.each([
    [422, 'only 422 is documented', { 422: failure(schema) }],
    [422, '400 is covered by default only', { 422: failure(schema), default: failure(schema) }],
    [422, '400 is for JSON that cannot be read', { 400: failure(schema, 'Malformed JSON'), 422: failure(schema) }],
    ...['Idempotency key missing', 'Unable to decode the request body', 'Missing or unsupported header'].map(
      (what): [number, string, Part] => [
        422,
        `400 is for "${what}"`,
        { 400: failure(schema, what), 422: failure(schema, 'Not processable') },
      ],
    ),
    [
      422,
      'only 422 is described as a failed validation',
      { 400: failure(schema, 'Bad Request'), 422: failure(schema, 'Validation failed') },
    ],
    [
      400,
      'neither says what it is for',
      { 400: failure(schema, 'Bad Request'), 422: failure(schema, 'Unprocessable Entity') },
    ],
    [
      400,
      '400 is for invalid parameters',
      { 400: failure(schema, 'Invalid parameter'), 422: failure(schema, 'Invalid state') },
    ],
  ])('gets %i if %s', async (status, _, responses) => {
    expect((await send(responses)).status).toBe(status)
  })

  it('gets 400 if it cannot be read and 422 is for what is not valid', async () => {
    const responses = { 400: failure(schema, 'Malformed JSON'), 422: failure(schema) }
    const service = await openDocument('fetch', documentWith(responses))
    expect((await receive(service, { ...broken, body: '{' })).status).toBe(400)
  })
})

describe('an enum', () => {
  const rules = [
    ...['REQUIRED', 'TOO_SHORT', 'TOO_LONG', 'OUT_OF_RANGE', 'BAD_FORMAT', 'WRONG_TYPE', 'DUPLICATE', 'NOT_ALLOWED'],
    'OTHER',
  ]
  const zod = ['missing', 'invalid_type', 'too_small', 'too_big', 'invalid_enum_value', 'invalid_string']
  const github = ['missing', 'missing_field', 'invalid', 'already_exists', 'custom']
  const salesforce = ['MALFORMED_ID', 'NOT_FOUND', 'REQUIRED_FIELD_MISSING', 'STRING_TOO_LONG', 'INVALID_FIELD']
  const fhir = ['invalid', 'structure', 'required', 'value', 'not-found', 'security']

  it.each([
    ['REQUIRED', rules, '{}'],
    ['TOO_SHORT', rules, '{"a":1,"short":""}'],
    ['TOO_LONG', rules, '{"a":1,"long":"abcd"}'],
    ['OUT_OF_RANGE', rules, '{"a":0}'],
    ['OUT_OF_RANGE', rules, '{"a":10}'],
    ['BAD_FORMAT', rules, '{"a":1,"mail":"x"}'],
    ['BAD_FORMAT', rules, '{"a":1,"pattern":"x"}'],
    ['WRONG_TYPE', rules, '{"a":"x"}'],
    ['DUPLICATE', rules, '{"a":1,"unique":[1,1]}'],
    ['NOT_ALLOWED', rules, '{"a":1,"color":"x"}'],
    ['NOT_ALLOWED', rules, '{"a":1,"closed":{"x":1}}'],
    ['OTHER', rules, '{"a":1,"any":1.5}'],
    ['missing', zod, '{}'],
    ['invalid_type', zod, '{"a":"x"}'],
    ['too_small', zod, '{"a":0}'],
    ['too_big', zod, '{"a":10}'],
    ['too_small', zod, '{"a":1,"short":""}'],
    ['invalid_enum_value', zod, '{"a":1,"color":"x"}'],
    ['missing_field', github, '{}'],
    ['invalid', github, '{"a":"x"}'],
    ['invalid', github, '{"a":1,"short":""}'],
    ['STRING_TOO_LONG', salesforce, '{"a":1,"long":"abcd"}'],
    ['REQUIRED_FIELD_MISSING', salesforce, '{}'],
    ['INVALID_FIELD', salesforce, '{'],
    ['required', fhir, '{}'],
    ['invalid', fhir, '{"a":"x"}'],
  ])('of rules is %s in %j for %s', async (expected, values, sent) => {
    const entry = object({ rule: enumOf(...values), message: text })
    const answer = await sendTo(object({ errors: list(entry) }), { body: sent })
    expect(answer).toMatchObject({ errors: [{ rule: expected }] })
  })

  it.each([
    ['body', { body: '{}' }],
    ['query', { target: '/x/1?page=x' }],
    ['path', { target: '/x/y' }],
    ['header', { body: '{"a":1}', headers: [...broken.headers, ['X-Number', 'x'] as [string, string]] }],
  ])('of places is %s for a violation there', async (expected, request) => {
    const entry = object({ location: enumOf('body', 'query', 'path', 'header'), message: text })
    expect(await sendTo(object({ errors: list(entry) }), request)).toMatchObject({ errors: [{ location: expected }] })
  })

  const codes = ['E_PARSE', 'E_VALIDATION', 'E_NOT_FOUND', 'E_DUPLICATE', 'E_AUTH']
  const described = 'ERR_1: authentication failed; ERR_2: validation failed; ERR_3: not found'
  const told = { 9001: 'The record does not exist', 9002: 'Malformed JSON', 9003: 'Invalid input' }

  it.each([
    ['E_PARSE', enumOf(...codes), { body: '{' }],
    ['E_VALIDATION', enumOf(...codes), { body: '{}' }],
    ['E_NOT_FOUND', enumOf(...codes), { target: '/x/7' }],
    ['E_DUPLICATE', enumOf(...codes), { target: '/x', headers: [['Prefer', 'code=409']] as [string, string][] }],
    ['MISSING_FIELD', enumOf('MISSING_FIELD', 'NOT_FOUND'), { body: '{}' }],
    ['VALIDATION_ERROR', enumOf('NOT_ALLOWED', 'VALIDATION_ERROR'), { body: '{"a":1,"color":"x"}' }],
    ['KO', enumOf('OK', 'KO'), { body: '{}' }],
    ...['https://x.example/errors/', 'https://x.example/problems#', 'urn:x:'].flatMap(
      (base): [string, Part, object][] => {
        const code = enumOf(`${base}validation`, `${base}not-found`)
        return [
          [`${base}not-found`, code, { target: '/x/7' }],
          [`${base}validation`, code, { body: '{}' }],
        ]
      },
    ),
    ['CARD', enumOf('SUCCESS', 'CARD', 'BANK'), { body: '{}' }],
    ['ERR_2', { ...enumOf('ERR_1', 'ERR_2', 'ERR_3'), description: described }, { body: '{}' }],
    ['ERR_3', { ...enumOf('ERR_1', 'ERR_2', 'ERR_3'), description: described }, { target: '/x/7' }],
    [9003, { ...enumOf(9001, 9002, 9003), 'x-enum-descriptions': told }, { body: '{}' }],
    [9002, { ...enumOf(9001, 9002, 9003), 'x-enum-descriptions': Object.values(told) }, { body: '{' }],
    [
      'Z2',
      {
        oneOf: [
          { const: 'Z1', title: 'Not found' },
          { const: 'Z2', description: 'Validation' },
        ],
      },
      { body: '{}' },
    ],
  ])('of an error is %s in %j for %j', async (expected, code, request) => {
    expect(await sendTo(object({ code, message: text }), request)).toMatchObject({ code: expected })
  })

  it('of success alone is left out if it is optional', async () => {
    const schema = object({ result: { enum: ['OK', 'success'] }, message: text }, ['message'])
    expect(await sendTo(schema, { body: '{}' })).toEqual({ message: 'a is required' })
  })
})

describe('an error', () => {
  const bad = { body: '{"a":0}' }
  const tooSmall = 'a must be at least 1 (got 0)'
  const problem = object({ type: { ...text, format: 'uri' }, title: text, detail: text }, ['type', 'title'])
  const entries = (properties: Part, required = Object.keys(properties)) =>
    object({ errors: list(object({ ...properties, detail: text }, required)) })
  const first = (members: Part) => ({ errors: [expect.objectContaining(members)] })
  const github = (item: Part) =>
    object({ message: text, documentation_url: text, errors: list(item) }, ['message', 'documentation_url'])
  const tagged = {
    oneOf: [
      object({ kind: enumOf('validation'), fields: list(object({ field: text, problem: text })) }),
      object({ kind: enumOf('missing'), reason: text }),
    ],
    discriminator: { propertyName: 'kind' },
  }

  it.each([
    [
      'the message in a map by places, whatever its name',
      object({ ErrorMessage: text, ModelState: mapOf(list(text)) }),
      bad,
      { ErrorMessage: tooSmall, ModelState: { a: [tooSmall] } },
    ],
    [
      'a code where the example is one',
      object({ errcode: { ...text, example: 'M_FORBIDDEN' }, error: text }),
      bad,
      { errcode: 'invalid_request', error: tooSmall },
    ],
    [
      'a code by the example alone',
      object({ what: { ...text, example: 'M_FORBIDDEN' }, message: text }),
      bad,
      { what: 'invalid_request', message: tooSmall },
    ],
    [
      'no type of an entry',
      object({ errors: list(object({ '@type': text, message: text }, ['message'])) }),
      bad,
      { errors: [{ message: tooSmall }] },
    ],
    [
      'the phrase of the status as title',
      problem,
      bad,
      { type: 'about:blank', title: 'Bad Request', detail: tooSmall },
    ],
    [
      'the code in words as title where its example is a sentence',
      object({ title: { ...text, example: 'Your request is not valid.' }, detail: text }),
      { target: '/x/7' },
      { title: 'Not found', detail: unknown },
    ],
    ['the kind of place for the whole body', entries({ field: text }), { body: '[]' }, first({ field: 'body' })],
    ['a blank place if there is none', entries({ field: text }), { target: '/x/7' }, first({ field: '' })],
    ['a blank list of steps if there are none', entries({ path: list(text) }), { target: '/x/7' }, first({ path: [] })],
    [
      'the steps of a path without the kind of place',
      entries({ path: list(text) }),
      { body: '{"a":1,"unique":["x"]}' },
      first({ path: ['unique', '0'] }),
    ],
    [
      'no pointer into the body for a parameter',
      entries({ pointer: text, parameter: text }, ['detail']),
      { target: '/x/1?page=x' },
      { errors: [{ parameter: 'page', detail: 'query parameter page must be an integer (got "x")' }] },
    ],
    [
      'a blank pointer for a parameter if one is required',
      entries({ pointer: { ...text, example: '#/a' } }),
      { target: '/x/1?page=x' },
      first({ pointer: '' }),
    ],
    [
      'an entry for an operation of a JSON Patch that fails',
      entries({ pointer: text }),
      {
        target: '/x/{id}',
        method: 'PATCH',
        headers: [['Content-Type', 'application/json-patch+json']] as [string, string][],
        body: '[{"op":"remove","path":"/none"}]',
      },
      first({ pointer: '/0/path', detail: '[0].path "/none" does not exist' }),
    ],
    [
      'an entry with the message where alternatives differ only in their entries',
      { oneOf: [github(object({ code: text, message: text })), github(text)] },
      { target: '/x/7' },
      { message: unknown, documentation_url: '', errors: [{ code: 'not_found', message: unknown }] },
    ],
    [
      'the message in an object called so',
      object({
        error: object({ code: text, message: object({ lang: text, value: { ...text, example: 'Resource missing' } }) }),
      }),
      { target: '/x/7' },
      { error: { code: 'not_found', message: { lang: 'en', value: unknown } } },
    ],
    [
      'no message in a value that was wrong',
      object({ errors: list(object({ value: text, msg: text }, ['msg'])) }),
      bad,
      { errors: [{ msg: tooSmall }] },
    ],
    [
      'a pointer by its format',
      object({ failures: list(object({ path: { ...text, format: 'json-pointer' }, rule: text, human: text })) }),
      bad,
      { failures: [{ path: '/a', rule: 'minimum', human: tooSmall }] },
    ],
    [
      'a pointer to a name with a dot',
      entries({ pointer: text }),
      { body: '{"a":1,"b.c":"x"}' },
      first({ pointer: '/b.c' }),
    ],
    [
      'the steps to a name with a dot',
      entries({ path: list(text) }),
      { body: '{"a":1,"b.c":"x"}' },
      first({ path: ['b.c'] }),
    ],
    [
      'the status by the description of a number',
      object({ num: { ...number, description: 'HTTP status code' }, message: text }),
      { target: '/x/7' },
      { num: 404, message: unknown },
    ],
    [
      'the status as text, and its phrase',
      object({ httpCode: text, statusText: { ...text, example: 'Internal Server Error' }, message: text }),
      { target: '/x/7' },
      { httpCode: '404', statusText: 'Not Found', message: unknown },
    ],
    [
      'the message in the text of the status if there is no other',
      object({ statusCode: number, statusText: text }),
      { target: '/x/7' },
      { statusCode: 404, statusText: unknown },
    ],
    [
      'the alternative whose tag fits a missing record',
      tagged,
      { target: '/x/7' },
      { kind: 'missing', reason: unknown },
    ],
    [
      'the alternative whose tag fits a violation',
      tagged,
      { body: '{}' },
      { kind: 'validation', fields: [{ field: 'a', problem: 'a is required' }] },
    ],
    [
      'the likeliest text of the alternative whose tag fits',
      {
        anyOf: [
          object({ kind: enumOf('validation'), a: text }),
          object({ kind: enumOf('missing'), b: text }, ['kind']),
        ],
      },
      { target: '/x/7' },
      { kind: 'missing', b: unknown },
    ],
    [
      'the alternative whose status is that of the refusal',
      {
        oneOf: [
          object({ status: enumOf(400), details: list(object({ field: text, message: text })) }),
          object({ status: enumOf(404), reason: text }),
        ],
      },
      { target: '/x/7' },
      { status: 404, reason: unknown },
    ],
    ['the names of fields in a list', entries({ fields: list(text) }), bad, first({ fields: ['a'] })],
    [
      'no names of fields if there are none',
      entries({ fields: list(text) }, ['detail']),
      { target: '/x/7' },
      { errors: [{ detail: unknown }] },
    ],
    [
      'no keyword as the name of an object',
      entries({ objectName: text, resourceType: text, field: text }, ['detail', 'field']),
      bad,
      { errors: [{ field: 'a', detail: tooSmall }] },
    ],
    [
      'no code as the name of an exception',
      object({ exception: text, error: text, message: text }, ['message']),
      bad,
      { error: 'invalid_request', message: tooSmall },
    ],
    [
      'no entries without violations beside an object with the message',
      object({ error: object({ message: text }), 'invalid-params': list(object({ name: text, reason: text })) }, [
        'error',
      ]),
      { target: '/x/7' },
      { error: { message: unknown } },
    ],
    [
      'the message only in the text whose description is of people',
      object({
        a: { ...text, description: 'Internal identifier of the error, for support' },
        b: { ...text, description: 'A sentence for people that explains what went wrong' },
      }),
      bad,
      { a: 'invalid_request', b: tooSmall },
    ],
    [
      'a code by the description alone',
      object({ a: { ...text, description: 'Code of the error' }, b: text }),
      bad,
      { a: 'invalid_request', b: tooSmall },
    ],
  ])('has %s', async (_, schema, request, expected) => {
    expect(await sendTo(schema, request)).toEqual(expected)
  })
})

/** Sends a request to a service with a parameter in each place, and returns the error. */
async function sendTo(schema: Part, request: Partial<RawRequest>): Promise<unknown> {
  const typed = (type: string, others: Part = {}) => ({ type, ...others })
  const record = object(
    {
      a: typed('integer', { minimum: 1, maximum: 9 }),
      id: number,
      short: typed('string', { minLength: 1 }),
      long: typed('string', { maxLength: 3 }),
      mail: typed('string', { format: 'email' }),
      pattern: typed('string', { pattern: '^[0-9]+$' }),
      color: enumOf('red', 'blue'),
      unique: { ...list(number), uniqueItems: true },
      closed: { ...object({}, []), additionalProperties: false },
      any: { not: { const: 1.5 } },
      'b.c': number,
    },
    ['a'],
  )
  const one = { 200: { description: 'ok', content: json(record) }, default: failure(schema) }
  const parameters = [
    { name: 'id', in: 'path', required: true, schema: number },
    { name: 'page', in: 'query', schema: number },
  ]
  const header = { name: 'X-Number', in: 'header', schema: number }
  const requestBody = { required: true, content: json(record) }
  const patch = { content: { 'application/json-patch+json': { schema: list({}) } } }
  const post = { parameters: [header], requestBody, responses: { ...one, 201: one[200] } }
  const document = documentOf({
    '/x': { get: { responses: { ...one, 200: { description: 'ok', content: json(list(record)) } } }, post },
    '/x/{id}': { parameters, get: { responses: one }, patch: { requestBody: patch, responses: one } },
  })
  const service = await openDocument('fetch', document)
  const { method = request.target ? 'GET' : 'POST', target = '/x' } = request
  const created = await receive(service, { ...broken, body: '{"a":1}' })
  const path = target.replace('{id}', String(JSON.parse(created.text).id))
  return JSON.parse((await receive(service, { ...broken, body: undefined, ...request, method, target: path })).text)
}
