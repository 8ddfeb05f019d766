/** What waits in a server takes memory of one budget, whoever sends it, and what goes beyond it is refused. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { type RunningServer, type ServerOptions, startServer } from 'petstore-sandbox/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeFolder } from '../support/serving.js'
import { hookDocument, orderSchema, sending } from '../support/webhook-document.js'

const mebibyte = 1024 * 1024

async function open(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer({ port: 0, ...options })
  onTestFinished(() => server.close())
  return server
}

/** Opens a connection, and sends text. */
async function connectTo({ port }: RunningServer, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

const head = (method: string, path: string, headers = '') =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer sandbox\r\n${headers}\r\n`

const bodyHead = (bytes: number) => `Content-Type: application/json\r\nContent-Length: ${bytes}\r\n`

/** Reads until a short text has come, or the connection ends. */
async function readUntil(socket: Socket, wanted: string): Promise<string> {
  const parts: string[] = []
  for await (const part of socket as AsyncIterable<Buffer>) {
    const text = part.toString('latin1')
    parts.push(text)
    if (`${parts.at(-2)?.slice(-100)}${text}`.includes(wanted)) break
  }
  return parts.join('')
}

interface Called {
  status: number
  body: { code?: string; message?: string }
}

async function call(
  server: RunningServer,
  method: string,
  path: string,
  value?: object,
  key = 'sandbox',
): Promise<Called> {
  const response = await fetch(server.url + path, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(value && { 'Content-Type': 'application/json' }) },
    ...(value && { body: JSON.stringify(value) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
}

const pet = (text: string) => ({ name: text, categoryId: 1 })
const addPet = (server: RunningServer, bytes = 10) => call(server, 'POST', '/v1/pets', pet('x'.repeat(bytes)))

describe('an unfinished body', () => {
  /** Three quarters of what the server has room for. */
  async function occupy(
    server: RunningServer,
    path = '/v1/pets',
    method = 'POST',
    headers = bodyHead(900_000),
  ): Promise<Socket> {
    const socket = await connectTo(server, head(method, path, headers) + ' '.repeat(800_000))
    await expect.poll(() => socket.writableLength).toBe(0)
    // The server reads what has come before it answers these, one after another.
    for (let count = 0; count < 10; count++) await call(server, 'GET', '/_sandbox/worlds')
    return socket
  }

  it('leaves no room for another one, which gets 503 and says why', async () => {
    const server = await open({ maxMemoryBytes: 2 * mebibyte })
    await occupy(server)
    const { body } = await addPet(server, 400_000)
    expect(body).toMatchObject({ code: 'unavailable', message: expect.stringContaining('--max-memory') })
  })

  it('leaves room for short ones', async () => {
    const server = await open({ maxMemoryBytes: 2 * mebibyte })
    await occupy(server)
    expect((await addPet(server)).status).toBe(201)
  })

  it.each([
    ['', ''],
    [' that asked for WebSocket', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'],
    [' that asked for HTTP/2', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'],
  ])('gives its memory back when a client leaves%s', async (_, upgrade) => {
    const server = await open({ maxMemoryBytes: 2 * mebibyte })
    const socket = await occupy(server, '/v1/pets', 'POST', upgrade + bodyHead(900_000))
    socket.destroy()
    await expect.poll(async () => (await addPet(server, 400_000)).status).toBe(201)
  })

  it('gives its memory back when it is complete', async () => {
    const server = await open({ maxMemoryBytes: 2 * mebibyte })
    for (let count = 0; count < 5; count++) expect((await addPet(server, 900_000)).status).toBe(201)
  })

  it('of an import counts too', async () => {
    const server = await open({ maxMemoryBytes: 2 * mebibyte })
    await call(server, 'GET', '/_sandbox/worlds')
    await occupy(server, '/_sandbox/worlds/sandbox/snapshot', 'PUT')
    expect((await addPet(server, 400_000)).status).toBe(503)
  })
})

it.each([
  ['longer', pet('x'.repeat(600_000))],
  ['of more values', { ...pet('x'), others: Array.from({ length: 100_000 }, () => ({})) }],
])('a body that is %s than all memory gets 413', async (_, value) => {
  const { status, body } = await call(await open({ maxMemoryBytes: mebibyte }), 'POST', '/v1/pets', value)
  expect(status).toBe(413)
  expect(body).toMatchObject({ code: 'payload_too_large', message: expect.stringContaining('--max-memory') })
})

it('a body in chunks of one byte is joined as it arrives', async () => {
  const server = await open()
  const body = JSON.stringify(pet('Rex, who is a good dog'))
  const chunks = [...body].map((byte) => `1\r\n${byte}\r\n`).join('')
  const sent = `${head('POST', '/v1/pets', 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n')}${chunks}0\r\n\r\n`
  expect(await readUntil(await connectTo(server, sent), 'good dog')).toContain('HTTP/1.1 201')
})

describe('a stream of events', () => {
  it('stops while its client does not read, and goes on with what the journal has', async () => {
    const server = await open({ journal: { maxExchanges: 3 } })
    const socket = await connectTo(server, head('GET', '/_sandbox/exchanges/stream'))
    await once(socket, 'readable')
    for (let count = 0; count < 20; count++) await addPet(server, 900_000)
    const text = await readUntil(socket, 'id: 20\n')
    const read = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
    // The operating system takes some megabytes of the first ones.
    expect(read.length).toBeLessThan(20)
    expect(read.slice(-3)).toEqual([18, 19, 20])
  })

  it('tells what changed while its client did not read', async () => {
    const server = await open()
    const socket = await connectTo(server, head('GET', '/_sandbox/exchanges/stream'))
    await once(socket, 'readable')
    for (let count = 0; count < 15; count++) await addPet(server, 900_000)
    await call(server, 'DELETE', '/_sandbox/worlds/sandbox/collections/pets/records/1')
    expect(await readUntil(socket, '"removeRecord"')).toContain('event: change')
  })

  it('does not keep what the journal does not', async () => {
    const server = await open({ journal: { maxBytes: 100_000 } })
    const socket = await connectTo(server, head('GET', '/_sandbox/exchanges/stream'))
    await once(socket, 'readable')
    await addPet(server, 10)
    await addPet(server, 200_000)
    await addPet(server, 20)
    const text = await readUntil(socket, 'id: 3\n')
    expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))).toEqual([1, 3])
  })

  it('makes no warning, however many there are', async () => {
    const warnings: Error[] = []
    const listen = (warning: Error) => void warnings.push(warning)
    process.on('warning', listen)
    onTestFinished(() => void process.off('warning', listen))
    const server = await open()
    for (let count = 0; count < 15; count++)
      await once(await connectTo(server, head('GET', '/_sandbox/exchanges/stream')), 'readable')
    expect(warnings).toEqual([])
  })
})

