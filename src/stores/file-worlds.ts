/** The worlds of a store in a file: reads and writes their rows, and sets damaged ones aside. Nothing damaged is ever used. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Commit, type Committed, type Stamp, sharedId } from '../state/commits/store.js'
import type { FileGuard } from './file-guard.js'
import { syncFolder } from './open-database.js'
import { attempt } from './sqlite-engine.js'
import {
  addToDigest,
  checksumOf,
  keptCommits,
  type Row,
  type Tables,
  toBytes,
  toText,
  toWorld,
  type World,
} from './tables.js'

/** An open file with what is known of its worlds. */
export interface WorldFile {
  readonly path: string
  readonly tables: Tables
  readonly guard: FileGuard
  /** Gets a line for each damage that was found. */
  readonly onMessage: (text: string) => void
  /** Stamps and numbers, least recently used first. `undefined` if there is no such world: most worlds are only read. */
  readonly worlds: Map<string, World | undefined>
  /** The stamps of the last commits by their ids. */
  readonly commits: Map<string, Stamp>
  /** The number of the next commit. */
  commitNumber: number
  isInTransaction: boolean
  isFolderSynced: boolean
}

/** Worlds that a transaction changes. They are known to others when it is committed. */
export type ChangedWorlds = Map<string, World | undefined>

/** Worlds of which the stamp, or that there is none, is in memory: about 300 bytes each. */
const knownWorlds = 20_000

/** Changes the tables in one transaction. */
export function transact<T>(file: WorldFile, work: () => T): T {
  const { tables, guard, path } = file
  guard.check()
  try {
    tables.run('begin')
    file.isInTransaction = true
    const result = work()
    tables.run('commit')
    // SQLite as WebAssembly does not make the name of the new log durable.
    if (!file.isFolderSynced) syncFolder(dirname(path))
    file.isFolderSynced = true
    return result
  } catch (error) {
    // SQLite may have done so.
    attempt(() => tables.run('rollback'))
    throw error
  } finally {
    file.isInTransaction = false
    guard.keep()
  }
}

/** @returns undefined if there is no such world, or if it was damaged */
export function findWorld(file: WorldFile, id: string): World | undefined {
  const { worlds, tables } = file
  if (worlds.has(id)) {
    const known = worlds.get(id)
    rememberWorld(file, id, known)
    return known
  }
  const row = tables.worldOf(id)
  const world = row && toWorld(row)
  if (row && !world) return setAside(file, id, row, [])
  rememberWorld(file, id, world)
  return world
}

/** The world becomes the most recently used one. */
export function rememberWorld({ worlds }: WorldFile, id: string, world: World | undefined): void {
  worlds.delete(id)
  worlds.set(id, world)
  dropOldest(worlds, knownWorlds)
}

/** All entries of a world. @returns undefined if it was damaged */
export function readWorld(file: WorldFile, world: World): Committed | undefined {
  const { tables } = file
  const { rows, isWhole } = checkRows(world, tables.entriesOf(world.number))
  if (!isWhole) {
    const row = tables.worldOf(world.id)
    return row && setAside(file, world.id, row, rows)
  }
  return { stamp: world.stamp, isWhole: true, entries: rows.map(({ name, text }) => ({ name, text })) }
}

/** Makes the changes of a commit, within a transaction. */
export function applyCommit(file: WorldFile, id: string, commit: Commit, next: ChangedWorlds): Stamp | 'conflict' {
  const { tables } = file
  const { commitId, on, isWhole, entries, label } = commit
  const before = next.has(id) ? next.get(id) : findWorld(file, id)
  if (before ? !on || !isSameStamp(before.stamp, on) : on) return 'conflict'
  const incarnation = before?.stamp.incarnation ?? randomBytes(12).toString('base64url')
  const world: World = {
    number: before?.number ?? countWorlds(tables, 1),
    id,
    label: before?.label ?? label ?? id,
    stamp: { incarnation, sequence: (before?.stamp.sequence ?? 0) + 1 },
    rows: isWhole ? 0 : (before?.rows ?? 0),
    digest: isWhole ? 0 : (before?.digest ?? 0),
  }
  if (isWhole && before) tables.removeEntries(before.number)
  for (const { name, text } of entries) putEntry(tables, world, toBytes(name), text, !before || isWhole)
  tables.putWorld(world, !before)
  tables.putCommit({ number: file.commitNumber, id: commitId, stamp: world.stamp })
  file.commitNumber++
  next.set(id, world)
  return world.stamp
}

function putEntry(tables: Tables, world: World, name: Uint8Array, text: string | null, isNew: boolean): void {
  const old = isNew ? undefined : tables.checksumOf(world.number, name)
  if (old !== undefined) {
    world.digest = addToDigest(world.digest, old, -1)
    world.rows--
  }
  if (text !== null) {
    const bytes = toBytes(text)
    const checksum = checksumOf(world, name, bytes)
    world.digest = addToDigest(world.digest, checksum)
    world.rows++
    tables.putEntry(world.number, name, bytes, checksum)
  } else if (old !== undefined) tables.removeEntry(world.number, name)
}

export function rememberCommit({ commits }: WorldFile, commitId: string, stamp: Stamp): void {
  commits.set(commitId, stamp)
  dropOldest(commits, keptCommits)
}

export function removeWorld(tables: Tables, number: number): void {
  tables.removeWorld(number)
  countWorlds(tables, -1)
}

/** @returns the number of the next world */
function countWorlds(tables: Tables, more: number): number {
  const { worlds: count, next } = tables.counts() ?? { worlds: 0, next: 1 }
  tables.putCounts(count + more, more > 0 ? next + more : next)
  return next
}

type CheckedRow = { name: string; text: string; isDamaged: boolean }

/** Moves what is left of a damaged world into a file. @throws SandboxError for the table that all worlds share */
export function setAside(store: WorldFile, id: string, row: Row, rows: CheckedRow[]): undefined {
  const { path, tables, worlds, guard, onMessage, isInTransaction } = store
  if (id === sharedId) throw guard.lose('a checksum of what all keys share, such as revoked keys, is wrong')
  const move = () => {
    const file = writeAside(path, row, rows)
    worlds.delete(id)
    removeWorld(tables, Number(row['number']))
    return file
  }
  const file = isInTransaction ? move() : transact(store, move)
  onMessage(
    `The world "${toText(row['label'])}" of the store "${path}" is damaged. It was moved to "${file}"; its key has a new world`,
  )
}

/** The rows of a world, and whether all are there and undamaged. */
function checkRows(world: World, rows: readonly Row[]): { rows: CheckedRow[]; isWhole: boolean } {
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
function writeAside(path: string, row: Row, entries: CheckedRow[]): string {
  const id = toText(row['id'])
  const name = /^[\w-]{1,80}$/.test(id) ? id : hashOf(Buffer.from(id)).slice(0, 16)
  const { incarnation, sequence, rows: entryCount } = row
  const content = { id, label: toText(row['label']), incarnation, sequence, entryCount, entries }
  const toFile = (count: number) => `${path}.damaged-${name}${count === 1 ? '' : `-${count}`}.json`
  let count = 1
  while (existsSync(toFile(count))) count++
  const file = toFile(count)
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { flag: 'wx', flush: true, mode: 0o600 })
  return file
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export function isSameStamp(one: Stamp, other: Stamp): boolean {
  return one.incarnation === other.incarnation && one.sequence === other.sequence
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  if (map.size <= most) return
  const [oldest = ''] = map.keys()
  map.delete(oldest)
}
