/** Cases for what outlives `close`, and for several stores that are open on the same data. */
import assert from 'node:assert/strict'
import { type Stamp, sharedId } from '../../state/commits/store.js'
import {
  assertCommit,
  assertFile,
  assertTable,
  assertUpdate,
  commitShared,
  commitTo,
  hashOf,
  type Run,
  toCommit,
  winnerOf,
} from './support.js'

/** Cases for what outlives `close`. */
export const keptCases: Record<string, Run> = {
  'has the same tables after it was closed and opened': async ({ store, reopen }) => {
    const first = await commitTo(store, 'a', undefined, { one: '1', two: '2' }, { label: 'A' })
    const second = await commitTo(store, 'a', first, { two: null, 'high \uD83D': '3' })
    const other = await commitTo(store, 'b', undefined, {})
    const { stamp: shared } = await commitShared(store, { clock: '5' })
    const again = await reopen()
    assert.equal(await again.open('a', second), 'unchanged')
    await assertTable(again, 'a', second, { one: '1', 'high \uD83D': '3' })
    await assertTable(again, 'b', other, {})
    await assertTable(again, sharedId, shared, { clock: '5' })
    assert.deepEqual(await again.list(undefined, 10), [
      { id: 'a', label: 'A' },
      { id: 'b', label: 'b' },
    ])
    assert.equal(await again.commit('a', toCommit(first, {})), 'conflict')
    await commitTo(again, 'a', second, { three: '3' })
  },

  'knows commits after it was closed and opened': async ({ store, reopen }) => {
    const commit = toCommit(undefined, { one: '1' })
    const stamp = await store.commit('a', commit)
    const again = await reopen()
    await assertCommit(again, 'a', commit.commitId, stamp as Stamp)
    assert.equal(await again.committed('a', 'unknown'), undefined)
  },

  'does not bring back what was removed before it was closed': async ({ store, reopen }) => {
    const old = await commitTo(store, 'a', undefined, { one: '1' })
    await store.remove('a')
    const again = await reopen()
    assert.equal(await again.open('a', old), undefined)
    assert.deepEqual(await again.list(undefined, 10), [])
    const next = await commitTo(again, 'a', undefined, { two: '2' })
    assert.notEqual(next.incarnation, old.incarnation)
    await assertTable(again, 'a', next, { two: '2' })
  },

  'has the same files after it was closed and opened': async ({ store, reopen }) => {
    const bytes = Buffer.from(`file ${crypto.randomUUID()}`)
    const other = Buffer.from(`file ${crypto.randomUUID()}`)
    for (const each of [bytes, other]) await store.blob(hashOf(each), each)
    await commitTo(store, 'a', undefined, { '["file","/a"]': JSON.stringify({ hash: hashOf(bytes) }) })
    await commitShared(store, { any: JSON.stringify([hashOf(other)]) })
    const again = await reopen()
    for (const each of [bytes, other]) await assertFile(again, each)
  },

  'makes all commits durable that were given before close': async ({ store, close, open }) => {
    const ids = Array.from({ length: 20 }, (_, at) => `world-${at}`)
    const answers = ids.map(async (id) => store.commit(id, toCommit(undefined, { id: `"${id}"` })))
    await close(store)
    const stamps = await Promise.all(answers)
    const again = await open()
    for (const [at, id] of ids.entries()) await assertTable(again, id, stamps[at] as Stamp, { id: `"${id}"` })
  },
}

/** Cases for several stores that are open on the same data. */
export const replicaCases: Record<string, Run> = {
  'sees at once what another replica has committed': async ({ store, open }) => {
    const other = await open()
    let texts: Record<string, string> = { count: '0' }
    let newest = await commitTo(store, 'a', undefined, texts)
    for (let count = 1; count <= 20; count++) {
      const [from, to] = count % 2 === 0 ? [store, other] : [other, store]
      const last = newest
      const before = texts
      texts = { count: String(count) }
      newest = await commitTo(from, 'a', last, texts)
      await assertUpdate(to, 'a', last, before, texts)
      assert.equal(await to.open('a', newest), 'unchanged')
      assert.equal(await to.commit('a', toCommit(last, {})), 'conflict')
    }
    await other.remove('a')
    assert.equal(await store.open('a', newest), undefined)
    const next = await commitTo(other, 'a', undefined, { count: 'null' })
    await assertUpdate(store, 'a', newest, texts, { count: 'null' })
    await assertTable(store, 'a', next, { count: 'null' })
  },

  'lets exactly one commit of several replicas win': async ({ store, open }) => {
    const replicas = [store, await open(), await open(), await open()]
    let on: Stamp | undefined
    for (let round = 1; round <= 20; round++) {
      const commits = replicas.map((_, at) => toCommit(on, { winner: String(at) }))
      const answers = await Promise.all(replicas.map((each, at) => each.commit('a', commits[at] as never)))
      const { stamp, at } = winnerOf(answers)
      on = stamp
      for (const each of replicas) {
        await assertTable(each, 'a', stamp, { winner: String(at) })
        await assertCommit(each, 'a', commits[at]?.commitId ?? '', stamp)
      }
    }
  },

  'shares lists and files with other replicas': async ({ store, open }) => {
    const other = await open()
    await commitTo(store, 'a', undefined, {}, { label: 'A' })
    assert.deepEqual(await other.list(undefined, 10), [{ id: 'a', label: 'A' }])
    const bytes = Buffer.from(`file ${crypto.randomUUID()}`)
    await store.blob(hashOf(bytes), bytes)
    await assertFile(other, bytes)
    await other.clear()
    assert.deepEqual(await store.list(undefined, 10), [])
    assert.equal(await store.open('a'), undefined)
  },
}
