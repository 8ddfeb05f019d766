// Worlds in a store that waits, conflicts and fails: what was answered is kept, once, whoever else writes.

import { createSandbox, type Sandbox, SandboxError, type SandboxOptions } from 'petstore-sandbox'
import { expect, it, onTestFinished } from 'vitest'
import { createFakeStore, type FakeStore, turns, type Weather } from '../support/fake-store.js'
import { toSandboxRequest } from '../support/in-process.js'
import type { RawRequest } from '../support/raw-request.js'
import { readObject } from '../support/read-json.js'
import { sizeOf } from '../support/records.js'
import { standardOptions } from '../support/run-case.js'

const calm: Weather = { before: 1, after: 1 }
const key = ['Authorization', 'Bearer sandbox'] as const
const list: RawRequest = { method: 'GET', target: '/v1/pets?limit=100', headers: [key] }

function create(name: string, owner = 'sandbox'): RawRequest {
  const body = JSON.stringify({ name, categoryId: 1 })
  const headers = [
    ['Authorization', `Bearer ${owner}`],
    ['Content-Type', 'application/json'],
  ] as const
  return { method: 'POST', target: '/v1/pets', headers, body }
}

function openReplica(store: FakeStore, options: SandboxOptions = {}): Sandbox {
  return createSandbox({ ...standardOptions, scenario: 'empty', ...options, store })
}

async function send(sandbox: Sandbox, request: RawRequest): Promise<{ status: number; text: string }> {
  const { status, body } = await sandbox.handle(toSandboxRequest(sandbox, request))
  return { status, text: String(body ?? '') }
}

const idOf = ({ text }: { text: string }) => Number(readObject(JSON.parse(text))['id'])

it('gives each of 60 pets that two replicas create at once an id of its own, and lists all of them', async () => {
  const store = createFakeStore((call) => ({ before: call % 3, after: call % 2 }))
  const replicas = [openReplica(store), openReplica(store)]
  const requests = Array.from({ length: 60 }, (_, index) => create(`Pet ${index}`))
  const answers = await Promise.all(
    requests.map((request, index) => send(replicas[index % 2] ?? openReplica(store), request)),
  )
  expect(answers.map(({ status }) => status)).toEqual(requests.map(() => 201))
  expect(answers.map(idOf).sort((a, b) => a - b)).toEqual(requests.map((_, index) => index + 1))
  for (const replica of replicas) expect(await sizeOf(replica.world())).toBe(60)
})

it('answers neither a creation nor a list that shows it before the creation is committed', async () => {
  const store = createFakeStore((_, method) => ({ before: method === 'commit' ? 50 : 0, after: 0 }))
  const sandbox = openReplica(store)
  await send(sandbox, list)
  const listed = sandbox.journal.size
  const committed = () => store.calls.filter((call) => call === 'commit').length
  const seen: number[] = []
  const creation = send(sandbox, create('Rex')).then(() => seen.push(committed()))
  await turns(10)
  const listing = send(sandbox, list).then(({ text }) => {
    seen.push(committed())
    expect(text).toBe('[{"id":1,"name":"Rex","categoryId":1}]')
  })
  await turns(20)
  expect(seen).toEqual([])
  expect(sandbox.journal.size).toBe(listed)
  await Promise.all([creation, listing])
  expect(seen).toEqual([1, 1])
  expect(sandbox.journal.size).toBe(listed + 2)
})

it('runs a request again after a conflict with the time of its first attempt', async () => {
  let now = Date.parse('2026-11-21T00:00:00Z')
  let commits = 0
  const store = createFakeStore((_, method) => {
    if (method === 'commit') now += 1000
    return { ...calm, fault: method === 'commit' && ++commits < 4 ? 'conflict' : undefined }
  })
  const sandbox = openReplica(store, { now: () => now })
  const request: RawRequest = {
    method: 'POST',
    target: '/messages',
    headers: [key, ['Content-Type', 'application/json']],
    body: '{"message":"hi"}',
  }
  const { status, text } = await send(sandbox, request)
  expect(status).toBe(202)
  expect(readObject(JSON.parse(text))['createdAt']).toBe('2026-11-21T00:00:00.000Z')
  expect(commits).toBe(4)
})

