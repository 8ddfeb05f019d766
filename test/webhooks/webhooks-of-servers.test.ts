// Callbacks of servers that share a store: little memory at one of them, and worlds that are named by their ids.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type RunningServer, type ServerOptions, startServer } from 'petstore-sandbox/node'
import { expect, it, onTestFinished } from 'vitest'
import { createFakeStore, type FakeStore } from '../support/fake-store.js'
import { writeFiles } from '../support/files.js'
import { hookDocument, orderSchema, sending } from '../support/webhook-document.js'

const later = 3_600_000

async function startReceiver(): Promise<{ url: string; got: string[] }> {
  const got: string[] = []
  const server = createServer((request, response) => {
    got.push(String(request.headers['sandbox-delivery']))
    request.resume().on('end', () => response.end())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, got }
}

async function start(url: string, store: FakeStore, options: ServerOptions = {}): Promise<RunningServer> {
  const item = sending(orderSchema, { 'x-sandbox-delay': later })
  const document = hookDocument({ create: { callbacks: { done: { [url]: item } } } })
  const spec = `${await writeFiles({ 'orders.json': document })}/orders.json`
  const server = await startServer({ port: 0, spec, store, records: 0, ...options })
  onTestFinished(() => server.close())
  return server
}

function order({ url }: RunningServer, method = 'POST', key = 'sandbox'): Promise<Response> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  return fetch(`${url}/v1/orders`, { method, headers, ...(method === 'POST' && { body: '{"item":"Lamp"}' }) })
}

it('are sent by the server that has memory for them', async () => {
  const { url, got } = await startReceiver()
  const store = createFakeStore(() => ({ before: 0, after: 0 }))
  const one = await start(url, store)
  const other = await start(url, store, { maxMemoryBytes: 1024 * 1024 })
  for (let count = 0; count < 80; count++) expect((await order(one)).status).toBe(201)
  expect((await order(other, 'GET')).status).toBe(200)
  await one.sandbox.world().clock.advance(later)
  await expect.poll(() => new Set(got).size).toBe(80)
  expect(got).toHaveLength(80)
})

it('are forgotten with a world that is removed by its id', async () => {
  const { url, got } = await startReceiver()
  const store = { ...createFakeStore(() => ({ before: 0, after: 0 })), isExclusive: true }
  const key = 'a-secret-key-of-a-team'
  const server = await start(url, store, { apiKeys: [key] })
  expect((await order(server, 'POST', key)).status).toBe(201)
  const { worlds } = (await (await fetch(`${server.url}/_sandbox/worlds`)).json()) as { worlds: { id: string }[] }
  const id = worlds[0]?.id
  expect((await order(server, 'GET', key)).status).toBe(200)
  const found = await (await fetch(`${server.url}/_sandbox/exchanges?key=${id}`)).json()
  expect(found).toHaveLength(2)
  expect((await fetch(`${server.url}/_sandbox/worlds/${id}`, { method: 'DELETE' })).status).toBe(204)
  await server.sandbox.world(key).clock.advance(later)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(got).toEqual([])
})
