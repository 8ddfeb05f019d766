// A store in a file whose bytes are changed or cut off: never a wrong record, and a message for what is missing.

import { copyFileSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SandboxError } from '../../src/contract/sandbox-error.js'
import { type Committed, type Stamp, type Store, sharedId } from '../../src/state/commits/store.js'
import { openFileStore } from '../../src/stores/file-store.js'
import { loadEngine } from '../../src/stores/sqlite-engine.js'

const times = Number(process.env['STORE_DAMAGES'] ?? 60)
const ids = Array.from({ length: 40 }, (_, at) => `world-${String(at).padStart(2, '0')}`)
const folder = await mkdtemp(join(tmpdir(), 'file-store-damage-'))
const original = join(folder, 'original.db')
const contents = new Map<string, string>()
let size = 0

beforeAll(async () => {
  const store = await openFileStore(original)
  for (const [at, id] of [...ids, sharedId].entries()) {
    const entries = Array.from({ length: 1 + at * 4 }, (_, name) => ({
      name: `record ${name}`,
      text: `"${id} ${name * 7919}${'x'.repeat(100)}"`,
    }))
    const stamp = await store.commit(id, { commitId: id, on: undefined, isWhole: false, entries, label: `Key ${id}` })
    if (stamp === 'conflict') throw new Error('A conflict')
    const changes = [
      { name: 'record 0', text: '0' },
      { name: 'record 1', text: null },
    ]
    await store.commit(id, { commitId: `${id} 2`, on: stamp, isWhole: false, entries: changes })
    contents.set(id, toText(await store.open(id)))
  }
  await store.blob('a'.repeat(64), new Uint8Array(20_000))
  await store.close?.()
  size = readFileSync(original).length
})
afterAll(() => rm(folder, { recursive: true }))

function toText(found: Committed | 'unchanged' | undefined): string {
  if (!found || found === 'unchanged') return String(found)
  const entries = found.entries.map(({ name, text }) => [name, text]).sort()
  return JSON.stringify([found.stamp, entries])
}

/** Opens a damaged file. Fails if a record is wrong, a world is missing without a message, or a refused file is changed. */
async function openDamaged(path: string, what: string): Promise<{ lost: number; messages: string[]; isOfAll?: true }> {
  const messages: string[] = []
  const damaged = readFileSync(path)
  let store: Store
  try {
    store = await openFileStore(path, { onMessage: (text) => messages.push(text) })
  } catch (error) {
    const { code, message } = error as SandboxError
    expect(message, what).toMatch(/^Failed to open the store ".*": it is (not a database|damaged \(.*\), and with it)/)
    expect([code, readFileSync(path).equals(damaged)], what).toEqual(['UNREADABLE_FILE', true])
    return { lost: ids.length, messages: [message] }
  }
  let lost = 0
  for (const id of [sharedId, ...ids]) {
    try {
      const found = await store.open(id)
      if (found === undefined) lost++
      else expect(toText(found), `${what}: ${id}`).toBe(contents.get(id))
      // What all worlds share is never missing, so that no revoked key becomes valid.
      expect([id, found], what).not.toEqual([sharedId, undefined])
    } catch (error) {
      if ((error as SandboxError).code !== 'STORE_UNAVAILABLE') throw error
      // Then nothing is written any more.
      await expect(store.remove('new'), what).rejects.toThrow((error as Error).message)
      await store.close?.()
      return { lost: ids.length, messages: [(error as Error).message], isOfAll: true }
    }
  }
  if (lost > 0) expect(messages.length, `${what}: ${lost} worlds are missing`).toBeGreaterThan(0)
  const listed = await store.list(undefined, 100)
  expect(listed.length, what).toBeLessThanOrEqual(ids.length)
  for (const { id, label } of listed) expect(label, what).toBe(`Key ${id}`)
  // It can be used, whatever was lost.
  for (const { id } of [{ id: 'new' }, ...listed]) {
    const stamp = await writeTo(store, id, what).catch((error: SandboxError) => error)
    // Damage may be found only when a world is read or written.
    if (stamp instanceof Error) {
      expect((stamp as SandboxError).code, what).toBe('STORE_UNAVAILABLE')
      await store.close?.()
      return { lost: ids.length, messages: [stamp.message], isOfAll: true }
    }
    expect(await store.open(id, stamp), what).toBe('unchanged')
  }
  await store.close?.()
  const again: string[] = []
  const reopened = await openFileStore(path, { onMessage: (text) => again.push(text) })
  expect(again, what).toEqual([])
  await reopened.close?.()
  return { lost, messages }
}

/** Adds an entry to a world, which may be new. */
async function writeTo(store: Store, id: string, what: string): Promise<Stamp | Error> {
  const found = await store.open(id)
  const on = found && found !== 'unchanged' ? found.stamp : undefined
  const commit = { commitId: crypto.randomUUID(), on, isWhole: false, entries: [{ name: 'new', text: '1' }] }
  const stamp = await store.commit(id, commit)
  if (stamp === 'conflict') throw new Error(`${what}: a conflict at ${id}`)
  return stamp
}