it('applies a creation once if the answer to its commit is lost', async () => {
  let commits = 0
  const store = createFakeStore((_, method) => ({
    ...calm,
    fault: method === 'commit' && ++commits === 1 ? 'lose' : undefined,
  }))
  const sandbox = openReplica(store)
  expect((await send(sandbox, create('Rex'))).status).toBe(201)
  expect(commits).toBe(1)
  expect((await send(openReplica(store), list)).text).toBe('[{"id":1,"name":"Rex","categoryId":1}]')
})

it('answers 503 if the store fails, stores nothing, and goes on when it works again', async () => {
  let isDown = true
  const store = createFakeStore(() => ({ ...calm, fault: isDown ? 'fail' : undefined }))
  const sandbox = openReplica(store)
  const refused = await send(sandbox, create('Rex'))
  expect(refused.status).toBe(503)
  expect(readObject(JSON.parse(refused.text))['code']).toBe('unavailable')
  isDown = false
  expect(await send(sandbox, list)).toEqual({ status: 200, text: '[]' })
  expect(idOf(await send(sandbox, create('Bo')))).toBe(1)
})

const openings: [name: string, use: (sandbox: Sandbox) => Promise<unknown>][] = [
  ['now()', (sandbox) => sandbox.world().clock.now()],
  ['travelTo()', (sandbox) => sandbox.world().clock.travelTo('2030-01-01')],
  ['advance()', (sandbox) => sandbox.world().clock.advance(1)],
  ['clock.reset()', (sandbox) => sandbox.world().clock.reset()],
  ['snapshot()', (sandbox) => sandbox.world().snapshot()],
  ['restore()', (sandbox) => sandbox.world().restore({ clockOffset: 0, collections: [] })],
  ['world.reset()', (sandbox) => sandbox.world().reset()],
  ['get()', (sandbox) => sandbox.world().collection('pets').get(1)],
  ['list()', (sandbox) => sandbox.world().collection('pets').list()],
  ['add()', (sandbox) => sandbox.world().collection('pets').add({ name: 'Rex', categoryId: 1 })],
  ['replace()', (sandbox) => sandbox.world().collection('pets').replace(1, { name: 'Rex', categoryId: 1 })],
  ['remove()', (sandbox) => sandbox.world().collection('pets').remove(1)],
  ['size()', (sandbox) => sandbox.world().collection('pets').size()],
  ['clear()', (sandbox) => sandbox.world().collection('pets').clear()],
  ['reset()', (sandbox) => sandbox.reset()],
]

it.each(openings)('rejects %s with STORE_UNAVAILABLE while the store fails, and works afterwards', async (_, use) => {
  let isDown = true
  const sandbox = openReplica(createFakeStore(() => ({ ...calm, fault: isDown ? 'fail' : undefined })))
  const error = await use(sandbox).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(SandboxError)
  expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining('The store failed') })
  isDown = false
  await use(sandbox)
})

it('commits nothing for requests that change nothing', async () => {
  const store = createFakeStore(() => calm)
  const sandbox = openReplica(store)
  await send(sandbox, list)
  await send(sandbox, { ...list, target: '/v1/pets/7' })
  await send(sandbox, { ...create(''), body: '{}' })
  expect(store.calls.filter((call) => call === 'commit')).toEqual([])
})

it('shows what one replica changes to the other: records, the clock and a reset', async () => {
  const store = createFakeStore(() => calm)
  const [one, other] = [openReplica(store), openReplica(store)]
  await one.world().collection('pets').add({ name: 'Rex', categoryId: 9007199254740993n })
  expect(await other.world().collection('pets').list()).toEqual([{ id: 1, name: 'Rex', categoryId: 9007199254740993n }])
  await other.world().clock.travelTo('2030-12-05T00:00:00Z')
  expect(new Date(await one.world().clock.now()).toISOString()).toBe('2030-12-05T00:00:00.000Z')
  await one.world().reset()
  expect(await other.world().collection('pets').size()).toBe(0)
})

