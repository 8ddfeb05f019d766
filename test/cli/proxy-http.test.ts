/** `proxy` as an HTTP proxy: what it forwards in both directions, and what it makes of a service that misbehaves. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { get, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { run } from '../support/launch.js'
import { listen } from '../support/providers.js'
import { openProxy } from '../support/proxy.js'
import { sendBytes, statusesOf } from '../support/raw-http.js'

const json = { 'Content-Type': 'application/json' }
const headers = { Authorization: 'Bearer live-key-1234567890' }
const head = 'Host: localhost\r\nAuthorization: Bearer live-key-1234567890\r\n'
const pets = JSON.stringify([{ id: 1, name: 'Rex', categoryId: 1, status: 'available' }])
const empty = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]'

/** Answers the head of each request with bytes, and ends the connection. @returns the address */
async function answerBytes(bytes: string | undefined, received: string[] = []): Promise<string> {
  const server = createServer((socket) => {
    let text = ''
    socket.on('error', () => {})
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk
      if (!/\r\n\r\n(?!.*[^\n]$)/s.test(text) && !text.endsWith('}')) return
      received.push(text)
      if (bytes !== undefined) socket.end(bytes, 'latin1')
    })
    onTestFinished(() => void socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

async function textOf(incoming: AsyncIterable<unknown>): Promise<string> {
  let text = ''
  for await (const chunk of incoming) text += String(chunk)
  return text
}

describe('a forwarded exchange', () => {
  it('is streamed in both directions', async () => {
    let got: IncomingMessage | undefined
    let answering: ServerResponse | undefined
    const origin = await listen((incoming, outgoing) => {
      got = incoming
      answering = outgoing
      outgoing.writeHead(201, json).flushHeaders()
    })
    const { url, stop } = await openProxy(`${origin}/v1`)
    const sent = request(`${url}/v1/pets`, { method: 'POST', headers: { ...headers, ...json } })
    sent.write('{"name":')
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    expect(String((await once(got as IncomingMessage, 'data'))[0])).toBe('{"name":')
    answering?.write('{"id":')
    expect(String((await once(answer, 'data'))[0])).toBe('{"id":')
    sent.end('"Rex","categoryId":1}')
    // A service that closes before it has read everything resets the connection.
    await once((got as unknown as IncomingMessage).resume(), 'end')
    const rest = textOf(answer)
    answering?.end('1,"name":"Rex","categoryId":1,"status":"available"}')
    expect(await rest).toMatch(/"available"}$/)
    expect((await stop()).report).toMatchObject({ requests: 1, findings: [], isPassed: true })
  })

  it('may be of any size, and is judged up to a limit', async () => {
    const size = 30 * 1024 * 1024
    const origin = await listen((incoming, outgoing) => incoming.pipe(outgoing.writeHead(201, json)))
    const { url, stop } = await openProxy(`${origin}/v1`, ['--max-memory', '8m'])
    const body = Buffer.alloc(size, 'a')
    const answer = await fetch(`${url}/v1/pets`, { method: 'POST', headers: { ...headers, ...json }, body })
    expect(Buffer.from(await answer.arrayBuffer()).equals(body)).toBe(true)
    const { report, folder } = await stop()
    expect(report.findings).toEqual([])
    expect(report.notes).toEqual([
      '1 request with a body that was too long to be judged (--max-body, --max-memory)',
      '1 request with an answer that was too long to be judged (--max-body, --max-memory)',
    ])
    const [entry] = JSON.parse(await readFile(join(folder, 'traffic.har'), 'utf8')).log.entries
    expect(entry).toMatchObject({ response: { status: 201 }, comment: expect.stringContaining('too long') })
  })

  it('may take longer to send than the service may take to answer', async () => {
    const origin = await listen((incoming, outgoing) => {
      incoming.resume().on('end', () => outgoing.writeHead(201, json).end(JSON.stringify(JSON.parse(pets)[0])))
    })
    const { url, stop } = await openProxy(`${origin}/v1`, ['--timeout', '4'])
    const sent = request(`${url}/v1/pets`, { method: 'POST', headers: { ...headers, ...json } })
    sent.write('{"name":"Rex",')
    await sleep(4_500)
    sent.end('"categoryId":1}')
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(201)
    answer.resume()
    await once(answer, 'end')
    expect((await stop()).ids).toEqual([])
  })

  it('may be answered before it is complete', async () => {
    const origin = await listen((incoming, outgoing) => {
      incoming.once('data', () => outgoing.writeHead(413, { ...json, Connection: 'close' }).end('{}'))
    })
    const { url, stop } = await openProxy(`${origin}/v1`)
    const sent = request(`${url}/v1/pets`, { method: 'POST', headers: { ...headers, ...json, Connection: 'close' } })
    sent.write('{"name":')
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    expect(await textOf(answer)).toBe('{}')
    expect(answer.statusCode).toBe(413)
    // The rest is read, but nobody needs it.
    sent.on('error', () => {})
    sent.end(Buffer.alloc(10_000_000, 'a'))
    expect((await stop()).ids).toEqual([])
  })

  it('stays compressed, and is judged decoded', async () => {
    const origin = await listen((_, outgoing) =>
      outgoing.writeHead(200, { ...json, 'Content-Encoding': 'gzip' }).end(gzipSync('[{"id":1}]')),
    )
    const { url, stop } = await openProxy(`${origin}/v1`)
    const [answer] = (await once(get(`${url}/v1/pets`, { headers }), 'response')) as [IncomingMessage]
    const chunks = await answer.toArray()
    expect(Buffer.concat(chunks).equals(gzipSync('[{"id":1}]'))).toBe(true)
    expect((await stop()).ids).toEqual(['response-schema GET /pets 200 body[] required'])
  })

  it('has the host of the service, and no headers of another connection', async () => {
    const received: string[] = []
    const address = await answerBytes(
      'HTTP/1.1 302 Moved Here\r\nconnection: x-hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=1\r\nX-ODD: \xe4\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nLocation: http://elsewhere.example/\r\nContent-Length: 0\r\n\r\n',
      received,
    )
    const { port, stop } = await openProxy(address)
    const own =
      'X-own: \u00e4\r\nx-OWN: 2\r\nTE: trailers\r\nConnection: close, X-Mine\r\nX-Mine: 1\r\nSandbox-Source: a.js:1\r\n'
    const answer = await sendBytes(port, [`GET /v1/pets?a=%2f&b HTTP/1.1\r\n${head}${own}\r\n`])
    const { host } = new URL(address)
    expect(received).toEqual([
      `GET /v1/pets?a=%2f&b HTTP/1.1\r\n${head.replace('localhost', host)}X-own: \xc3\xa4\r\nx-OWN: 2\r\nConnection: keep-alive\r\n\r\n`,
    ])
    expect(answer).toBe(
      'HTTP/1.1 302 Moved Here\r\nX-ODD: \xe4\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nLocation: http://elsewhere.example/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    )
    expect((await stop()).report.findings.map(({ sources }) => sources?.[0]?.call.file)).toContain('a.js')
  })

  it('keeps its framing and its trailers', async () => {
    const received: string[] = []
    const answer =
      'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n2\r\n[]\r\n0\r\nX-T: 1\r\n\r\n'
    const { port } = await openProxy(await answerBytes(answer, received))
    const pieces = [
      `DELETE /v1/pets HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\nX-R: 2\r\n\r\n`,
    ]
    expect(await sendBytes(port, pieces)).toMatch(/^HTTP\/1.1 200 OK\r\n.*\r\n\r\n2\r\n\[\]\r\n0\r\nX-T: 1\r\n\r\n$/s)
    expect(received.join('')).toMatch(/\r\nTransfer-Encoding: chunked\r\n.*2\r\n{}\r\n0\r\nX-R: 2\r\n\r\n$/s)
    await sendBytes(port, [`POST /v1/pets HTTP/1.1\r\n${head}Connection: close\r\n\r\n`])
    expect(received.at(-1)).toContain('\r\nContent-Length: 0\r\n')
  })

  it('loses the trailers that are about its framing, routing, authentication and content, in both directions', async () => {
    const dropped = [
      ...['Connection: X-Kept', 'Keep-Alive: timeout=9', 'Upgrade: h2c', 'TE: gzip'],
      ...['Trailer: X-Kept', 'content-TYPE: text/html', 'Content-Encoding: gzip', 'Content-Range: bytes 0-1/9'],
      ...['Set-Cookie: a=1', 'Cookie: a=1', 'Host: elsewhere.example', 'Authorization: Bearer x', 'X-Named: 1'],
      ...['Proxy-Authorization: Basic x', 'Proxy-Connection: close', 'Location: /x', 'If-Match: "a"', 'Expect: x'],
      ...['WWW-Authenticate: Basic', 'Cache-Control: no-store', 'Vary: *', 'Date: x', 'Range: bytes=0-1'],
    ].join('\r\n')
    const trailers = `0\r\nX-Kept: 1\r\n${dropped}\r\nx-kept: 2\r\nContent-Digest: sha-256=:x:\r\n\r\n`
    const left = /\r\n\[]\r\n0\r\nX-Kept: 1\r\nx-kept: 2\r\nContent-Digest: sha-256=:x:\r\n\r\n$/
    const framed = 'Transfer-Encoding: chunked\r\nConnection: close, x-named\r\n\r\n2;a="b"\r\n[]\r\n'
    const received: string[] = []
    const { port } = await openProxy(
      await answerBytes(
        `HTTP/1.1 200 OK\r\n${framed}${trailers.replace('0\r\n', '0\r\nTransfer-Encoding: gzip\r\n')}`,
        received,
      ),
    )
    expect(await sendBytes(port, [`DELETE /v1/pets HTTP/1.1\r\n${head}${framed}${trailers}`])).toMatch(left)
    expect(received.join('')).toMatch(left)
    const old = await sendBytes(port, [`GET /v1/pets HTTP/1.0\r\n${head}\r\n`])
    expect(old).toMatch(/\r\n\r\n\[]$/)
  })

  it('continues a request that waits for it', async () => {
    const { port } = await openProxy(await answerBytes(empty))
    const expecting = `POST /v1/pets HTTP/1.1\r\n${head}Expect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n`
    expect(statusesOf(await sendBytes(port, [expecting, '{}']))).toEqual([100, 200])
  })

  it('is repeated if the service has closed an idle connection', async () => {
    let count = 0
    const origin = await listen((incoming, outgoing) => {
      count++
      // The second request on the connection meets its end.
      if (count === 2) return void incoming.socket.resetAndDestroy()
      outgoing.writeHead(200, json).end(pets)
    })
    const { url, stop } = await openProxy(`${origin}/v1`)
    for (const each of [1, 2]) expect((await fetch(`${url}/v1/pets`, { headers })).status, String(each)).toBe(200)
    expect(count).toBe(3)
    expect((await stop()).ids).toEqual([])
  })
})

describe('a caller that leaves', () => {
  it('ends the request to the service', async () => {
    const left: Promise<unknown>[] = []
    const origin = await listen((incoming, outgoing) => {
      left.push(once(outgoing, 'close'))
      if (incoming.method === 'GET') outgoing.writeHead(200, json).write('[')
    })
    const { url, stop } = await openProxy(`${origin}/v1`)
    const waiting = new AbortController()
    const refused = fetch(`${url}/v1/pets`, { method: 'POST', headers, body: '{}', signal: waiting.signal })
    while (left.length < 1) await sleep(10)
    waiting.abort()
    await expect(refused).rejects.toThrow('aborted')
    await left[0]
    const reading = new AbortController()
    const answer = await fetch(`${url}/v1/pets`, { headers, signal: reading.signal })
    reading.abort()
    await expect(answer.text()).rejects.toThrow('aborted')
    await left[1]
    const { report } = await stop()
    expect(report.findings).toEqual([])
    expect(report.notes).toEqual([
      '1 request with no answer, because the client broke off',
      '1 request with an answer that the client did not read to its end',
    ])
  })
})

const chunked = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'

describe('a service that misbehaves', () => {
  it.each([
    { name: 'closes the connection', answer: '', status: 502, id: 'no-answer GET /pets dropped' },
    { name: 'answers nothing', answer: undefined, status: 504, id: 'no-answer GET /pets timeout' },
    { name: 'has no HTTP', answer: 'hello\r\n\r\n', status: 502, id: 'no-answer GET /pets not-http' },
    {
      name: 'has an invalid status',
      answer: 'HTTP/1.1 abc OK\r\n\r\n',
      status: 502,
      id: 'no-answer GET /pets not-http',
    },
    { name: 'has a low status', answer: 'HTTP/1.1 099 OK\r\n\r\n', status: 502, id: 'no-answer GET /pets not-http' },
    {
      name: 'has a low status and a whole answer',
      answer: empty.replace('200', '099'),
      status: 502,
      id: 'no-answer GET /pets not-http',
    },
    {
      name: 'switches protocols',
      answer: 'HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
      status: 502,
      id: 'no-answer GET /pets not-http',
    },
    {
      name: 'has two lengths',
      answer: empty.replace('\r\n\r\n', '\r\nContent-Length: 3\r\n\r\n'),
      status: 502,
      id: 'no-answer GET /pets not-http',
    },
    { name: 'cuts its answer', answer: empty.replace(': 2', ': 9'), status: 200, id: 'no-answer GET /pets dropped' },
    { name: 'cuts a chunked answer', answer: `${chunked}2\r\n[]\r\n`, status: 200, id: 'no-answer GET /pets dropped' },
    { name: 'has a malformed chunk', answer: `${chunked}zz\r\n`, status: 502, id: 'no-answer GET /pets not-http' },
    {
      name: 'has a length after its content',
      answer: `${chunked}2\r\n[]\r\n0\r\nContent-Length: 2\r\n\r\n`,
      status: 502,
      id: 'no-answer GET /pets not-http',
    },
    {
      name: 'has a malformed trailer',
      answer: `${chunked}2\r\n[]\r\n0\r\nb ad\r\n\r\n`,
      status: 502,
      id: 'no-answer GET /pets not-http',
    },
    {
      name: 'is not what its coding says',
      answer: empty.replace('\r\n\r\n', '\r\nContent-Encoding: gzip\r\n\r\n'),
      status: 200,
      id: 'no-answer GET /pets not-decodable',
    },
    {
      name: 'has an answer without an end',
      answer: 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[]',
      status: 200,
      id: undefined,
    },
    {
      name: 'has a long header and an odd reason',
      answer: empty.replace('OK\r\n', `a\u0001b\r\nX-Long: ${'a'.repeat(60_000)}\r\n`),
      status: 200,
      id: undefined,
    },
    {
      name: 'has a body where there is none',
      answer: 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello',
      status: 204,
      id: 'undocumented-status GET /pets 204',
    },
    { name: 'has news', answer: 'HTTP/1.1 304 X\r\nContent-Length: 50\r\n\r\n', status: 304, id: undefined },
  ])('$name', async ({ answer, status, id }) => {
    const { port, stop } = await openProxy(await answerBytes(answer), [
      '--timeout',
      answer === undefined ? '0.5' : '240',
    ])
    const received = await sendBytes(port, [`GET /v1/pets HTTP/1.1\r\n${head}Connection: close\r\n\r\n`])
    expect(statusesOf(received)).toEqual([status])
    if (status >= 500)
      expect(received).toMatch(/\r\n\r\n{"code":"\w+","message":"The service at http.*","status":50\d}$/s)
    const { ids, report } = await stop()
    expect(ids).toEqual(id === undefined ? [] : [id])
    expect(report.failures).toBeUndefined()
  })

  it('cannot be reached', async () => {
    const gone = createServer()
    gone.listen(0, '127.0.0.1')
    await once(gone, 'listening')
    const { port } = gone.address() as AddressInfo
    gone.close()
    const { url, stop } = await openProxy(`http://localhost:${port}/v1`)
    // The body is too large for buffers.
    const init = { method: 'POST', headers: { ...headers, ...json }, body: Buffer.alloc(3_000_000, 'a') }
    for (const path of ['/v1/pets', '/v1/none']) {
      const answer = await fetch(url + path, init)
      expect(answer.status).toBe(502)
      expect(await answer.json()).toMatchObject({
        code: 'bad_gateway',
        message: expect.stringMatching(/^The service at http:\/\/localhost:\d+ cannot be reached \(.*ECONNREFUSED/),
      })
    }
    expect((await stop()).ids).toEqual([
      'no-answer POST /pets refused',
      'no-answer POST /v1/none refused',
      'undocumented-path POST /v1/none',
    ])
  })
})

describe('the proxy itself', () => {
  it('refuses what it does not forward', async () => {
    const { port, stop } = await openProxy(await answerBytes(empty))
    const send = async (line: string, more = '') =>
      statusesOf(await sendBytes(port, [`${line} HTTP/1.1\r\n${more}\r\n`]))
    const upgrade = 'Connection: Upgrade\r\nUpgrade:'
    expect(await send('GET /v1/pets', `${head}${upgrade} websocket\r\n`)).toEqual([501])
    expect(await send('GET /v1/pets', `${head}${upgrade} h2c\r\nConnection: close\r\n`)).toEqual([200])
    expect(await send('CONNECT a.example:443', head)).toEqual([501])
    expect(await send('GET /v1/pets', 'Host: evil.example\r\n')).toEqual([421])
    expect(await send('POST /v1/pets', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`)).toEqual([400])
    expect(await send('TRACE /v1/pets', `${head}Connection: close\r\n`)).toEqual([200])
    const { report } = await stop()
    expect(report.requests).toBe(6)
    expect(report.notes).toEqual([
      expect.stringContaining('501, An upgrade to "websocket" is not forwarded'),
      expect.stringContaining('501, CONNECT is not supported'),
      expect.stringContaining('421, The host "evil.example" is not allowed'),
      '1 request with no answer, because the client broke off',
      '1 request with a method that is never judged, such as TRACE',
    ])
  })

  it('reports after a signal, and exits by what was found', async () => {
    const origin = await listen((_, outgoing) => outgoing.writeHead(200, json).end(pets))
    const { url, stop } = await openProxy(`${origin}/v1`)
    await fetch(`${url}/v1/pets`, { headers })
    const { code, stdout, stderr } = await stop('SIGTERM')
    expect(code).toBe(0)
    expect(stdout).toContain(`checked: callers of ${origin}/v1 made 1 request in `)
    expect(stderr).toMatch(/GET +\/v1\/pets 200 /)
    expect((await (await openProxy(`${origin}/v1`)).stop()).code).toBe(1)
  })

  it('does not wait for an endless answer', async () => {
    const origin = await listen((_, outgoing) => void outgoing.writeHead(200, json).write('['))
    const { url, stop } = await openProxy(`${origin}/v1`)
    const answer = await fetch(`${url}/v1/pets`, { headers })
    const read = answer.text().catch(() => 'cut')
    const { report } = await stop()
    expect(report.durationMs).toBeLessThan(120_000)
    expect(await read).toBe('cut')
  })

  it('has a port of its own', async () => {
    const origin = await listen((_, outgoing) => outgoing.end())
    const { port } = await openProxy(`${origin}/v1`)
    const again = await run(['proxy', `${origin}/v1`, '--port', String(port)])
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining(`Port ${port} on 127.0.0.1 is in use`) })
    const free = createServer().listen(0, '127.0.0.1')
    await once(free, 'listening')
    const { port: own } = free.address() as AddressInfo
    await new Promise((resolve) => free.close(resolve))
    const itself = await run(['proxy', `http://127.0.0.1:${own}/v1`, '--port', String(own)])
    expect(itself).toMatchObject({ code: 2, stderr: expect.stringContaining('would be the proxy itself') })
  })

  it('has the bases of the document without a path of its own', async () => {
    const paths: unknown[] = []
    const origin = await listen((incoming, outgoing) => {
      paths.push(incoming.url)
      outgoing.writeHead(200, json).end(pets)
    })
    const { url, stop } = await openProxy(origin)
    for (const path of ['/v1/pets', '/pets', '/_sandbox/health']) await fetch(url + path, { headers })
    expect(paths).toEqual(['/v1/pets', '/pets', '/_sandbox/health'])
    expect((await stop()).ids).toEqual(['undocumented-path GET /_sandbox/health', 'undocumented-path GET /pets'])
  })
})