/** The same numbers in each run. */
function random(seed: number): number {
  let value = Math.imul(seed + 1, 0x9e3779b1)
  value = Math.imul(value ^ (value >>> 15), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return ((value ^ (value >>> 16)) >>> 0) / 2 ** 32
}

it(`has no wrong record after one of ${times} flipped bytes`, { timeout: 600_000 }, async () => {
  let lost = 0
  let lostByAll = 0
  for (let count = 0; count < times; count++) {
    const path = join(folder, 'flipped.db')
    // A third of them is in the first pages, where the headers and the worlds are.
    const at = Math.floor(random(count) * (count % 3 === 0 ? 4096 * 3 : size))
    const bytes = readFileSync(original)
    bytes[at] = (bytes[at] ?? 0) ^ (1 + Math.floor(random(count + 1e6) * 255))
    writeFileSync(path, bytes)
    const found = await openDamaged(path, `byte ${at}`)
    if (found.isOfAll) lostByAll++
    else lost += found.lost
    for (const name of readdirSync(folder))
      if (name.startsWith('flipped')) await rm(join(folder, name), { recursive: true })
  }
  console.log(`${times} flipped bytes: ${lost} worlds of ${times * (ids.length + 1)} set aside`)
  expect(lost).toBeLessThan(times * ids.length * 0.15)
  // What all worlds share has a twentieth of all entries here.
  expect(lostByAll).toBeLessThan(times * 0.15)
})

it(`has no wrong record after one of ${times} truncations`, { timeout: 600_000 }, async () => {
  for (let count = 0; count < times; count++) {
    const path = join(folder, 'cut.db')
    copyFileSync(original, path)
    const at = 1 + Math.floor(random(count + 7) * (size - 1))
    truncateSync(path, at)
    await openDamaged(path, `cut at ${at}`)
    for (const name of readdirSync(folder))
      if (name.startsWith('cut')) await rm(join(folder, name), { recursive: true })
  }
})

it('moves a world with a damaged entry into a file, and names it', async () => {
  const path = join(folder, 'one.db')
  const bytes = readFileSync(original)
  // Free space of a page may have a copy.
  for (let at = bytes.indexOf('world-30 15838x'); at >= 0; at = bytes.indexOf('world-30 15838x', at))
    bytes[at + 10] = 0x39
  writeFileSync(path, bytes)
  const { lost, messages } = await openDamaged(path, 'one')
  expect(lost).toBe(1)
  const file = `${path}.damaged-world-30.json`
  expect(messages).toEqual([
    `The world "Key world-30" of the store "${path}" is damaged. It was moved to "${file}"; its key has a new world`,
  ])
  const aside = JSON.parse(readFileSync(file, 'utf8'))
  expect(aside).toMatchObject({ id: 'world-30', label: 'Key world-30', sequence: 2, entryCount: 120 })
  expect(aside.entries).toHaveLength(120)
  expect(aside.entries.filter((entry: { isDamaged: boolean }) => entry.isDamaged)).toHaveLength(1)
  expect(existsSync(`${path}.damaged`)).toBe(false)
})

/** A copy of the database, changed by another program while none has it open. */
async function changed(name: string, sql: string): Promise<string> {
  const path = join(folder, name)
  copyFileSync(original, path)
  const database = (await loadEngine()).open(path)
  database.exec(`PRAGMA locking_mode = exclusive; ${sql}`)
  database.close()
  return path
}

const ofShared = `(SELECT number FROM worlds WHERE id = CAST('${sharedId}' AS BLOB))`

it.each([
  ['has its row removed', `DELETE FROM worlds WHERE number = ${ofShared}`],
  ['has another sequence', `UPDATE worlds SET sequence = 1 WHERE number = ${ofShared}`],
  ['has another id', `UPDATE worlds SET id = CAST('other' AS BLOB) WHERE number = ${ofShared}`],
  ['has its entries removed', `DELETE FROM entries WHERE world = ${ofShared}`],
  ['lacks an entry', `DELETE FROM entries WHERE world = ${ofShared} AND name = CAST('record 3' AS BLOB)`],
  ['has another text', `UPDATE entries SET text = CAST('1' AS BLOB) WHERE world = ${ofShared}`],
  [
    'is gone with all tables',
    'DROP TABLE worlds; DROP TABLE entries; DROP TABLE commits; DROP TABLE files; DROP TABLE counts',
  ],
])('is refused if what all worlds share %s, and changes nothing', async (what, sql) => {
  const path = await changed('shared.db', sql)
  const { lost, messages } = await openDamaged(path, what)
  expect(lost).toBe(ids.length)
  expect(messages.join()).toMatch(/what all keys share, such as revoked keys.*empty store/)
  expect(readdirSync(folder).filter((name) => name.startsWith('shared.db.damaged'))).toEqual([])
})

it.each(['VACUUM', 'ANALYZE', 'REINDEX', 'PRAGMA page_size = 4096; PRAGMA journal_mode = delete; VACUUM'])(
  'is undamaged after %s',
  async (sql) => {
    const path = await changed(`${sql.slice(0, 6)}.db`, sql)
    expect(await openDamaged(path, sql)).toEqual({ lost: 0, messages: [] })
  },
)

it('is refused if it is empty, or only its log is left, and is created where nothing is', async () => {
  const path = join(folder, 'gone.db')
  writeFileSync(path, '')
  await expect(openFileStore(path)).rejects.toThrow(
    `Failed to open the store "${path}": it is empty; put a backup in its place if it had content, or remove it to begin`,
  )
  expect(readFileSync(path).length).toBe(0)
  await rm(path)
  writeFileSync(`${path}-wal`, 'x')
  await expect(openFileStore(path)).rejects.toThrow(`: there is only its log "${path}-wal"; put the file back`)
  await rm(`${path}-wal`)
  writeFileSync(`${path}.new`, 'of a start that was killed')
  await (await openFileStore(path)).close?.()
  expect(readdirSync(folder).filter((name) => name.startsWith('gone'))).toEqual(['gone.db'])
})
