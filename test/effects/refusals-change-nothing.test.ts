// A refused request changes nothing: neither records of any collection on any server, nor the next id.

import fc from 'fast-check'
import { createSandbox, type Sandbox } from 'petstore-sandbox'
import { describe, expect, it } from 'vitest'
import { cases } from '../cases/all-cases.js'
import { toSandboxRequest } from '../support/in-process.js'
import { type RawRequest, toBytes } from '../support/raw-request.js'
import { sizeOf, stateOf } from '../support/records.js'
import { type Case, standardOptions } from '../support/run-case.js'

/** The data of a key, by collection and server. Undefined if the key opens no world. */
async function snapshot(sandbox: Sandbox, key: string | undefined) {
  const world = openWorld(sandbox, key)
  if (!world) return undefined
  const places = sandbox.contract.collections.flatMap(({ name: collection, servers }) =>
    servers.map((server) => ({ collection, server })),
  )
  const look = places.map(async (place) => ({ ...place, ...(await stateOf(world, place)) }))
  // A world beyond the limit, or a record that cannot be read, stays that way too.
  return Promise.all(look).catch((error: Error) => error.message)
}

function openWorld(sandbox: Sandbox, key: string | undefined) {
  try {
    return sandbox.world(key)
  } catch {
    return undefined
  }
}

function keyOf({ headers = [] }: RawRequest): string | undefined {
  const value = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1]
  return /^bearer +(\S+)$/i.exec(value ?? '')?.[1]
}

const refusing = cases.filter(({ steps }) => steps.some((step) => 'expect' in step && step.expect.status >= 400))

describe('changes nothing', () => {
  for (const each of refusing) {
    it(`when it ${each.name}`, async () => {
      expect(await countRefused(each)).toBeGreaterThan(0)
    })
  }
})

/** Runs a case, and compares every affected world before and after each refused request. */
async function countRefused({ options, steps }: Case): Promise<number> {
  const sandbox = createSandbox({ ...standardOptions, ...options })
  let refused = 0
  for (const step of steps) {
    if (typeof step === 'function') {
      await step(sandbox)
      continue
    }
    const keys = new Set([keyOf(step), undefined])
    const look = () => Promise.all([...keys].map((key) => snapshot(sandbox, key)))
    const before = step.expect.status >= 400 ? await look() : undefined
    const { status } = await sandbox.handle(toSandboxRequest(sandbox, step))
    if (status < 400 || !before) continue
    refused++
    expect(await look(), `${step.method} ${step.target.slice(0, 100)} was answered ${status}`).toEqual(before)
  }
  return refused
}

// --- generated bodies ----------------------------------------------------------------------------------------------

const seed = 20261121

/** Written only from the service's document. Does not generate numbers that a double cannot represent. */
function isNewPet(body: string | Uint8Array): boolean {
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(toBytes(body)))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const given = new Map(Object.entries(value))
    return (
      typeof given.get('name') === 'string' &&
      Number.isInteger(given.get('categoryId')) &&
      Math.abs(Number(given.get('categoryId'))) < 2 ** 63 &&
      [undefined, 'available', 'pending', 'sold'].includes(given.get('status') as string | undefined)
    )
  } catch {
    return false
  }
}

const anyValue = fc.oneof(fc.jsonValue(), fc.constantFrom(null, '', 0, -1, 1.5, 'sold', 'SOLD', 'available', [], {}))

/** Objects that look correct: each property is valid, invalid or missing. */
const almostNewPet = fc
  .record(
    {
      name: fc.oneof(fc.string(), anyValue),
      categoryId: fc.oneof(fc.integer(), anyValue),
      status: fc.oneof(fc.constantFrom('available', 'pending', 'sold'), anyValue),
      id: anyValue,
    },
    { requiredKeys: [] },
  )
  .map((value) => JSON.stringify(value))

const valid = '{"name":"Rex","categoryId":7,"status":"sold"}'

/** Replaces a piece of a valid text. */
const damaged = fc
  .tuple(
    fc.nat({ max: valid.length }),
    fc.nat({ max: 8 }),
    fc.oneof(
      fc.constantFrom('', '"', ',', '{', '}', ':', '[', ']', '\\', 'null', '0', '.', '-', 'e', ' '),
      fc.string(),
    ),
  )
  .map(([at, length, piece]) => valid.slice(0, at) + piece + valid.slice(at + length))

