/** Opens the database of a store: refuses paths at which there can be none, checks what it has, and says why it cannot be used. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { SandboxError } from '../contract/sandbox-error.js'
import { sharedId } from '../state/commits/store.js'
import { attempt, type Database, type Engine, isDamage } from './sqlite-engine.js'
import {
  addToDigest,
  applicationId,
  beforeAll,
  checksumOfWorld,
  formatVersion,
  prepareDatabase,
  prepareTables,
  type Row,
  signature,
  type Tables,
  toWorld,
} from './tables.js'

const anew = 'to begin with an empty store'

interface CheckedFile {
  /** The absolute path without symbolic links. */
  path: string
  /** Whether there is no file yet. */
  isNew: boolean
}

/**
 * Checks the path of a store, before anything is written.
 * @throws SandboxError `UNREADABLE_FILE`
 */
export function checkFile(given: string): CheckedFile {
  if (given === '')
    throw new SandboxError('INVALID_OPTION', 'The path of the store "file:" is empty; write file:<path>')
  const folder = resolve(dirname(given))
  const fail = (reason: string): never => {
    throw new SandboxError('UNREADABLE_FILE', `Failed to open the store "${given}": ${reason}`)
  }
  if (!isFolder(folder)) fail(`there is no folder "${folder}"; create it first`)
  const path = toReal(join(realpathSync(folder), basename(given)))
  // SQLite would have its log beside the link, where the next start does not look for it.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    fail('it is a symbolic link to a file that does not exist; give its own path')
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) fail('it is a folder; give the path of a file in it')
  if (found && !found.isFile()) fail('it is not an ordinary file; give another path')
  if (found && found.nlink > 1)
    fail('it has several names (hard links), and its log only one of them; give a path of its own')
  if (found && isMountedAlone(path)) fail('only the file is mounted, without its log; mount its folder')
  for (const each of found ? [path, dirname(path)] : [dirname(path)]) {
    if (!isWritable(each)) fail(`this user may not write "${each}"; change its permissions, or give another path`)
  }
  const log = ['-wal', '-journal'].map((end) => `${path}${end}`).find((each) => existsSync(each))
  if (!found && log) fail(`there is only its log "${log}"; put the file back, or move the log away ${anew}`)
  if (!found) return { path, isNew: true }
  if (found.size === 0) fail(`it is empty; put a backup in its place if it had content, or remove it ${anew}`)
  const page = readStart(path)
  const isDatabase = page.subarray(0, 16).toString('latin1') === 'SQLite format 3\0'
  const isOurs = page.includes(signature)
  const hasId = page.length >= 72 && page.readUInt32BE(68) === applicationId
  if (isOurs && !(isDatabase && hasId)) fail(damageOf(path, 'its header is malformed'))
  if (!isDatabase) fail('it is not a database; give the path of a new file')
  if (!hasId) fail('it is a database of another program; give the path of a new file')
  const version = page.readUInt32BE(60)
  if (version > formatVersion && version < 1000)
    fail(`it has format ${version}, which is newer than format ${formatVersion}; use a newer version, or a new file`)
  if (version !== formatVersion) fail(damageOf(path, `its header has version ${version}`))
  return { path, isNew: false }
}

function readStart(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const page = Buffer.alloc(4096)
    return page.subarray(0, readSync(file, page, 0, page.length, 0))
  } finally {
    closeSync(file)
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Whether a container has the file, but nothing that is beside it. */
function isMountedAlone(path: string): boolean {
  try {
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
    // Spaces are written as `\040`.
    return mounts.some((line) => line.split(' ')[4]?.replaceAll('\\040', ' ') === path)
  } catch {
    return false
  }
}

function toReal(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Opens a database, or creates it. @throws an error for which `isDamage` is true if it is damaged */
export function openDatabase(path: string, engine: Engine, isNew: boolean): Database {
  // A process that is killed leaves no empty file, which would look like one that was cut.
  if (isNew) {
    const made = `${path}.new`
    for (const end of ['', '-journal', '-wal']) rmSync(made + end, { force: true })
    const database = engine.open(made)
    prepareDatabase(database)
    database.close()
    renameSync(made, path)
  }
  const database = engine.open(path)
  try {
    prepareDatabase(database)
    const tables = prepareTables(database)
    tables.commits()
    if (!isConsistent(tables)) throw new Error('its list of worlds is malformed')
    return database
  } catch (error) {
    attempt(() => database.close())
    throw error
  }
}

/** Whether the table of worlds, its index and its count agree, and no damaged row can be that of what all worlds share. */
function isConsistent(tables: Tables): boolean {
  const table = readRows(
    (last) => tables.worldsFrom(last ? Number(last['number']) + 1 : 1, 1000),
    (one, other) => Number(one['number']) < Number(other['number']),
  )
  const index = readRows(
    (last) => tables.worldsAfter(last?.['id'] ?? beforeAll, 1000),
    (one, other) => Buffer.compare(one['id'] as Uint8Array, other['id'] as Uint8Array) < 0,
  )
  const isSame = table.count === index.count && table.sum === index.sum && table.count === tables.counts()?.worlds
  return isSame && table.isOrdered && index.isOrdered && (table.damaged === 0 || table.hasShared)
}

/** @param next returns the rows after one */
function readRows(next: (last: Row | undefined) => Row[], isBefore: (one: Row, other: Row) => boolean) {
  const read = { count: 0, sum: 0, damaged: 0, hasShared: false, isOrdered: true }
  for (let last: Row | undefined, rows = next(last); rows.length > 0 && read.isOrdered; rows = next(last))
    for (const row of rows) {
      const world = toWorld(row)
      read.isOrdered &&= !last || isBefore(last, row)
      read.count++
      if (world) read.sum = addToDigest(read.sum, checksumOfWorld(world))
      else read.damaged++
      read.hasShared ||= world?.id === sharedId
      last = row
    }
  return read
}

/** Makes the names in a folder durable. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/** Why SQLite or the file system failed, in words. */
export function reasonOf(error: unknown, path: string): string {
  const { message } = error as Error
  if (isDamage(error)) return damageOf(path, message)
  const isFull = /disk is full|ENOSPC/.test(message) || (/disk I\/O error/.test(message) && isDiskFull(path))
  return isFull ? `the disk of "${path}" is full; make room, then it continues` : message
}

function isDiskFull(path: string): boolean {
  const { bavail, bsize } = statfsSync(dirname(path))
  return bavail * bsize < 65_536
}

/** Nobody must go on without what all keys share. */
function damageOf(path: string, why: string): string {
  const wayOut = `Put a backup in its place, without "${path}-wal", or move both files away ${anew}`
  return `it is damaged (${why}), and with it what all keys share, such as revoked keys. ${wayOut}`
}