it('serves more keys than worlds in memory, and keeps what each of them changed', async () => {
  const store = createFakeStore(() => calm)
  const sandbox = openReplica(store, { maxWorlds: 2 })
  const keys = ['sandbox-a', 'sandbox-b', 'sandbox-c', 'sandbox-d']
  await Promise.all(keys.map((each) => sandbox.world(each).collection('pets').add({ name: each, categoryId: 1 })))
  for (const each of [...keys, ...keys])
    expect(await sandbox.world(each).collection('pets').list()).toEqual([{ id: 1, name: each, categoryId: 1 }])
})

it('lets a new key wait for the commits of others if each world in memory is in use, and refuses none', async () => {
  const store = createFakeStore(() => calm)
  const held: (() => void)[] = []
  let isHolding = true
  const slow: FakeStore = {
    ...store,
    async commit(id, commit) {
      if (isHolding && id !== 'shared') await new Promise<void>((resolve) => held.push(resolve))
      return store.commit(id, commit)
    },
  }
  const sandbox = openReplica(slow, { maxWorlds: 1 })
  const keys = Array.from({ length: 8 }, (_, index) => `sandbox-${index}`)
  const answers = [send(sandbox, create('First', keys[0]))]
  await expect.poll(() => held.length).toBe(1)
  for (const each of keys) answers.push(send(sandbox, create('Second', each)))
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  isHolding = false
  held[0]?.()
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 201))
  for (const each of keys) expect(await sizeOf(sandbox.world(each))).toBe(each === keys[0] ? 2 : 1)
})

it('opens a new key if the commit of the only world in memory fails', async () => {
  const store = createFakeStore(() => calm)
  let failAll = (): void => {}
  let commits = 0
  const failing: FakeStore = {
    ...store,
    async commit(id, commit) {
      if (id === 'shared' || ++commits > 1) return store.commit(id, commit)
      await new Promise<void>((resolve) => {
        failAll = resolve
      })
      throw new Error('The store failed')
    },
    committed: () => Promise.reject(new Error('The store failed')),
  }
  const sandbox = openReplica(failing, { maxWorlds: 1 })
  const answers = [send(sandbox, create('Rex'))]
  await expect.poll(() => commits).toBe(1)
  answers.push(send(sandbox, create('Bo', 'sandbox-b')))
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  failAll()
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([503, 201])
})

it('commits a change to a world that left memory after the request had opened it', async () => {
  const store = createFakeStore(() => calm)
  const sandbox = openReplica(store, { maxWorlds: 1 })
  await send(sandbox, list)
  let sendBody = (_: Uint8Array): void => {}
  const waiting = new Promise<Uint8Array>((resolve) => {
    sendBody = resolve
  })
  const request = { ...toSandboxRequest(sandbox, create('Rex')), body: () => waiting }
  const creation = sandbox.handle(request)
  await turns(50)
  expect(await sizeOf(sandbox.world('sandbox-other'))).toBe(0)
  expect(await sizeOf(sandbox.world('sandbox-another'))).toBe(0)
  sendBody(new TextEncoder().encode(JSON.stringify({ name: 'Rex', categoryId: 1 })))
  expect((await creation).status).toBe(201)
  expect(await sizeOf(sandbox.world())).toBe(1)
})

it('hands the same few bytes to the store, however many records a world has', async () => {
  const bytesOfOne = async (records: number) => {
    const store = createFakeStore(() => calm)
    const sandbox = openReplica(store)
    await sandbox.world().restore({ clockOffset: 0, collections: [stateOf(records)] })
    await send(sandbox, create('Rex'))
    const before = store.characters
    await send(sandbox, create('Rex'))
    return store.characters - before
  }
  const few = await bytesOfOne(10)
  for (const records of [1000, 100_000]) {
    const bytes = await bytesOfOne(records)
    expect(bytes).toBeLessThan(2048)
    expect(bytes / few).toBeLessThan(1.2)
  }
})

function stateOf(records: number): {
  name: string
  server: string
  nextKey: number
  changed: []
  added: Record<string, unknown>[]
} {
  const added = Array.from({ length: records }, (_, index) => ({ id: index + 1, name: 'Bo', categoryId: 1 }))
  return { name: 'pets', server: 'production', nextKey: records + 1, changed: [], added }
}

