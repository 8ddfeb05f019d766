/** Cases for `blob`: files by their hash. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Store } from '../../state/commits/store.js'
import type { Run } from './support.js'

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function assertFile(store: Store, bytes: Uint8Array): Promise<void> {
  const found = await store.blob(hashOf(bytes))
  assert.ok(found instanceof Uint8Array, `A file of ${bytes.length} bytes is missing`)
  assert.ok(Buffer.from(bytes).equals(found), `A file of ${bytes.length} bytes has changed`)
}

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
