// The store in a file: it keeps what the interface promises, refuses paths that are not its own, and survives a full disk.

import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { openStore } from 'petstore-sandbox/node'
import { afterAll, describe, expect, it, test } from 'vitest'
import { testStore } from '../../src/entries/store-tests.js'
import { type Store, sharedId } from '../../src/state/commits/store.js'
import { openFileStore } from '../../src/stores/file-store.js'
import { loadEngine } from '../../src/stores/sqlite-engine.js'
import { pragmas, prepareDatabase } from '../../src/stores/tables.js'
import { root } from '../support/launch.js'
import { compareWithModel, storeSteps } from '../support/store-model.js'

const folder = await mkdtemp(join(tmpdir(), 'file-store-'))
afterAll(() => rm(folder, { recursive: true }))

testStore({ name: 'a store in a file', open: () => openFileStore(join(folder, 'worlds.db')) }, { describe, test })

it('is a store for any sequence of calls', async () => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(storeSteps, async (steps) => {
      const path = join(folder, `any-${count++}.db`)
      await compareWithModel(() => openFileStore(path), steps)
      await rm(path)
    }),
    { numRuns: 40 },
  )
  expect(count).toBeGreaterThan(0)
})

const empty = { on: undefined, isWhole: false, entries: [] }

it('keeps one file of the tests of stores for each engine that this Node.js has', async () => {
  const path = join(folder, 'both.db')
  // The SQLite of Node.js 22 cuts texts at NUL.
  const hasNative = Number.parseInt(process.versions.node, 10) >= 24
  expect((await loadEngine()).name).toBe(hasNative ? 'node:sqlite' : 'wasm')
  const ids: string[] = []
  for (const engine of ['wasm', undefined, 'wasm', undefined] as const) {
    const store = await openFileStore(path, { ...(engine && { engine }) })
    expect((await store.list(undefined, 9)).map(({ id }) => id)).toEqual(ids)
    const id = `world-${ids.length}`
    ids.push(id)
    await store.commit(id, { ...empty, commitId: id })
    await store.close?.()
  }
})

it('sets the pragmas on which durability depends', async () => {
  for (const name of ['wasm', undefined] as const) {
    const engine = await loadEngine(name)
    const database = engine.open(join(folder, `pragmas-${name}.db`))
    prepareDatabase(database)
    for (const [pragma, value] of Object.entries(pragmas)) {
      expect(Object.values(database.prepare(`PRAGMA ${pragma}`).all()[0] ?? {}), pragma).toEqual([value])
    }
    expect(pragmas).toMatchObject({ journal_mode: 'wal', synchronous: 2 })
    database.close()
  }
})

