/** Cases for what names, texts, ids and files may contain. A store does not interpret them. */
import assert from 'node:assert/strict'
import type { Entry } from '../../state/commits/store.js'
import { assertFile, assertTable, commitTo, hashOf, type Run, readTable, sorted } from './support.js'

const names: readonly string[] = [
  'plain',
  'Plain',
  ' plain',
  'plain ',
  '',
  "it's",
  '"quoted"',
  '`;\\',
  "'); DROP TABLE entries; --",
  'line\nfeed\r\n',
  '\t',
  '__proto__',
  'constructor',
  'toString',
  'length',
  '0',
  'nul\0in the middle',
  'nul\0',
  '\0',
  '\u{1F408} cat',
  'é',
  'e\u0301',
  '\u{10FFFF}',
  '\uFFFF',
  '\uFEFFmark',
  'high \uD83D',
  '\uDC08 low',
  '\uDC08\uD83D',
  '\uFFFD',
  'a/b:c{d}*?[e]%_',
  'undefined',
  'null',
  'x'.repeat(10_000),
  `${'x'.repeat(9_999)}y`,
]

export const textCases: Record<string, Run> = {
  'keeps names of any characters': async ({ store }) => {
    const entries: Entry[] = names.map((name, at) => ({ name, text: String(at) }))
    const first = await commitTo(store, 'a', undefined, entries)
    const whole = new Map(names.map((name, at) => [name, String(at)]))
    assert.equal(whole.size, names.length)
    assert.deepEqual(sorted((await readTable(store, 'a')).texts), sorted(whole))
    let on = first
    for (const name of names) {
      on = await commitTo(store, 'a', on, [{ name, text: null }])
      whole.delete(name)
      const { texts } = await readTable(store, 'a')
      assert.deepEqual(
        [...texts.keys()].sort(),
        [...whole.keys()].sort(),
        `after ${JSON.stringify(name.slice(0, 40))} was removed`,
      )
    }
  },

  'keeps texts of any characters': async ({ store }) => {
    const entries: Entry[] = names.map((name, at) => ({ name: String(at), text: name }))
    await commitTo(store, 'a', undefined, entries)
    const { texts } = await readTable(store, 'a')
    for (const [at, name] of names.entries()) {
      assert.ok(texts.get(String(at)) === name, `The text ${JSON.stringify(name.slice(0, 40))} has changed`)
    }
  },

  'keeps numbers in texts digit by digit': async ({ store }) => {
    const texts = { big: '12345678901234567890', real: '1.0', exponent: '1e2', zero: '-0', spaces: ' 1 ' }
    await assertTable(store, 'a', await commitTo(store, 'a', undefined, texts), texts)
  },

  'keeps a text of 5 MB and 5000 entries': async ({ store }) => {
    const big = JSON.stringify('\u{1F408}é"x'.repeat(600_000))
    assert.ok(Buffer.byteLength(big) > 5_000_000)
    const small: Entry[] = Array.from({ length: 5000 }, (_, at) => ({ name: `n${at}`, text: String(at) }))
    await commitTo(store, 'a', undefined, [...small, { name: 'big', text: big }])
    const { texts } = await readTable(store, 'a')
    assert.equal(texts.size, 5001)
    assert.ok(texts.get('big') === big, 'The big text has changed')
    for (const { name, text } of small) assert.equal(texts.get(name), text)
  },

  'keeps tables with ids and labels of any characters': async ({ store }) => {
    const ids = ['a', 'A', "it's", '__proto__', 'constructor', 'a/b:c{d}*?[e]%_', '"', 'é', ' ', 'nul\0']
    const stamps = new Map<string, Awaited<ReturnType<typeof commitTo>>>()
    for (const id of ids) {
      stamps.set(id, await commitTo(store, id, undefined, { id: JSON.stringify(id) }, { label: `the \u{1F408} ${id}` }))
    }
    for (const [id, stamp] of stamps) await assertTable(store, id, stamp, { id: JSON.stringify(id) })
    assert.deepEqual(
      await store.list(undefined, 100),
      [...ids].sort().map((id) => ({ id, label: `the \u{1F408} ${id}` })),
    )
    for (const id of ids) await store.remove(id)
    assert.deepEqual(await store.list(undefined, 100), [])
  },
}

/** Cases for `blob`: files by their hash. */
export const fileCases: Record<string, Run> = {
  'keeps files byte by byte': async ({ store }) => {
    const everyByte = Uint8Array.from({ length: 256 }, (_, at) => at)
    const random = Uint8Array.from({ length: 1_000_003 }, (_, at) => (at * 7919 + (at >> 8)) % 256)
    const files = [everyByte, new Uint8Array(), Uint8Array.of(0), Buffer.from('text \u{1F408}'), random]
    for (const bytes of files) {
      const returned = await store.blob(hashOf(bytes), bytes)
      assert.ok(returned && Buffer.from(bytes).equals(returned), 'The file that was given is returned')
    }
    for (const bytes of files) await assertFile(store, bytes)
    for (const bytes of files) await store.blob(hashOf(bytes), bytes)
    for (const bytes of files) await assertFile(store, bytes)
  },

  'keeps what the file was when it was given': async ({ store }) => {
    const bytes = Uint8Array.from(Buffer.from(crypto.randomUUID()))
    const copy = bytes.slice()
    await store.blob(hashOf(bytes), bytes)
    bytes.fill(0)
    await assertFile(store, copy)
  },

  'knows no file that was not given': async ({ store }) => {
    assert.equal(await store.blob(hashOf(Buffer.from(crypto.randomUUID()))), undefined)
  },
}
