// Answers satisfy the schema of their response, whatever was sent, and have the headers that it requires.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { type JsonObject, readArray, readObject } from '../support/read-json.js'
import { collection, documentOf, serve } from '../support/serve-objects.js'

const ajv = addFormats.default(new Ajv2020({ strict: false, multipleOfPrecision: 9 }))
const json = (schema: unknown, others: JsonObject = {}) => ({ 'application/json': { schema, ...others } })
const ok = (schema: unknown, others: JsonObject = {}) => ({ description: 'ok', content: json(schema, others) })
const requestBody = { content: json({ type: 'object' }) }

function expectValid(schema: JsonObject, text: string): unknown {
  const value: unknown = JSON.parse(text)
  expect(ajv.validate(schema, value), `${text}: ${ajv.errorsText()}`).toBe(true)
  return value
}

const strict = {
  type: 'object',
  required: ['id', 'code', 'state', 'tags', 'owner', 'at', 'parts'],
  properties: {
    id: { type: 'string', pattern: '^rec_[a-z0-9]{10}$' },
    code: { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' },
    state: { enum: ['open', 'closed'] },
    tags: { type: 'array', minItems: 2, maxItems: 3, uniqueItems: true, items: { type: 'string', maxLength: 3 } },
    owner: {
      type: 'object',
      required: ['email', 'kind'],
      properties: { email: { type: 'string', format: 'email' }, kind: { const: 'person' } },
      additionalProperties: false,
    },
    at: { type: 'integer', minimum: 100 },
    parts: { oneOf: [{ type: 'array', items: { type: 'integer' }, minItems: 1 }, { type: 'null' }] },
  },
}
/** Shows less of the record, and something more. */
const summary = {
  type: 'object',
  required: ['id', 'label'],
  properties: { id: strict.properties.id, label: { type: 'string', minLength: 3 } },
  additionalProperties: false,
}
const loose = { type: 'object', additionalProperties: true }

describe('a collection whose request bodies say less than its records', () => {
  const things = collection({ path: '/things', record: strict, body: loose })
  const listed = {
    ...readObject(things['/things']),
    get: {
      responses: {
        '200': ok({
          type: 'object',
          required: ['data', 'page', 'total'],
          properties: {
            data: { type: 'array', items: summary },
            total: { type: 'integer' },
            page: {
              type: 'object',
              required: ['size'],
              properties: { size: { type: 'integer', minimum: 1 }, next: { type: 'string' } },
            },
          },
        }),
      },
    },
  }
  const served = serve(documentOf({ ...things, '/things': listed }))

  const bodies: JsonObject[] = [
    {},
    { code: 'ABC-1234', at: 5 },
    { code: 1, state: null, tags: 'x', owner: [], at: 'x', parts: {} },
    { tags: ['a', 'a', 'long text', 'd'], owner: { email: 'no mail', kind: 'person', more: 1 }, unknown: true },
  ]

  it.each(bodies.map((body) => [JSON.stringify(body), body]))(
    'answers valid records after POST %s',
    async (_, body) => {
      const created = await served.send('POST', '/things', { body })
      expect(created.status).toBe(201)
      const { id, ...values } = readObject(expectValid(strict, created.text))
      expect((await served.send('GET', `/things/${id}`)).text).toBe(created.text)
      for (const [method, change] of Object.entries({ PUT: { state: 'open' }, PATCH: { state: 'closed' } })) {
        const answer = await served.send(method, `/things/${id}`, { body: change })
        expect(answer.status).toBe(200)
        expect(readObject(expectValid(strict, answer.text))).toMatchObject({ id, ...change })
      }
      if (body['code'] === 'ABC-1234') expect(values['code']).toBe('ABC-1234')
    },
  )

  it('has a list of valid summaries, the same ones each time, in a valid envelope', async () => {
    const first = await served.send('GET', '/things')
    const { data, total, page } = readObject(JSON.parse(first.text))
    for (const each of readArray(data)) expectValid(summary, JSON.stringify(each))
    expect(total).toBe(readArray(data).length)
    expect(readObject(page)['size']).toBeGreaterThanOrEqual(1)
    expect((await served.send('GET', '/things')).text).toBe(first.text)
  })

  it('gives each record a key of its own', async () => {
    const ids = new Set<unknown>()
    for (let index = 0; index < 30; index++) {
      ids.add(readObject(JSON.parse((await served.send('POST', '/things', { body: {} })).text))['id'])
    }
    expect(ids.size).toBe(30)
  })
})

describe('keys', () => {
  const keys: Record<string, JsonObject> = {
    'of a length': { type: 'string', minLength: 12, maxLength: 12 },
    'of a pattern': { type: 'string', pattern: '^cus_[A-Za-z0-9]{14}$' },
    'from a number on': { type: 'integer', minimum: 1000 },
    'that are multiples': { type: 'integer', multipleOf: 10 },
    'that are times': { type: 'string', format: 'date-time' },
    'that are addresses': { type: 'string', format: 'email' },
  }

  it.each(Object.entries(keys))('%s are made', async (_, schema) => {
    const record = { type: 'object', required: ['id'], properties: { id: schema, name: { type: 'string' } } }
    const { compileDocument, createSandbox } = await import('petstore-sandbox')
    const document = documentOf(collection({ path: '/xs', record, body: { type: 'object' }, keySchema: schema }))
    const { contract } = await compileDocument(JSON.stringify(document))
    const sandbox = createSandbox({ contract })
    const known = new Set<unknown>()
    for (let index = 0; index < 20; index++) {
      const headers = { 'Content-Type': 'application/json' }
      const answer = await sandbox.fetch('http://localhost/xs', { method: 'POST', body: '{"name":"n"}', headers })
      const text = await answer.text()
      expect([answer.status, text]).toEqual([201, text])
      const { id } = readObject(expectValid(record, text))
      known.add(id)
      const found = await sandbox.fetch(`http://localhost/xs/${encodeURIComponent(String(id))}`)
      expect([found.status, await found.text()]).toEqual([200, text])
    }
    expect(known.size).toBe(20)
  })

  it('run out where their schema allows only some', async () => {
    const record = { type: 'object', required: ['id'], properties: { id: { type: 'integer', minimum: 1, maximum: 3 } } }
    const { compileDocument, createSandbox } = await import('petstore-sandbox')
    const { contract } = await compileDocument(
      JSON.stringify(documentOf(collection({ path: '/xs', record, body: loose }))),
    )
    const sandbox = createSandbox({ contract })
    const create = () => {
      const headers = { 'Content-Type': 'application/json' }
      return sandbox.fetch('http://localhost/xs', { method: 'POST', body: '{}', headers })
    }
    const statuses = [await create(), await create(), await create(), await create()].map(({ status }) => status)
    expect(statuses).toEqual([201, 201, 201, 503])
  })
})

describe('an answer by example', () => {
  const examples: Record<string, JsonObject> = {
    '/invalid': ok(strict, { example: { id: 'x', code: 'ABC-1234' } }),
    '/none': ok(strict),
    '/named': ok(strict, { examples: { first: { value: { at: 7 } } } }),
    '/written': ok(strict.properties.owner, { example: '{"email":"a@b.example","kind":"person"}' }),
    '/list': ok({ type: 'array', minItems: 3, uniqueItems: true, items: { type: 'string', format: 'uuid' } }),
    '/text': ok({ type: 'string', minLength: 5 }, { example: 'x' }),
    '/number': ok({ type: 'number', exclusiveMinimum: 4 }),
  }
  const paths = Object.entries(examples).map(([path, response]) => [path, { post: { responses: { '200': response } } }])
  const served = serve(documentOf(Object.fromEntries(paths)))

  it.each(Object.entries(examples))('%s satisfies its schema', async (path, response) => {
    const media = readObject(readObject(response['content'])['application/json'])
    for (const headers of [[], [['Prefer', 'code=200']] as const]) {
      const { status, text } = await served.send('POST', path, { headers })
      expect(status).toBe(200)
      expectValid(readObject(media['schema']), text)
    }
  })

  it('keeps what is valid in the example', async () => {
    expect(JSON.parse((await served.send('POST', '/invalid')).text)).toMatchObject({ code: 'ABC-1234' })
    expect(JSON.parse((await served.send('POST', '/written')).text)).toEqual({ email: 'a@b.example', kind: 'person' })
  })
})

describe('a schema that no value satisfies', () => {
  const endless = { type: 'object', required: ['next'], properties: { next: { $ref: '#/components/schemas/Endless' } } }
  const impossible = { $ref: '#/components/schemas/Endless' }
  const things = collection({ path: '/xs', record: { allOf: [{ properties: { id: {} } }, impossible] }, body: loose })
  const served = serve(
    documentOf(
      { ...things, '/report': { post: { responses: { '200': ok(impossible) } } } },
      { components: { schemas: { Endless: endless } } },
    ),
  )

  it.each([
    ['POST', '/report', {}],
    ['POST', '/xs', { body: {} }],
  ] as const)('is answered with 501 by %s %s', async (method, path, sent) => {
    const { status, text } = await served.send(method, path, sent)
    expect([status, JSON.parse(text)['code']]).toEqual([501, 'not_made'])
    expect((await served.send('GET', '/xs')).text).toBe('[]')
  })

  it('is noted where everything is compiled', async () => {
    const { compileDocument } = await import('petstore-sandbox')
    const components = { schemas: { Endless: endless } }
    const paths = { ...things, '/report': { post: { responses: { '200': ok(impossible) } } } }
    const { notes } = await compileDocument(JSON.stringify(documentOf(paths, { components })), 'x.json', {
      thorough: true,
    })
    expect(notes().map(({ message, instead }) => `${message}; ${instead}`)).toEqual([
      'No record of "xs" satisfies its schema; operations that return one answer 501',
      'No value satisfies the schema of the response of POST /report; it answers 501',
    ])
  })
})

describe('errors', () => {
  const shapes: Record<string, JsonObject> = {
    'a code of an enum': {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { enum: ['BAD', 'GONE'], type: 'string' }, message: { type: 'string' } },
    },
    'a short message': { type: 'object', properties: { message: { type: 'string', maxLength: 10 } } },
    'a status of one value': {
      type: 'object',
      required: ['status'],
      properties: { status: { const: 4, type: 'integer' } },
    },
    'a problem type': {
      type: 'object',
      required: ['type', 'title'],
      properties: { type: { type: 'string', format: 'uri' }, title: { type: 'string' } },
    },
    'a list of errors': {
      type: 'object',
      required: ['errors', 'requestId'],
      properties: {
        requestId: { type: 'string', format: 'uuid' },
        errors: {
          type: 'array',
          minItems: 1,
          items: { type: 'object', required: ['reason'], properties: { reason: { type: 'string' } } },
        },
      },
    },
    'a list at the root': {
      type: 'array',
      items: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } },
    },
    'a text at the root': { type: 'string', minLength: 3 },
    'a number at the root': { type: 'integer' },
    'no known field': { type: 'object', required: ['oops'], properties: { oops: { type: 'boolean' } } },
    'a list of messages': {
      type: 'object',
      required: ['errors'],
      properties: { errors: { type: 'array', items: { type: 'string' } } },
    },
    'a nested error': {
      type: 'object',
      required: ['error'],
      properties: {
        error: {
          type: 'object',
          required: ['code', 'message', 'trace'],
          properties: {
            code: { type: 'integer' },
            message: { type: 'string' },
            trace: { type: 'string', minLength: 20 },
          },
          additionalProperties: false,
        },
      },
    },
  }
  const pathOf = (name: string) => `/${name.replaceAll(' ', '-')}`
  const paths = Object.entries(shapes).map(([name, schema]) => [
    pathOf(name),
    {
      post: {
        requestBody: { required: true, content: json({ type: 'object', required: ['a'] }) },
        responses: {
          '204': { description: 'ok' },
          '400': {
            description: 'wrong',
            headers: { 'X-Reason': { required: true, schema: { enum: ['input'] } }, 'X-Other': { schema: {} } },
            content: { 'application/problem+json': { schema } },
          },
        },
      },
    },
  ])
  const served = serve(documentOf(Object.fromEntries(paths)))

  it.each(Object.entries(shapes))('have %s', async (name, schema) => {
    for (const body of ['{}', '{', undefined]) {
      const { status, text, headers } = await served.send('POST', pathOf(name), { body })
      expect(status).toBe(400)
      expectValid(schema, text)
      expect([headers['x-reason'], headers['x-other']]).toEqual(['input', undefined])
    }
  })
})

