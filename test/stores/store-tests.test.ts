// The tests for stores pass for a store that keeps all promises, and find each store that breaks one.

import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { storeCases, testStore } from '../../src/entries/store-tests.js'
import { createData, createMemoryStore, storeFaults } from '../support/memory-store.js'
import { compareWithModel, storeSteps } from '../support/store-model.js'

const correct = createData()
testStore({ name: 'a store in memory', open: () => createMemoryStore(correct), hasReplicas: true }, { describe, test })

describe('a store with a planted fault', () => {
  it.each(storeFaults)('fails: one that %s', async (fault) => {
    const data = createData()
    const failed: string[] = []
    for (const { name, run } of storeCases({ open: () => createMemoryStore(data, fault) })) {
      await run().catch(() => failed.push(name))
      if (failed.length > 0) break
    }
    expect(failed.length).toBeGreaterThan(0)
  })
})

it('has cases that leave out what a store need not do', () => {
  const open = () => createMemoryStore()
  const names = (options: object) => storeCases({ open, ...options }).map(({ name }) => name)
  expect(names({ isDurable: false }).filter((name) => name.includes('closed'))).toEqual([])
  expect(names({ hasReplicas: true }).length).toBeGreaterThan(names({}).length)
  expect(new Set(names({ hasReplicas: true })).size).toBe(names({ hasReplicas: true }).length)
})

it('is a store in memory for any sequence of calls', async () => {
  await fc.assert(
    fc.asyncProperty(storeSteps, async (steps) => {
      const data = createData()
      await compareWithModel(() => createMemoryStore(data), steps)
    }),
    { numRuns: 300 },
  )
})
