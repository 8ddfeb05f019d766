/** Connections to the server: how they are reused, refused and ended. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import type { RunningServer } from 'petstore-sandbox/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Answer, auth, json, kim, listPets, oneConnection, open, type Sent, send } from '../support/open-server.js'

/** Sends raw bytes, and reads until the server ends the connection. */
function sendBytes(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part
    })
    socket.on('error', reject).on('close', () => resolve(text))
    socket.write(bytes)
  })
}

describe('connections', () => {
  it('are reused for the next request, even after a refusal', async () => {
    const server = await open()
    const agent = oneConnection()
    const sent: Sent[] = [
      { path: '/v1/pets', headers: auth },
      { path: '/v1/pets' },
      { path: '/nothing' },
      { path: '/v1/pets', method: 'POST', headers: json, body: 'not JSON' },
      { path: '/v1/pets', method: 'DELETE', headers: auth },
      { path: '/v1/pets', method: 'POST', headers: json, body: kim },
      { path: '/_sandbox/health', method: 'HEAD' },
      { path: '/v1/pets', headers: auth },
    ]
    const answers: Answer[] = []
    for (const each of sent) answers.push(await send(server, agent, each))
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 400, 405, 201, 200, 200])
    expect(new Set(answers.map(({ from }) => from)).size).toBe(1)
  })

  it.each([
    { name: 'with its length', headers: json },
    { name: 'in chunks', headers: { ...json, 'Transfer-Encoding': 'chunked' } },
  ])('carry a body that is too large to its end, $name, and 413 after it', async ({ headers }) => {
    const server = await open({ maxBodyBytes: 1000 })
    const agent = oneConnection()
    const before = await listPets(server.url)
    const body = JSON.stringify({ name: 'x'.repeat(8_000_000), categoryId: 1 })
    const large = await send(server, agent, {
      path: '/v1/pets',
      method: 'POST',
      headers,
      body,
    })
    expect(large.status).toBe(413)
    expect(JSON.parse(large.text)).toEqual({
      code: 'payload_too_large',
      message: expect.stringContaining('1000'),
      status: 413,
    })
    const next = await send(server, agent, { path: '/v1/pets', headers: auth })
    expect(JSON.parse(next.text)).toEqual(before)
    expect(next.from).toBe(large.from)
  })

  it('accepts a body of exactly the limit', async () => {
    const { url } = await open({ maxBodyBytes: Buffer.byteLength(kim) })
    const post = (body: string) => fetch(`${url}/v1/pets`, { method: 'POST', headers: json, body })
    expect((await post(kim)).status).toBe(201)
    expect((await post(`${kim} `)).status).toBe(413)
  })

  it('have timeouts for the headers, for the whole request and for idle connections', async () => {
    const server = await open()
    const served = await serverBehind(server)
    expect(served.headersTimeout).toBe(10_000)
    expect(served.requestTimeout).toBe(60_000)
    expect(served.keepAliveTimeout).toBe(30_000)
  })

  /** Node.js publishes which server answered a request. */
  async function serverBehind({ url }: RunningServer): Promise<Server> {
    const found: Server[] = []
    const look = (message: unknown) => found.push((message as { server: Server }).server)
    subscribe('http.server.request.start', look)
    await fetch(`${url}/_sandbox/health`)
    unsubscribe('http.server.request.start', look)
    const [server] = found
    if (!server) throw new Error('No request was seen')
    return server
  }

  it.each([
    { name: 'text that is not HTTP', sent: 'hello\r\n\r\n', status: 400 },
    { name: 'TLS', sent: Uint8Array.of(0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03), status: 400 },
    { name: 'a header without a name', sent: 'GET /v1/pets HTTP/1.1\r\n: x\r\n\r\n', status: 400 },
    { name: 'a request without a host', sent: 'GET /v1/pets HTTP/1.1\r\n\r\n', status: 400 },
    {
      name: 'two lengths',
      sent: 'POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
      status: 400,
    },
    {
      name: 'a length and chunks',
      sent: 'POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      status: 400,
    },
    {
      name: 'a chunk without a size',
      sent: `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\n${lines(json)}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
      status: 400,
    },
    {
      name: 'headers beyond 16 KiB',
      sent: `GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
      status: 431,
    },
  ])('refuse $name and serve on', async ({ sent, status }) => {
    const server = await open()
    const before = await listPets(server.url)
    const answer = await sendBytes(server.port, sent)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toMatch(/^Connection: close\r$/m)
    expect(answer).not.toMatch(/\n\s+at |node:internal/)
    expect(await listPets(server.url)).toEqual(before)
  })

  it.each([
    { name: 'CONNECT', sent: '' },
    { name: 'CONNECT after a delayed request', sent: `GET /v1/pets HTTP/1.1\r\n${lines(auth)}Prefer: delay=50\r\n` },
    { name: 'CONNECT after a refused one', sent: 'GET /none HTTP/1.1\r\n' },
  ])('may be reset after $name, and the server serves on', async ({ sent }) => {
    const server = await open()
    const errors: Error[] = []
    const listen = (error: Error) => void errors.push(error)
    process.on('uncaughtExceptionMonitor', listen)
    onTestFinished(() => void process.off('uncaughtExceptionMonitor', listen))
    const before = sent && `${sent}Host: localhost\r\n\r\n`
    for (let count = 0; count < 20; count++) {
      const socket = connect(server.port, '127.0.0.1').on('error', () => {})
      await once(socket, 'connect')
      socket.write(`${before}CONNECT x:1 HTTP/1.1\r\nHost: localhost\r\n\r\n`, () => socket.resetAndDestroy())
      await once(socket, 'close')
    }
    await send(server, oneConnection(), { path: '/v1/pets', headers: { ...auth, Prefer: 'delay=150' } })
    expect(errors).toEqual([])
  })

  it('may end in the middle of a body, and nothing is stored', async () => {
    const server = await open()
    const before = await listPets(server.url)
    const { port } = server
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1')
      // The whole pet, but fewer bytes than Content-Length.
      socket.write(
        `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\n${lines(json)}Content-Length: 100\r\nExpect: 100-continue\r\n\r\n`,
      )
      socket.once('data', () => socket.end(kim))
      socket.resume().on('close', () => resolve())
    })
    expect(await listPets(server.url)).toEqual(before)
  })

  function lines(headers: Record<string, string>): string {
    return Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')
  }
})