it.each([
  ['text/plain', 'The body is not valid JSON'],
  ['application/xml', '<error><message>The body is not valid JSON'],
])('errors documented as %s are such', async (mediaType, start) => {
  const { compileDocument, createSandbox } = await import('petstore-sandbox')
  const responses = { '204': { description: 'ok' }, '400': { description: 'wrong', content: { [mediaType]: {} } } }
  const document = documentOf({ '/xs': { post: { requestBody: { content: json({ type: 'object' }) }, responses } } })
  const { contract } = await compileDocument(JSON.stringify(document))
  const sandbox = createSandbox({ contract })
  const headers = { 'Content-Type': 'application/json' }
  const answer = await sandbox.fetch('http://localhost/xs', { method: 'POST', body: '{<', headers })
  const text = await answer.text()
  expect([answer.status, answer.headers.get('content-type')]).toEqual([400, mediaType])
  expect(text.startsWith(start), text).toBe(true)
  expect(text).not.toContain('{<')
})

describe('headers that a success requires', () => {
  const required = {
    'X-Total': { required: true, schema: { type: 'integer', minimum: 3 } },
    'X-Names': { required: true, schema: { type: 'array', items: { type: 'string' }, example: ['a', 'b'] } },
    'X-Free': { schema: { type: 'string' } },
  }
  const record = { type: 'object', properties: { id: { type: 'integer' } } }
  const things = collection({ path: '/xs', record })
  const withHeaders = JSON.parse(JSON.stringify(things), (name, value) => {
    return ['200', '201', '204'].includes(name) ? { ...value, headers: required } : value
  })
  const action = { post: { requestBody, responses: { '200': { ...ok({}), headers: required } } } }
  const served = serve(documentOf({ ...withHeaders, '/run': action }))

  it.each([
    ['POST', '/xs', { body: {} }],
    ['GET', '/xs', {}],
    ['GET', '/xs/1', {}],
    ['PUT', '/xs/1', { body: {} }],
    ['DELETE', '/xs/1', {}],
    ['POST', '/run', { body: {} }],
  ] as const)('are there after %s %s', async (method, path, sent) => {
    const { status, headers } = await served.send(method, path, sent)
    expect(status).toBeLessThan(300)
    expect([headers['x-total'], headers['x-names'], headers['x-free']]).toEqual(['3', 'a,b', undefined])
  })
})

