/** Opens the database of a store, checks it, and says why it cannot be used. */
import { closeSync, fsyncSync, openSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { isConsistent, startAnew } from './set-aside.js'
import { type Database, type Engine, isDamage } from './sqlite-engine.js'
import { prepareDatabase, prepareTables } from './tables.js'

/** Opens a database, or a new one in place of a damaged one. */
export function openDatabase(
  path: string,
  engine: Engine,
  isDamaged: boolean,
  onMessage: (text: string) => void,
): Database {
  if (isDamaged) return startAnew(path, engine, onMessage)
  const database = engine.open(path)
  try {
    prepareDatabase(database)
    const tables = prepareTables(database)
    tables.commits()
    if (isConsistent(tables)) return database
  } catch (error) {
    if (!isDamage(error)) {
      closeQuietly(database)
      throw error
    }
  }
  closeQuietly(database)
  return startAnew(path, engine, onMessage)
}

/** Closes a database that may be damaged. */
export function closeQuietly(database: Database): void {
  try {
    database.close()
  } catch {
    // Its pages are damaged, and it is not used any more.
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
  const isFull = /disk is full|ENOSPC/.test(message) || (/disk I\/O error/.test(message) && isDiskFull(path))
  return isFull ? `the disk of "${path}" is full; make room, then it continues` : message
}

function isDiskFull(path: string): boolean {
  const { bavail, bsize } = statfsSync(dirname(path))
  return bavail * bsize < 65_536
}
