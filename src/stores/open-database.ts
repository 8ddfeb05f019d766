/** Opens the database of a store, checks it, and says why it cannot be used. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { damageOf } from './check-file.js'
import { isConsistent } from './set-aside.js'
import { attempt, type Database, type Engine, isDamage } from './sqlite-engine.js'
import { prepareDatabase, prepareTables } from './tables.js'

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
