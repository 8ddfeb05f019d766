// The store in Redis: the tests for all stores, and what is special about a server that others use, too.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { testStore } from '../../src/entries/store-tests.js'
import { type Committed, type Stamp, type Store, sharedId } from '../../src/state/commits/store.js'
import { openStore } from '../../src/stores/open-store.js'
import { openRedisStore } from '../../src/stores/redis-store.js'
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

  it('loses and doubles no commit when two replicas commit to one world', async () => {
    await withStores(async (one, other) => {
      const commits = async (replica: Replica, from: string) => {
        for (let count = 1; count <= 500; count++) await commitOver(replica, `${from}${count}`)
      }
      const replicas = [one, other].map(
        (store): Replica => ({ store, stamp: undefined, texts: new Map(), conflicts: 0 }),
      )
      const [first, second] = replicas as [Replica, Replica]
      await Promise.all([commits(first, 'a'), commits(second, 'b')])
      for (const replica of replicas) await follow(replica)
      expect(first.stamp).toEqual(second.stamp)
      expect(first.texts).toEqual(second.texts)
      expect(first.texts.size).toBe(1001)
      expect(first.stamp?.sequence).toBe(1000)
      // Each commit counts what was there before it.
      expect(first.texts.get('count')).toBe('1000')
      expect(first.conflicts + second.conflicts).toBeGreaterThan(100)
      const whole = (await one.open('world')) as Committed
      expect(new Map(whole.entries.map(({ name, text }) => [name, text]))).toEqual(first.texts)
    })
  })

  it('gives only the changes to a caller that is not far behind', async () => {
    await withStores(async (store) => {
      const many = Array.from({ length: 500 }, (_, at) => ({ name: `n${at}`, text: '0' }))
      const stamps = [await commit(store, undefined, many)]
      for (let count = 1; count <= 320; count++) {
        const entries = [
          { name: 'last', text: String(count) },
          { name: `n${count}`, text: count % 2 === 0 ? null : '1' },
        ]
        stamps.push(await commit(store, stamps.at(-1), entries))
      }
      const near = (await store.open('world', stamps[310])) as Committed
      expect(near.isWhole).toBe(false)
      expect(near.entries).toHaveLength(11)
      expect(near.entries).toContainEqual({ name: 'last', text: '320' })
      expect(near.entries).toContainEqual({ name: 'n320', text: null })
      expect(await store.open('world', stamps[10])).toMatchObject({ isWhole: true })
      const whole = await commit(store, stamps.at(-1), [{ name: 'new', text: '1' }], true)
      expect(await store.open('world', stamps.at(-1))).toMatchObject({ isWhole: true, entries: [{ name: 'new' }] })
      const next = await commit(store, whole, [{ name: 'next', text: '1' }])
      expect(await store.open('world', whole)).toMatchObject({ isWhole: false, entries: [{ name: 'next' }] })
      const large = Array.from({ length: 1001 }, (_, at) => ({ name: `m${at}`, text: '0' }))
      await commit(store, next, large)
      const after = (await store.open('world', next)) as Committed
      expect([after.isWhole, after.entries.length]).toEqual([true, 1003])
    })
  })

  it('asks for all stamps of a turn in one round trip, and for all commits of a turn in another', async () => {
    await withStores(async (store) => {
      const ids = Array.from({ length: 64 }, (_, at) => `world-${at}`)
      await server.command('config', 'resetstat')
      const empty = { isWhole: false, entries: [] }
      const commits = ids.map((id) => store.commit(id, { commitId: crypto.randomUUID(), on: undefined, ...empty }))
      const stamps = (await Promise.all(commits)) as Stamp[]
      const opened = await Promise.all(ids.map((id, at) => store.open(id, stamps[at])))
      expect(new Set(opened)).toEqual(new Set(['unchanged']))
      const statistics = String(await server.command('info', 'commandstats'))
      expect(statistics).toContain('cmdstat_mget:calls=1,')
      const scripts = [...statistics.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)].map(([, calls]) => Number(calls))
      // The second one has the text of the script, if the server does not know it.
      expect(Math.max(...scripts)).toBe(1)
    })
  })

  it('sends a script again that the server has forgotten', async () => {
    await withStores(async (store) => {
      const first = await commit(store, undefined, [{ name: 'x', text: '1' }])
      await server.command('script', 'flush')
      const second = await commit(store, first, [{ name: 'x', text: '2' }])
      await server.command('script', 'flush')
      expect(await store.open('world', first)).toMatchObject({ stamp: second, entries: [{ name: 'x', text: '2' }] })
      await server.command('script', 'flush')
      expect(await store.committed('world', 'none')).toBeUndefined()
    })
  })

  it('does not commit what it has committed', async () => {
    await withStores(async (store) => {
      const first = await commit(store, undefined, [])
      const again = { commitId: 'once', isWhole: false, entries: [{ name: 'x', text: '1' }] }
      const second = await store.commit('world', { ...again, on: first })
      expect(second).toMatchObject({ sequence: 2 })
      for (const on of [first, second as Stamp]) expect(await store.commit('world', { ...again, on })).toEqual(second)
      expect(await store.open('world', second as Stamp)).toBe('unchanged')
      await store.remove('world')
      expect(await store.commit('world', { ...again, on: undefined })).toEqual(second)
      expect(await store.open('world')).toBeUndefined()
    })
  })

  it('knows at least 1000 commits of each world, and does not keep all', async () => {
    await withStores(async (store) => {
      let on: Stamp | undefined
      for (let count = 1; count <= 3000; count++) {
        const answer = await store.commit('world', { commitId: `c${count}`, on, isWhole: false, entries: [] })
        on = answer as Stamp
      }
      expect(await store.committed('world', 'c2000')).toMatchObject({ sequence: 2000 })
      const kept = await Promise.all(
        ['commits', 'before'].map((key) => server.command('hlen', `{petstore-sandbox}:${key}:world`)),
      )
      const sum = kept.reduce((total: number, count) => total + Number(count), 0)
      expect(sum).toBeGreaterThanOrEqual(1000)
      expect(sum).toBeLessThan(2400)
    })
  })

  it('removes 10,000 worlds without keeping other calls waiting', async () => {
    await withStores(async (one, other) => {
      const ids = Array.from({ length: 10_000 }, (_, at) => `w${at}`)
      const entries = [{ name: 'x', text: '1' }]
      const create = { isWhole: false, entries, on: undefined }
      const old = (await Promise.all(
        ids.map((id) => one.commit(id, { ...create, commitId: crypto.randomUUID() })),
      )) as Stamp[]
      const shared = await other.open(sharedId)
      const on = typeof shared === 'object' ? shared.stamp : undefined
      const kept = await other.commit(sharedId, { ...create, on, commitId: crypto.randomUUID() })
      let isCleared = false
      const cleared = (async () => one.clear())().finally(() => {
        isCleared = true
      })
      let answers = 0
      for (; !isCleared; answers++) await other.open(sharedId, kept as Stamp)
      await cleared
      expect(answers).toBeGreaterThan(50)
      expect(await other.list(undefined, 10)).toEqual([])
      expect(await other.open(sharedId, kept as Stamp)).toBe('unchanged')
      expect(new Set(await Promise.all(ids.map((id, at) => other.open(id, old[at]))))).toEqual(new Set([undefined]))
      const again = (await other.commit('w1', { ...create, commitId: crypto.randomUUID() })) as Stamp
      expect(again.incarnation).not.toBe(old[1]?.incarnation)
      const keys = (await server.command('keys', '*')) as string[]
      expect(keys.filter((key) => /:(stamp|entries|log):w/.test(key)).sort()).toEqual([
        '{petstore-sandbox}:entries:w1',
        '{petstore-sandbox}:stamp:w1',
      ])
    })
  })

  it.each<[what: string, commands: string[][], why: string]>([
    ['no stamp', [['del', 'stamp']], 'its stamp'],
    [
      'a stamp of another type',
      [
        ['del', 'stamp'],
        ['rpush', 'stamp', 'x'],
      ],
      'WRONGTYPE',
    ],
    ['an empty stamp', [['set', 'stamp', '']], 'its stamp is ""'],
    ['a stamp that is no stamp', [['set', 'stamp', 'abcdefghijklmnop:-1']], 'its stamp is "abcdefghijklmnop:-1"'],
    ['a stamp that cannot be counted', [['set', 'stamp', 'abcdefghijklmnop:9999999999999999']], 'its stamp is'],
    [
      'entries of another type',
      [
        ['del', 'entries'],
        ['set', 'entries', 'x'],
      ],
      'WRONGTYPE',
    ],
    [
      'a log of another type',
      [
        ['del', 'log'],
        ['set', 'log', 'x'],
      ],
      'WRONGTYPE',
    ],
    [
      'a log that is no log',
      [
        ['del', 'log'],
        ['rpush', 'log', 'x', 'y', 'z'],
      ],
      'user_script',
    ],
    [
      'commits of another type',
      [
        ['del', 'commits'],
        ['set', 'commits', 'x'],
      ],
      'WRONGTYPE',
    ],
    ['former commits of another type', [['set', 'before', 'x']], 'WRONGTYPE'],
  ])('names the keys of a table with %s, changes nothing of it, and commits to others', async (what, commands, why) => {
    await withStores(async (one, other) => {
      await server.command('flushall')
      const first = await commit(one, undefined, [{ name: 'a', text: '1' }])
      const second = await commit(other, first, [{ name: 'b', text: '2' }])
      const key = (name: string) => `{petstore-sandbox}:${name}:world`
      for (const [name = '', part = '', ...values] of commands) await server.command(name, key(part), ...values)
      const parts = ['stamp', 'entries', 'log', 'commits', 'before']
      const stored = () => Promise.all(parts.map((part) => server.command('dump', key(part)).then(String)))
      const before = await stored()
      const message = expect.stringMatching(
        new RegExp(`^The store has keys that cannot be read, "{petstore-sandbox}:\\*:world": .*${why}`),
      )
      const refused = { code: 'STORE_UNAVAILABLE', message }
      const committed = (on: Stamp | undefined, id = 'world') =>
        one.commit(id, { commitId: crypto.randomUUID(), on, isWhole: false, entries: [{ name: 'c', text: '3' }] })
      const isRead = /stamp|entries/.test(what)
      if (isRead) await expect((async () => other.open('world'))(), what).rejects.toMatchObject(refused)
      if (isRead || /log/.test(what))
        await expect((async () => one.open('world', first))(), what).rejects.toMatchObject(refused)
      const answers = await Promise.allSettled([committed(second), committed(undefined, 'next'), committed(undefined)])
      expect(answers[1], what).toMatchObject({ status: 'fulfilled', value: { sequence: 1 } })
      const isStamp = /(empty|is no|counted)/.test(what)
      for (const answer of [answers[0], answers[2]])
        expect(answer, what).toMatchObject(
          isStamp || what.includes('is no log') ? {} : { status: 'rejected', reason: refused },
        )
      if (!what.includes('is no log')) expect(await stored(), what).toEqual(before)
      await server.command('flushall')
    })
  })

  it.each(['world', sharedId])('does not go on with the table "%s" if its entries were removed', async (id) => {
    await withStores(async (one, other) => {
      await server.command('flushall')
      const commitTo = async (store: Store, on: Stamp | undefined, name: string) => {
        const entries = [{ name, text: '1' }]
        const added = { commitId: crypto.randomUUID(), on, isWhole: false, isNeverEmpty: true, entries }
        return (await store.commit(id, added)) as Stamp
      }
      const first = await commitTo(one, undefined, 'base')
      const second = await commitTo(one, first, 'record 1')
      await server.command('del', `{petstore-sandbox}:entries:${id}`)
      // Only all entries show that the first one is missing.
      expect(await other.open(id, first)).toEqual({ stamp: second, isWhole: true, entries: [] })
      const message = expect.stringContaining(`"{petstore-sandbox}:*:${id}": its entries are missing`)
      await expect(commitTo(one, second, 'record 2')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', message })
      expect(await server.command('exists', `{petstore-sandbox}:entries:${id}`)).toBe(0)
      await server.command('flushall')
    })
  })

  it.each(['worlds', 'labels'])('writes no half of a new world if %s cannot be written', async (list) => {
    await withStores(async (store) => {
      await server.command('flushall')
      const known = await commit(store, undefined, [{ name: 'a', text: '1' }])
      const key = `{petstore-sandbox}:${list}`
      await server.command('del', key)
      await server.command('set', key, 'x')
      const create = { commitId: 'c', on: undefined, isWhole: false, entries: [{ name: 'a', text: '1' }] }
      const message = expect.stringContaining('"{petstore-sandbox}:{worlds,labels}": WRONGTYPE')
      await expect((async () => store.commit('new', create))()).rejects.toMatchObject({ message })
      expect(await store.open('new')).toBeUndefined()
      expect(await commit(store, known, [{ name: 'b', text: '2' }])).toMatchObject({ sequence: 2 })
      await server.command('del', key)
      expect(await store.commit('new', create)).toMatchObject({ sequence: 1 })
      expect(await store.open('new')).toMatchObject({ entries: [{ name: 'a', text: '1' }] })
      await server.command('flushall')
    })
  })

  it.each(['commits', 'before'])('names the keys of a table if %s cannot be looked up', async (part) => {
    await withStores(async (store) => {
      await server.command('set', `{petstore-sandbox}:${part}:asked`, 'x')
      const message = expect.stringMatching(/"{petstore-sandbox}:\*:asked": .*WRONGTYPE/)
      await expect((async () => store.committed('asked', 'c'))()).rejects.toMatchObject({ message })
      await server.command('flushall')
    })
  })

  it('keeps large files in pieces', async () => {
    await withStores(async (store, other) => {
      for (const size of [1024 * 1024, 1024 * 1024 + 1, 3 * 1024 * 1024]) {
        const bytes = Uint8Array.from({ length: size }, (_, at) => (at * 7919) % 251)
        await store.blob(`file-${size}`, bytes)
        expect(Buffer.compare((await other.blob(`file-${size}`)) ?? Buffer.of(), bytes)).toBe(0)
        expect(await server.command('ttl', `{petstore-sandbox}:blob:file-${size}`)).toBe(-1)
      }
      expect(await server.command('keys', '*:parts:*')).toEqual([])
    })
  })

  it('is opened by its address', async () => {
    await withStores(async (store) => {
      await commit(store, undefined, [])
      const opened = await openStore(server.url)
      expect(await opened?.list(undefined, 10)).toEqual([{ id: 'world', label: 'world' }])
      await opened?.close?.()
    })
  })

  it('keeps stores with other prefixes and databases apart', async () => {
    const urls = [server.url, `${server.url}/1`, `${server.url}/1?prefix=team-b`]
    const stores = await Promise.all(urls.map((url) => openRedisStore(url)))
    for (const [at, store] of stores.entries()) {
      await store.clear()
      await commit(store, undefined, [{ name: 'at', text: String(at) }])
    }
    for (const [at, store] of stores.entries()) {
      expect(await store.open('world')).toMatchObject({ entries: [{ name: 'at', text: String(at) }] })
      await store.clear()
      expect(await store.list(undefined, 10)).toEqual([])
      expect(await stores[at + 1]?.list(undefined, 10)).toEqual(at < 2 ? [{ id: 'world', label: 'world' }] : undefined)
      await store.close?.()
    }
  })
})

