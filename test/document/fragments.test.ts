/** Operations whose documented paths differ only in their fragments, which no client sends, are all reached. */
import { compileDocument, createSandbox } from 'petstore-sandbox'
import { expect, it } from 'vitest'

const only = (place: string, name: string, value?: string) => ({
  name,
  in: place,
  required: true,
  schema: { type: 'string', ...(value === undefined ? {} : { enum: [value] }) },
})

/** Each operation answers its own name: `GET /path#fragment`. */
async function serve(operations: Record<string, object[]>, components: object = {}) {
  const paths: Record<string, Record<string, object>> = {}
  for (const [name, parameters] of Object.entries(operations)) {
    const [method = '', path = ''] = name.split(' ')
    const content = { 'text/plain': { example: name } }
    paths[path] ??= {}
    paths[path][method.toLowerCase()] = { parameters, responses: { 200: { description: 'ok', content } } }
  }
  const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths, components }
  const { contract, notes } = await compileDocument(JSON.stringify(document))
  const sandbox = createSandbox({ contract })
  const ask = async (method: string, target: string, headers: Record<string, string> = {}) => {
    const response = await sandbox.fetch(`http://localhost${target}`, { method, headers })
    return response.ok ? response.text() : String(response.status)
  }
  return { ask, notes: notes().map(({ message, instead }) => `${message}; ${instead}`) }
}

it('by a header that has one value for each', async () => {
  const { ask, notes } = await serve({
    'POST /#X-Target=Service.Get': [only('header', 'X-Target', 'Service.Get')],
    'POST /#X-Target=Service.List': [only('header', 'X-Target', 'Service.List')],
  })
  expect(notes).toEqual([])
  expect(await ask('POST', '/', { 'x-target': 'Service.List' })).toBe('POST /#X-Target=Service.List')
  expect(await ask('POST', '/', { 'x-target': 'Service.Get' })).toBe('POST /#X-Target=Service.Get')
  expect(await ask('POST', '/', { 'x-target': 'Service.Drop' })).toBe('400')
  expect(await ask('POST', '/')).toBe('400')
})

it('by a query parameter that has one value for each', async () => {
  const version = only('query', 'Version', '1')
  const { ask, notes } = await serve(
    {
      'GET /#Action=Get': [version, only('query', 'Action', 'Get')],
      'GET /#Action=List': [version, { ...only('query', 'Action'), schema: { $ref: '#/components/schemas/List' } }],
      'GET /#Action=Drop': [version, { ...only('query', 'Action'), schema: { const: 'Drop' } }],
    },
    { schemas: { List: { type: 'string', enum: ['List'] } } },
  )
  expect(notes).toEqual([])
  for (const action of ['Get', 'List', 'Drop']) {
    expect(await ask('GET', `/?Version=1&Action=${action}`)).toBe(`GET /#Action=${action}`)
  }
})

it('by a parameter that the fragment names', async () => {
  const { ask, notes } = await serve({
    'GET /servers#name': [only('query', 'name')],
    'GET /servers#zone': [only('header', 'zone')],
    'GET /servers': [],
  })
  expect(notes).toEqual([])
  expect(await ask('GET', '/servers?name=a')).toBe('GET /servers#name')
  expect(await ask('GET', '/servers', { zone: 'a' })).toBe('GET /servers#zone')
  expect(await ask('GET', '/servers')).toBe('GET /servers')
})

it('else by the fragment as a part of the path, except for the first', async () => {
  const { ask, notes } = await serve({
    'PUT /files/{id}': [only('path', 'id')],
    'PUT /files/{id}#share/{x}': [only('path', 'id')],
    'GET /a?b=c#d': [],
    'GET /a?b=c#e': [],
    'POST /a#f': [],
  })
  expect(notes).toEqual([
    'PUT /files/{id}#share/{x} and PUT /files/{id} are the same; the second is reached at "/files/{id}%23share%2F%7Bx%7D"',
    'GET /a?b=c#e and GET /a?b=c#d are the same; the second is reached at "/a%23e?b=c"',
  ])
  expect(await ask('PUT', '/files/1')).toBe('PUT /files/{id}')
  expect(await ask('PUT', '/files/1%23share%2F%7Bx%7D')).toBe('PUT /files/{id}#share/{x}')
  expect(await ask('GET', '/a?b=c')).toBe('GET /a?b=c#d')
  expect(await ask('GET', '/a%23e?b=c')).toBe('GET /a?b=c#e')
  expect(await ask('POST', '/a')).toBe('POST /a#f')
})

it('by the name alone where the fragment is a name, and by what else is required', async () => {
  const flag = (name: string) => only('query', name, 'true')
  const { ask, notes } = await serve({
    'GET /b': [],
    'GET /b#acl': [flag('acl')],
    'GET /b#logs&id': [only('query', 'id'), flag('logs')],
    'GET /b#logs': [flag('logs')],
    'GET /b#type=2': [only('query', 'type', '2')],
    'GET /b#logs&old': [flag('logs')],
  })
  expect(notes).toEqual(['GET /b#logs&old and GET /b are the same; the second is reached at "/b%23logs%26old"'])
  expect(await ask('GET', '/b?id=5')).toBe('GET /b')
  expect(await ask('GET', '/b?acl=true')).toBe('GET /b#acl')
  expect(await ask('GET', '/b?acl=no')).toBe('400')
  expect(await ask('GET', '/b?logs=true')).toBe('GET /b#logs')
  expect(await ask('GET', '/b?logs=true&id=5')).toBe('GET /b#logs&id')
  expect(await ask('GET', '/b?type=2')).toBe('GET /b#type=2')
  expect(await ask('GET', '/b?type=1')).toBe('GET /b')
  expect(await ask('GET', '/b%23logs%26old?logs=true')).toBe('GET /b#logs&old')
})

it('with the message of the operation whose name is given, if it requires more', async () => {
  const { ask } = await serve({
    'GET /b': [],
    'GET /b#logs&id': [only('query', 'id'), only('query', 'logs')],
    'GET /b#logs&key': [only('query', 'key'), only('query', 'logs')],
  })
  expect(await ask('GET', '/b?logs=1&key=2')).toBe('GET /b#logs&key')
  expect(await ask('GET', '/b?logs=1')).toBe('400')
  expect(await ask('GET', '/b')).toBe('GET /b')
})

it('and the path without a fragment without its optional parameters', async () => {
  const { ask, notes } = await serve({
    'GET /b#part': [only('query', 'part')],
    'GET /b': [{ ...only('query', 'mode', 'fast'), required: false }],
  })
  expect(notes).toEqual([])
  expect(await ask('GET', '/b')).toBe('GET /b')
  expect(await ask('GET', '/b?mode=fast')).toBe('GET /b')
  expect(await ask('GET', '/b?part=1')).toBe('GET /b#part')
})
