/** The tables of a store in a SQLite database, and the checksums of their rows. */
import { crc32 } from 'node:zlib'
import { referringNames, type Stamp, sharedId } from '../state/commits/store.js'
import type { Cell, Database, Statement } from './sqlite-engine.js'

/** A row of a table by the names of its columns. */
export type Row = Record<string, Cell>

/** The `application_id` of our databases: "PSsb" in ASCII. */
export const applicationId = 0x50537362
/** The version of the format, in `user_version`. */
export const formatVersion = 1
/** Only our databases have this in their first page. */
export const signature = 'petstore-sandbox worlds'

/** The number of commits whose ids are kept. */
export const keptCommits = 1024

const definitions = [
  `CREATE TABLE worlds (number INTEGER PRIMARY KEY, id BLOB, label BLOB, incarnation TEXT, \
sequence INTEGER, rows INTEGER, digest INTEGER, checksum INTEGER /* ${signature} */)`,
  'CREATE UNIQUE INDEX world_ids ON worlds (id)',
  `CREATE TABLE entries (world INTEGER, name BLOB, text BLOB, checksum INTEGER, PRIMARY KEY (world, name)) \
WITHOUT ROWID`,
  'CREATE TABLE commits (slot INTEGER PRIMARY KEY, number INTEGER, id BLOB, incarnation TEXT, sequence INTEGER, checksum INTEGER)',
  'CREATE TABLE files (number INTEGER PRIMARY KEY, hash TEXT UNIQUE, bytes BLOB)',
  'CREATE TABLE counts (number INTEGER PRIMARY KEY, worlds INTEGER, next INTEGER)',
]
const schema = [
  `PRAGMA application_id = ${applicationId}`,
  `PRAGMA user_version = ${formatVersion}`,
  ...definitions,
  'INSERT INTO counts VALUES (1, 0, 1)',
].join(';\n')

/**
 * What a commit needs to survive a power failure, and how much is written. Without the exclusive mode, SQLite as WebAssembly
 * has no log (WAL). A log of 16 MB rewrites pages that change often less than one of 4 MB does, and a commit writes less with small
 * pages; the schema has to fit in one.
 */
export const pragmas = {
  locking_mode: 'exclusive',
  page_size: 1024,
  journal_mode: 'wal',
  synchronous: 2,
  wal_autocheckpoint: 16_000,
  cache_size: -8000,
  fullfsync: 1,
  checkpoint_fullfsync: 1,
  cell_size_check: 1,
} as const

/** Sets the pragmas, and creates the tables in a new file. */
export function prepareDatabase(database: Database): void {
  const { journal_mode, ...others } = pragmas
  for (const [name, value] of Object.entries(others)) ask(database, `PRAGMA ${name} = ${value}`)
  if (ask(database, 'PRAGMA page_count')[0]?.['page_count'] === 0) database.exec(`BEGIN;\n${schema};\nCOMMIT;`)
  // VACUUM orders the definitions anew, and ANALYZE adds a table of SQLite.
  const found = ask(database, "SELECT sql FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*'").map(({ sql }) => sql)
  const isOurs = found.length === definitions.length && definitions.every((each) => found.includes(each))
  if (!isOurs) throw new Error('the schema is malformed')
  const [mode] = ask(database, `PRAGMA journal_mode = ${journal_mode}`)
  if (mode?.['journal_mode'] !== 'wal') throw new Error('the file system does not support the log of SQLite (WAL)')
}

function ask(database: Database, sql: string): Row[] {
  return database.prepare(sql).all()
}

/** A world, or the table of what all worlds share. */
export interface World {
  /** Number in the database. */
  number: number
  id: string
  label: string
  stamp: Stamp
  /** Number of entries. */
  rows: number
  /** Sum of the checksums of all entries. */
  digest: number
}

/** SQLite orders numbers before all ids. */
export const beforeAll = -1

const notUtf8 = 0xff
const digestSize = 2 ** 52

/** UTF-8, or UTF-16 after a byte that UTF-8 does not have if a surrogate is alone. SQLite as WebAssembly cuts texts at NUL. */
export function toBytes(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text)
  return Buffer.concat([Buffer.of(notUtf8), Buffer.from(text, 'utf16le')])
}

export function toText(cell: Cell | undefined): string {
  if (!(cell instanceof Uint8Array)) return String(cell)
  const bytes = Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength)
  return bytes[0] === notUtf8 ? bytes.toString('utf16le', 1) : bytes.toString()
}

/** The checksum of an entry, which depends on its world, too. */
export function checksumOf({ stamp }: World, name: Uint8Array, text: Uint8Array): number {
  return crc32(text, crc32(name, crc32(`${stamp.incarnation} ${name.length}`)))
}

/** A digest with a checksum more, or less if `sign` is -1. */
export function addToDigest(digest: number, checksum: number, sign: 1 | -1 = 1): number {
  return (digest + sign * checksum + digestSize) % digestSize
}

export function checksumOfWorld({ number, id, label, stamp, rows, digest }: World): number {
  return crc32(JSON.stringify([number, id, label, stamp.incarnation, stamp.sequence, rows, digest]))
}

/** Returns undefined if the row is damaged. */
export function toWorld(row: Row): World | undefined {
  const world: World = {
    number: Number(row['number']),
    id: toText(row['id']),
    label: toText(row['label']),
    stamp: { incarnation: String(row['incarnation']), sequence: Number(row['sequence']) },
    rows: Number(row['rows']),
    digest: Number(row['digest']),
  }
  return checksumOfWorld(world) === row['checksum'] ? world : undefined
}

export interface Commitment {
  number: number
  id: string
  stamp: Stamp
}

