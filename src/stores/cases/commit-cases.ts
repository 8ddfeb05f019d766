/** Cases for `commit` and `committed`: conflicts, commits at the same time, and commits whose answer is lost. */
import assert from 'node:assert/strict'
import { type Stamp, sharedId } from '../../state/commits/store.js'
import {
  assertCommit,
  assertTable,
  commitShared,
  commitTo,
  openTable,
  plain,
  type Run,
  readTable,
  toCommit,
  winnerOf,
} from './support.js'

export const commitCases: Record<string, Run> = {
  'counts commits from 1': async ({ store }) => {
    let newest: Stamp | undefined
    for (let count = 1; count <= 5; count++) newest = await commitTo(store, 'a', newest, { count: String(count) })
    assert.equal(newest?.sequence, 5)
    assert.deepEqual(plain((await openTable(store, 'a')).stamp), plain(newest as Stamp))
  },

  'conflicts with any other stamp than the newest, and changes nothing then': async ({ store }) => {
    const first = await commitTo(store, 'a', undefined, { one: '1' }, { label: 'A' })
    const other = await commitTo(store, 'b', undefined, { one: '1' })
    const newest = await commitTo(store, 'a', first, { two: '2' })
    await commitTo(store, 'b', other, {})
    const wrong: Record<string, Stamp | undefined> = {
      'an old sequence': first,
      'a sequence to come': { ...newest, sequence: 3 },
      'sequence 0': { ...newest, sequence: 0 },
      'another incarnation': { incarnation: other.incarnation, sequence: 2 },
      'an unknown incarnation': { incarnation: 'unknown', sequence: 2 },
      'no stamp': undefined,
    }
    for (const [what, on] of Object.entries(wrong)) {
      for (const isWhole of [false, true]) {
        const commit = toCommit(on, { one: '9', three: '9', two: null }, { isWhole, label: 'wrong' })
        assert.equal(await store.commit('a', commit), 'conflict', what)
        assert.equal(await store.committed('a', commit.commitId), undefined, what)
        await assertTable(store, 'a', newest, { one: '1', two: '2' })
      }
    }
    assert.deepEqual(await store.list(undefined, 1), [{ id: 'a', label: 'A' }])
    await commitTo(store, 'a', newest, { one: '3' })
  },

  'conflicts with a stamp if there is no table, and creates none': async ({ store }) => {
    const other = await commitTo(store, 'b', undefined, {})
    for (const on of [other, { incarnation: 'unknown', sequence: 0 }, { incarnation: '', sequence: 1 }]) {
      assert.equal(await store.commit('a', toCommit(on, { one: '1' })), 'conflict')
    }
    assert.equal(await store.open('a'), undefined)
    assert.deepEqual(await store.list(undefined, 9), [{ id: 'b', label: 'b' }])
  },

  'removes entries, and takes the removal of unknown ones': async ({ store }) => {
    const first = await commitTo(store, 'a', undefined, { one: '1', two: '2', none: null })
    await assertTable(store, 'a', first, { one: '1', two: '2' })
    const second = await commitTo(store, 'a', first, { one: null, unknown: null })
    await assertTable(store, 'a', second, { two: '2' })
    const third = await commitTo(store, 'a', second, { one: '3', two: null })
    await assertTable(store, 'a', third, { one: '3' })
  },

  'replaces all entries with a whole commit': async ({ store }) => {
    const first = await commitTo(store, 'a', undefined, { one: '1', two: '2' }, { isWhole: true })
    await assertTable(store, 'a', first, { one: '1', two: '2' })
    const second = await commitTo(store, 'a', first, { two: '3', four: '4', five: null }, { isWhole: true })
    await assertTable(store, 'a', second, { two: '3', four: '4' })
    const third = await commitTo(store, 'a', second, {}, { isWhole: true })
    await assertTable(store, 'a', third, {})
  },

  'lets exactly one of several commits at the same time win': async ({ store }) => {
    let on: Stamp | undefined
    for (let round = 1; round <= 10; round++) {
      const commits = Array.from({ length: 8 }, (_, at) =>
        toCommit(on, { winner: String(at), [`by-${round}`]: String(at) }),
      )
      const answers = await Promise.all(commits.map((commit) => store.commit('a', commit)))
      const winner = winnerOf(answers)
      const { at } = winner
      on = winner.stamp
      assert.equal(on.sequence, round)
      const { texts, stamp } = await readTable(store, 'a')
      assert.deepEqual([stamp, texts.get('winner'), texts.get(`by-${round}`)], [on, String(at), String(at)])
      for (const [index, { commitId }] of commits.entries())
        await assertCommit(store, 'a', commitId, index === at ? on : undefined)
    }
  },

  'makes commits to several tables at the same time': async ({ store }) => {
    const ids = Array.from({ length: 50 }, (_, at) => `world-${at}`)
    const firsts = await Promise.all(ids.map((id) => commitTo(store, id, undefined, { id: `"${id}"` })))
    assert.equal(new Set(firsts.map(({ incarnation }) => incarnation)).size, 50)
    const seconds = await Promise.all(ids.map((id, at) => commitTo(store, id, firsts[at], { second: String(at) })))
    for (const [at, id] of ids.entries()) {
      await assertTable(store, id, seconds[at] as Stamp, { id: `"${id}"`, second: String(at) })
    }
  },

  'keeps the ids of commits': async ({ store }) => {
    const ids = ['first', "it's", 'a"b', crypto.randomUUID()].map((id) => `${id}-${crypto.randomUUID()}`)
    assert.equal(await store.committed('a', crypto.randomUUID()), undefined)
    const stamps: Stamp[] = []
    for (const commitId of ids) stamps.push(await commitTo(store, 'a', stamps.at(-1), {}, { commitId }))
    for (const [at, commitId] of ids.entries()) await assertCommit(store, 'a', commitId, stamps[at])
    assert.equal(await store.committed('a', 'unknown'), undefined)
  },

  'knows a commit until 1000 others were committed after it': async ({ store }) => {
    const commitId = crypto.randomUUID()
    const first = await commitTo(store, 'a', undefined, {}, { commitId })
    let on = first
    let other: Stamp | undefined
    for (let count = 1; count <= 999; count++) {
      if (count % 2 === 0) on = await commitTo(store, 'a', on, { count: String(count) })
      else other = await commitTo(store, 'b', other, { count: String(count) })
    }
    await assertCommit(store, 'a', commitId, first)
  },

  'makes no commit after it said that there is none': async ({ store }) => {
    let on = await commitTo(store, 'a', undefined, {})
    for (let turns = 0; turns < 12; turns++) {
      const commit = toCommit(on, { turns: String(turns) })
      const answer = Promise.resolve(store.commit('a', commit)).catch(() => 'failed' as const)
      for (let turn = 0; turn < turns; turn++) await undefined
      const found = await store.committed('a', commit.commitId)
      const stamp = await answer
      const { stamp: newest, texts } = await readTable(store, 'a')
      if (found) {
        assert.deepEqual([plain(found), texts.get('turns')], [newest, String(turns)])
        assert.deepEqual(typeof stamp === 'string' ? stamp : plain(stamp), newest)
      } else {
        assert.ok(
          stamp === 'conflict' || stamp === 'failed',
          'A commit was made after the store had said that there is none',
        )
        assert.deepEqual(newest, plain(on))
      }
      on = newest
    }
  },

  'keeps a table with what all worlds share': async ({ store }) => {
    const texts = { keys: '["a"]', clock: '1' }
    const { before, stamp: first } = await commitShared(store, texts)
    await assertTable(store, sharedId, first, texts)
    assert.equal(await store.open(sharedId, first), 'unchanged')
    assert.equal(await store.commit(sharedId, toCommit(before, { clock: '2' })), 'conflict')
    const second = await commitTo(store, sharedId, first, { clock: null })
    await assertTable(store, sharedId, second, { keys: '["a"]' })
  },
}
