/** Cases for several stores that are open on the same data. */
import assert from 'node:assert/strict'
import type { Stamp } from '../../state/commits/store.js'
import { hashOf } from './file-cases.js'
import { assertTable, assertUpdate, commitTo, plain, type Run, toCommit } from './support.js'

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
      const winners = answers.flatMap((answer, at) => (answer === 'conflict' ? [] : [{ answer, at }]))
      assert.equal(winners.length, 1, `${winners.length} of 4 commits on the same stamp were made`)
      const [{ answer, at }] = winners as [{ answer: Stamp; at: number }]
      on = plain(answer)
      for (const each of replicas) {
        await assertTable(each, 'a', on, { winner: String(at) })
        const found = await each.committed('a', (commits[at] as { commitId: string }).commitId)
        assert.deepEqual(found && plain(found), on)
      }
    }
  },

  'shares lists and files with other replicas': async ({ store, open }) => {
    const other = await open()
    await commitTo(store, 'a', undefined, {}, { label: 'A' })
    assert.deepEqual(await other.list(undefined, 10), [{ id: 'a', label: 'A' }])
    const bytes = Buffer.from(`file ${crypto.randomUUID()}`)
    await store.blob(hashOf(bytes), bytes)
    const found = await other.blob(hashOf(bytes))
    assert.ok(found && bytes.equals(found), 'The file is missing')
    await other.clear()
    assert.deepEqual(await store.list(undefined, 10), [])
    assert.equal(await store.open('a'), undefined)
  },
}
