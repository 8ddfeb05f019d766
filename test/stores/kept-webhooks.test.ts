// Callbacks that programs with a store have still to send when they end, and that several programs could send.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serve } from '../support/launch.js'
import { hasRedis, startRedis } from '../support/redis-server.js'
import { writeFolder } from '../support/serving.js'
import { hookDocument, orderSchema, sending } from '../support/webhook-document.js'

const hour = 3_600_000

interface Receiver {
  url: string
  /** The ids of the deliveries that it got, and their items. */
  got: { id: string; item: string }[]
}

/** @param statusOf returns the status for the delivery with this number, or undefined for no answer */
async function receive(statusOf: (count: number) => number | undefined = () => 200): Promise<Receiver> {
  const got: Receiver['got'] = []
  const server = createServer(async (incoming, outgoing) => {
    let body = ''
    for await (const chunk of incoming) body += chunk
    got.push({ id: String(incoming.headers['sandbox-delivery']), item: (JSON.parse(body) as { item: string }).item })
    const status = statusOf(got.length)
    if (status !== undefined) outgoing.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, got }
}

/** The arguments of a program, and its folder. */
async function describeProgram(delay: number, store?: string): Promise<{ options: string[]; folder: string }> {
  const item = sending(orderSchema, { 'x-sandbox-delay': delay, 'x-sandbox-retries': [hour] })
  const callbacks = { done: { '{$request.body#/callbackUrl}': item } }
  const folder = await writeFolder({ 'api.json': hookDocument({ create: { callbacks } }) })
  const address = store ?? `file:${join(folder, 'worlds.db')}`
  return { options: [join(folder, 'api.json'), '--records', '0', '--log', 'none', '--store', address], folder }
}

async function order(url: string, item: string, callbackUrl: string, key = 'sandbox'): Promise<void> {
  const { status } = await fetch(`${url}/v1/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ item, callbackUrl }),
  })
  expect(status).toBe(201)
}

async function list(url: string, key = 'sandbox'): Promise<void> {
  const { status } = await fetch(`${url}/v1/orders`, { headers: { authorization: `Bearer ${key}` } })
  expect(status).toBe(200)
}

async function advance(url: string, milliseconds: number): Promise<void> {
  const { status } = await fetch(`${url}/_sandbox/worlds/sandbox/clock`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance: milliseconds }),
  })
  expect(status).toBe(200)
}

/** Something that should not be sent would usually be sent when this resolves. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 200))
const untilGot = ({ got }: Receiver, count: number) => expect.poll(() => got.length, { interval: 5 }).toBe(count)

describe('a file', () => {
  it('has what was pending after a restart, and sends it once, as the same delivery', async () => {
    const receiver = await receive((count) => (count === 1 ? 503 : 200))
    const { options } = await describeProgram(hour)
    const first = await serve(options)
    await order(first.url, 'Lamp', receiver.url)
    expect(await first.stop()).toMatchObject({ code: 0 })
    const second = await serve(options)
    await advance(second.url, hour)
    await untilGot(receiver, 1)
    await settled()
    await second.stop()
    const third = await serve(options)
    await list(third.url)
    await settled()
    await advance(third.url, hour)
    await untilGot(receiver, 2)
    expect(receiver.got[1]).toEqual(receiver.got[0])
    await settled()
    await third.stop()
    const fourth = await serve(options)
    await advance(fourth.url, 2 * hour)
    await settled()
    expect(receiver.got).toHaveLength(2)
  })

  it('has what was just sent when the program was killed, and sends it again as the same delivery', async () => {
    let kill = () => {}
    const receiver = await receive((count) => {
      if (count > 1) return 200
      kill()
      return undefined
    })
    const { options } = await describeProgram(0)
    const first = await serve(options)
    kill = () => first.signal('SIGKILL')
    await order(first.url, 'Lamp', receiver.url).catch(() => {})
    await untilGot(receiver, 1)
    await first.ended
    const second = await serve(options)
    await list(second.url)
    await untilGot(receiver, 2)
    expect(receiver.got[1]).toEqual(receiver.got[0])
  })
})

describe.skipIf(!hasRedis)('Redis', () => {
  it.each([0, 300])('lets one of two programs send each, %i ms later', async (delay) => {
    const redis = await startRedis()
    onTestFinished(() => redis.remove())
    const receiver = await receive()
    const { options } = await describeProgram(delay, redis.url)
    const programs = [await serve(options), await serve(options)]
    const items = Array.from({ length: 40 }, (_, index) => `Lamp ${index}`)
    await Promise.all(items.map((item, index) => order(programs[index % 2]?.url ?? '', item, receiver.url)))
    await untilGot(receiver, 40)
    for (const { url } of programs) await list(url)
    await settled()
    expect(receiver.got).toHaveLength(40)
    expect(new Set(receiver.got.map(({ item }) => item))).toEqual(new Set(items))
    expect(new Set(receiver.got.map(({ id }) => id)).size).toBe(40)
  })

  it('lets another program send what one has claimed that was killed', async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.remove())
    let kill = () => {}
    const receiver = await receive((count) => {
      if (count > 1) return 200
      kill()
      return undefined
    })
    const { options } = await describeProgram(0, redis.url)
    const [gone, other] = [await serve(options), await serve(options)]
    kill = () => gone.signal('SIGKILL')
    await order(gone.url, 'Lamp', receiver.url).catch(() => {})
    await untilGot(receiver, 1)
    await gone.ended
    await list(other.url)
    await untilGot(receiver, 2)
    expect(receiver.got[1]).toEqual(receiver.got[0])
  })
})
