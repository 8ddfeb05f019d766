/** Cases: faults, stopped clocks, copies of worlds, and waiting for exchanges. */
import { calls, once, seed, waitForCall } from 'petstore-sandbox/testing'
import { expect } from 'vitest'
import type { Act, Case, Send } from '../support/run-case.js'
import {
  ada,
  all,
  bo,
  cy,
  get,
  idsAre,
  json,
  keyOf,
  lastExchange,
  post,
  rex,
  rex4,
  rexIs4,
  send,
} from './vocabulary.js'

const fault =
  (rule: Parameters<Parameters<Act>[0]['faults']['add']>[0]): Act =>
  async (sandbox) => {
    await sandbox.faults.add(rule)
  }
const codes: Record<number, string> = { 429: 'rate_limited', 500: 'internal_error', 503: 'unavailable' }
const failed = (status: number, message: string | RegExp = /^Fault 1 of this sandbox$/): Send['expect'] => ({
  status,
  error: [codes[status] ?? '', message],
})
const withRex = `[${rex4},${cy},${bo},${ada}]`
const limit = (remaining: number, seconds = 60) => ({
  'ratelimit-policy': '"default";q=2;w=60',
  ratelimit: `"default";r=${remaining};t=${seconds}`,
})

const oneLeft = { 'ratelimit-policy': '"default";q=1;w=60', ratelimit: '"default";r=0;t=60' }

