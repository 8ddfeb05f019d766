/** Callbacks and webhooks of the HTTP server: which addresses get them, and what its users see of them. */

import dns from 'node:dns/promises'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Exchange } from 'petstore-sandbox'
import { type LogEntry, type ServerOptions, startServer } from 'petstore-sandbox/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serve } from '../support/launch.js'
import { writeFolder } from '../support/serving.js'
import { runWarm } from '../support/warm.js'
import { type HookParts, hookDocument, orderSchema, sending } from '../support/webhook-document.js'

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse, body: string) => void

interface Receiver {
  port: number
  /** The targets and bodies that it got. */
  got: { target: string; body: string }[]
}

const thank: Listener = (_, outgoing) => outgoing.end('thanks')

async function receive(answer: Listener = thank, host = '127.0.0.1'): Promise<Receiver> {
  const got: Receiver['got'] = []
  const server = createServer(async (incoming, outgoing) => {
    let body = ''
    for await (const chunk of incoming) body += chunk
    got.push({ target: incoming.url ?? '', body })
    answer(incoming, outgoing, body)
  })
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, got }
}

const toCallback: HookParts = {
  create: { callbacks: { done: { '{$request.body#/callbackUrl}': sending(orderSchema) } } },
}
const headers = { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' }

async function open(options: ServerOptions = {}, parts = toCallback) {
  const folder = await writeFolder({ 'api.json': hookDocument(parts) })
  const file = join(folder, 'api.json')
  const server = await startServer({ port: 0, spec: file, records: 0, ...options })
  onTestFinished(() => server.close())
  const order = (callbackUrl?: string, item = 'Lamp') =>
    fetch(`${server.url}/v1/orders`, { method: 'POST', headers, body: JSON.stringify({ item, callbackUrl }) })
  const next = (after = 0): Promise<Exchange> => server.sandbox.exchanges.wait({ sent: true, after })
  return { server, file, order, next }
}

/** Lets names have these addresses. */
function resolveAs(addresses: Record<string, readonly string[]>): string[] {
  const { lookup } = dns
  const asked: string[] = []
  const fake = async (name: string) => {
    asked.push(name)
    return (addresses[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  const use = (lookup: unknown) => {
    Object.assign(dns, { lookup })
    syncBuiltinESMExports()
  }
  use(fake)
  onTestFinished(() => use(lookup))
  return asked
}

describe('the address of a callback', () => {
  it.each(['127.0.0.1', '127.9.8.7', 'localhost', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]'])(
    'may be %s',
    async (host) => {
      const receiver = await receive(thank, '0.0.0.0')
      const { order, next } = await open()
      await order(`http://${host}:${receiver.port}/hook?a=b`)
      const { sent, response, notes } = await next()
      expect({ status: response.status, body: response.body, notes }).toEqual({
        status: 200,
        body: 'thanks',
        notes: [],
      })
      expect(sent?.attempt).toBe(1)
      expect(receiver.got.map(({ target }) => target)).toEqual(['/hook?a=b'])
    },
  )

  it.each([
    ['http://192.0.2.1/', '192.0.2.1'],
    ['https://[2001:db8::1]:8443/', '[2001:db8::1]'],
    ['http://[::ffff:192.0.2.1]/', '[::ffff:c000:201]'],
    ['http://0.0.0.0:1/', '0.0.0.0'],
    ['http://3221225985/', '192.0.2.1'],
    ['http://elsewhere.example/', 'elsewhere.example'],
    ['http://both.example/', 'both.example'],
    ['http://unknown.example./', 'unknown.example'],
    ['http://127.0.0.1.elsewhere.example/', '127.0.0.1.elsewhere.example'],
  ])('is not %s', async (url, host) => {
    resolveAs({ 'elsewhere.example': ['192.0.2.1'], 'both.example': ['127.0.0.1', '192.0.2.1'] })
    const { order, next } = await open()
    await order(url)
    const { notes, response } = await next()
    expect(notes).toEqual([`not sent: ${host} is not this machine; --callback-host ${host} allows it`])
    expect(response.status).toBe(0)
  })

  it('is resolved once: the name cannot lead elsewhere meanwhile', async () => {
    const receiver = await receive()
    const asked = resolveAs({ 'here.example': ['127.0.0.1'] })
    const { order, next } = await open()
    await order(`http://here.example:${receiver.port}/`)
    expect((await next()).response.status).toBe(200)
    expect(asked).toEqual(['here.example'])
  })

  it('is never below /_sandbox', async () => {
    const { server, order, next } = await open({ callbackHosts: ['*'] })
    await order(`${server.url}/x/../_sandbox/faults`)
    const why = 'it would reach the control API of a sandbox, below /_sandbox'
    expect((await next()).notes).toEqual([`not sent: ${why}`])
  })

  it.each([
    ['0.0.0.0', true],
    ['*', true],
    ['0.0.0.0:PORT', true],
    ['0.0.0.0:1', false],
    ['hooks.example', false],
  ])('may be what callbackHosts allows: %s', async (host, isAllowed) => {
    const receiver = await receive(thank, '0.0.0.0')
    const { order, next } = await open({ callbackHosts: [host.replace('PORT', String(receiver.port))] })
    await order(`http://0.0.0.0:${receiver.port}/`)
    expect((await next()).response.status).toBe(isAllowed ? 200 : 0)
    expect(receiver.got).toHaveLength(isAllowed ? 1 : 0)
  })

  it.each([
    ['BÜCHER.example', 'http://xn--bcher-kva.example:PORT/', true],
    ['xn--bcher-kva.example:PORT', 'http://Bücher.example:PORT/', true],
    ['hooks.example.', 'http://hooks.example:PORT/', true],
    ['HOOKS.example.:PORT', 'http://hooks.Example.:PORT/', true],
    ['hooks.example:0PORT', 'http://hooks.example:PORT/', true],
    ['0x0', 'http://0.0.0.0:PORT/', true],
    ['0:0:0:0:0:0:0:0', 'http://[::]:PORT/', true],
    ['[0:0::0]:PORT', 'http://[::]:PORT/', true],
    ['hooks.example:80', 'http://hooks.example:PORT/', false],
    ['bucher.example', 'http://bücher.example:PORT/', false],
  ])('is that of callbackHosts in each way to write it: %s allows %s: %s', async (host, url, isAllowed) => {
    resolveAs({ 'hooks.example': ['0.0.0.0'], 'xn--bcher-kva.example': ['0.0.0.0'] })
    const port = String((await receive(thank, '0.0.0.0')).port)
    const { order, next } = await open({ callbackHosts: [host.replace('PORT', port)] })
    await order(url.replace('PORT', port))
    // Not every machine has IPv6: what counts is whether it is tried.
    expect((await next()).notes.some((note) => note.startsWith('not sent'))).toBe(!isAllowed)
  })

  it('is not that of a redirect', async () => {
    const other = await receive()
    const Location = `http://127.0.0.1:${other.port}/`
    const receiver = await receive((_, outgoing) => outgoing.writeHead(302, { Location }).end())
    const { order, next } = await open()
    await order(`http://127.0.0.1:${receiver.port}/`)
    expect((await next()).response).toMatchObject({ status: 302, headers: { location: Location } })
    expect(other.got).toEqual([])
  })

  it.each([
    [['a b'], 'callbackHosts must be hosts, each a name or an address with an optional port'],
    [['a\\b'], 'callbackHosts must be hosts, each a name or an address with an optional port'],
    [['256.0.0.1'], 'callbackHosts must be hosts, each a name or an address with an optional port'],
    ['localhost', 'callbackHosts must be a list of hosts (got "localhost")'],
  ])('is refused with callbackHosts %j', async (callbackHosts, message) => {
    await expect(startServer({ port: 0, callbackHosts } as never)).rejects.toThrow(message)
  })
})

describe('a receiver', () => {
  it('that does not listen gets it again', async () => {
    const receiver = await receive()
    const { server, order, next } = await open()
    const free = createServer().listen(0, '127.0.0.1')
    await once(free, 'listening')
    const { port } = free.address() as AddressInfo
    free.close()
    await order(`http://127.0.0.1:${port}/`)
    const first = await next()
    const refused = `no answer: connect ECONNREFUSED 127.0.0.1:${port}`
    expect(first.notes).toEqual([refused, 'it is sent again 1000 ms later'])
    await server.sandbox.world().clock.advance(1000)
    expect((await next(first.id)).sent?.attempt).toBe(2)
    expect(receiver.got).toEqual([])
  })

  it('that never answers is given up after 5 seconds', async () => {
    const receiver = await receive(() => {})
    const { server, order } = await open()
    await order(`http://127.0.0.1:${receiver.port}/`)
    const { notes } = await server.sandbox.exchanges.wait({ sent: true }, { timeoutMs: 60_000 })
    expect(notes[0]).toBe('no answer: none came in 5000 ms')
  })

  it('that answers without an end is cut', async () => {
    const receiver = await receive((_, outgoing) => {
      outgoing.write('x'.repeat(100_000))
    })
    const { order, next } = await open()
    await order(`http://127.0.0.1:${receiver.port}/`)
    const { response, notes } = await next()
    expect([response.body?.length, notes]).toEqual([65_536, ['the answer was cut after 65536 bytes']])
  })

  it('that still answers when the server closes does not hold it up', async () => {
    let isClosed: Promise<unknown> | undefined
    const receiver = await receive((incoming) => {
      isClosed = once(incoming.socket, 'close')
    })
    const { server, order } = await open()
    await order(`http://127.0.0.1:${receiver.port}/`)
    await expect.poll(() => receiver.got.length).toBe(1)
    await server.close()
    await isClosed
    expect(await server.sandbox.exchanges.list({ sent: true })).toEqual([])
  })

  it('gets hundreds of callbacks in order', async () => {
    const receiver = await receive()
    const { order, server } = await open({ journal: { maxExchanges: 5000 } })
    const url = `http://127.0.0.1:${receiver.port}/`
    for (let index = 0; index < 300; index++) await order(url, `Lamp ${index}`)
    await expect.poll(() => receiver.got.length).toBe(300)
    const items = receiver.got.map(({ body }) => (JSON.parse(body) as { item: string }).item)
    expect(items).toEqual(Array.from({ length: 300 }, (_, index) => `Lamp ${index}`))
    await expect.poll(async () => (await server.sandbox.exchanges.list({ sent: true })).length).toBe(300)
  })
})

it('shows what was sent in the control API, and moves its clock', async () => {
  const receiver = await receive()
  const item = sending(orderSchema, { 'x-sandbox-delay': 60_000 })
  const parts = { create: { callbacks: { later: { '{$request.body#/callbackUrl}': item } } } }
  const { server, order } = await open({}, parts)
  const control = async (method: string, path: string, body?: object) => {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const text = await (await fetch(`${server.url}/_sandbox${path}`, init)).text()
    return text === '' ? undefined : JSON.parse(text)
  }
  const url = `http://127.0.0.1:${receiver.port}/hook?part=1`
  await order(url)
  expect(await control('GET', '/exchanges?sent=true')).toEqual([])
  await control('PATCH', '/worlds/sandbox/clock', { advance: 60_000 })
  const found = await control('POST', '/exchanges/wait', { sent: 'later' })
  const sent = { name: 'later', operation: 'createOrder', url, attempt: 1 }
  expect(found).toMatchObject({ world: 'sandbox', sent, request: { path: '/hook', query: 'part=1' } })
  expect(await control('GET', '/exchanges?sent=later')).toEqual([found])
  expect(await control('GET', '/exchanges?sent=false')).toMatchObject([{ operation: 'createOrder' }])
  const { log } = await control('GET', '/exchanges.har?sent=true')
  expect(log.entries).toMatchObject([{ request: { url, method: 'POST' }, response: { status: 200 } }])
  await order(url)
  await control('PATCH', '/clock', { advance: 60_000 })
  await expect.poll(() => receiver.got.length).toBe(2)
  await order(url)
  await control('DELETE', '/worlds/sandbox')
  await control('PATCH', '/clock', { advance: 60_000 })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await control('GET', '/exchanges?sent=true')).toHaveLength(2)
})

it('sends nothing more for a key that was revoked', async () => {
  const { port } = await receive((_, outgoing) => void outgoing.writeHead(503).end())
  const { server, next } = await open()
  const call = (method: string, path: string, body?: object) =>
    fetch(server.url + path, {
      method,
      headers: { ...headers, Authorization: 'Bearer sandbox-w' },
      ...(body && { body: JSON.stringify(body) }),
    })
  await call('POST', '/v1/orders', { item: 'Lamp', callbackUrl: `http://127.0.0.1:${port}/` })
  await next()
  const events = async () => (await call('GET', '/_sandbox/worlds/sandbox-w/events')).json()
  await expect.poll(events).toMatchObject([{ kind: 'webhook' }])
  expect((await call('DELETE', '/_sandbox/keys/sandbox-w')).status).toBe(204)
  await call('POST', '/_sandbox/keys', { name: 'w' })
  expect(await events()).toEqual([])
})

it('sends nothing for a request that was in flight when its key was revoked', async () => {
  const receiver = await receive()
  const { server } = await open()
  const call = (method: string, path: string) => fetch(`${server.url}/_sandbox${path}`, { method, headers })
  for (const change of ['keys', 'worlds']) {
    const key = `sandbox-${change}`
    const own = { ...headers, authorization: `Bearer ${key}` }
    const pending = request({ port: server.port, method: 'POST', path: '/v1/orders', headers: own })
    const answered = once(pending, 'response')
    pending.write('{"item":"Lamp",')
    await expect.poll(async () => (await call('GET', '/worlds?limit=9')).json()).toMatchObject({ total: 1 })
    expect((await call('DELETE', `/${change}/${key}`)).status).toBe(204)
    pending.end(`"callbackUrl":"http://127.0.0.1:${receiver.port}/"}`)
    const [answer] = await answered
    expect([answer.resume().statusCode, (await call('GET', '/exchanges?sent=true')).status]).toEqual([201, 200])
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(receiver.got).toEqual([])
    await call('DELETE', `/worlds/${key}`)
  }
})

it('logs what was sent', async () => {
  const receiver = await receive()
  const entries: LogEntry[] = []
  const { order, next } = await open({ onExchange: (entry) => entries.push(entry) })
  const url = `http://127.0.0.1:${receiver.port}/hook`
  await order(url)
  await next()
  expect(entries[1]).toMatchObject({ method: 'POST', target: url, status: 200, sent: 'done', notes: [] })

  const folder = await writeFolder({ 'api.json': hookDocument(toCallback) })
  const program = await serve([join(folder, 'api.json'), '--log', 'json'])
  await fetch(`${program.url}/v1/orders`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ item: 'A', callbackUrl: url }),
  })
  await expect.poll(() => program.stderr()).toContain(`"target":"${url}","status":200,"sent":"done"`)
  await program.stop()
  const pretty = await serve([join(folder, 'api.json')])
  await fetch(`${pretty.url}/v1/orders`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ item: 'A', callbackUrl: 'ftp:a' }),
  })
  await expect.poll(() => pretty.stderr()).toMatch(/POST {3}→ {2}0 .*done {2}not sent: a request can only be sent/)
  await pretty.stop()
})

