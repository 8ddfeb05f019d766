/** Saves what can be read of damaged worlds and databases. Nothing damaged is ever used. */

import { createHash } from 'node:crypto'
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { type Cell, type Database, type Engine, isDamage } from './sqlite-engine.js'
import {
  addToDigest,
  beforeAll,
  checksumOf,
  checksumOfWorld,
  pragmas,
  prepareDatabase,
  prepareTables,
  type Tables,
  toText,
  toWorld,
  type World,
} from './tables.js'

export type Row = Record<string, Cell>

/** The rows of a world with whether each is undamaged. */
export interface CheckedRows {
  rows: { name: string; text: string; isDamaged: boolean }[]
  isWhole: boolean
}

export function checkRows(world: World, rows: readonly Row[]): CheckedRows {
  let digest = 0
  let isWhole = rows.length === world.rows
  const checked = rows.map((row) => {
    const { name, text, checksum } = row
    const isDamaged =
      !(name instanceof Uint8Array && text instanceof Uint8Array) || checksumOf(world, name, text) !== checksum
    isWhole &&= !isDamaged
    digest = addToDigest(digest, Number(checksum))
    return { name: toText(name), text: toText(text), isDamaged }
  })
  return { rows: checked, isWhole: isWhole && digest === world.digest }
}

/**
 * Writes what is left of a world into a file beside the database.
 * @returns the path of the file
 */
export function writeAside(path: string, row: Row, { rows }: Pick<CheckedRows, 'rows'>): string {
  const id = toText(row['id'])
  const name = /^[\w-]{1,80}$/.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 16)
  const content = {
    id,
    label: toText(row['label']),
    incarnation: row['incarnation'],
    sequence: row['sequence'],
    entryCount: row['rows'],
    entries: rows,
  }
  const file = freePath(`${path}.damaged-${name}`, '.json')
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { flag: 'wx', flush: true, mode: 0o600 })
  return file
}

function freePath(start: string, end: string): string {
  for (let count = 1; ; count++) {
    const path = `${start}${count === 1 ? '' : `-${count}`}${end}`
    if (!existsSync(path)) return path
  }
}

/**
 * Copies a damaged database, and replaces it with a new one that has all undamaged worlds and files. It must be closed.
 * @param onMessage gets what was lost, one line each
 */
export function salvage(path: string, engine: Engine, onMessage: (text: string) => void): Database {
  const fresh = `${path}.new`
  const kept = freePath(`${path}.damaged`, '')
  const copy = `${path}.salvage`
  removeDatabase(fresh)
  removeDatabase(copy)
  for (const end of ['', '-wal', '-journal']) {
    if (!existsSync(`${path}${end}`)) continue
    copyFileSync(`${path}${end}`, `${copy}${end}`)
    copyFileSync(`${path}${end}`, `${kept}${end}`)
  }
  openPrepared(fresh, engine).close()
  repairStart(copy, fresh)
  const database = openPrepared(fresh, engine)
  const tables = prepareTables(database)
  tables.run('begin')
  let count = 0
  try {
    count = copyAll(path, copy, engine, tables, onMessage)
  } catch (error) {
    if (!isDamage(error)) throw error
  }
  tables.run('commit')
  database.close()
  removeDatabase(copy)
  for (const end of ['-wal', '-shm', '-journal']) rmSync(`${path}${end}`, { force: true })
  renameSync(fresh, path)
  const size = count === 1 ? '1 world' : `${count} worlds`
  onMessage(
    `The store "${path}" was damaged. Its new file has the ${size} that could be read; the old file is "${kept}"`,
  )
  return openPrepared(path, engine)
}

function openPrepared(path: string, engine: Engine): Database {
  const database = engine.open(path)
  prepareDatabase(database)
  return database
}