it('keeps faults, their counts and the clock of all worlds for each replica', async () => {
  const store = createFakeStore(() => calm)
  const [one, other] = [openReplica(store), openReplica(store)]
  await one.faults.add({ operation: 'createPet', times: 2, status: 503 })
  await one.clock.travelTo('2030-12-05T00:00:00Z')
  const statuses: number[] = []
  for (const replica of [other, one, other, one]) statuses.push((await send(replica, create('Rex'))).status)
  expect(statuses).toEqual([503, 503, 201, 201])
  expect((await other.faults.list()).map(({ id, struck }) => [id, struck])).toEqual([['1', 2]])
  expect(new Date(await other.world().clock.now()).toISOString()).toMatch(/^2030-12-05T00:00:0/)
  expect(await other.faults.remove('1')).toBe(true)
  expect(await one.faults.list()).toEqual([])
  const added = await one.faults.add({ status: 503 })
  expect(added.id).toBe('2')
  expect((await send(other, list)).status).toBe(503)
  await one.reset()
  expect((await send(other, list)).status).toBe(200)
})

it('begins a new incarnation after a removal, so that no replica goes on with the old world', async () => {
  const store = createFakeStore(() => calm)
  const [one, other] = [openReplica(store), openReplica(store)]
  expect(idOf(await send(one, create('Rex')))).toBe(1)
  expect((await send(other, list)).text).toContain('Rex')
  await one.reset()
  expect(idOf(await send(one, create('Bo')))).toBe(1)
  expect((await send(other, list)).text).toBe('[{"id":1,"name":"Bo","categoryId":1}]')
})

it('refuses a store that has the worlds of other data, unless no other program uses it', async () => {
  const store = createFakeStore(() => calm)
  await openReplica(store).world().collection('pets').add({ name: 'Rex', categoryId: 1 })
  const other = openReplica(store, { scenario: 'default' })
  const error = await other
    .world()
    .collection('pets')
    .list()
    .catch((thrown) => thrown)
  expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining('of other data') })
  expect((await send(other, list)).status).toBe(503)

  const exclusive = openReplica(Object.assign(store, { isExclusive: true }), { scenario: 'default' })
  const names = (await exclusive.world().collection('pets').list()).map(({ name }) => name)
  expect(names).toContain('Rex')
  expect(names.length).toBeGreaterThan(1)
})

it('never lists less than was answered before the list was requested, if an older read of the store ends first', async () => {
  const store = createFakeStore(() => calm)
  const held: (() => void)[] = []
  let isHolding = false
  const slow: FakeStore = {
    ...store,
    async open(id, have) {
      const opened = await store.open(id, have)
      if (isHolding && id !== 'shared') await new Promise<void>((resolve) => held.push(resolve))
      return opened
    },
  }
  const [reader, writer] = [openReplica(slow), openReplica(store)]
  await send(reader, list)
  await send(writer, create('Rex'))
  isHolding = true
  const first = send(reader, list)
  await turns(200)
  await send(writer, create('Ada'))
  const second = send(reader, list)
  await turns(200)
  isHolding = false
  expect(held.length).toBe(2)
  for (const go of held) go()
  expect(JSON.parse((await first).text)).toHaveLength(1)
  expect(JSON.parse((await second).text)).toHaveLength(2)
})

it('applies faults in the order in which they were added, after a restart and when another replica has counted one', async () => {
  const store = createFakeStore(() => calm)
  const [one, other] = [openReplica(store), openReplica(store)]
  await one.faults.add({ method: 'GET', status: 500 })
  await one.faults.add({ method: 'GET', status: 503 })
  expect((await send(other, list)).status).toBe(500)
  expect((await send(one, list)).status).toBe(500)
  for (let count = 2; count < 11; count++) await one.faults.add({ status: 503 })
  await one.faults.remove('1')
  const ids = ['2', '3', '4', '5', '6', '7', '8', '9', '10', '11']
  const sorted: FakeStore = {
    ...store,
    async open(id, have) {
      const opened = await store.open(id, have)
      if (!opened || opened === 'unchanged') return opened
      return { ...opened, entries: opened.entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)) }
    },
  }
  for (const replica of [one, other, openReplica(sorted)])
    expect((await replica.faults.list()).map(({ id }) => id)).toEqual(ids)
})

