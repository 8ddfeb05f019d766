// Two replicas on one store: what one of them removes, moves, makes or restores while the other one answers.

import type { Sandbox } from 'petstore-sandbox'
import type { RunningServer } from 'petstore-sandbox/node'
import { expect, it } from 'vitest'
import { createFakeStore } from '../support/fake-store.js'
import { open } from '../support/open-server.js'

const rex = { name: 'Rex', categoryId: 1 }

async function openReplicas(options = {}): Promise<[RunningServer, RunningServer]> {
  const store = createFakeStore((call) => ({ before: call % 3, after: call % 2 }))
  const openOne = () => open({ scenario: 'empty', ...options, store })
  return [await openOne(), await openOne()]
}

async function call({ url }: RunningServer, target: string, body?: object, key = 'sandbox') {
  const [method = '', path = ''] = target.split(' ')
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const sent = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await sent.text()
  return { status: sent.status, value: text === '' ? undefined : JSON.parse(text) }
}

const petsOf = (sandbox: Sandbox) => sandbox.world().collection('pets').list()

it('loses no answered write after a world was removed, and gives no id twice in it', async () => {
  const [one, other] = await openReplicas()
  for (let round = 0; round < 10; round++) {
    const writes = Array.from({ length: 6 }, (_, index) => call(index % 2 ? one : other, 'POST /v1/pets', rex))
    expect((await call(one, 'DELETE /_sandbox/worlds/sandbox')).status).toBe(204)
    const later = (await call(other, 'POST /v1/pets', rex)).value.id
    for (const { status } of await Promise.all(writes)) expect(status).toBe(201)
    const ids = (await petsOf(other.sandbox)).map(({ id }) => id)
    expect(ids).toContain(later)
    expect(new Set(ids).size).toBe(ids.length)
    expect(await petsOf(one.sandbox)).toEqual(await petsOf(other.sandbox))
  }
})

it('answers by the clock that another replica has moved, for all worlds and for one', async () => {
  const [one, other] = await openReplicas()
  const now = async () => (await call(other, 'GET /_sandbox/worlds/sandbox/clock')).value.now.slice(0, 10)
  await call(one, 'PATCH /_sandbox/clock', { travelTo: '2030-12-05T00:00:00Z', frozen: true })
  expect(await now()).toBe('2030-12-05')
  await Promise.all([
    call(one, 'PATCH /_sandbox/clock', { advance: 86_400_000 }),
    call(other, 'PATCH /_sandbox/clock', { advance: 86_400_000 }),
  ])
  expect(await now()).toBe('2030-12-07')
  await call(one, 'PATCH /_sandbox/worlds/sandbox/clock', { advance: 86_400_000 })
  expect(await now()).toBe('2030-12-08')
})

it('keeps a key that two replicas make at once, and refuses it at both when one revokes it', async () => {
  const [one, other] = await openReplicas()
  const made = await Promise.all([one, other].map((each) => call(each, 'POST /_sandbox/keys', { name: 'ana' })))
  expect(made.map(({ status }) => status)).toEqual([201, 201])
  for (const each of [one, other])
    expect((await call(each, 'GET /_sandbox/keys')).value.map(({ id }: { id: string }) => id)).toEqual([
      'sandbox',
      'sandbox-ana',
    ])
  const revoked = await Promise.all([one, other].map((each) => call(each, 'DELETE /_sandbox/keys/sandbox-ana')))
  expect(revoked.map(({ status }) => status).sort()).toEqual([204, 404])
  for (const each of [one, other]) expect((await call(each, 'GET /v1/pets', undefined, 'sandbox-ana')).status).toBe(401)
})

it('restores a snapshot of the other replica while that one writes: before or after each write, never in part', async () => {
  const [one, other] = await openReplicas()
  for (const name of ['Ada', 'Bo']) await call(one, 'POST /v1/pets', { ...rex, name })
  await call(one, 'PUT /_sandbox/snapshots/two', { world: 'sandbox' })
  const writes = Array.from({ length: 8 }, () => call(one, 'POST /v1/pets', rex))
  const restored = await call(other, 'POST /_sandbox/snapshots/two/restore', { to: 'sandbox' })
  expect(restored.value.collections).toMatchObject([{ name: 'pets', size: 2 }])
  for (const { status } of await Promise.all(writes)) expect(status).toBe(201)
  const names = (await petsOf(one.sandbox)).map(({ name }) => name).reverse()
  expect(names.slice(0, 2)).toEqual(['Ada', 'Bo'])
  expect(await petsOf(other.sandbox)).toEqual(await petsOf(one.sandbox))
})
