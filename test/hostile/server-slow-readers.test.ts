/** Clients that request long responses and do not read them: the memory for them is limited, in all and in time. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Scenario } from 'petstore-sandbox'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { auth, oneConnection, open, send } from '../support/open-server.js'
import { writeFolder } from '../support/serving.js'

const mebibyte = 1024 * 1024
/** Eight lists fit into it. */
const maxMemoryBytes = 128 * mebibyte
/** Bytes of one list. */
const listBytes = 15 * mebibyte
const readers = 20

/** Lists without a limit: with the bundled document no list is long. */
const spec = `
openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths:
  /notes:
    get:
      responses:
        '200':
          description: All notes
          content:
            application/json:
              schema:
                type: array
                items: { type: object, properties: { id: { type: integer }, text: { type: string } } }
  /notes/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        '200': { description: One, content: { application/json: { schema: { type: object } } } }
`

let file: string

beforeAll(async () => {
  const folder = await writeFolder({ 'notes.yaml': spec })
  file = join(folder, 'notes.yaml')
})

const scenario: Scenario = {
  notes: Array.from({ length: 15 }, (_, index) => ({ id: index + 1, text: 'x'.repeat(mebibyte) })),
}

interface Reader {
  /** Resolves to the number of bytes of the body that arrive until the connection ends. */
  readAll(): Promise<number>
}

/** Requests a list, and reads nothing but the start of its head until `readAll`. */
async function requestList(port: number, headers = ''): Promise<Reader> {
  const socket: Socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  socket.write(`GET /notes HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`)
  if (headers === '') await once(socket, 'readable')
  else await once(socket, 'connect')
  return {
    async readAll() {
      let received = 0
      socket.on('data', (part: Buffer) => {
        received += part.length
      })
      if (!socket.closed) await once(socket, 'close')
      return received
    },
  }
}

async function openAll(port: number, headers?: string): Promise<Reader[]> {
  const opened: Reader[] = []
  for (let index = 0; index < readers; index++) opened.push(await requestList(port, headers))
  return opened
}

async function readCompletely(port: number): Promise<void> {
  const { status, text } = await send({ port }, oneConnection(), { path: '/notes', headers: auth })
  expect(status).toBe(200)
  expect(JSON.parse(text)).toHaveLength(15)
}

describe('responses wait only in the memory of the server', () => {
  it('for clients that do not read: those that have waited longest are cut off', async () => {
    const { port } = await open({ spec: file, scenario, maxMemoryBytes })
    const stalled = await openAll(port)
    await readCompletely(port)
    const received = await Promise.all(stalled.map(({ readAll }) => readAll()))
    const complete = received.map((bytes) => bytes >= listBytes)
    expect(complete.filter(Boolean).length).toBeLessThanOrEqual(8)
    expect(complete.filter(Boolean).length).toBeGreaterThan(0)
    expect(complete.slice(0, readers - 8)).toEqual(Array<boolean>(readers - 8).fill(false))
  })

  it('for their delay', async () => {
    const { port, sandbox, close } = await open({ spec: file, scenario, maxMemoryBytes })
    const arrivedIds: number[] = []
    sandbox.journal.subscribe(({ id }) => arrivedIds.push(id))
    const delayed = await openAll(port, 'Prefer: delay=60000\r\n')
    await expect.poll(() => arrivedIds.length).toBe(readers)
    const arrived = delayed.map(({ readAll }) => readAll())
    await readCompletely(port)
    await close()
    const complete = (await Promise.all(arrived)).filter((bytes) => bytes >= listBytes)
    expect(complete.length).toBeLessThanOrEqual(8)
    expect(complete.length).toBeGreaterThan(0)
  })
})

it('closes a connection whose client reads nothing for half a minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { port } = await open({ spec: file, scenario, maxMemoryBytes })
  const stalled = await requestList(port)
  vi.advanceTimersByTime(29_000)
  const reading = await requestList(port)
  vi.advanceTimersByTime(2_000)
  expect(await stalled.readAll()).toBeLessThan(listBytes)
  expect(await reading.readAll()).toBeGreaterThan(listBytes)
})
