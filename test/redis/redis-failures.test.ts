// What the store in Redis does when connections are lost and servers restart.
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { Stamp, Store } from '../../src/state/commits/store.js'
import { openRedisStore } from '../../src/stores/redis-store.js'
import { type CutProxy, type Fate, startCutProxy } from '../support/cut-proxy.js'
import { hasRedis, type RedisServer, startRedis } from '../support/redis-server.js'

const ends: (() => unknown)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function redis(...settings: string[]): Promise<RedisServer> {
  const server = await startRedis(['--save', '', ...settings])
  ends.push(() => server.remove())
  return server
}

async function open(port: number, options = {}): Promise<Store> {
  const store = await openRedisStore(`redis://127.0.0.1:${port}`, options)
  ends.push(() => store.close?.())
  return store
}

async function proxied(options = {}): Promise<{ server: RedisServer; proxy: CutProxy; store: Store }> {
  const server = await redis()
  const proxy = await startCutProxy(server.port)
  ends.push(() => proxy.close())
  return { server, proxy, store: await open(proxy.port, options) }
}

interface Progress {
  stamp: Stamp | undefined
  /** The number of the last commit. */
  count: number
  /** How often the answer to a commit was lost that was stored, and that was not. */
  stored: number
  lost: number
  /** How often the incarnation was another one, because the server was restarted. */
  restarts: number
}

/** A new world's commits, with the number of each as an entry. Calls `whenLost` once a lost answer is looked up. */
async function commitMany(
  store: Store,
  id: string,
  last: number,
  { whenLost = async () => {}, whenCommitted = () => {} } = {},
): Promise<Progress> {
  const progress: Progress = { stamp: undefined, count: 0, stored: 0, lost: 0, restarts: 0 }
  while (progress.count < last) {
    const { stamp: on, count } = progress
    const commitId = crypto.randomUUID()
    const entries = [{ name: `n${count + 1}`, text: '1' }]
    let stamp: Stamp | 'conflict' | undefined
    try {
      stamp = await store.commit(id, { commitId, on, isWhole: false, entries })
    } catch {
      stamp = await repeat(() => store.committed(id, commitId))
      if (stamp) progress.stored++
      else progress.lost++
      await whenLost()
    }
    if (stamp === 'conflict') {
      const table = await repeat(() => store.open(id))
      if (typeof table !== 'object' || table.stamp.incarnation === on?.incarnation)
        throw new Error(`Commit ${count + 1} to "${id}" conflicts, and nobody else commits to it`)
      expect(table.stamp.sequence).toBe(count)
      progress.stamp = table.stamp
      progress.restarts++
    } else if (stamp) {
      expect(stamp.sequence).toBe(count + 1)
      progress.stamp = stamp
      progress.count++
      whenCommitted()
    }
  }
  return progress
}

