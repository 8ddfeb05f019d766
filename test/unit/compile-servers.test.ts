import { describe, expect, it } from 'vitest'
import type { Server } from '../../src/contract/contract.js'
import type { OpenApiDocument, OperationObject, ServerObject } from '../../src/document/document.js'
import { createNotes } from '../../src/document/notes.js'
import { inferAndCompile } from '../../src/entries/compile-text.js'

const get: OperationObject = { responses: { 200: {} } }

function contractOf(servers: readonly object[] | undefined, paths: object = { '/xs': { get } }) {
  const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, servers, paths } as OpenApiDocument
  return inferAndCompile(document, createNotes(), { isForModule: false }).contract
}

function serversOf(servers: readonly object[] | undefined, paths?: object): Server[] {
  return contractOf(servers, paths).servers
}

function describeServer({ name, url, basePath, mount }: Server): string {
  return `${name}: ${url || '(none)'} has the base ${basePath || '/'} at ${mount || '/'}`
}

describe('the address of a server', () => {
  it.each<[string, ServerObject, string]>([
    [
      'a default',
      { url: 'https://{a}.example/v{b}', variables: { a: { default: 'x' }, b: { default: 2 } } },
      'https://x.example/v2',
    ],
    [
      'an empty default',
      { url: 'https://a.example/{b}', variables: { b: { default: '', enum: ['v1'] } } },
      'https://a.example',
    ],
    ['no default', { url: 'https://{a}.example', variables: { a: { enum: ['eu', 'us'] } } }, 'https://eu.example'],
    ['an empty list', { url: 'https://{a}.example', variables: { a: { enum: [] } } }, 'https://a.example'],
    ['nothing', { url: 'https://{a}.example', variables: { a: {} } }, 'https://a.example'],
    ['no declaration', { url: 'https://{constructor}.example/{b}' }, 'https://constructor.example/b'],
    ['no partner for a brace', { url: 'https://a.example/{b' }, 'https://a.example/{b'],
  ])('has a variable with %s', (_, server, url) => {
    expect(serversOf([server]).map((each) => each.url)).toEqual([url])
  })

  it.each([
    ['localhost:8080/x', 'localhost: http://localhost:8080/x has the base /x at /x'],
    ['127.0.0.1:80', '127-0-0-1: http://127.0.0.1:80 has the base / at /'],
    ['{scheme}://{host}', 'host: scheme://host has the base / at /'],
    ['{scheme}://{host}:{port}/v1', 'host: scheme://host:port/v1 has the base /v1 at /v1'],
    ['//api.example/v1', 'api: //api.example/v1 has the base /v1 at /v1'],
    ['an address', 'default: an address has the base /an%20address at /an%20address'],
    [' https://api.example/v1 ', 'api: https://api.example/v1 has the base /v1 at /v1'],
    ['/v4', 'default: /v4 has the base /v4 at /v4'],
    ['v4', 'default: v4 has the base /v4 at /v4'],
    ['.', 'default: . has the base / at /'],
    ['', 'default: (none) has the base / at /'],
    ['/_sandbox', 'default: /_sandbox has the base /_sandbox at /default/_sandbox'],
  ])('may be %j', (url, expected) => {
    expect(serversOf([{ url }]).map(describeServer)).toEqual([expected])
  })

  it.each([[undefined], [[]]])('is the root if the servers are %j', (servers) => {
    expect(serversOf(servers).map(describeServer)).toEqual(['default: (none) has the base / at /'])
  })
})

describe('the name of a server', () => {
  it.each<[ServerObject[], string[]]>([
    [
      [
        { url: '/a', description: 'Main server' },
        { url: '/b', description: '- (test)' },
      ],
      ['main', 'test'],
    ],
    [
      [{ url: 'https://eu.example', description: '主' }, { url: 'https://us.example' }],
      ['eu', 'us'],
    ],
    [
      [{ url: 'https://a.example/1' }, { url: 'https://a.example/2' }, { url: 'https://a.example/3' }],
      ['1', '2', '3'],
    ],
    [
      [
        { url: '/a', 'x-sandbox-name': 'x' },
        { url: '/b', 'x-sandbox-name': 'x' },
      ],
      ['x', 'x-2'],
    ],
    [
      [
        { url: '/a', description: 'Live' },
        { url: '/b', 'x-sandbox-name': 'live' },
      ],
      ['live-2', 'live'],
    ],
    [
      [
        { url: '/a', 'x-sandbox-name': 'x-2' },
        { url: '/b/c', description: 'x' },
        { url: '/c/b', description: 'x' },
      ],
      ['x-2', 'x', 'x-3'],
    ],
    [[{ url: '/a', 'x-sandbox-name': '' }], ['default']],
    [
      [
        { url: 'https://files.example', description: 'Server for uploads' },
        { url: 'https://auth.example', description: 'Server for tokens' },
        { url: 'https://cdn.example', description: 'An address of the API' },
      ],
      ['uploads', 'tokens', 'cdn'],
    ],
    [
      [
        { url: 'https://api.example/v1', description: 'Production' },
        { url: 'https://sandbox.example', description: 'Sandbox, not for production' },
      ],
      ['production', 'sandbox'],
    ],
    [
      [
        { url: 'https://api.example/eu', description: 'Production API' },
        { url: 'https://api.example/us', description: 'The production API' },
      ],
      ['eu', 'us'],
    ],
    [
      [{ url: 'https://api.example/v4' }, { url: 'https://api.example/v4beta' }],
      ['v4', 'v4beta'],
    ],
    [
      [{ url: 'https://api.example' }, { url: 'http://api.example' }],
      ['https', 'http'],
    ],
    [
      [{ url: 'http://localhost:80/a' }, { url: 'http://localhost:81/a' }],
      ['80', '81'],
    ],
    [
      [
        { url: '/a', description: 'constructor' },
        { url: '/b', description: 'constructor tostring' },
      ],
      ['a', 'tostring'],
    ],
    [
      [{ url: '/v1' }, { url: '/v2' }],
      ['v1', 'v2'],
    ],
    [[{ url: '/v1' }], ['default']],
  ])('of %j is %j', (servers, names) => {
    expect(serversOf(servers).map(({ name }) => name)).toEqual(names)
  })
})

