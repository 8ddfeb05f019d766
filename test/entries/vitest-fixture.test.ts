// The fixture for Vitest: each test has its own key and world, in the sandbox of the handlers.

import { setupServer } from 'msw/node'
import { createSandbox, SandboxError } from 'petstore-sandbox'
import { handlers, sandbox as standard } from 'petstore-sandbox/msw'
import { createTest, it, test } from 'petstore-sandbox/vitest'
import { afterAll, beforeAll, describe, expect, it as plainIt } from 'vitest'
import { sizeOf } from '../support/records.js'

const address = 'https://api.petstore.example/v1/pets'
const server = setupServer(...handlers)

// The option has another name in MSW 3.
beforeAll(() => server.listen({ onUnhandledRequest: 'error', ...{ onUnhandledFrame: 'error' } }))
afterAll(() => server.close())

async function create(name: string, headers: Record<string, string>): Promise<{ id: number; name: string }> {
  const body = JSON.stringify({ name, categoryId: 1 })
  const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body }
  return (await fetch(address, init)).json()
}

/** Keys of the tests of this file, in the order in which they ran. */
const keys: string[] = []

/** Two tests that reach the same point at the same time. */
function createMeeting(): () => Promise<void> {
  let arrived = 0
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return async () => {
    arrived += 1
    if (arrived === 2) resolve()
    await promise
  }
}

describe.concurrent('two tests at the same time', () => {
  const bothHaveCreated = createMeeting()

  test.for(['Rex', 'Tom'])('do not see each other: %s', async (name, { key, world, headers, expect }) => {
    keys.push(key)
    const created = await create(name, headers)
    await bothHaveCreated()
    expect(created).toMatchObject({ id: 121, name })
    const pets = await (await fetch(`${address}?limit=2`, { headers })).json()
    expect(pets.map((pet: { id: number; name: string }) => `${pet.id} ${pet.name}`)).toEqual([
      `121 ${name}`,
      '120 Captain',
    ])
    expect(await sizeOf(world)).toBe(121)
  })
})

it('provides a valid key, its world and the sandbox of the handlers', ({ key, world, headers, sandbox }) => {
  expect(key).toMatch(/^sandbox-[A-Za-z0-9._-]{1,64}$/)
  expect(headers).toEqual({ Authorization: `Bearer ${key}` })
  expect(sandbox).toBe(standard)
  expect(world.key).toBe(key)
  keys.push(key)
})

plainIt('gave each test another key, and put their worlds back', async () => {
  expect(new Set(keys).size).toBe(3)
  for (const key of keys) expect(await sizeOf(standard.world(key))).toBe(120)
})

describe('a repeated test', () => {
  it('starts with fresh data', { repeats: 2 }, async ({ headers }) => {
    expect((await create('Rex', headers)).id).toBe(121)
  })
})

const mine = createSandbox({ scenario: { pets: [{ id: 7, name: 'Mine', categoryId: 1 }] } })
const mineIt = createTest({ sandbox: mine })

mineIt('is made over another sandbox', async ({ headers, sandbox, world }) => {
  expect(sandbox).toBe(mine)
  const response = await sandbox.fetch(address, { headers })
  expect(await response.json()).toEqual([{ id: 7, name: 'Mine', categoryId: 1 }])
  expect(await sizeOf(world)).toBe(1)
})

plainIt('refuses a sandbox of which it cannot make up keys', () => {
  const listed = createSandbox({ apiKeys: ['only-this'] })
  expect(() => createTest({ sandbox: listed })).toThrow(SandboxError)
  expect(() => createTest({ sandbox: listed })).toThrow(/without "apiKeys"/)
})