describe('records that no operation lists or creates', () => {
  const tags = {
    type: 'object',
    required: ['resourceId', 'tags'],
    properties: {
      resourceId: { type: 'string' },
      tags: { type: 'object', additionalProperties: { type: 'string' }, example: { team: 'a' } },
    },
  }
  const byKey = collection({ path: '/tags', record: tags, body: loose, key: 'resourceId' })
  const served = serve(documentOf({ '/tags/{resourceId}': byKey['/tags/{resourceId}'] }))

  it('exist for every key, the same ones each time, and can be changed', async () => {
    const first = await served.send('GET', '/tags/any-1')
    expect([first.status, expectValid(tags, first.text)]).toEqual([200, { resourceId: 'any-1', tags: { team: 'a' } }])
    expect((await served.send('GET', '/tags/any-1')).text).toBe(first.text)
    const changed = await served.send('PUT', '/tags/any-1', { body: { tags: { team: 'b' } } })
    expect(JSON.parse(changed.text)).toEqual({ resourceId: 'any-1', tags: { team: 'b' } })
    expect((await served.send('GET', '/tags/any-1')).text).toBe(changed.text)
    const patched = await served.send('PATCH', '/tags/any-2', { body: { tags: {} } })
    expect(JSON.parse(patched.text)).toEqual({ resourceId: 'any-2', tags: {} })
  })

  it('are gone once they are removed', async () => {
    expect((await served.send('DELETE', '/tags/any-3')).status).toBe(204)
    expect((await served.send('GET', '/tags/any-3')).status).toBe(404)
    expect((await served.send('DELETE', '/tags/any-3')).status).toBe(404)
    // Only PUT adds records here.
    expect((await served.send('PUT', '/tags/any-3', { body: {} })).status).toBe(200)
    expect((await served.send('GET', '/tags/any-3')).status).toBe(200)
  })
})