function removeDatabase(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${end}`, { force: true })
}

function copyAll(path: string, copy: string, engine: Engine, to: Tables, onMessage: (text: string) => void): number {
  const source = engine.open(copy)
  let next = 1
  try {
    source.exec('PRAGMA locking_mode = exclusive; PRAGMA cell_size_check = 1')
    const from = prepareTables(source)
    const ids = new Set<string>()
    for (const row of readAll(from.worldsBetween)) {
      const world = toWorld(row)
      const entries = world ? tryRead(() => from.entriesOf(world.number)) : undefined
      const checked = world && entries ? checkRows(world, entries) : undefined
      if (world && checked?.isWhole && !ids.has(world.id)) {
        ids.add(world.id)
        copyWorld({ ...world, number: next++ }, entries as Row[], to)
      } else {
        const rest = world && !entries ? { rows: [] } : (checked ?? { rows: [] })
        const file = writeAside(path, row, rest)
        onMessage(
          `The world "${toText(row['label'])}" of the store "${path}" is damaged. It was moved to "${file}"; its key has a new world`,
        )
      }
    }
    const counts = tryRead(() => from.counts())
    const lost = (counts?.worlds ?? next - 1) - (next - 1)
    if (lost > 0) onMessage(`Of ${counts?.worlds} worlds, ${lost} are missing in the new file`)
    for (const row of readAll(from.filesBetween)) {
      const { hash, bytes } = row
      if (bytes instanceof Uint8Array && hashOf(bytes) === hash) to.putFile(hash as string, bytes)
    }
    for (const commit of tryRead(() => from.commits()) ?? []) to.putCommit(commit)
  } finally {
    tryRead(() => source.close())
  }
  to.putCounts(next - 1, next)
  return next - 1
}

function copyWorld(world: World, entries: readonly Row[], to: Tables): void {
  to.putWorld(world, true)
  for (const { name, text, checksum } of entries) {
    to.putEntry(world.number, name as Uint8Array, text as Uint8Array, checksum as number)
  }
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function tryRead<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

type ReadBetween = (from: number, to: number, limit: number) => Row[]

/** If so many reads fail, the rest is not read: a page that leads to all others may be damaged. */
const mostFailures = 2000

/** All rows that can be read: if a range of numbers has a damaged page, its halves are read, and so on. */
function* readAll(readBetween: ReadBetween): Generator<Row> {
  const ranges: [number, number][] = [[1, 2 ** 24]]
  let failures = 0
  for (let range = ranges.pop(); range && failures < mostFailures; range = ranges.pop()) {
    const [from, to] = range
    const rows = tryRead(() => readBetween(from, to, 500))
    if (rows) {
      yield* rows
      const last = Number(rows.at(-1)?.['number'])
      if (rows.length === 500 && last < to && last >= from) ranges.push([last + 1, to])
      continue
    }
    failures++
    if (from < to) {
      const middle = Math.floor((from + to) / 2)
      ranges.push([middle + 1, to], [from, middle])
    }
  }
}

/** Replaces the first page, in which all our databases have the same schema and the same header but for the number of pages. */
function repairStart(path: string, fresh: string): void {
  const page = readFileSync(fresh).subarray(0, pragmas.page_size)
  page.writeUInt32BE(Math.max(1, Math.floor(statSync(path).size / page.length)), 28)
  const file = openSync(path, 'r+')
  try {
    writeSync(file, page, 0, page.length, 0)
  } finally {
    closeSync(file)
  }
}

/** Whether the table of worlds, its index and its count agree. */
export function isConsistent(tables: Tables, onWorld: (row: Row, world: World | undefined) => void): boolean {
  let [count, sum] = [0, 0]
  for (let from = 1; ; ) {
    const rows = tables.worldsBetween(from, Number.MAX_SAFE_INTEGER, 1000)
    for (const row of rows) {
      const world = toWorld(row)
      onWorld(row, world)
      count++
      if (world) sum = addToDigest(sum, checksumOfWorld(world))
    }
    if (rows.length < 1000) break
    from = Number(rows.at(-1)?.['number']) + 1
  }
  let [indexed, indexedSum] = [0, 0]
  for (let after: Uint8Array | undefined; ; ) {
    const rows = tables.worldsAfter(after ?? beforeAll, 1000)
    for (const row of rows) {
      const id = row['id'] as Uint8Array
      if (after && Buffer.compare(after, id) >= 0) return false
      after = id
      indexed++
      const world = toWorld(row)
      if (world) indexedSum = addToDigest(indexedSum, checksumOfWorld(world))
    }
    if (rows.length < 1000) break
  }
  return count === indexed && sum === indexedSum && count === tables.counts()?.worlds
}
