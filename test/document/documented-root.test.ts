/** A documented `GET /` comes before the page of the sandbox, whatever a client accepts. */
import { join } from 'node:path'
import { startServer } from 'petstore-sandbox/node'
import { expect, it, onTestFinished } from 'vitest'
import { documentOf, type Part } from '../support/one-operation.js'
import { writeFolder } from '../support/serving.js'
import { serveWarm as serve } from '../support/warm.js'

const content = {
  'text/html': { schema: { type: 'string' }, example: '<p>Documented</p>' },
  'application/json': { schema: { type: 'object' }, example: { a: 1 } },
}
const root = { responses: { 200: { description: 'ok', content } } }
const others = { '/xs': { get: root } }

async function serveDocument(paths: Part, members: Part = {}): Promise<string> {
  const folder = await writeFolder({ 'a.json': documentOf(paths, members) })
  const { url, close } = await startServer({ spec: join(folder, 'a.json'), port: 0 })
  onTestFinished(close)
  return url
}

function open(url: string, accept: string, method = 'GET'): Promise<Response> {
  return fetch(url, { method, headers: { Accept: accept }, redirect: 'manual' })
}

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

it.each([[browser], ['text/html'], ['application/json'], ['*/*']])('answers %s with the document', async (accept) => {
  const { status, headers } = await open(`${await serveDocument({ '/': { get: root } })}/`, accept)
  expect([status, headers.get('location')]).toEqual([200, null])
})

const documented: [what: string, paths: Part, members?: Part][] = [
  ['GET and a query', { '/?action=list': { get: root } }],
  ['GET of several servers', { '/': { get: root } }, { servers: [{ url: 'https://a.example' }, { url: '/v1' }] }],
  ['a server with a slash', { '/': { get: root } }, { servers: [{ url: 'https://a.example/' }] }],
]

it.each(documented)('answers a browser with the document for %s', async (_, paths, members) => {
  const { status } = await open(`${await serveDocument(paths, members)}/?action=list`, browser)
  expect(status).toBe(200)
})

it('answers HEAD with the document', async () => {
  const { status } = await open(`${await serveDocument({ '/': { get: root } })}/`, browser, 'HEAD')
  expect(status).toBe(200)
})

const undocumented: [what: string, paths: Part, members?: Part][] = [
  ['other paths', others],
  ['a parameter', { '/{id}': { get: { ...root, parameters: [{ name: 'id', in: 'path', required: true }] } } }],
  ['another method', { '/': { post: root } }],
  ['a server below the root', { '/': { get: root } }, { servers: [{ url: 'https://a.example/v1' }] }],
]

it.each(undocumented)('leads a browser to the inspector for %s', async (_, paths, members) => {
  const { status, headers } = await open(`${await serveDocument(paths, members)}/`, browser)
  expect([status, headers.get('location')]).toEqual([302, '/_sandbox/'])
})

it('keeps the inspector at /_sandbox/', async () => {
  const response = await open(`${await serveDocument({ '/': { get: root } })}/_sandbox/`, browser)
  expect(await response.text()).toContain('inspector.js')
})

it('names the address of the inspector in the banner', async () => {
  const folder = await writeFolder({ 'a.json': documentOf({ '/': { get: root } }) })
  const server = await serve([join(folder, 'a.json')])
  expect(server.stdout()).toContain(`in a browser at ${server.url}/_sandbox/\n`)
})