interface Replica {
  store: Store
  stamp: Stamp | undefined
  texts: Map<string, string | null>
  conflicts: number
}

async function follow(replica: Replica): Promise<void> {
  const found = await replica.store.open('world', replica.stamp)
  if (typeof found !== 'object') return
  if (found.isWhole) replica.texts = new Map()
  for (const { name, text } of found.entries) replica.texts.set(name, text)
  replica.stamp = found.stamp
}

/** Commits a name and a count, after conflicts again. */
async function commitOver(replica: Replica, name: string): Promise<void> {
  for (;;) {
    const entries = [
      { name, text: '1' },
      { name: 'count', text: String(Number(replica.texts.get('count') ?? 0) + 1) },
    ]
    const commitId = crypto.randomUUID()
    const answer = await replica.store.commit('world', { commitId, on: replica.stamp, isWhole: false, entries })
    if (answer !== 'conflict') {
      for (const { name, text } of entries) replica.texts.set(name, text)
      replica.stamp = answer
      return
    }
    replica.conflicts++
    await follow(replica)
  }
}

async function commit(
  store: Store,
  on: Stamp | undefined,
  entries: { name: string; text: string | null }[],
  isWhole = false,
): Promise<Stamp> {
  const answer = await store.commit('world', { commitId: crypto.randomUUID(), on, isWhole, entries })
  if (answer === 'conflict') throw new Error('The commit conflicts')
  return answer
}

/** Two stores on the same data, without worlds. */
async function withStores(use: (one: Store, other: Store) => Promise<void>): Promise<void> {
  const [one, other] = [await openRedisStore(server.url), await openRedisStore(server.url)]
  try {
    await one.clear()
    await use(one, other)
  } finally {
    await one.close?.()
    await other.close?.()
  }
}
