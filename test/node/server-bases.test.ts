/** Servers and paths of a document whose addresses need care: each is reachable, and each link leads to this server. */
import { join } from 'node:path'
import { startServer } from 'petstore-sandbox/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeFolder } from '../support/serving.js'

/** A server in the document, and the path at which the sandbox serves it. */
const bases = [
  ['/ü', '/%C3%BC'],
  ['https://api.example/ü/v1', '/%C3%BC/v1'],
  ['/a b', '/a%20b'],
  ['/a%20b', '/a%20b'],
  ['/%c3%bc', '/%c3%bc'],
  ['/🐕', '/%F0%9F%90%95'],
  ['/a"b<c>', '/a%22b%3Cc%3E'],
  ['/a\\b', '/a/b'],
  ['/v1/../v2/./', '/v2'],
  ['/v1//', '/v1'],
  ['/v1?query=/x', '/v1'],
  ['https://api.example?query=/x', ''],
  ['https://api.example#/x', ''],
  ['//api.example/v1', '/v1'],
  ['//api.example', ''],
  ['https://api.example:8443/v1', '/v1'],
  ['v1', '/v1'],
  ['./v1', '/v1'],
  ['.', ''],
  ['/', ''],
] as const

function documentOf(servers: readonly object[], paths: object): string {
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, servers, paths })
}

async function serveDocument(text: string) {
  const folder = await writeFolder({ 'document.json': text })
  const server = await startServer({ port: 0, spec: join(folder, 'document.json') })
  onTestFinished(() => server.close())
  return server
}

const ok = { responses: { '200': { description: 'ok' } } }

describe('a server of the document', () => {
  it.each(bases)('at %s is served at "%s"', async (url, mount) => {
    const { url: origin, sandbox } = await serveDocument(documentOf([{ url }], { '/xs': { get: ok } }))
    expect(sandbox.contract.servers.map((each) => each.mount)).toEqual([mount])
    expect((await fetch(`${origin}${mount}/xs`)).status).toBe(200)
    // A client joins the base of the document with the path.
    const path = url.replace(/^(?:https:)?\/\/[^/?#]*/, '').replace(/[?#].*/, '')
    const joined = new URL(`${path.replace(/\/+$/, '')}/xs`.replace(/^(?!\/)/, '/'), origin)
    expect((await fetch(joined)).status).toBe(200)
    expect((await sandbox.fetch(joined.href)).status).toBe(200)
  })

  it.each(['ü', 'a b', 'a/b', 'a?b', 'a#b', '%41', 'a%2Fb'])(
    'with the name %j and a taken path is served',
    async (name) => {
      const servers = [{ url: 'https://one.example/v1' }, { url: 'https://two.example/v1', 'x-sandbox-name': name }]
      const { url, sandbox } = await serveDocument(documentOf(servers, { '/xs': { get: ok } }))
      const [, other] = sandbox.contract.servers
      expect(other?.name).toBe(name)
      expect((await fetch(`${url}/${encodeURIComponent(name)}/v1/xs`)).status).toBe(200)
      expect(sandbox.journal.list().at(-1)?.server).toBe(name)
    },
  )
})

it.each([
  ['their paths', [['https://api.example/rest/v1'], ['https://api.example/rest/v2']], ['v1', 'v2']],
  ['the environment in a sentence', [['https://a.example', 'Use this to test (staging)!']], ['staging']],
  ['a whole IP address', [['https://10.0.0.1:8443/rest', 'A server']], ['10-0-0-1']],
  [
    'the host if the description is long',
    [['https://dl.example/2.0', 'An opaque server URL for downloading zip downloads. Its format may change.']],
    ['dl'],
  ],
  [
    'the host if the description is about any server',
    [
      [
        'https://api.example',
        'Your own server, on premise or in the cloud: ask your administrator for the address before you use it',
      ],
    ],
    ['api'],
  ],
  ['what description and host agree on', [['https://upload.example', 'Server for file uploads']], ['upload']],
])('names servers by %s', async (_, written, names) => {
  const servers = written.map(([url, description]) => ({ url, description }))
  const { sandbox } = await serveDocument(documentOf(servers, { '/xs': { get: ok } }))
  expect(sandbox.contract.servers.map(({ name }) => name)).toEqual(names)
})

describe('a document with servers that need care is served', () => {
  it.each([
    ['a variable that is not declared', [{ url: 'https://{host}.example/{version}' }], '/version'],
    ['no scheme', [{ url: 'localhost:8080/x' }], '/x'],
    ['nothing but variables', [{ url: '{scheme}://{host}:{port}' }], ''],
    ['any text', [{ url: 'see the documentation' }], '/see%20the%20documentation'],
    ['an empty list', [], ''],
  ])('if its address has %s', async (_, servers, mount) => {
    const { url } = await serveDocument(documentOf(servers, { '/xs': { get: ok } }))
    expect((await fetch(`${url}${mount}/xs`)).status).toBe(200)
  })

  it('at the addresses of fifty', async () => {
    const servers = Array.from({ length: 50 }, (_, index) => ({ url: `https://s${index}.example/v1` }))
    const { url, sandbox } = await serveDocument(documentOf(servers, { '/xs': { get: ok } }))
    const bases = [`${url}/v1`, `${url}/s1/v1`, `${url}/s49/v1`]
    expect(await Promise.all(bases.map(async (base) => (await fetch(`${base}/xs`)).status))).toEqual([200, 200, 200])
    const addresses = ['https://s0.example/v1/xs', 'https://s49.example/v1/xs']
    for (const address of addresses) expect((await sandbox.fetch(address)).status).toBe(200)
    const served = sandbox.journal.list().map(({ server }) => server)
    expect([...served.slice(0, 3).sort(), ...served.slice(3)]).toEqual(['s0', 's1', 's49', 's0', 's49'])
  })

  it('with a mount that hides no documented path', async () => {
    const servers = [{ url: 'https://api.example' }, { url: 'https://sandbox.example' }]
    const { url, sandbox } = await serveDocument(documentOf(servers, { '/sandbox/{id}': { get: ok } }))
    for (const path of ['/sandbox/1', '/sandbox-2/sandbox/1']) expect((await fetch(`${url}${path}`)).status).toBe(200)
    expect(sandbox.journal.list().map(({ server }) => server)).toEqual(['api', 'sandbox'])
  })
})

describe('the link to a successor', () => {
  const paths = ['/a', '//a', '///a', '//a.example/b', '/a//b', '/./a', '/a:b', '/ü', '/a b', '/a?b', '/a#b']

  it.each(paths.flatMap((path) => ['', '/v1'].map((base) => [path, base] as const)))(
    'at %s below "%s" leads to this server',
    async (path, base) => {
      const old = { ...ok, deprecated: true, 'x-successor': { operationId: 'next' } }
      const document = documentOf([{ url: base || '/' }], {
        '/old': { get: old },
        [path]: { get: { ...ok, operationId: 'next' } },
      })
      const { url } = await serveDocument(document)
      const { headers } = await fetch(`${url}${base}/old`)
      const [, link = ''] = /^<([^>]*)>; rel="successor-version"$/.exec(headers.get('link') ?? '') ?? []
      expect(link).not.toBe('')
      expect(new URL(link, `${url}${base}/old`).origin).toBe(url)
      if (/^[/a.]+$/.test(path) && !path.includes('/./')) {
        expect((await fetch(new URL(link, `${url}${base}/old`))).status).toBe(200)
      }
    },
  )
})
