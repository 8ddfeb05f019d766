/**
 * Attacks on the memory of a server: each opens what the server must keep until somebody reads or ends it. The memory
 * may grow by at most twice the budget.
 *
 * - `npm run bench attacks` attacks this build, `-- --against <folder>` that of another checkout.
 * - `-- --only chunks,streams` runs some of the attacks.
 */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atMost, holds } from './bars.js'
import { residentMemory } from './processor-time.js'
import { launch } from './servers/launch.js'
import { workFolder } from './work-folder.js'

const mebibyte = 1024 * 1024
const budget = 128 * mebibyte
/** How often memory is read during an attack. */
const sampleMs = 50
/** The server has handled what was sent if its memory changes no more: milliseconds without a further sample above the peak. */
const quietMs = 1500
const here = fileURLToPath(new URL('..', import.meta.url))

const spec = `
openapi: 3.1.0
info: { title: Orders, version: 1.0.0 }
paths:
  /orders:
    get: { responses: { '200': { description: All, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Order' } } } } } } }
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
      responses: { '201': { description: It is created, content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } } }
      callbacks:
        done:
          '{$request.body#/url}':
            post:
              requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } }
              responses: { '200': { description: Thanks } }
  /orders/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: One, content: { application/json: { schema: { $ref: '#/components/schemas/Order' } } } } }
components:
  schemas:
    Order: { type: object, properties: { id: { type: integer }, url: { type: string }, text: { type: string } } }
  securitySchemes: { key: { type: http, scheme: bearer } }
security: [{ key: [] }]
`

