// What once went wrong, each as it was found.

import { createSandbox, generateScenario, SandboxError } from 'petstore-sandbox'
import { startServer } from 'petstore-sandbox/node'
import { expect, it } from 'vitest'
import { removeRecord, sizeOf } from './support/records.js'

const headers = { Authorization: 'Bearer sandbox', 'Content-Type': 'application/json' }
const messages = 'https://quickstart.petstore.example/messages'
const message = { method: 'POST', headers, body: '{"message":"hi"}' }

it('never gives a text key twice, though its record was removed', async () => {
  const { fetch, world } = createSandbox()
  const send = async (): Promise<string> => (await (await fetch(messages, message)).json()).id
  const first = await send()
  await removeRecord(world(), first, { collection: 'messages' })
  expect(await send()).not.toBe(first)
})

it.each([204, 205])('answers a forced %i without a body', async (status) => {
  const response = await createSandbox().fetch(messages, {
    ...message,
    headers: { ...headers, Prefer: `code=${status}` },
  })
  expect(response.status).toBe(status)
  expect(await response.text()).toBe('')
})

it.each([1n, 2 ** 53])('refuses a scenario with the id %s, which no request could name', (id) => {
  const scenario = { pets: [{ id, name: 'a', categoryId: 1 }] }
  expect(() => createSandbox({ scenario })).toThrow(SandboxError)
})

it('refuses a negative bound of the journal', () => {
  expect(() => createSandbox({ journal: { maxExchanges: -1 } })).toThrow(/maxExchanges.*-1/)
})

it('counts what it notes among the bytes of the journal', async () => {
  const { fetch, journal } = createSandbox({ journal: { maxBytes: 100_000 } })
  const unknown = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`unknown${index}`, 1]))
  const body = JSON.stringify({ name: 'a', categoryId: 1, ...unknown })
  await fetch('https://api.petstore.example/v1/pets', { method: 'POST', headers, body })
  expect(journal.size).toBe(0)
})

it('goes on though the listener of a server fails', async () => {
  const errors: unknown[] = []
  const onExchange = () => {
    throw new Error('no disk')
  }
  const server = await startServer({ port: 0, onExchange, onUnexpectedError: (error) => errors.push(error) })
  expect((await fetch(`${server.url}/v1/pets`, { headers })).status).toBe(200)
  expect((await fetch(`${server.url}/v1/pets`, { headers })).status).toBe(200)
  expect(errors.length).toBeGreaterThan(0)
  await server.close()
})

it('ends a delayed fetch that is aborted before its delay begins', async () => {
  const controller = new AbortController()
  const { fetch } = createSandbox()
  const delayed = fetch('https://api.petstore.example/v1/pets', {
    headers: { ...headers, Prefer: 'delay=20000' },
    signal: controller.signal,
  })
  controller.abort()
  await expect(delayed).rejects.toThrow(/abort/i)
})

it('generates for the bundled document what it serves', async () => {
  const scenario = await generateScenario({ records: 3 })
  expect(await sizeOf(createSandbox({ scenario }).world())).toBe(3)
})