describe('a path at which there can be no store', () => {
  const sqlite = (name: string, sql: string) => async () => {
    const database = (await loadEngine()).open(join(folder, name))
    database.exec(sql)
    database.close()
  }
  const own = 'CREATE TABLE t (x); PRAGMA application_id = 1347646306; PRAGMA user_version = 9'
  it.each([
    { what: 'a folder', path: 'a-folder', make: () => mkdirSync(join(folder, 'a-folder')), reason: 'it is a folder' },
    {
      what: 'a link to a missing file',
      path: 'link.db',
      make: () => symlinkSync(join(folder, 'no.db'), join(folder, 'link.db')),
      reason: 'it is a symbolic link to a file that does not exist; give its own path',
    },
    {
      what: 'one of two names of a file',
      path: 'second.db',
      make() {
        writeFileSync(join(folder, 'first.db'), '')
        linkSync(join(folder, 'first.db'), join(folder, 'second.db'))
      },
      reason: 'it has several names \\(hard links\\), and its log only one of them; give a path of its own',
    },
    {
      what: 'in a missing folder',
      path: 'missing/x.db',
      make: () => {},
      reason: 'there is no folder ".*missing"; create',
    },
    { what: 'with a long name', path: `./${'x'.repeat(300)}`, make: () => {}, reason: 'ENAMETOOLONG' },
    { what: 'with a name too long for its log', path: 'x'.repeat(253), make: () => {}, reason: 'ENAMETOOLONG|unable' },
    {
      what: 'in a file',
      path: 'text.txt/x.db',
      make: () => writeFileSync(join(folder, 'text.txt'), 'x'),
      reason: 'there is no folder',
    },
    {
      what: 'a text',
      path: 'text',
      make: () => writeFileSync(join(folder, 'text'), 'x'.repeat(5000)),
      reason: 'it is not a database',
    },
    {
      what: 'another database',
      path: 'other.db',
      make: sqlite('other.db', 'CREATE TABLE t (x)'),
      reason: 'another program',
    },
    {
      what: 'of a newer format',
      path: 'newer.db',
      make: sqlite('newer.db', own),
      reason: 'format 9, which is newer than format 1',
    },
  ])('is refused: $what', async ({ path, make, reason }) => {
    await make()
    const before = readdirSync(folder).sort()
    const file = join(folder, path)
    const stat = () => statSync(file, { throwIfNoEntry: false })?.mtimeMs
    const time = path.includes('/') ? undefined : stat()
    await expect(openFileStore(file)).rejects.toMatchObject({
      name: 'SandboxError',
      code: 'UNREADABLE_FILE',
      message: expect.stringMatching(new RegExp(`^Failed to open the store "${file}": .*${reason}`)),
    })
    expect(readdirSync(folder).sort()).toEqual(before)
    if (time !== undefined) expect(stat()).toBe(time)
  })
})

describe('an address of a store', () => {
  it.each(['', 'memroy', 'postgres://me:secret@host/x', 'FILES:x'])(
    'is refused if its kind is unknown: %j',
    async (address) => {
      const error = await openStore(address).catch((thrown) => thrown)
      expect(error).toMatchObject({ name: 'SandboxError', code: 'INVALID_OPTION' })
      expect(error.message).toMatch(/^Unknown store ".*"; available: memory, file:<path>, redis:/)
      expect(error.message).not.toContain('secret')
    },
  )

  it('may be memory, or a file', async () => {
    expect(await openStore('memory')).toBeUndefined()
    const store = await openStore(`file:${join(folder, 'address.db')}`)
    await store?.close?.()
    await expect(openStore('file:')).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })
})

it('is owned by one process, until that ends in any way', async () => {
  const path = join(folder, 'owned.db')
  const child = spawn(process.execPath, [join(root, 'test/support/store-writer.js'), path, '0'])
  await new Promise((resolve) => child.stdout.once('data', resolve))
  const message = `Failed to open the store "${path}": process ${child.pid} of the host ${hostname()} has it open. Stop it, or give another path; several processes can share a store in Redis`
  await expect(openStore(`file:${path}`)).rejects.toMatchObject({ code: 'UNREADABLE_FILE', message })
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGKILL')
  await ended
  const store = await openStore(`file:${path}`)
  await expect(openStore(`file:${path}`)).rejects.toThrow(`process ${process.pid} of the host`)
  await store?.close?.()
  await (await openStore(`file:${path}`))?.close?.()
})