const damagedBytes = fc
  .tuple(fc.nat({ max: valid.length - 1 }), fc.integer({ min: 0, max: 255 }))
  .map(([at, byte]) => toBytes(valid).with(at, byte))

const bodies = fc.oneof(almostNewPet, damaged, damagedBytes, fc.json(), fc.string(), fc.uint8Array({ maxLength: 64 }))

it('accepts exactly the generated bodies that are a new animal, and changes nothing for the others', async () => {
  const sandbox = createSandbox(standardOptions)
  const untouched = await snapshot(sandbox, 'sandbox-refused')
  const counts = { taken: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(bodies, fc.constantFrom('/v1', '/staging/v1'), async (body, base) => {
      const isValid = isNewPet(body)
      // Accepted bodies go to another world, so that this one must stay unchanged.
      const { status } = await sandbox.handle(
        toSandboxRequest(sandbox, newPet(`${base}/pets`, body, isValid ? 'sandbox-taken' : 'sandbox-refused')),
      )
      expect(status).toBe(isValid ? 201 : 400)
      counts[isValid ? 'taken' : 'refused']++
      if (!isValid) expect(await snapshot(sandbox, 'sandbox-refused')).toEqual(untouched)
    }),
    { seed, numRuns: 2000 },
  )
  expect(counts.taken).toBeGreaterThan(100)
  expect(counts.refused).toBeGreaterThan(1000)
  for (const base of ['/v1', '/staging/v1']) {
    const response = await sandbox.handle(toSandboxRequest(sandbox, newPet(`${base}/pets`, valid, 'sandbox-refused')))
    expect(response.body).toBe('{"id":4,"name":"Rex","categoryId":7,"status":"sold"}')
  }
})

it('queues exactly the generated bodies that are a message', async () => {
  const sandbox = createSandbox(standardOptions)
  const message = fc.record({ message: fc.oneof(fc.string(), anyValue), id: anyValue }, { requiredKeys: [] })
  let taken = 0
  await fc.assert(
    fc.asyncProperty(fc.oneof(message, fc.jsonValue()), async (value) => {
      const isMessage = Object.entries(value ?? {}).some(
        ([name, text]) => name === 'message' && typeof text === 'string' && !Array.isArray(value),
      )
      const response = await sandbox.handle(
        toSandboxRequest(sandbox, newPet('/messages', JSON.stringify(value), 'sandbox')),
      )
      expect(response.status).toBe(isMessage ? 202 : 400)
      if (isMessage) taken++
      expect(await sizeOf(sandbox.world(), { collection: 'messages' })).toBe(taken)
    }),
    { seed, numRuns: 1000 },
  )
  expect(taken).toBeGreaterThan(100)
})

it('refuses a generated content type that is not JSON, and stores nothing', async () => {
  const sandbox = createSandbox(standardOptions)
  const untouched = await snapshot(sandbox, undefined)
  const word = fc.stringMatching(/^[a-z+.*-]{1,12}$/)
  const types = fc.tuple(word, word).map(([a, b]) => `${a}/${b}`)
  await fc.assert(
    fc.asyncProperty(
      types.filter((type) => type !== 'application/json'),
      async (type) => {
        const request: RawRequest = {
          method: 'POST',
          target: '/v1/pets',
          headers: [
            ['Authorization', 'Bearer sandbox'],
            ['Content-Type', type],
          ],
          body: valid,
        }
        const { status, body } = await sandbox.handle(toSandboxRequest(sandbox, request))
        expect([status, JSON.parse(String(body)).code]).toEqual([400, 'unsupported_media_type'])
      },
    ),
    { seed, numRuns: 300 },
  )
  expect(await snapshot(sandbox, undefined)).toEqual(untouched)
})

function newPet(target: string, body: string | Uint8Array, key: string): RawRequest {
  return {
    method: 'POST',
    target,
    headers: [
      ['Authorization', `Bearer ${key}`],
      ['Content-Type', 'application/json'],
    ],
    body,
  }
}