it('reads by example where records do not show the key of their path', async () => {
  const record = { type: 'object', properties: { size: { type: 'integer', minimum: 2 } } }
  const { compileDocument, createSandbox } = await import('petstore-sandbox')
  const { contract } = await compileDocument(JSON.stringify(documentOf(collection({ path: '/xs', record }))))
  const sandbox = createSandbox({ contract })
  const answer = await sandbox.fetch('http://localhost/xs/anything')
  expect(answer.status).toBe(200)
  expectValid(record, await answer.text())
})

const texts = { '^t-': { type: 'string' } }
const whole = { type: 'integer' }
const map = { type: 'object', minProperties: 1, patternProperties: texts, additionalProperties: whole }

/** Records of which optional parts are hard to make, with bodies that are valid. */
const hard: [what: string, schema: Record<string, unknown>, bodies: string[]][] = [
  [
    'a list that must contain something, beside a map of two kinds',
    { properties: { grades: { type: 'array', contains: { minimum: 5 } }, more: map } },
    ['{"more":{"k":1}}', '{"more":{"t-k":"a","k":1}}', '{}', '{"grades":[1,7]}'],
  ],
  ['a map that is required', { required: ['more'], properties: { more: map } }, ['{"more":{"k":1}}']],
  ['maps in a list', { properties: { all: { type: 'array', minItems: 1, items: map } } }, ['{"all":[{"k":1}]}']],
  [
    'a map or a text',
    { properties: { more: { oneOf: [map, { type: 'string' }] } } },
    ['{"more":{"k":1}}', '{"more":"x"}'],
  ],
  [
    'a map of two patterns',
    {
      properties: {
        more: { minProperties: 2, patternProperties: { ...texts, '^n-': whole }, additionalProperties: false },
      },
    },
    ['{"more":{"n-k":1,"t-l":"a"}}', '{"more":{"n-k":1,"n-l":2}}'],
  ],
  [
    'a schema that depends on a property',
    { properties: { a: { type: 'string' } }, dependentSchemas: { a: { required: ['b'], properties: { b: whole } } } },
    ['{"a":"x","b":1}', '{}'],
  ],
  [
    'a list that must contain something twice',
    { properties: { list: { type: 'array', items: whole, contains: { minimum: 5 }, minContains: 2 } } },
    ['{"list":[5,6,1]}', '{}'],
  ],
]
const hardPaths = hard.map(([, schema], index) => {
  const record = { type: 'object', ...schema, properties: { id: whole, ...(schema['properties'] as object) } }
  return collection({ path: `/hard${index}`, record })
})
const hardService = serve(documentOf(Object.assign({}, ...hardPaths)))

it.each(hard.map(([what, , bodies], index) => [what, bodies, index] as const))(
  'creates what is valid: %s',
  async (_, bodies, index) => {
    for (const body of bodies) {
      const { status, text } = await hardService.send('POST', `/hard${index}`, { body })
      const { id: __, ...kept } = JSON.parse(text)
      expect([status, JSON.stringify(kept)]).toEqual([201, body])
    }
  },
)