it('counts the requests of a key for a rate limit without its key in the store', async () => {
  const store = createFakeStore(() => calm)
  const secret = 'a-key-that-is-secret'
  const replicas = [1, 2].map(() => openReplica(store, { apiKeys: [secret] }))
  const statuses: number[] = []
  await replicas[0]?.faults.add({ rate: { limit: 1 } })
  for (const replica of replicas)
    statuses.push((await send(replica, { ...list, headers: [['Authorization', `Bearer ${secret}`]] })).status)
  expect(statuses).toEqual([200, 429])
  const kept = store.ids().flatMap((id) => store.commitsOf(id).map((state) => JSON.stringify([...state])))
  expect(kept.filter((text) => text.includes(secret))).toEqual([])
})

it('hands the same few bytes to the store for a counted request, however many callers a rate limit counts', async () => {
  const store = createFakeStore(() => calm)
  const sandbox = openReplica(store)
  await sandbox.faults.add({ method: 'GET', rate: { limit: 1 } })
  await sandbox.faults.add({ method: 'GET', share: 0.5, status: 503, message: 'x'.repeat(10_000) })
  const bytesOf = async (caller: string) => {
    const before = store.characters
    await send(sandbox, { ...list, headers: [['Authorization', `Bearer ${caller}`]] })
    return store.characters - before
  }
  await bytesOf('sandbox-0')
  await sandbox.faults.remove('2')
  const few = await bytesOf('sandbox-1')
  for (let index = 2; index < 100; index++) expect(await bytesOf(`sandbox-${index}`)).toBe(few)
  expect(few).toBeLessThan(200)
  await sandbox.faults.remove('1')
  const left = [...(store.commitsOf('shared').at(-1)?.keys() ?? [])]
  expect(left.filter((name) => /"(fault|window)"/.test(name))).toEqual([])
})

it('chooses the requests that a fault affects as one sandbox does, whichever replica gets them, and with conflicts', async () => {
  const rule = { method: 'GET', share: 0.4, seed: 7, status: 503 } as const
  const alone = openReplica(createFakeStore(() => calm))
  let commits = 0
  const store = createFakeStore((_, method) => ({
    ...calm,
    fault: method === 'share' && ++commits % 3 === 0 ? 'conflict' : undefined,
  }))
  const replicas = [openReplica(store), openReplica(store)]
  const statusesOf = async (open: (index: number) => Sandbox) => {
    const statuses: number[] = []
    for (let index = 0; index < 60; index++) statuses.push((await send(open(index), list)).status)
    return statuses
  }
  await alone.faults.add(rule)
  await replicas[0]?.faults.add(rule)
  const expected = await statusesOf(() => alone)
  expect(new Set(expected)).toEqual(new Set([200, 503]))
  expect(await statusesOf((index) => replicas[index % 2] as Sandbox)).toEqual(expected)
})

it('loads a fault in the same time, however many random numbers were drawn for it', async () => {
  const store = createFakeStore(() => calm)
  await openReplica(store).faults.add({ share: 0.5, status: 503 })
  const stamp = await store.open('shared')
  if (!stamp || stamp === 'unchanged') throw new Error('Nothing was committed')
  const [{ text } = { text: '' }] = stamp.entries.filter(({ name }) => name === '["fault","1"]')
  const entries = [{ name: '["fault","1"]', text: JSON.stringify({ ...JSON.parse(text ?? ''), drawn: 2 ** 45 }) }]
  await store.commit('shared', { on: stamp.stamp, commitId: 'much later', isWhole: false, entries })
  expect(await openReplica(store).faults.list()).toHaveLength(1)
})

it('rejects a reset once if the store fails', async () => {
  let isFailing = false
  const store = createFakeStore((_, method) => {
    isFailing ||= method === 'clear'
    return { before: method === 'clear' ? 1 : 9, after: 1, fault: isFailing ? 'fail' : undefined }
  })
  const sandbox = openReplica(store)
  await send(sandbox, create('Rex'))
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  await expect(sandbox.reset()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  // It would end the process.
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(unhandled).toEqual([])
})
