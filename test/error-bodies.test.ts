/** Error bodies of other documents: each says why a request is refused, in the shape that the document describes. */
import { describe, expect, it } from 'vitest'
import { documentOf, doors, openDocument, type Part, receive } from './support/one-operation.js'

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
