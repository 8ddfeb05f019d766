// Statuses that descriptions, examples and parameters explain.
import { describe, expect, it } from 'vitest'
import { ask, openSketch } from '../support/script.js'
import { documentOf } from '../support/serve-objects.js'
import { integer, list, object, text } from '../support/sketch.js'

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const response = (schema: object, description = '') => ({ description, ...json(schema) })

describe('a creation of what exists already', () => {
  const link = object({ 'id!': integer, 'url!': text })
  const open = (description: string) =>
    openSketch(
      JSON.stringify(
        documentOf({
          '/links': {
            post: {
              requestBody: json(object({ 'url!': text })),
              responses: { 200: response(link, description), 201: response(link, 'Created') },
            },
            get: { responses: { 200: response(list(link)) } },
          },
        }),
      ),
    )

  it.each(['A link with this URL already exists.', 'The url exists already: the existing link is returned.'])(
    'answers with the record that exists: %s',
    async (description) => {
      const send = await open(description)
      expect(await ask(send, 'POST /links {"url":"a"}')).toBe('201 {"id":1,"url":"a"}')
      expect(await ask(send, 'POST /links {"url":"a"}')).toBe('200 {"id":1,"url":"a"}')
      expect(await ask(send, 'POST /links {"url":"b"}')).toBe('201 {"id":2,"url":"b"}')
      expect(await ask(send, 'GET /links')).toBe('200 [{"id":2,"url":"b"},{"id":1,"url":"a"}]')
    },
  )

  it('creates where the other success says something else', async () => {
    const send = await open('The link')
    expect(await ask(send, 'POST /links {"url":"a"}')).toBe('200 {"id":1,"url":"a"}')
    expect(await ask(send, 'POST /links {"url":"a"}')).toBe('200 {"id":2,"url":"a"}')
  })

  it('is refused with the status and the code of the example that names the property', async () => {
    const examples = {
      NAME_TAKEN: { summary: 'A member with this name already exists.', value: { detail: 'NAME_TAKEN' } },
      WEAK: { summary: 'The password is too short.', value: { detail: 'WEAK_PASSWORD' } },
    }
    const schema = object({ 'detail!': {} })
    const bad = { description: 'Bad Request', content: { 'application/json': { schema, examples } } }
    const member = object({ 'id!': integer, name: text })
    const post = { requestBody: json(object({ 'name!': text })), responses: { 201: response(member), 400: bad } }
    const send = await openSketch(JSON.stringify(documentOf({ '/members': { post } })))
    expect(await ask(send, 'POST /members {"name":"a"}')).toMatch(/^201/)
    expect(await ask(send, 'POST /members {"name":"a"}')).toBe('400 {"detail":"NAME_TAKEN"}')
  })
})

it.each([
  ['Invalid token.', 'Validation error.', 422],
  ['Invalid credentials', 'Invalid input', 422],
  ['Invalid name.', 'Validation error.', 400],
])('a wrong body has the status that is about values: 400 "%s", 422 "%s"', async (bad, other, status) => {
  const error = object({ message: text })
  const post = {
    requestBody: { required: true, ...json(object({ 'chain!': text })) },
    responses: { 201: response(object({ id: integer })), 400: response(error, bad), 422: response(error, other) },
  }
  const send = await openSketch(JSON.stringify(documentOf({ '/certificates': { post } })))
  expect(await ask(send, 'POST /certificates {}')).toMatch(new RegExp(`^${status} `))
})

describe('credentials', () => {
  const lamps = { get: { responses: { 200: response(list(object({ id: integer }))) } } }
  const bearer = { type: 'http', scheme: 'bearer' }
  const secured = (paths: object) =>
    openSketch(
      JSON.stringify({
        ...documentOf({ '/lamps': lamps, ...paths }),
        security: [{ bearer: [] }],
        components: { securitySchemes: { bearer } },
      }),
    )
  const entrance = (answer: object, security?: object) => ({
    post: {
      ...security,
      requestBody: json(object({ user: text, password: text })),
      responses: { 200: response(answer) },
    },
  })

  it.each([
    ['/sessions/open', entrance(object({ token: text }))],
    ['/sessions/open', entrance(object({ data: object({ accessToken: text }) }))],
    ['/auth/register', entrance(object({ id: integer }))],
  ])('are not needed where somebody gets them: %s', async (path, item) => {
    const send = await secured({ [path]: item })
    expect(await ask(send, `POST ${path} {"user":"a","password":"b"}`)).toMatch(/^200/)
    expect(await ask(send, 'GET /lamps')).toMatch(/^401/)
  })

  it.each([
    ['its own security says so', '/sessions/open', entrance(object({ token: text }), { security: [{ bearer: [] }] })],
    ['it gives none', '/members', entrance(object({ id: integer }))],
  ])('are needed where %s', async (_, path, item) => {
    const send = await secured({ [path]: item })
    expect(await ask(send, `POST ${path} {"user":"a","password":"b"}`)).toMatch(/^401/)
  })

  it.each([
    ['query', 401, 401],
    ['header', 403, 403],
    ['query', 404, 400],
  ])('are missing where a required parameter is that of a scheme: %s, beside %d', async (place, documented, status) => {
    const parameter = { name: 'X-Lamp-Key', in: place, required: true, schema: text }
    const get = { ...lamps.get, parameters: [parameter] }
    const scheme = { type: 'apiKey', in: place, name: 'X-Lamp-Key' }
    const responses = { ...get.responses, [documented]: { description: '' } }
    const document = documentOf({ '/lamps': { get: { ...get, responses } } })
    const components = { securitySchemes: { key: scheme } }
    const send = await openSketch(JSON.stringify({ ...(document as object), components }))
    expect(await ask(send, 'GET /lamps')).toMatch(new RegExp(`^${status}`))
    if (place === 'query') expect(await ask(send, 'GET /lamps?X-Lamp-Key=dev')).toMatch(/^200/)
  })
})