/** Repeats a call until it does not reject. */
async function repeat<T>(call: () => Promise<T> | T): Promise<T> {
  for (;;) {
    try {
      return await call()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

async function expectAll(store: Store, id: string, { stamp, count }: Progress): Promise<void> {
  const table = await store.open(id)
  expect(table).toMatchObject({ stamp: { sequence: stamp?.sequence }, isWhole: true })
  const names = typeof table === 'object' ? table.entries.map(({ name }) => name) : []
  expect(names.sort()).toEqual(Array.from({ length: count }, (_, at) => `n${at + 1}`).sort())
}

describe.skipIf(!hasRedis)('a lost connection', () => {
  const fates = fc.infiniteStream(
    fc.constantFrom<Fate>('forward', 'forward', 'forward', 'cut before', 'cut after', 'hold'),
  )

  it('loses no commit, and commits none twice, wherever it is cut', async () => {
    const { proxy, store } = await proxied({ waitFor: 60_000 })
    const total = { stored: 0, lost: 0 }
    await fc.assert(
      fc.asyncProperty(fates, fc.uuid(), async (plan, world) => {
        // A call of `committed` has no names of entries.
        const byPlan = (sent: string) => (sent.includes(world) && /\r\nn\d/.test(sent) ? plan.next().value : 'forward')
        proxy.fateOf = byPlan
        const whenLost = async () => {
          proxy.fateOf = () => 'forward'
          await proxy.release()
          proxy.fateOf = byPlan
        }
        const progress = await commitMany(store, world, 20, { whenLost })
        proxy.fateOf = () => 'forward'
        expect(progress.restarts).toBe(0)
        await expectAll(store, world, progress)
        total.stored += progress.stored
        total.lost += progress.lost
      }),
      { numRuns: 15 },
    )
    expect(total.stored).toBeGreaterThan(10)
    expect(total.lost).toBeGreaterThan(10)
  })

  it('loses no commit of any world when many are under way', async () => {
    const { proxy, store } = await proxied({ waitFor: 60_000 })
    let sent = 0
    proxy.fateOf = (part) => {
      if (!/\r\nn\d/.test(part)) return 'forward'
      sent++
      return sent % 7 === 0 ? 'cut after' : sent % 5 === 0 ? 'cut before' : 'forward'
    }
    const ids = Array.from({ length: 8 }, (_, at) => `world-${at}`)
    const all = await Promise.all(ids.map((id) => commitMany(store, id, 60)))
    proxy.fateOf = () => 'forward'
    for (const [at, id] of ids.entries()) await expectAll(store, id, all[at] as Progress)
    expect(Math.max(...all.map(({ stored }) => stored))).toBeGreaterThan(0)
    expect(Math.max(...all.map(({ lost }) => lost))).toBeGreaterThan(0)
  })

  it('does not let a removal that arrives late remove what was created since', async () => {
    const { proxy, store } = await proxied({ waitFor: 60_000 })
    const { stamp } = await commitMany(store, 'a', 3)
    proxy.fateOf = (sent) => (/EVALSHA/i.test(sent) ? 'hold' : 'forward')
    await expect(store.remove('a')).rejects.toThrow('the connection was lost')
    proxy.fateOf = () => 'forward'
    await store.remove('a')
    expect(await store.open('a', stamp)).toBeUndefined()
    const again = await commitMany(store, 'a', 2)
    await proxy.release()
    await expectAll(store, 'a', again)
    expect(await store.list(undefined, 9)).toEqual([{ id: 'a', label: 'a' }])
  })

  it('is noticed if the server is silent', async () => {
    const { proxy, store } = await proxied({ answerWithin: 200, waitFor: 60_000 })
    proxy.fateOf = () => 'swallow'
    await expect(store.open('a')).rejects.toThrow('the connection was lost')
    proxy.fateOf = () => 'forward'
    expect(await store.open('a')).toBeUndefined()
  })
})

describe.skipIf(!hasRedis)('a restart of the server', () => {
  it('loses no commit, and commits none twice, if each commit is written to the disk', async () => {
    const server = await redis('--appendonly', 'yes', '--appendfsync', 'always')
    const store = await open(server.port, { waitFor: 60_000 })
    const ids = Array.from({ length: 8 }, (_, at) => `world-${at}`)
    let commits = 0
    let restarted = Promise.resolve()
    const whenCommitted = () => {
      if (++commits % 200 !== 0) return
      restarted = restarted.then(() => server.stop('SIGKILL')).then(() => server.start())
    }
    const all = await Promise.all(ids.map((id) => commitMany(store, id, 200, { whenCommitted })))
    await restarted
    for (const [at, id] of ids.entries()) await expectAll(store, id, all[at] as Progress)
    expect(commits).toBe(1600)
    const sumOf = (count: 'restarts' | 'stored' | 'lost') => all.reduce((sum, each) => sum + each[count], 0)
    expect(sumOf('restarts')).toBeGreaterThan(7)
    expect(sumOf('stored') + sumOf('lost')).toBeGreaterThan(7)
  })

  it('does not mix up states with equal numbers if the server has lost commits', async () => {
    const server = await redis()
    const one = await open(server.port, { waitFor: 60_000 })
    const other = await open(server.port, { waitFor: 60_000 })
    const commitTo = (store: Store, on: Stamp | undefined, text: string) =>
      store.commit('a', { commitId: crypto.randomUUID(), on, isWhole: false, entries: [{ name: 'x', text }] })
    const first = (await commitTo(one, undefined, '1')) as Stamp
    await server.command('save')
    const lost = (await commitTo(one, first, '2')) as Stamp
    await server.stop('SIGKILL')
    await server.start()
    const found = await other.open('a', first)
    if (typeof found !== 'object') throw new Error('The table is missing')
    expect(found).toMatchObject({ stamp: { sequence: 1 }, isWhole: true, entries: [{ name: 'x', text: '1' }] })
    expect(await commitTo(other, found.stamp, '3')).toMatchObject({ sequence: lost.sequence })
    expect(await commitTo(one, lost, '4')).toBe('conflict')
    expect(await one.open('a', lost)).toMatchObject({ isWhole: true, entries: [{ name: 'x', text: '3' }] })
  })

  it('lets calls fail if it takes longer than 2 seconds, and work again later', async () => {
    const server = await redis('--appendonly', 'yes')
    const store = await open(server.port)
    const { stamp } = await commitMany(store, 'a', 3)
    await server.stop('SIGTERM')
    const commit = { commitId: crypto.randomUUID(), on: stamp, isWhole: false, entries: [] }
    const calls = [store.open('a', stamp), store.commit('a', commit), store.committed('a', 'x'), store.list('', 1)]
    const begin = performance.now()
    for (const result of await Promise.allSettled(calls)) {
      expect(result).toMatchObject({
        status: 'rejected',
        reason: {
          code: 'STORE_UNAVAILABLE',
          message: expect.stringMatching(
            /^Failed to use the store at 127\.0\.0\.1:\d+: no connection for 2 s \(.*REFUSED/,
          ),
        },
      })
    }
    expect(performance.now() - begin).toBeGreaterThan(1900)
    await server.start()
    expect(await repeat(() => store.open('a'))).toMatchObject({ stamp: { sequence: 3 } })
  })

  it('delays calls only if it is short', async () => {
    const server = await redis('--appendonly', 'yes')
    const store = await open(server.port, { waitFor: 60_000 })
    await commitMany(store, 'a', 3)
    await server.stop('SIGTERM')
    const opened = store.open('a')
    await server.start()
    expect(await opened).toMatchObject({ stamp: { sequence: 3 } })
  })

  it('is followed by a look for another server if this one may only be read now', async () => {
    const server = await redis()
    const store = await open(server.port, { waitFor: 60_000 })
    await commitMany(store, 'a', 1)
    const clientId = async () =>
      /^id=(\d+).* name=petstore-sandbox /m.exec(String(await server.command('client', 'list')))?.[1]
    const before = await clientId()
    expect(before).toBeDefined()
    await server.command('replicaof', '127.0.0.1', '1')
    await expect((async () => store.commit('b', commitOf()))()).rejects.toThrow(/READONLY/)
    await server.command('replicaof', 'no', 'one')
    expect(await store.commit('b', commitOf())).toMatchObject({ sequence: 1 })
    expect(await clientId()).not.toBe(before)
  })
})

function commitOf(on?: Stamp) {
  return { commitId: crypto.randomUUID(), on, isWhole: false, entries: [] }
}