function checksumOfCommit({ number, id, stamp }: Commitment): number {
  return crc32(JSON.stringify([number, id, stamp.incarnation, stamp.sequence]))
}

/** The statements of a store. */
export interface Tables {
  run: (name: 'begin' | 'commit' | 'rollback') => void
  worldOf: (id: string) => Row | undefined
  worldsAfter: (id: Cell, limit: number) => Row[]
  /** Rows of worlds with numbers from `from` on, in the order of the table itself. */
  worldsFrom: (from: number, limit: number) => Row[]
  putWorld: (world: World, isNew: boolean) => void
  removeWorld: (number: number) => void
  entriesOf: (number: number) => Row[]
  checksumOf: (number: number, name: Uint8Array) => number | undefined
  putEntry: (number: number, name: Uint8Array, text: Uint8Array, checksum: number) => void
  removeEntry: (number: number, name: Uint8Array) => void
  removeEntries: (number: number) => void
  putCommit: (commit: Commitment) => void
  commits: () => Commitment[]
  file: (hash: string) => Uint8Array | undefined
  putFile: (hash: string, bytes: Uint8Array) => void
  removeFile: (hash: string) => void
  /** Hashes of files, at most `limit`; -1: all. */
  hashes: (limit: number) => string[]
  /** The texts of all entries that may refer to files. */
  referringTexts: () => Cell[]
  counts: () => { worlds: number; next: number } | undefined
  putCounts: (worlds: number, next: number) => void
}

export function prepareTables(database: Database): Tables {
  const statements = new Map<string, Statement>()
  const use = (sql: string): Statement => {
    const known = statements.get(sql)
    if (known) return known
    const made = database.prepare(sql)
    statements.set(sql, made)
    return made
  }
  return {
    run: (name) => use(name === 'begin' ? 'BEGIN IMMEDIATE' : name).run(),
    worldOf: (id) => use('SELECT * FROM worlds WHERE id = ?').all(toBytes(id))[0],
    worldsAfter: (id, limit) => use('SELECT * FROM worlds WHERE id > ? ORDER BY id LIMIT ?').all(id, limit),
    worldsFrom: (from, limit) =>
      use('SELECT * FROM worlds NOT INDEXED WHERE number >= ? ORDER BY number LIMIT ?').all(from, limit),
    putWorld(world, isNew) {
      const { number, id, label, stamp, rows, digest } = world
      const { incarnation, sequence } = stamp
      const checksum = checksumOfWorld(world)
      if (!isNew) {
        use('UPDATE worlds SET sequence = ?, rows = ?, digest = ?, checksum = ? WHERE number = ?').run(
          ...[sequence, rows, digest, checksum, number],
        )
      } else {
        use('INSERT INTO worlds VALUES (?, ?, ?, ?, ?, ?, ?, ?)').run(
          ...[number, toBytes(id), toBytes(label), incarnation, sequence, rows, digest, checksum],
        )
      }
    },
    removeWorld(number) {
      use('DELETE FROM entries WHERE world = ?').run(number)
      use('DELETE FROM worlds WHERE number = ?').run(number)
    },
    entriesOf: (number) => use('SELECT name, text, checksum FROM entries WHERE world = ?').all(number),
    checksumOf: (number, name) =>
      use('SELECT checksum FROM entries WHERE world = ? AND name = ?').all(number, name)[0]?.['checksum'] as
        | number
        | undefined,
    putEntry: (number, name, text, checksum) =>
      use('INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?)').run(number, name, text, checksum),
    removeEntry: (number, name) => use('DELETE FROM entries WHERE world = ? AND name = ?').run(number, name),
    removeEntries: (number) => use('DELETE FROM entries WHERE world = ?').run(number),
    putCommit(commit) {
      const { number, id, stamp } = commit
      use('INSERT OR REPLACE INTO commits VALUES (?, ?, ?, ?, ?, ?)').run(
        ...[number % keptCommits, number, toBytes(id), stamp.incarnation, stamp.sequence, checksumOfCommit(commit)],
      )
    },
    commits: () =>
      use('SELECT * FROM commits ORDER BY number')
        .all()
        .flatMap((row) => {
          const stamp = { incarnation: String(row['incarnation']), sequence: Number(row['sequence']) }
          const commit = { number: Number(row['number']), id: toText(row['id']), stamp }
          return checksumOfCommit(commit) === row['checksum'] ? [commit] : []
        }),
    file: (hash) => use('SELECT bytes FROM files WHERE hash = ?').all(hash)[0]?.['bytes'] as Uint8Array | undefined,
    putFile: (hash, bytes) => use('INSERT OR IGNORE INTO files (hash, bytes) VALUES (?, ?)').run(hash, bytes),
    removeFile: (hash) => use('DELETE FROM files WHERE hash = ?').run(hash),
    hashes: (limit) =>
      use('SELECT hash FROM files LIMIT ?')
        .all(limit)
        .map(({ hash }) => String(hash)),
    referringTexts: () =>
      [
        ...use('SELECT text FROM entries WHERE world = (SELECT number FROM worlds WHERE id = ?)').all(
          toBytes(sharedId),
        ),
        // Two searches for each world, as the names of its records are in between.
        ...referringNames.flatMap((name) =>
          use('SELECT DISTINCT text FROM worlds CROSS JOIN entries ON world = number AND name >= ? AND name < ?').all(
            toBytes(name),
            Buffer.concat([toBytes(name), Buffer.of(0xff)]),
          ),
        ),
      ].flatMap(({ text = null }) => text),
    counts: () => use('SELECT worlds, next FROM counts').all()[0] as { worlds: number; next: number } | undefined,
    putCounts: (worlds, next) => use('INSERT OR REPLACE INTO counts VALUES (1, ?, ?)').run(worlds, next),
  }
}
