// The store in Redis: the tests for all stores, and what is special about a server that others use, too.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { testStore } from '../../src/entries/store-tests.js'
import { openRedisStore } from '../../src/node/stores/redis-store.js'
import { hasRedis, type RedisServer, startRedis } from '../support/redis-server.js'
import { compareWithModel, storeSteps } from '../support/store-model.js'

let server: RedisServer

describe.skipIf(!hasRedis)('the store in Redis', () => {
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(() => server.remove())

  testStore({ open: () => openRedisStore(server.url), hasReplicas: true }, { describe, test })

  it('is a store in memory for any sequence of calls', async () => {
    await fc.assert(
      fc.asyncProperty(storeSteps, async (steps) => {
        await server.command('flushall')
        await compareWithModel(() => openRedisStore(server.url), steps)
      }),
      { numRuns: 100 },
    )
  })
})