it.each(['memory', 'a file'])('keeps what is to be sent when the document is read again, in %s', async (place) => {
  const store = place === 'memory' ? place : `file:${join(await writeFolder({}), 'worlds.db')}`
  const receiver = await receive()
  const item = sending(orderSchema, { 'x-sandbox-delay': 60_000 })
  const parts = { create: { callbacks: { later: { '{$request.body#/callbackUrl}': item } } } }
  let isReloaded: () => void = () => {}
  const reloaded = new Promise<void>((resolve) => {
    isReloaded = resolve
  })
  const { server, file, order } = await open({ watch: true, store, onReload: () => isReloaded() }, parts)
  await order(`http://127.0.0.1:${receiver.port}/`)
  await writeFile(file, hookDocument({ ...parts, root: { info: { title: 'New', version: '2' } } }))
  await reloaded
  await server.sandbox.clock.advance(60_000)
  await expect.poll(() => receiver.got.length).toBe(1)
  expect(server.sandbox.contract.title).toBe('New')
})

it('is no request of the consumer that run checks', async () => {
  const receiver = await receive()
  const folder = await writeFolder({ 'api.json': hookDocument(toCallback) })
  const code = `
    const headers = { Authorization: 'Bearer ' + process.env.PETSTORE_API_KEY, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ item: 'Lamp', callbackUrl: 'http://127.0.0.1:${receiver.port}/' })
    await fetch(process.env.PETSTORE_BASE_URL + '/orders', { method: 'POST', headers, body })
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"sent":true,"timeoutMs":60000}' }
    await fetch(process.env.PETSTORE_SANDBOX_URL + '/_sandbox/exchanges/wait', init)`
  const args = [
    'run',
    '--spec',
    'api.json',
    '--report',
    'json',
    '--',
    process.execPath,
    '--input-type=module',
    '-e',
    code,
  ]
  const { stdout, stderr, code: exit } = await runWarm(args, { cwd: folder })
  expect(exit, stderr).toBe(0)
  expect(receiver.got).toHaveLength(1)
  expect(JSON.parse(stdout)).toMatchObject({ requests: 1, findings: [] })
})

