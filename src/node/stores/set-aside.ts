/** Finds damaged worlds and databases, and sets worlds aside. Nothing damaged is ever used. */

import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { sharedId } from '../../state/commits/store.js'
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

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Whether the table of worlds, its index and its count agree, and no damaged row can be that of what all worlds share. */
export function isConsistent(tables: Tables): boolean {
  let [count, sum] = [0, 0]
  const ids = new Set<string | undefined>()
  for (let from = 1; ; ) {
    const rows = tables.worldsFrom(from, 1000)
    for (const row of rows) {
      const world = toWorld(row)
      count++
      if (!world || world.id === sharedId) ids.add(world?.id)
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
  const isSharedWhole = !ids.has(undefined) || ids.has(sharedId)
  return count === indexed && sum === indexedSum && count === tables.counts()?.worlds && isSharedWhole
}