it('removes files that nothing refers to when it is opened', async () => {
  const path = join(folder, 'files.db')
  const hashOf = (content: string) => createHash('sha256').update(content).digest('hex')
  const contents = ['of a world', 'of the base', 'of the shared table', 'of a record', 'of nothing']
  const text = (content: string) => JSON.stringify({ hash: hashOf(content) })
  const kept = async (store: Store) => {
    const found = await Promise.all(contents.map((content) => store.blob(hashOf(content))))
    return contents.filter((_, at) => found[at])
  }
  const store = await openFileStore(path)
  for (const content of contents) await store.blob(hashOf(content), Buffer.from(content))
  const file = '["file","/1"]'
  const entries = [
    { name: file, text: text('of a world') },
    { name: '["base"]', text: JSON.stringify(hashOf('of the base')) },
    { name: '["record","pets","",1]', text: text('of a record') },
  ]
  const on = await store.commit('a', { ...empty, commitId: 'a', entries })
  if (on === 'conflict') throw new Error('A conflict')
  const shared = [{ name: 'any', text: text('of the shared table') }]
  await store.commit(sharedId, { ...empty, commitId: 'b', entries: shared })
  expect(await kept(store)).toEqual(contents)
  await store.close?.()
  const second = await openFileStore(path)
  expect(await kept(second)).toEqual(contents.slice(0, 3))
  await second.commit('a', { ...empty, on, commitId: 'c', entries: [{ name: file, text: null }] })
  await second.close?.()
  const third = await openFileStore(path)
  expect(await kept(third)).toEqual(contents.slice(1, 3))
  await third.close?.()
})

it('answers nothing after it was closed', async () => {
  const store = await openFileStore(join(folder, 'closed.db'))
  const first = await store.commit('a', { ...empty, commitId: '1' })
  if (first === 'conflict') throw new Error('A conflict')
  await store.close?.()
  await store.close?.()
  expect(() => store.open('a', first)).toThrow(/is closed/)
  await expect(store.commit('a', { ...empty, commitId: '2', on: first })).rejects.toThrow(/is closed/)
})

const disk = join(folder, 'disk')
const hasDisk = mountSmall()
afterAll(() => void (hasDisk && execFileSync('umount', [disk])))

function mountSmall(): boolean {
  try {
    mkdirSync(disk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

it.skipIf(!hasDisk)('rejects commits while the disk is full, and loses nothing', async () => {
  const store = await openFileStore(join(disk, 'worlds.db'))
  const filler = join(disk, 'filler')
  writeFileSync(filler, new Uint8Array(600_000))
  let on = await store.commit('a', { ...empty, commitId: '0' })
  const written: string[] = []
  let failure: Error | undefined
  for (let count = 1; !failure; count++) {
    if (on === 'conflict') throw new Error('A conflict')
    const entries = [{ name: `n${count}`, text: JSON.stringify('x'.repeat(20_000)) }]
    const answer: typeof on | Error = await Promise.resolve(
      store.commit('a', { commitId: String(count), on, isWhole: false, entries }),
    ).catch((error) => error)
    if (answer instanceof Error) failure = answer
    else {
      on = answer
      written.push(`n${count}`)
    }
  }
  expect(failure).toMatchObject({ name: 'SandboxError', code: 'STORE_UNAVAILABLE' })
  expect(failure.message).toMatch(/^Failed to write to the store ".*": the disk of ".*" is full; make room/)
  const names = async () => {
    const found = await store.open('a')
    return found && found !== 'unchanged' ? found.entries.map(({ name }) => name).sort() : found
  }
  expect(await names()).toEqual([...written].sort())
  expect(await store.committed('a', String(written.length + 1))).toBeUndefined()
  rmSync(filler)
  if (on === 'conflict') throw new Error('A conflict')
  const entries = [{ name: 'after', text: '1' }]
  expect(await store.commit('a', { commitId: 'after', on, isWhole: false, entries })).toMatchObject({
    sequence: on.sequence + 1,
  })
  await store.close?.()
  const again = await openFileStore(join(disk, 'worlds.db'))
  const found = await again.open('a')
  expect(found && found !== 'unchanged' ? found.entries.length : 0).toBe(written.length + 1)
  await again.close?.()
})

it('names its engine with its licence in the package', () => {
  const manifest = createRequire(import.meta.url)('node-sqlite3-wasm/package.json')
  expect(manifest.license).toBe('MIT')
  expect(readFileSync(join(root, 'dist/THIRD-PARTY-LICENCES.txt'), 'utf8')).toContain(
    `node-sqlite3-wasm ${manifest.version}`,
  )
})