it.each([
  [20, 'are answered in turn'],
  [100, 'are not answered beyond the memory'],
])('%i requests of a connection that wait for a delayed one %s', async (count) => {
  const server = await open({ maxMemoryBytes: mebibyte })
  const request = head('GET', '/v1/pets?limit=1')
  const delayed = head('GET', '/v1/pets?limit=1', 'Prefer: delay=100\r\n')
  const socket = await connectTo(server, delayed + request.repeat(count) + head('GET', '/end', 'Connection: close\r\n'))
  const text = await readUntil(socket, 'HTTP/1.1 404').catch((error: NodeJS.ErrnoException) => error.code)
  expect(text?.match(/HTTP\/1.1 200/g)?.length).toBe(count === 20 ? 21 : undefined)
})

it('a connection on which more than 100 requests wait is closed', async () => {
  const server = await open()
  const delayed = head('GET', '/v1/pets?limit=1', 'Prefer: delay=60000\r\n')
  const socket = await connectTo(server, delayed.repeat(102))
  expect(await readUntil(socket, 'HTTP/1.1').catch(() => '')).toBe('')
})

it.each([
  ['', ''],
  [', even if the last one was CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
])('requests that wait give their memory back when their client leaves%s', async (_, last) => {
  const server = await open({ maxMemoryBytes: mebibyte })
  const delayed = head('GET', '/v1/pets?limit=1', 'Prefer: delay=60000\r\n')
  const socket = await connectTo(server, delayed.repeat(32) + last)
  await expect.poll(async () => (await addPet(server, 20_000)).status).toBe(503)
  socket.destroy()
  await expect.poll(async () => (await addPet(server, 400_000)).status).toBe(201)
})

it('a client that ends its side gets all answers', async () => {
  const server = await open()
  const socket = await connectTo(server, head('GET', '/v1/pets', 'Prefer: delay=60000\r\n').repeat(2))
  socket.end(head('GET', '/end'))
  expect(await readUntil(socket, 'HTTP/1.1 404')).toMatch(/(HTTP\/1.1 200.*){2}HTTP\/1.1 404/s)
})

describe('responses', () => {
  const lists = (options: ServerOptions) =>
    open({ scenario: { pets: [{ id: 1, name: 'x'.repeat(600_000), categoryId: 1 }] }, ...options })

  it('that wait for their delay get 503 instead when further ones need their memory', async () => {
    const server = await lists({ maxMemoryBytes: mebibyte })
    const first = await connectTo(server, head('GET', '/v1/pets/1', 'Prefer: delay=60000\r\n'))
    await expect.poll(async () => (await server.sandbox.exchanges.list()).length).toBe(1)
    await connectTo(server, head('GET', '/v1/pets/1', 'Prefer: delay=60000\r\n'))
    expect(await readUntil(first, '--max-memory')).toContain('HTTP/1.1 503')
  })

  it('that are longer than all memory get 503', async () => {
    const server = await lists({ maxMemoryBytes: mebibyte, maxBodyBytes: mebibyte })
    await server.sandbox
      .world()
      .collection('pets')
      .add({ name: 'y'.repeat(600_000), categoryId: 1 })
    expect(await call(server, 'GET', '/v1/pets')).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  })
})

describe('callbacks to a receiver that hangs', () => {
  async function openHooks(maxMemoryBytes: number) {
    const receiver: Server = createServer(() => {})
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    onTestFinished(() => {
      receiver.closeAllConnections()
      receiver.close()
    })
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    const document = hookDocument({ create: { callbacks: { done: { [url]: sending(orderSchema) } } } })
    const folder = await writeFolder({ 'orders.json': document })
    return open({ spec: join(folder, 'orders.json'), records: 0, maxMemoryBytes })
  }
  const order = (server: RunningServer) => call(server, 'POST', '/v1/orders', { item: 'Lamp' })

  const unsent = async (server: RunningServer) =>
    (await server.sandbox.exchanges.list({ sent: true })).filter(({ notes }) =>
      /^not sent: .*--max-memory/.test(`${notes}`),
    )

  it('are not sent beyond their share of the memory, and the journal says why', async () => {
    const server = await openHooks(mebibyte)
    for (let count = 0; count < 150; count++) expect((await order(server)).status).toBe(201)
    const { length } = await unsent(server)
    expect(length).toBeGreaterThan(50)
    expect(length).toBeLessThan(149)
  })

  it('take no memory of other worlds', async () => {
    const server = await openHooks(mebibyte)
    for (let count = 0; count < 150; count++) await order(server)
    const before = (await unsent(server)).length
    await call(server, 'POST', '/v1/orders', { item: 'Lamp' }, 'sandbox-2')
    expect(await unsent(server)).toHaveLength(before)
  })

  it('take at most half of the memory in all worlds together', async () => {
    const server = await openHooks(mebibyte)
    for (const key of ['sandbox-1', 'sandbox-2', 'sandbox-3', 'sandbox-4'])
      for (let count = 0; count < 120; count++) await call(server, 'POST', '/v1/orders', { item: 'Lamp' }, key)
    expect((await call(server, 'POST', '/v1/orders', { item: 'x'.repeat(200_000) })).status).toBe(201)
  })

  it('give their memory back when their world is reset', async () => {
    const server = await openHooks(mebibyte)
    for (let count = 0; count < 150; count++) await order(server)
    await server.sandbox.world().reset()
    const before = (await unsent(server)).length
    await order(server)
    expect(await unsent(server)).toHaveLength(before)
  })
})

describe('a request that waits for an exchange', () => {
  const body = '{"status":599,"timeoutMs":60000}'
  const wait = head('POST', '/_sandbox/exchanges/wait', bodyHead(body.length)) + body

  it('gets 507 while 100 others wait', async () => {
    const server = await open()
    await Promise.all(Array.from({ length: 100 }, () => connectTo(server, wait)))
    expect(await readUntil(await connectTo(server, wait), 'wait for')).toContain('HTTP/1.1 507')
  })

  it('ends when its client ends its side', async () => {
    const socket = await connectTo(await open(), wait)
    socket.end()
    expect(await readUntil(socket, '599')).toContain('HTTP/1.1 408')
  })
})

describe('what the control API keeps', () => {
  const long = 'x'.repeat(100_000)

  it.each([
    [
      'snapshots',
      async (server: RunningServer, count: number) => {
        await addPet(server, 50_000)
        return call(server, 'PUT', `/_sandbox/snapshots/${count}`, { world: 'sandbox' })
      },
    ],
    [
      'faults',
      (server: RunningServer) =>
        call(server, 'POST', '/_sandbox/faults', { path: '/none', status: 503, message: long }),
    ],
  ])('is refused with 507 beyond the memory: %s', async (_, keep) => {
    const server = await open({ maxMemoryBytes: mebibyte })
    let last: Called = { status: 0, body: {} }
    for (let count = 0; count < 12_000 && last.status < 300; count++) last = await keep(server, count)
    expect(last).toMatchObject({ status: 507, body: { message: expect.stringContaining('--max-memory') } })
  })

  it('is refused with 507 beyond the memory: keys', async () => {
    const server = await open({ maxMemoryBytes: mebibyte })
    await server.sandbox.faults.add({ status: 503, message: 'x'.repeat(523_000) })
    let last: Called = { status: 201, body: {} }
    for (let count = 0; count < 100 && last.status === 201; count++)
      last = await call(server, 'POST', '/_sandbox/keys', {})
    expect(last).toMatchObject({ status: 507, body: { message: expect.stringContaining('--max-memory') } })
  })

  it('gives its memory back when a snapshot is removed or taken again', async () => {
    const server = await open({ maxMemoryBytes: mebibyte })
    await addPet(server, 200_000)
    const save = (name: string) => call(server, 'PUT', `/_sandbox/snapshots/${name}`, { world: 'sandbox' })
    for (let count = 0; count < 5; count++) expect((await save('again')).status).toBe(200)
    for (let count = 0; count < 5; count++) {
      expect((await save('other')).status).toBe(200)
      await call(server, 'DELETE', '/_sandbox/snapshots/other')
    }
  })

  it('gives its memory back when faults are removed', async () => {
    const server = await open({ maxMemoryBytes: mebibyte })
    for (let count = 0; count < 8; count++) {
      const added = await call(server, 'POST', '/_sandbox/faults', { path: '/none', status: 503, message: long })
      expect(added.status).toBe(201)
      await call(server, 'DELETE', '/_sandbox/faults')
    }
  })

  it('has at most 1000 faults', async () => {
    const { sandbox } = await open()
    for (let count = 0; count < 1000; count++) await sandbox.faults.add({ status: 503 })
    await expect(sandbox.faults.add({ status: 503 })).rejects.toMatchObject({ code: 'NO_ROOM' })
  })
})

it.each([1024, 1.5, -1, '512m'])('the option maxMemoryBytes refuses %j', async (maxMemoryBytes) => {
  const started = startServer({ port: 0, maxMemoryBytes: maxMemoryBytes as number })
  await expect(started).rejects.toMatchObject({
    code: 'INVALID_OPTION',
    message: expect.stringContaining('maxMemoryBytes must be a whole number of bytes, at least 1048576'),
  })
})