it('is explained', async () => {
  const root = {
    webhooks: { orderCreated: sending(orderSchema), unused: sending(orderSchema) },
    'x-sandbox-webhooks': { orderCreated: { on: 'createOrder', delayMs: 5000 } },
  }
  const folder = await writeFolder({ 'api.json': hookDocument({ ...toCallback, root }) })
  const { stdout } = await runWarm(['explain', '--spec', 'api.json'], { cwd: folder })
  expect(stdout).toContain('sends the callback done: POST {$request.body#/callbackUrl}\n')
  expect(stdout).toContain('sends the webhook orderCreated: POST the URL of --webhook-url after 5000 ms\n')
  expect(stdout).toContain('Webhooks that are not sent (x-sandbox-webhooks): unused\n')
  const json = JSON.parse((await runWarm(['explain', '--spec', 'api.json', '--json'], { cwd: folder })).stdout)
  expect(json).toMatchObject({ unsentWebhooks: ['unused'] })
})

it.each([
  ['--callback-host', 'a/b', 'It must be a name or an address with an optional port'],
  ['--webhook-url', 'there', 'webhookUrl must be a URL with http or https (got "there")'],
])('refuses %s %s', async (option, value, message) => {
  const { code, stderr } = await runWarm(['serve', '--port', '0', option, value])
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})

