/** Cases for `open`: what a caller gets that knows nothing, an old state, the newest one, or a state of another table. */
import assert from 'node:assert/strict'
import { assertTable, assertUpdate, commitTo, openTable, plain, type Run } from './support.js'

export const openCases: Record<string, Run> = {
  'opens no table that was not committed, with or without a stamp': async ({ store }) => {
    assert.equal(await store.open('a'), undefined)
    assert.equal(await store.open('a', { incarnation: 'any', sequence: 1 }), undefined)
    await commitTo(store, 'b', undefined, { name: '1' })
    assert.equal(await store.open('a'), undefined)
  },

  'opens all entries for a caller without a stamp': async ({ store }) => {
    const first = await commitTo(store, 'a', undefined, { one: '1', two: '{"x":2}' })
    await assertTable(store, 'a', first, { one: '1', two: '{"x":2}' })
    const second = await commitTo(store, 'a', first, { two: '3', three: '[]' })
    await assertTable(store, 'a', second, { one: '1', two: '3', three: '[]' })
  },

  'opens a table without entries': async ({ store }) => {
    const stamp = await commitTo(store, 'a', undefined, {})
    await assertTable(store, 'a', stamp, {})
    assert.equal(await store.open('a', stamp), 'unchanged')
  },

  'is unchanged only for the newest stamp': async ({ store }) => {
    const first = await commitTo(store, 'a', undefined, { one: '1' })
    assert.equal(await store.open('a', first), 'unchanged')
    assert.equal(await store.open('a', plain(first)), 'unchanged')
    const second = await commitTo(store, 'a', first, { one: '2' })
    await assertUpdate(store, 'a', first, { one: '1' }, { one: '2' })
    assert.equal(await store.open('a', second), 'unchanged')
    await openTable(store, 'a', { incarnation: first.incarnation, sequence: 3 })
    await openTable(store, 'a', { incarnation: `${first.incarnation}0`, sequence: 2 })
  },

  'returns the changes since a stamp, or all entries': async ({ store }) => {
    const first = await commitTo(store, 'a', undefined, { same: '0', changed: '1', removed: '1' })
    const second = await commitTo(store, 'a', first, { changed: '2', removed: null })
    const after = { same: '0', changed: '2' }
    const { stamp } = await assertUpdate(store, 'a', first, { same: '0', changed: '1', removed: '1' }, after)
    assert.deepEqual(plain(stamp), plain(second))
  },

  'returns the newest text of each entry for a caller that missed many commits': async ({ store }) => {
    const first = await commitTo(store, 'a', undefined, { old: '0', back: '0' })
    let newest = first
    for (let count = 1; count <= 40; count++) {
      const back = count % 2 === 1 ? null : String(count)
      newest = await commitTo(store, 'a', newest, { counter: String(count), [`n${count % 7}`]: String(count), back })
    }
    const middle = { incarnation: first.incarnation, sequence: 21 }
    const atMiddle = { old: '0', back: '20', counter: '20', n1: '15', n2: '16', n3: '17', n4: '18', n5: '19', n6: '20' }
    const end = { n0: '35', n1: '36', n2: '37', n3: '38', n4: '39', n5: '40', n6: '34', old: '0', back: '40' }
    const after = { ...end, counter: '40' }
    await assertUpdate(store, 'a', first, { old: '0', back: '0' }, after)
    await assertUpdate(store, 'a', middle, { ...atMiddle, n0: '14' }, after)
    await assertTable(store, 'a', newest, after)
  },

  'returns all entries after they were replaced': async ({ store }) => {
    const first = await commitTo(store, 'a', undefined, { one: '1', two: '2' })
    const second = await commitTo(store, 'a', first, { three: '3' }, { isWhole: true })
    const third = await commitTo(store, 'a', second, { four: '4' })
    const after = { three: '3', four: '4' }
    await assertUpdate(store, 'a', first, { one: '1', two: '2' }, after)
    await assertUpdate(store, 'a', second, { three: '3' }, after)
    await assertTable(store, 'a', third, after)
  },

  'returns all entries for a stamp of another incarnation, or one that is not reached yet': async ({ store }) => {
    const first = await commitTo(store, 'a', undefined, { one: '1' })
    const second = await commitTo(store, 'a', first, { two: '2' })
    const other = await commitTo(store, 'b', undefined, { one: '3' })
    const foreign = [other, { ...other, sequence: 2 }, { ...second, sequence: 3 }, { incarnation: '', sequence: 1 }]
    for (const have of foreign) {
      const committed = await openTable(store, 'a', have)
      assert.equal(committed.isWhole, true)
      assert.deepEqual(plain(committed.stamp), plain(second))
      await assertUpdate(store, 'a', have, { foreign: '1' }, { one: '1', two: '2' })
    }
  },

  'keeps tables apart': async ({ store }) => {
    const one = await commitTo(store, 'a', undefined, { name: '"a"' })
    const other = await commitTo(store, 'b', undefined, { name: '"b"' })
    assert.notEqual(one.incarnation, other.incarnation)
    await commitTo(store, 'b', other, { name: null })
    await assertTable(store, 'a', one, { name: '"a"' })
  },
}
