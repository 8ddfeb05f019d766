/** A server behind a proxy, as docs/tasks/behind-a-proxy.md says: which headers it reads, and that the inspector can write. */
import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { writeFolder } from '../support/serving.js'
import { serveWarm } from '../support/warm.js'

const record = {
  type: 'object',
  required: ['name'],
  properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
}
const content = { 'application/json': { schema: record } }
const document = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1.0.0' },
  servers: [{ url: 'https://things.example/v1' }],
  paths: {
    '/things': {
      post: {
        requestBody: { required: true, content },
        responses: {
          201: {
            description: 'Made',
            headers: { Location: { schema: { type: 'string', format: 'uri' } } },
            content,
          },
        },
      },
    },
    '/things/{id}': {
      get: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 200: { description: 'A thing', content } },
      },
    },
  },
}

/** Serves the document behind a proxy that passes `Host` on, as one that speaks TLS at `sandbox.example.com`. */
async function openProxy(...options: string[]): Promise<string> {
  const folder = await writeFolder({ 'things.json': JSON.stringify(document) })
  const { port } = await serveWarm(['things.json', '--records', '0', '--log', 'none', ...options], { cwd: folder })
  const proxy = createServer((incoming, outgoing) => {
    const headers = {
      ...incoming.headers,
      host: 'sandbox.example.com',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'other.example.com',
      'x-forwarded-prefix': '/prefix',
    }
    const { method, url: path } = incoming
    const forwarded = send({ port, host: '127.0.0.1', method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(forwarded)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void proxy.close())
  await once(proxy, 'listening')
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

const json = { 'Content-Type': 'application/json' }

it('takes the host and the protocol of its links from Host and X-Forwarded-Proto, and from no other header', async () => {
  const url = await openProxy('--allow-host', 'sandbox.example.com')
  const made = await fetch(`${url}/v1/things`, { method: 'POST', headers: json, body: '{"name":"a"}' })
  expect(made.status).toBe(201)
  expect(made.headers.get('location')).toBe('https://sandbox.example.com/v1/things/1')
})

it('refuses a host that is not allowed, and names the option', async () => {
  const url = await openProxy()
  const refused = await fetch(`${url}/v1/things/1`)
  expect([refused.status, await refused.text()]).toEqual([
    421,
    expect.stringContaining('--allow-host sandbox.example.com'),
  ])
})

it('lets a page of its own host change data, with the token', async () => {
  const url = await openProxy('--allow-host', 'sandbox.example.com', '--control-token', 'secret')
  const reset = async (headers: Record<string, string>) =>
    (await fetch(`${url}/_sandbox/worlds/sandbox/reset`, { method: 'POST', headers: { ...json, ...headers } })).status
  const Authorization = 'Bearer secret'
  expect(await reset({ Authorization, Origin: 'https://sandbox.example.com' })).toBe(200)
  expect(await reset({ Authorization, Origin: 'https://other.example.com' })).toBe(403)
  expect(await reset({ Origin: 'https://sandbox.example.com' })).toBe(401)
})
