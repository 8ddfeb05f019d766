/** Cases for what outlives `close`. */
import assert from 'node:assert/strict'
import { type Stamp, sharedId } from '../../state/commits/store.js'
import { hashOf } from './file-cases.js'
import { assertTable, commitTo, plain, type Run, toCommit } from './support.js'

export const keptCases: Record<string, Run> = {
  'has the same tables after it was closed and opened': async ({ store, reopen }) => {
    const first = await commitTo(store, 'a', undefined, { one: '1', two: '2' }, { label: 'A' })
    const second = await commitTo(store, 'a', first, { two: null, 'high \uD83D': '3' })
    const other = await commitTo(store, 'b', undefined, {})
    const before = await store.open(sharedId)
    const on = before === undefined || before === 'unchanged' ? undefined : before.stamp
    const shared = await commitTo(store, sharedId, on, { clock: '5' }, { isWhole: true })
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
    const found = await again.committed('a', commit.commitId)
    assert.deepEqual(found && plain(found), plain(stamp as Stamp))
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
    const before = await store.open(sharedId)
    const on = before === undefined || before === 'unchanged' ? undefined : before.stamp
    await commitTo(store, sharedId, on, { any: JSON.stringify([hashOf(other)]) }, { isWhole: true })
    const again = await reopen()
    for (const each of [bytes, other]) {
      const found = await again.blob(hashOf(each))
      assert.ok(found && each.equals(found), 'The file is missing')
    }
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
