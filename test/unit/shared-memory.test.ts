// The memory of what all worlds of a store share: always the sum of what there is, whatever replicas and conflicts do.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createKept, type Kept } from '../../src/control/kept.js'
import { type ServedDocument, serveDocument } from '../../src/entries/serve-document.js'
import { bytesOf, MemoryBudget } from '../../src/state/memory-budget.js'
import { createFakeStore, type FakeStore, type Weather } from '../support/fake-store.js'

const most = 20_000

interface Replica {
  served: ServedDocument
  memory: MemoryBudget
  kept: Kept
}

async function openReplica(store: FakeStore): Promise<Replica> {
  const memory = new MemoryBudget(most)
  const kept = createKept(memory)
  const listeners = { access: { isLoopback: true }, memory, kept }
  return { served: await serveDocument({ scenario: 'empty', at: 0, store }, listeners), memory, kept }
}

async function call({ served }: Replica, target: string, value?: object): Promise<number> {
  const [method = '', pathname = ''] = target.split(' ')
  const headers: Record<string, string> = { host: 'localhost', 'content-type': 'application/json' }
  const response = await served.control({
    ...{ method, pathname: `/_sandbox${pathname}`, query: '' },
    header: (name) => headers[name],
    headers: () => Object.entries(headers).flat(),
    body: async () => new TextEncoder().encode(value && JSON.stringify(value)),
    left: () => undefined,
  })
  return response?.status ?? 0
}

const names = fc.constantFrom('a', 'b', 'c')
const sizes = fc.constantFrom(0, 100, 3000, 9000)
const steps = fc.oneof(
  fc.record({
    target: fc.constant('POST /faults'),
    body: sizes.map((size) => ({ drop: true, message: 'x'.repeat(size) })),
  }),
  fc.record({ target: names.map((name) => `DELETE /faults/${name.charCodeAt(0) - 96}`) }),
  fc.record({ target: fc.constant('DELETE /faults') }),
  fc.record({ target: names.map((name) => `PUT /snapshots/${name}`), body: fc.constant({ world: 'sandbox' }) }),
  fc.record({ target: names.map((name) => `DELETE /snapshots/${name}`) }),
  fc.record({ target: fc.constant('POST /keys'), body: names.map((name) => ({ name })) }),
  fc.record({ target: names.map((name) => `DELETE /keys/sandbox-${name}`) }),
  fc.record({
    target: fc.constant('POST /worlds/sandbox/collections/pets/records'),
    body: sizes.map((size) => ({ values: { name: 'x'.repeat(size + 1), categoryId: 1 } })),
  }),
)
const weather = fc.constantFrom<Weather['fault']>(undefined, undefined, 'conflict', 'lose', 'fail')

it('is the sum of faults, keys and snapshots after any steps of two replicas, with conflicts and failures', async () => {
  const statuses = new Set<number>()
  const together = fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), steps), { minLength: 1, maxLength: 4 })
  const property = fc.asyncProperty(
    fc.array(together, { maxLength: 12 }),
    fc.array(weather, { minLength: 1, maxLength: 20 }),
    async (rounds, weathers) => {
      let isCalm = true
      let commits = 0
      const store = createFakeStore((number, method) => ({
        ...{ before: number % 3, after: number % 2 },
        fault: method === 'share' && !isCalm ? weathers[commits++ % weathers.length] : undefined,
      }))
      const replicas = [await openReplica(store), await openReplica(store)] as const
      isCalm = false
      for (const round of rounds) {
        const sent = round.map(([at, step]) =>
          call(replicas[at] ?? replicas[0], step.target, 'body' in step ? step.body : undefined),
        )
        for (const status of await Promise.all(sent)) statuses.add(status)
      }
      isCalm = true
      for (const replica of replicas) {
        const { memory, kept, served } = replica
        const faults = await served.sandbox.faults.list()
        const held = [
          ...faults.map((fault) => bytesOf(fault)),
          ...[...kept.made, ...kept.revoked].map((id) => bytesOf(id)),
          ...[...kept.snapshots.values()].map(({ bytes }) => bytes),
        ].reduce((sum, bytes) => sum + bytes, 0)
        memory.free(held)
        expect([memory.has(most), memory.has(most + 1)]).toEqual([true, false])
      }
    },
  )
  await fc.assert(property, { numRuns: 60 })
  for (const status of [200, 201, 204, 404, 503, 507]) expect(statuses).toContain(status)
})
