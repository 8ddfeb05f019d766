/** Which hosts the server answers to. Any web page can direct its own name to this machine (DNS rebinding). */
import { describe, expect, it } from 'vitest'
import { hostless } from '../support/http-pieces.js'
import { open } from '../support/open-server.js'
import { sendBytes, statusesOf } from '../support/raw-http.js'

/** The status of a list that is requested with these lines of the head. */
async function statusOf(port: number, lines: string, line = 'GET /v1/pets HTTP/1.1'): Promise<number[]> {
  return statusesOf(await sendBytes(port, [`${line}\r\n${lines}${hostless}\r\n`]))
}

const allowed = [
  'localhost',
  'LOCALHOST:4010',
  'localhost.',
  'localhost:',
  'pets.localhost:4010',
  '127.0.0.1',
  '127.1.2.3:80',
  '[::1]:4010',
  '[::ffff:127.0.0.1]',
  '192.168.1.20:4010',
  'host.docker.internal:4010',
  'host.containers.internal',
  'api.petstore.example',
  'Staging.Petstore.Example:443',
]

const foreign = [
  'evil.example',
  'evil.example:4010',
  'localhost.evil.example',
  'evillocalhost',
  '127.0.0.1.evil.example',
  'petstore.example',
  'x.api.petstore.example',
  'sandbox',
  'xn--bcher-kva.example',
]

const malformed = ['', 'a b', 'a/b', 'user@localhost', 'localhost:http', 'localhost:99999', '[::1', '::1', 'a,b?']

describe('on a loopback address', () => {
  it.each(allowed)('answers to the host %j', async (host) => {
    const { port } = await open({ cors: false })
    expect(await statusOf(port, `Host: ${host}\r\n`)).toEqual([200])
  })

  it.each(foreign)('answers 421 to the host %j, for the service, the page and the document', async (host) => {
    const { port, sandbox } = await open({ cors: false })
    for (const path of ['/v1/pets', '/', '/_sandbox/openapi.json', '/nothing']) {
      const head = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/html\r\nConnection: close\r\n\r\n`
      const received = await sendBytes(port, [head])
      expect(statusesOf(received), path).toEqual([421])
      expect(JSON.parse(received.slice(received.indexOf('\r\n\r\n')))).toEqual({
        code: 'misdirected_request',
        message: expect.stringContaining(`--allow-host ${host.split(':')[0]}`),
        status: 421,
      })
    }
    expect(sandbox.journal.size).toBe(0)
  })

  it('stores nothing for a foreign host, also on a connection that named an allowed one', async () => {
    const { port, sandbox } = await open({ scenario: 'empty' })
    const create = (host: string) =>
      `POST /v1/pets HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer sandbox\r\nContent-Type: application/json\r\n` +
      'Content-Length: 27\r\n\r\n{"name":"A","categoryId":1}'
    expect(statusesOf(await sendBytes(port, [create('localhost') + create('evil.example')]))).toEqual([201, 421])
    expect(await sandbox.world().collection('pets').size()).toBe(1)
  })

  it('answers to the host that it listens on, and to further ones', async () => {
    const { port } = await open({ host: 'localhost', allowHosts: ['Sandbox', 'api.example.com'] })
    for (const host of ['sandbox:4010', 'api.example.com'])
      expect(await statusOf(port, `Host: ${host}\r\n`)).toEqual([200])
    expect(await statusOf(port, 'Host: x.api.example.com\r\n')).toEqual([421])
  })

  it('answers to any host with *', async () => {
    const { port } = await open({ allowHosts: ['*'] })
    expect(await statusOf(port, 'Host: evil.example\r\n')).toEqual([200])
    expect(await statusOf(port, 'Host: a b\r\n')).toEqual([400])
  })

  it('judges the host in an absolute target instead of the header', async () => {
    const { port } = await open()
    const get = (target: string, host: string) => statusOf(port, `Host: ${host}\r\n`, `GET ${target} HTTP/1.1`)
    expect(await get('http://localhost/v1/pets', 'evil.example')).toEqual([200])
    expect(await get('http://api.petstore.example/v1/pets', 'evil.example')).toEqual([200])
    expect(await get('http://evil.example/v1/pets', 'localhost')).toEqual([421])
    expect(await get('http://a@localhost/v1/pets', 'localhost')).toEqual([400])
    expect(await get('ftp://localhost/v1/pets', 'localhost')).toEqual([400])
  })
})

it('answers to any host on an address that other machines reach', async () => {
  const { port } = await open({ host: '0.0.0.0' })
  expect(await statusOf(port, 'Host: sandbox:4010\r\n')).toEqual([200])
  expect(await statusOf(port, 'Host: a b\r\n')).toEqual([400])
})

describe('refuses what RFC 9112 forbids', () => {
  it.each(malformed)('the host %j', async (host) => {
    const { port } = await open()
    expect(await statusOf(port, `Host: ${host}\r\n`)).toEqual([400])
  })

  it.each([
    { what: 'no host in HTTP/1.1', lines: '', gets: 400 },
    { what: 'two different hosts', lines: 'Host: localhost\r\nHost: 127.0.0.1\r\n', gets: 400 },
    { what: 'the same host twice', lines: 'Host: localhost\r\nhost: localhost\r\n', gets: 400 },
    { what: 'two hosts in one header', lines: 'Host: localhost, localhost\r\n', gets: 400 },
    {
      what: 'two hosts in HTTP/1.0',
      line: 'GET /v1/pets HTTP/1.0',
      lines: 'Host: localhost\r\nHost: a\r\n',
      gets: 400,
    },
    {
      what: 'chunks in HTTP/1.0',
      line: 'GET /v1/pets HTTP/1.0',
      lines: 'Host: localhost\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n',
      gets: 400,
    },
  ])('$what', async ({ line, lines, gets }) => {
    const { port } = await open()
    // It ends only when the server closes the connection.
    const head = `${line ?? 'GET /v1/pets HTTP/1.1'}\r\n${lines}Authorization: Bearer sandbox\r\n\r\n`
    expect(statusesOf(await sendBytes(port, [head]))).toEqual([gets])
  })
})