/** Each sends what it can and resolves; nothing is closed before its memory is read. */
const attacks = {
  async chunks({ open }) {
    const part = '1\r\nx\r\n'.repeat(4096)
    await all(20, async () => {
      const socket = await open(
        head('POST', '/orders', 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n'),
      )
      for (let sent = 0; sent < 32; sent++) await write(socket, part)
    })
  },
  async streams({ open, send }) {
    await all(100, () => open(head('GET', '/_sandbox/exchanges/stream'), false))
    for (let count = 0; count < 20; count++) await send('POST', '/orders', { text: 'x'.repeat(900_000) })
  },
  async imports({ open }) {
    const part = Buffer.alloc(mebibyte, ' ')
    await all(12, async () => {
      const path = '/_sandbox/worlds/sandbox/snapshot'
      const socket = await open(
        head('PUT', path, `Content-Type: application/json\r\nContent-Length: ${64 * mebibyte}\r\n`),
      )
      for (let sent = 0; sent < 60; sent++) await write(socket, part)
    })
  },
  async callbacks({ send, receiver, rest }) {
    const order = (url) =>
      all(40, async (worker) => {
        for (let count = 0; count < 125; count++) {
          const key = `sandbox-${worker}-${count}`
          await send('POST', `/_sandbox/worlds/${key}/reset`)
          await send('POST', '/orders', { url, text: 'x'.repeat(20_000) }, key)
        }
      })
    // The records and the journal take memory of their own: the second orders take the place of the first ones.
    await order(undefined)
    rest()
    await order(`http://127.0.0.1:${receiver}/`)
  },
  async snapshots({ send }) {
    for (let count = 0; count < 100; count++) {
      await send('POST', '/orders', { text: `${count} ${'x'.repeat(100_000)}` })
      await send('PUT', `/_sandbox/snapshots/kept-${count}`, { world: 'sandbox' })
      await send('POST', '/_sandbox/faults', {
        path: '/none',
        status: 503,
        message: `${count} ${'x'.repeat(2_000_000)}`,
      })
    }
  },
  async pipelined({ open }) {
    const part = head('GET', '/orders').repeat(500)
    await all(50, async () => {
      const socket = await open(head('GET', '/orders', 'Prefer: delay=60000\r\n'))
      for (let sent = 0; sent < 20 && socket.writableLength < 100_000; sent++) await write(socket, part)
    })
  },
  async answers({ open, send }) {
    for (let count = 0; count < 20; count++) await send('POST', '/orders', { text: `${count} ${'x'.repeat(900_000)}` })
    await all(40, () => open(head('GET', '/orders', 'Prefer: delay=60000\r\n')))
    await all(40, () => open(head('GET', '/orders'), false))
  },
}

export default async function benchAttacks({ against = here, only, say }) {
  const names = only?.split(',') ?? Object.keys(attacks)
  const bars = []
  for (const name of names) {
    say(`attacks: ${name}`)
    const { grown, isRunning } = await attack(attacks[name], against)
    bars.push(atMost(`memory that ${name} take above rest`, grown / mebibyte, (2 * budget) / mebibyte, ' MiB'))
    bars.push(holds(`the server answers after ${name}`, isRunning ? 'yes' : 'no', 'yes', isRunning))
  }
  const notes = [`the budget has ${budget / mebibyte} MiB`]
  return { bars, notes, hasFailed: bars.some(({ isKept }) => !isKept), data: { budget, against } }
}

async function attack(run, folder) {
  const file = join(workFolder(), 'orders.yaml')
  writeFileSync(file, spec)
  const sockets = []
  const hanging = createServer((socket) => void sockets.push(socket.on('error', () => {}))).listen(0, '127.0.0.1')
  await once(hanging, 'listening')
  const server = await launch({
    id: 'attacked',
    command: (port) => ({
      args: [
        join(folder, 'bin/petstore-sandbox.js'),
        ...['--spec', file, '--records', '0', '--port', String(port), '--log', 'none'],
      ],
      env: { PETSTORE_SANDBOX_MAX_MEMORY: String(budget) },
    }),
    ready: { method: 'GET', path: '/_sandbox/health', headers: {} },
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 40 })
  const send = (...args) => sendJson(server.port, agent, ...args)
  const open = async (text, isRead = true) => {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {})
    sockets.push(socket)
    if (isRead) socket.resume()
    await once(socket, 'connect')
    socket.write(text)
    return socket
  }
  // Most of the code is loaded by then.
  for (let count = 0; count < 100; count++) await send('GET', '/orders')
  await send('GET', '/_sandbox/worlds')
  let atRest = residentMemory(server.pid)
  let peak = atRest
  let peakAt = performance.now()
  const sample = () => {
    const now = residentMemory(server.pid)
    if (now <= peak) return
    peak = now
    peakAt = performance.now()
  }
  const timer = setInterval(sample, sampleMs)
  try {
    const rest = () => {
      atRest = residentMemory(server.pid)
      peak = atRest
    }
    await run({ send, open, rest, receiver: hanging.address().port })
    peakAt = performance.now()
    while (performance.now() - peakAt < quietMs) await new Promise((resolve) => setTimeout(resolve, sampleMs))
    const isRunning = server.isRunning() && (await send('GET', '/_sandbox/health')).status === 200
    return { grown: peak - atRest, isRunning }
  } finally {
    clearInterval(timer)
    for (const socket of sockets) socket.destroy()
    agent.destroy()
    hanging.close()
    await server.close()
  }
}

async function all(count, work) {
  await Promise.all(Array.from({ length: count }, (_, index) => work(index)))
}

function head(method, path, headers = '') {
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer sandbox\r\n${headers}\r\n`
}

/** Resolves when the socket takes more, has ended, or takes nothing for two seconds. */
function write(socket, part) {
  if (socket.destroyed || socket.write(part)) return undefined
  return new Promise((resolve) => {
    const timer = setTimeout(done, 2000)
    function done() {
      clearTimeout(timer)
      socket.off('drain', done).off('close', done)
      resolve()
    }
    socket.on('drain', done).on('close', done)
  })
}

function sendJson(port, agent, method, path, value, key = 'sandbox') {
  const body = value === undefined ? undefined : JSON.stringify(value)
  const headers = { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) }
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, method, path, host: '127.0.0.1', port, headers }, (incoming) => {
      incoming.resume().on('end', () => resolve({ status: incoming.statusCode }))
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