describe('the mount of a server', () => {
  const mountsOf = (urls: readonly string[], paths: readonly string[]) =>
    serversOf(
      urls.map((url) => ({ url })),
      Object.fromEntries(paths.map((path) => [path, { get }])),
    ).map(({ mount }) => mount)

  it.each([
    [['https://a.example/v1', 'https://b.example/v1', 'https://c.example/v1'], ['/xs'], ['/v1', '/b/v1', '/c/v1']],
    [['https://a.example', 'https://sandbox.example'], ['/sandbox/jobs'], ['', '/sandbox-2']],
    [['https://a.example', 'https://sandbox.example'], ['/sandbox'], ['', '/sandbox-2']],
    [['https://a.example', 'https://sandbox.example'], ['/sandbox?a=b'], ['', '/sandbox-2']],
    [['https://a.example', 'https://sandbox.example'], ['/s%61ndbox/{id}'], ['', '/sandbox-2']],
    [
      ['https://a.example', 'https://sandbox.example'],
      ['/sandboxes', '/{sandbox}', '/{id}/sandbox'],
      ['', '/sandbox'],
    ],
    [
      ['https://a.example', 'https://b.example'],
      ['/b', '/b-2', '/b-3/x'],
      ['', '/b-4'],
    ],
    // A base path of another server may hide paths as well.
    [['https://a.example', 'https://b.example/v1'], ['/v1/xs'], ['', '/b/v1']],
    [['https://b.example/v1', 'https://a.example'], ['/v1/xs'], ['/v1', '/a']],
    [['https://a.example/x', 'https://b.example/x/v1'], ['/v1/xs'], ['/x', '/b/x/v1']],
    [['https://a.example/ü', 'https://b.example/ü'], ['/b/%C3%BC'], ['/%C3%BC', '/b/%C3%BC']],
  ])('of %j with %j is at %j', (urls, paths, mounts) => {
    expect(mountsOf(urls, paths)).toEqual(mounts)
  })

  it('hides only paths of the same server', () => {
    const own = { get: { ...get, servers: [{ url: 'https://b.example' }] } }
    const servers = serversOf([{ url: 'https://a.example' }], { '/xs': { get }, '/b/xs': own })
    expect(servers.map(describeServer)).toEqual([
      'a: https://a.example has the base / at /',
      'b: https://b.example has the base / at /b',
    ])
  })

  it('is different for each of fifty', () => {
    const urls = Array.from({ length: 50 }, (_, index) => `https://s${index}.example/v1`)
    const mounts = mountsOf(urls, ['/xs', '/s7/v1'])
    expect(new Set(mounts).size).toBe(50)
    expect(mounts.slice(0, 3)).toEqual(['/v1', '/s1/v1', '/s2/v1'])
  })
})

describe('servers', () => {
  it('of an operation are also those that differ only in their scheme', () => {
    const paths = { '/xs': { get: { ...get, servers: [{ url: 'http://api.example/v1' }] } } }
    const { servers, operations } = contractOf([{ url: 'https://api.example/v1' }], paths)
    expect(servers.map(({ mount }) => mount)).toEqual(['/v1', '/http/v1'])
    expect(operations.map((operation) => operation.servers)).toEqual([['https', 'http']])
  })

  it('with the same host and path are one', () => {
    const servers = serversOf(
      [
        { url: 'https://api.example/v1' },
        { url: 'https://API.example/v1/' },
        { url: 'https://{host}.example/v1', variables: { host: { default: 'api' } } },
        { url: 'https://api.example/v1?x=y' },
        { url: 'http://api.example/v1' },
      ],
      { '/xs': { get: { ...get, servers: [{ url: 'https://api.example/./v1' }] } } },
    )
    expect(servers.map(describeServer)).toEqual([
      'https: https://api.example/v1 has the base /v1 at /v1',
      'http: http://api.example/v1 has the base /v1 at /http/v1',
    ])
    expect(serversOf(['/v4', 'v4', './v4/'].map((url) => ({ url }))).length).toBe(1)
  })

  it('of an operation replace those of its path, and these those of the document; an empty list is as good as none', () => {
    const [path, operation] = [{ url: '/path' }, { url: '/operation' }]
    const document: OpenApiDocument = {
      openapi: '3.1.0',
      info: { title: 'T', version: '1' },
      servers: [{ url: '/document' }],
      paths: {
        '/a': { get },
        '/b': {
          servers: [path],
          get,
          put: { ...get, servers: [operation, path, path] },
          post: { ...get, servers: [] },
        },
        '/c': { servers: [], get },
      },
    }
    const { contract } = inferAndCompile(document, createNotes(), { isForModule: false })
    const mounts = new Map(contract.servers.map(({ name, mount }) => [name, mount]))
    expect(
      contract.operations.map(({ id, servers }) => `${id} ${servers.map((name) => mounts.get(name)).join(' ')}`),
    ).toEqual(['GET /a /document', 'GET /b /path', 'PUT /b /operation /path', 'POST /b /path', 'GET /c /document'])
  })
})