describe('what a receiver gets and gives', () => {
  it('is a whole request, also with a method that usually has no body', async () => {
    const { port, got } = await receive()
    const { post } = sending(orderSchema)
    const { order, next } = await open(
      {},
      { create: { callbacks: { done: { [`http://127.0.0.1:${port}/m`]: { delete: post } } } } },
    )
    await order()
    expect((await next()).response.status).toBe(200)
    expect(got.map(({ body }) => JSON.parse(body))).toEqual([{ id: 1, item: 'Lamp' }])
  })

  it('may be an answer that changes the protocol, which is none', async () => {
    const server = createServer()
    server.on('upgrade', () => {})
    server.on('request', (incoming, outgoing) => {
      incoming.resume()
      outgoing.socket?.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const { order, next } = await open()
    await order(`http://127.0.0.1:${port}/`)
    const { response, notes } = await next()
    expect([response.status, notes[0]]).toEqual([0, 'no answer: it switched to another protocol (101)'])
  })
})

it('forgets at the end what was pending before a reload to a document without callbacks', async () => {
  let isPending = false
  // A busy machine may read the document again when it is already sent.
  for (const delayMs of [2_500, 20_000]) {
    if (isPending) break
    const { port, got } = await receive()
    const delayed = { ...sending(orderSchema).post, 'x-sandbox-delay': delayMs }
    const { order, server, file } = await open(
      { watch: true },
      { create: { callbacks: { done: { '{$request.body#/callbackUrl}': { post: delayed } } } } },
    )
    await order(`http://127.0.0.1:${port}/`)
    await writeFile(file, hookDocument({}))
    const webhooksFollowing = () => (server.sandbox.contract as { hooks?: unknown }).hooks
    await expect.poll(webhooksFollowing).toBeUndefined()
    await server.close()
    isPending = got.length === 0
    await new Promise((resolve) => setTimeout(resolve, delayMs + 100))
    if (isPending) expect(got).toEqual([])
  }
  expect(isPending).toBe(true)
})
