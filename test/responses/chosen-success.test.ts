/** Which documented response is the success of an operation that documents no 2xx. */
import { expect, it } from 'vitest'
import { documentOf, openDocument, type Part, receive } from '../support/one-operation.js'

const content = (schema: Part) => ({ 'application/json': { schema } })
const pets = { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } }
const failure = { type: 'object', properties: { message: { type: 'string' } } }

async function ask(method: 'get' | 'post' | 'delete', responses: Part, components: Part = {}) {
  const operation = { responses }
  const document = documentOf({ '/xs': { [method]: operation } }, { components: { schemas: components } })
  const connection = await openDocument('fetch', document)
  return receive(connection, { method: method.toUpperCase(), target: '/xs' })
}

it.each(['get', 'post', 'delete'] as const)(
  'answers %s with a default that is no error as with 200',
  async (method) => {
    const { status, text } = await ask(method, { default: { description: 'OK', content: content(pets) } })
    expect([status, Array.isArray(JSON.parse(text))]).toEqual([200, true])
  },
)

it('keeps a list that only a default describes', async () => {
  const body = { required: true, content: content({ type: 'object', properties: { id: { type: 'integer' } } }) }
  const item = body.content['application/json'].schema
  const paths = {
    '/xs': {
      get: { responses: { default: { description: 'Default response', content: content(pets) } } },
      post: { requestBody: body, responses: { default: { description: '', content: content(item) } } },
    },
  }
  const connection = await openDocument('fetch', documentOf(paths))
  const headers = [['Content-Type', 'application/json']] as const
  const created = await receive(connection, { method: 'POST', target: '/xs', headers, body: '{"id":7}' })
  expect([created.status, created.text]).toEqual([200, '{"id":7}'])
  expect((await receive(connection, { method: 'GET', target: '/xs' })).text).toBe('[{"id":7}]')
})

it.each([
  ['its description', { default: { description: 'Unexpected error', content: content(failure) } }],
  ['an article before it', { default: { description: 'An error occurred.' } }],
  [
    'the name of its schema',
    { default: { description: '', content: content({ $ref: '#/components/schemas/ApiError' }) } },
  ],
  [
    'the schema of a documented error',
    {
      404: { description: '', content: content({ $ref: '#/components/schemas/Reply' }) },
      default: { description: '', content: content({ $ref: '#/components/schemas/Reply' }) },
    },
  ],
])('answers 204 for a sole default that is an error by %s', async (_, responses) => {
  const { status, text } = await ask('get', responses, { ApiError: failure, Reply: failure })
  expect([status, text]).toEqual([204, ''])
})

it('takes a default with words of an error and of success as the success', async () => {
  const { status } = await ask('get', { default: { description: 'Error or success', content: content(pets) } })
  expect(status).toBe(200)
})

it.each([
  [{ 302: { description: '' } }, 302, 'https://service.example/'],
  [{ '3XX': { description: '' }, 404: { description: '' } }, 302, 'https://service.example/'],
  [{ 307: { description: '', headers: { location: { schema: { type: 'string', example: '/ys' } } } } }, 307, '/ys'],
  [
    { 303: { description: '', headers: { Location: { schema: { type: 'string' } } } } },
    303,
    'https://service.example/',
  ],
  [{ 302: { description: '' }, default: { description: 'Service error.' } }, 302, 'https://service.example/'],
])('redirects as %j documents', async (responses, status, target) => {
  const answer = await ask('get', responses)
  expect([answer.status, answer.headers.location]).toEqual([status, target])
})

it.each([[{ 304: { description: '' } }], [{ 404: { description: '' } }], [{ 101: { description: '' } }]])(
  'answers 501 for a read with %j, which is no success',
  async (responses) => {
    expect((await ask('get', responses)).status).toBe(501)
  },
)

it('keeps what a creation adds that describes only errors', async () => {
  const item = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } }
  const missing = { 404: { description: 'Not found' } }
  const paths = {
    '/xs': { post: { requestBody: { content: content(item) }, responses: { 405: { description: 'Invalid input' } } } },
    '/xs/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: { 200: { description: '', content: content(item) }, ...missing } },
      delete: { responses: missing },
    },
  }
  const connection = await openDocument('fetch', documentOf(paths))
  const send = async (method: string, target: string, body?: string) => {
    const headers = body === undefined ? [] : ([['Content-Type', 'application/json']] as const)
    const { status, text } = await receive(connection, { method, target, headers, ...(body && { body }) })
    return [status, text]
  }
  const sent = '{"id":0,"name":"string"}'
  // Consoles send the same body again.
  for (let time = 0; time < 2; time++) expect(await send('POST', '/xs', sent)).toEqual([204, ''])
  expect(await send('GET', '/xs/0')).toEqual([200, sent])
  expect(await send('DELETE', '/xs/0')).toEqual([204, ''])
  expect((await send('GET', '/xs/0'))[0]).toBe(404)
  expect((await send('DELETE', '/xs/0'))[0]).toBe(404)
})
