// The store in a file: it keeps what the interface promises, with each engine.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it, test } from 'vitest'
import { testStore } from '../src/entries/store-tests.js'
import { openFileStore } from '../src/node/stores/file-store.js'
import { compareWithModel, storeSteps } from './support/store-model.js'

const folder = await mkdtemp(join(tmpdir(), 'file-store-'))
afterAll(() => rm(folder, { recursive: true }))

testStore({ name: 'a store in a file', open: () => openFileStore(join(folder, 'worlds.db')) }, { describe, test })

it('is a store for any sequence of calls', async () => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(storeSteps, async (steps) => {
      const path = join(folder, `any-${count++}.db`)
      await compareWithModel(() => openFileStore(path), steps)
      await rm(path)
    }),
    { numRuns: 40 },
  )
  expect(count).toBeGreaterThan(0)
})
