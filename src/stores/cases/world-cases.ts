/** Cases for `list`, `remove` and `clear`. */
import assert from 'node:assert/strict'
import { type ListedWorld, type Stamp, type Store, sharedId } from '../../state/commits/store.js'
import { assertTable, commitShared, commitTo, openTable, plain, type Run, readTable, toCommit } from './support.js'

/** All worlds, page by page. */
async function listAll(store: Store, limit: number): Promise<ListedWorld[]> {
  const found: ListedWorld[] = []
  for (;;) {
    const page = await store.list(found.at(-1)?.id, limit)
    assert.ok(page.length <= limit, `A page has ${page.length} worlds, more than ${limit}`)
    found.push(...page)
    if (page.length < limit || found.length > 1000) return found
  }
}

export const worldCases: Record<string, Run> = {
  'lists worlds in the order of their ids, page by page, each once': async ({ store }) => {
    const ids = Array.from({ length: 25 }, (_, at) => `${at * 7919 * 31}-world`)
    for (const id of ids) await commitTo(store, id, undefined, { id: '1' })
    const expected = [...ids].sort().map((id) => ({ id, label: id }))
    if (store.count) assert.equal(await store.count(), expected.length)
    for (const limit of [1, 4, 5, 24, 25, 26, 500]) assert.deepEqual(await listAll(store, limit), expected)
    assert.deepEqual(await store.list(expected[6]?.id, 3), expected.slice(7, 10))
    assert.deepEqual(await store.list(expected.at(-1)?.id, 3), [])
  },

  'lists worlds after an id that is not there': async ({ store }) => {
    for (const id of ['b', 'd', 'f', 'B']) await commitTo(store, id, undefined, {})
    const idsAfter = async (after: string) => (await store.list(after, 10)).map(({ id }) => id)
    assert.deepEqual(await idsAfter('c'), ['d', 'f'])
    assert.deepEqual(await idsAfter(''), ['B', 'b', 'd', 'f'])
    assert.deepEqual(await idsAfter('b'), ['d', 'f'])
    assert.deepEqual(await idsAfter('z'), [])
  },

  'lists no worlds if there are none, and not the shared table': async ({ store }) => {
    assert.deepEqual(await store.list(undefined, 10), [])
    const shared = await store.open(sharedId)
    if (shared === undefined) await commitTo(store, sharedId, undefined, { clock: '1' }, { label: 'Shared' })
    assert.deepEqual(await store.list(undefined, 10), [])
    for (const id of ['a', 'z']) await commitTo(store, id, undefined, {})
    assert.deepEqual(await listAll(store, 1), [
      { id: 'a', label: 'a' },
      { id: 'z', label: 'z' },
    ])
  },

  'lists a world with the label that it was created with': async ({ store }) => {
    const labelled = await commitTo(store, 'a', undefined, {}, { label: 'The first' })
    await commitTo(store, 'b', undefined, {})
    await commitTo(store, 'a', labelled, { one: '1' })
    const expected = [
      { id: 'a', label: 'The first' },
      { id: 'b', label: 'b' },
    ]
    assert.deepEqual(await store.list(undefined, 10), expected)
  },

  'removes a world, whose id then begins a new incarnation': async ({ store }) => {
    const old: Stamp[] = []
    for (let round = 0; round < 4; round++) {
      const first = await commitTo(store, 'a', undefined, { round: String(round) }, { label: `round ${round}` })
      const second = await commitTo(store, 'a', first, { second: String(round) })
      assert.ok(!old.some(({ incarnation }) => incarnation === first.incarnation), 'An incarnation is used again')
      for (const have of old) {
        const committed = await openTable(store, 'a', have)
        assert.equal(committed.isWhole, true)
        assert.equal(await store.commit('a', toCommit(have, { stale: '1' })), 'conflict')
      }
      await assertTable(store, 'a', second, { round: String(round), second: String(round) })
      assert.deepEqual(await store.list(undefined, 10), [{ id: 'a', label: `round ${round}` }])
      old.push(first, second)
      await store.remove('a')
      assert.equal(await store.open('a'), undefined)
      assert.deepEqual(await store.list(undefined, 10), [])
      for (const have of old) {
        assert.equal(await store.open('a', have), undefined)
        assert.equal(await store.commit('a', toCommit(have, { stale: '1' })), 'conflict')
      }
    }
  },

  'removes no other world, and takes the removal of unknown ones': async ({ store }) => {
    await store.remove('unknown')
    const kept = await commitTo(store, 'a', undefined, { one: '1' })
    await commitTo(store, 'ab', undefined, { one: '2' })
    await store.remove('ab')
    await store.remove('ab')
    await assertTable(store, 'a', kept, { one: '1' })
    assert.equal(await store.open('unknown'), undefined)
  },

  'clears all worlds, and not the shared table': async ({ store }) => {
    const { stamp: shared } = await commitShared(store, { clock: '7' })
    const old: Record<string, Stamp> = {}
    for (const id of ['a', 'b', 'c']) old[id] = await commitTo(store, id, undefined, { one: '1' })
    await store.clear()
    assert.deepEqual(await store.list(undefined, 10), [])
    await assertTable(store, sharedId, shared, { clock: '7' })
    for (const [id, have] of Object.entries(old)) {
      assert.equal(await store.open(id), undefined)
      assert.equal(await store.open(id, have), undefined)
      assert.equal(await store.commit(id, toCommit(have, {})), 'conflict')
      const again = await commitTo(store, id, undefined, { two: '2' })
      assert.notEqual(again.incarnation, have.incarnation)
      assert.deepEqual((await readTable(store, id)).stamp, plain(again))
      assert.equal((await openTable(store, id, have)).isWhole, true)
    }
    await commitTo(store, sharedId, shared, { clock: '8' })
  },
}