export const faultCases: readonly Case[] = [
  {
    name: 'a fault fails as many requests as it says, and changes nothing',
    steps: [
      fault({ operation: 'createPet', times: 2, status: 503, message: 'Down for two requests' }),
      post('/v1/pets', rex, failed(503, 'Down for two requests')),
      get('/v1/pets', all),
      post('/v1/pets', rex, failed(503, 'Down for two requests')),
      post('/v1/pets', rex, rexIs4),
      async (sandbox) => {
        expect(await sandbox.faults.list()).toEqual([
          { id: '1', operation: 'createPet', times: 2, status: 503, message: 'Down for two requests', struck: 2 },
        ])
        const failed = await sandbox.exchanges.list({ status: 503 })
        expect(failed.map(({ notes }) => notes)).toEqual([['fault 1: status 503'], ['fault 1: status 503']])
        expect(failed.map(({ request }) => request.body)).toEqual([rex, rex])
      },
    ],
  },
  {
    name: 'a fault for one key, method and path lets all others pass',
    steps: [
      fault({ key: 'sandbox-ana', method: 'GET', path: '/p*s', status: 500 }),
      get('/v1/pets', all),
      send('POST', '/v1/pets', [keyOf('sandbox-ana'), json], { status: 400 }),
      send('GET', '/v1/pets', [keyOf('sandbox-ana')], failed(500)),
      async (sandbox) => {
        expect(await sandbox.faults.remove('1')).toBe(true)
        expect(await sandbox.faults.remove('1')).toBe(false)
      },
      send('GET', '/v1/pets', [keyOf('sandbox-ana')], all),
    ],
  },
  {
    name: 'a share of requests fails, the same ones for the same seed',
    steps: [
      fault({ share: 0.5, seed: 4, status: 500 }),
      ...[200, 200, 500, 500, 200, 500].map((status) => get('/v1/pets', { status })),
    ],
  },
  {
    name: 'a rate limit says how much is left, and begins again with its window',
    steps: [
      fault({ rate: { limit: 2 } }),
      get('/v1/pets', { ...all, headers: limit(1) }),
      get('/v1/pets', { ...all, headers: limit(0) }),
      (sandbox) => sandbox.clock.advance(15_000),
      get('/v1/pets', { ...failed(429), headers: { ...limit(0, 45), 'retry-after': '45' } }),
      send('GET', '/v1/pets', [keyOf('sandbox-ana')], { ...all, headers: limit(1) }),
      (sandbox) => sandbox.clock.advance(45_000),
      get('/v1/pets', { ...all, headers: limit(1) }),
    ],
  },
  {
    name: 'a fault may answer with any status, and its rule cannot be changed after',
    steps: [
      async ({ faults }) => {
        const rule = { times: 1, rate: { limit: 5 }, status: 503 }
        await faults.add(rule)
        rule.rate.limit = 1
        await faults.clear()
        await faults.add({ operation: 'createPet', status: 205 })
      },
      post('/v1/pets', rex, { status: 205 }),
      get('/v1/pets', all),
    ],
  },
  {
    name: 'a rate limit may have a status of its own',
    steps: [
      fault({ rate: { limit: 1 }, status: 503 }),
      get('/v1/pets', { ...all, headers: oneLeft }),
      get('/v1/pets', { ...failed(503), headers: { ...oneLeft, 'retry-after': '60' } }),
    ],
  },
  {
    name: 'a delay lets the request succeed',
    steps: [
      fault({ delayMs: [1, 20] }),
      get('/v1/pets', all),
      (sandbox) => expect(lastExchange(sandbox).notes).toEqual([expect.stringMatching(/^fault 1: \d+ ms later$/)]),
    ],
  },
  {
    name: 'the first fault that fails a request is the only one that counts it',
    steps: [
      fault({ times: 1, status: 500 }),
      fault({ times: 1, status: 503 }),
      get('/v1/pets', failed(500)),
      get('/v1/pets', failed(503, 'Fault 2 of this sandbox')),
      get('/v1/pets', all),
    ],
  },
  {
    name: 'a reset of the sandbox removes its faults',
    steps: [fault({ status: 500 }), (sandbox) => sandbox.reset(), get('/v1/pets', all)],
  },
  {
    name: 'wrong faults are refused, and change nothing',
    steps: [
      async ({ faults }) => {
        await expect(faults.add({})).rejects.toThrow(
          'A fault must have one of status, delayMs, drop, truncate and rate',
        )
        await expect(faults.add({ operation: 'createCat', status: 500 })).rejects.toThrow(
          'Unknown operation "createCat"',
        )
        await expect(faults.add({ status: 42 })).rejects.toThrow('status must be a status from 200 to 599 (got 42)')
        await expect(faults.add({ status: 500, times: 0 })).rejects.toThrow(
          'times must be a whole number of at least 1',
        )
        await expect(faults.add({ delayMs: [9, 1] })).rejects.toThrow('delayMs must be milliseconds up to 60000')
        await expect(faults.add({ rate: { limit: 0 } })).rejects.toThrow('rate.limit must be a whole number')
        await expect(faults.add({ colour: 'red' } as never)).rejects.toThrow('Unknown option "colour"')
        expect(await faults.list()).toEqual([])
      },
      get('/v1/pets', all),
    ],
  },
  {
    name: 'a frozen clock stands still until it is moved, and goes on from there',
    options: { now: undefined as never },
    steps: [
      async ({ clock, world }) => {
        const own = world().clock
        await own.travelTo('2030-12-05T00:00:00Z')
        await own.freeze()
        const start = Date.parse('2030-12-05T00:00:00Z')
        const at = await own.now()
        expect(at - start).toBeLessThan(3_600_000)
        await clock.advance(3_600_000)
        expect(await own.now()).toBe(at)
        await own.advance(1000)
        expect(await own.now()).toBe(at + 1000)
        await own.resume()
        await clock.advance(5000)
        expect((await own.now()) - at).toBeGreaterThanOrEqual(6000)
        expect((await own.now()) - at).toBeLessThan(3_600_000)
      },
      async ({ world }) => {
        await world().clock.freeze()
        const state = await world().snapshot()
        const copy = world('sandbox-copy')
        await copy.restore(state)
        expect(await copy.clock.now()).toBe(state.frozenAt)
        await copy.reset()
        expect(await copy.snapshot()).not.toHaveProperty('frozenAt')
      },
    ],
  },
  {
    name: 'a copy of a world has its records and its clock, and neither sees what the other changes after',
    steps: [
      post('/v1/pets', rex, rexIs4),
      async ({ world }) => {
        await world().clock.travelTo('2030-01-01T00:00:00Z')
        const copy = await world().fork('sandbox-copy')
        expect(copy.key).toBe('sandbox-copy')
        expect(await copy.clock.now()).toBe(Date.parse('2030-01-01T00:00:00Z'))
        await expect(world().fork('no key')).rejects.toThrow('Invalid key "no key"')
      },
      send('GET', '/v1/pets', [keyOf('sandbox-copy')], { status: 200, text: withRex }),
      (sandbox) => sandbox.world('sandbox-copy').collection('pets').clear(),
      get('/v1/pets', { status: 200, text: withRex }),
      send('GET', '/v1/pets', [keyOf('sandbox-copy')], { status: 200, text: '[]' }),
      async ({ world }) => {
        const before = await world().snapshot()
        await world().fork('sandbox')
        expect(await world().snapshot()).toEqual(before)
      },
    ],
  },
  {
    name: 'waiting resolves to an exchange that the journal has, or to the next one',
    steps: [
      get('/v1/pets', all),
      async ({ exchanges, fetch, defaultKey, contract }) => {
        const known = await exchanges.wait({ operation: 'listPets' })
        expect(known.id).toBe(1)
        const next = exchanges.wait({ operation: 'listPets', after: known.id, status: 200 })
        const { url = '' } = contract.servers[0] ?? {}
        await fetch(`${url}/pets`, { headers: { Authorization: `Bearer ${defaultKey}` } })
        expect((await next).id).toBe(2)
        await expect(exchanges.wait({ status: 418 }, { timeoutMs: 1 })).rejects.toMatchObject({ code: 'TIMED_OUT' })
        expect(await exchanges.list({ key: 'sandbox-other' })).toEqual([])
        expect((await exchanges.list({ refused: false, since: '2026-11-21T00:00:00Z' })).length).toBe(2)
        expect(await exchanges.list({ until: '2026-11-21T00:00:00Z' })).toEqual([])
      },
    ],
  },
  {
    name: 'wrong filters of exchanges are refused',
    steps: [
      async ({ exchanges }) => {
        await expect(exchanges.wait({ state: 1 } as never)).rejects.toThrow('Unknown option "state"')
        await expect(exchanges.wait({}, { timeoutMs: 60_001 })).rejects.toThrow('timeoutMs must be 0 to 60000')
      },
    ],
  },
  {
    name: 'a seeded record has what is given, a key, and what its schema requires',
    steps: [
      async (sandbox) => {
        const seeded = await seed(sandbox, 'pets', { name: 'Rex', categoryId: 7 })
        expect(seeded).toEqual({ id: 4, name: 'Rex', categoryId: 7 })
        expect(await seed(sandbox, 'pets')).toMatchObject({ id: 5, name: expect.any(String) })
        await expect(seed(sandbox, 'pets', { id: 4 })).rejects.toMatchObject({ code: 'DUPLICATE_KEY' })
        await sandbox.world().collection('pets').remove(5)
        await seed(sandbox, 'pets', { name: 'Max', categoryId: 1 }, { key: 'sandbox-other' })
      },
      get('/v1/pets', { status: 200, text: withRex }),
      send('GET', '/v1/pets', [keyOf('sandbox-other')], idsAre([4, 3, 2, 1])),
    ],
  },
  {
    name: 'the short forms of tests let one request fail, and say what was called',
    steps: [
      async (sandbox) => void (await once(sandbox, 'createPet', { status: 503 })),
      post('/v1/pets', rex, failed(503)),
      post('/v1/pets', rex, rexIs4),
      async (sandbox) => {
        expect(calls(sandbox, 'createPet').map(({ body, status }) => [body, status])).toEqual([
          [{ name: 'Rex', categoryId: 7 }, 503],
          [{ name: 'Rex', categoryId: 7 }, 201],
        ])
        expect((await waitForCall(sandbox, 'createPet', { status: 201 })).body).toEqual({ name: 'Rex', categoryId: 7 })
      },
    ],
  },
]
