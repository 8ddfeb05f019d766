/** Finds damaged worlds and databases, and sets worlds aside. Nothing damaged is ever used. */

import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { sharedId } from '../state/commits/store.js'
import type { Cell } from './sqlite-engine.js'
import {
  addToDigest,
  beforeAll,
  checksumOf,
  checksumOfWorld,
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
  const name = /^[\w-]{1,80}$/.test(id) ? id : hashOf(Buffer.from(id)).slice(0, 16)
  const { incarnation, sequence, rows: entryCount } = row
  const content = { id, label: toText(row['label']), incarnation, sequence, entryCount, entries: rows }
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

/** Whether the table of worlds, its index and its count agree, and no damaged row can be that of what all worlds share. */
export function isConsistent(tables: Tables): boolean {
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
