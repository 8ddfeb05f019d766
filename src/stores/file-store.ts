/** A store in one SQLite database, which one process owns. Its rows are the present state of each world. */

import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import { SandboxError } from '../contract/sandbox-error.js'
import { type Commit, type Committed, type Stamp, type Store, sharedId } from '../state/commits/store.js'
import { checkFile } from './check-file.js'
import { guardFiles } from './file-guard.js'
import { openDatabase, reasonOf, syncFolder } from './open-database.js'
import { describeWait, type OwnerLock, ownedError, takeOwnership } from './owner-lock.js'
import { checkRows, hashOf, type Row, writeAside } from './set-aside.js'
import { attempt, type Cell, type Database, type Engine, isDamage, loadEngine } from './sqlite-engine.js'
import {
  addToDigest,
  beforeAll,
  checksumOf,
  keptCommits,
  prepareTables,
  toBytes,
  toText,
  toWorld,
  type World,
} from './tables.js'

export interface FileStoreOptions {
  /** Gets a line for each damage that was found. @default a warning of the process */
  onMessage?: (text: string) => void
  /** @default `node:sqlite` if this version of Node.js has it */
  engine?: Engine['name']
}

/** Worlds of which the stamp, or that there is none, is in memory: about 300 bytes each. */
const knownWorlds = 20_000

interface Waiting {
  /** Changes the tables, within a transaction. The function that it returns answers after the transaction is committed. */
  change: (next: Map<string, World | undefined>) => () => void
  fail: (error: Error) => void
}

/**
 * Opens a store in a file, or creates it.
 * @throws SandboxError `UNREADABLE_FILE` if there can be no store at the path, or another process has it open
 */
export async function openFileStore(given: string, options: FileStoreOptions = {}): Promise<Store> {
  const { onMessage = (text) => process.emitWarning(text) } = options
  let lock: OwnerLock | undefined
  try {
    const { path, isNew } = checkFile(given)
    const engine = await loadEngine(options.engine)
    const owner = await takeOwnership(path, { onWatch: (found) => onMessage(describeWait(given, found)) })
    if (!('release' in owner)) throw ownedError(given, owner)
    lock = owner
    return createStore(path, openDatabase(path, engine, isNew), onMessage, lock)
  } catch (error) {
    await lock?.release()
    if (error instanceof SandboxError) throw error
    throw new SandboxError('UNREADABLE_FILE', `Failed to open the store "${given}": ${reasonOf(error, given)}`)
  }
}

function createStore(path: string, database: Database, onMessage: (text: string) => void, lock: OwnerLock): Store {
  const tables = prepareTables(database)
  const guard = guardFiles(path, lock.isHeld)
  let isClosed = false
  let isFolderSynced = false
  let isInTransaction = false
  let waiting: Waiting[] = []
  /** Stamps and numbers, least recently used first. `undefined` if there is no such world: most worlds are only read. */
  const worlds = new Map<string, World | undefined>()
  const commits = new Map<string, Stamp>()
  let commitNumber = 1
  for (const { number, id, stamp } of tables.commits()) {
    commits.set(id, stamp)
    commitNumber = number + 1
  }

  /** Before the first commit: a file is kept before the commit that refers to it. */
  function removeUnusedFiles(): void {
    // The data of the sandbox, from which all worlds differ, is a file, too.
    if (tables.hashes(2).length < 2) return
    // Damage is found when the entry is read. Then no file is removed.
    attempt(() =>
      transact(() => {
        const used = new Set(tables.referringTexts().flatMap((text) => toText(text).match(/[0-9a-f]{64}/g) ?? []))
        for (const each of tables.hashes(-1)) if (!used.has(each)) tables.removeFile(each)
      }),
    )
  }

  function findWorld(id: string): World | undefined {
    if (worlds.has(id)) {
      const known = worlds.get(id)
      // Most recently used.
      worlds.delete(id)
      worlds.set(id, known)
      return known
    }
    const row = tables.worldOf(id)
    const world = row && toWorld(row)
    if (row && !world) return setAside(id, row, [])
    remember(id, world)
    return world
  }

  function remember(id: string, world: World | undefined): void {
    worlds.set(id, world)
    dropOldest(worlds, knownWorlds)
  }

  /** Moves what is left of a damaged world into a file. @throws SandboxError for the table that all worlds share */
  function setAside(id: string, row: Row, rows: ReturnType<typeof checkRows>['rows']): undefined {
    if (id === sharedId) throw guard.lose('a checksum of what all keys share, such as revoked keys, is wrong')
    const move = () => {
      const file = writeAside(path, row, { rows })
      worlds.delete(id)
      tables.removeWorld(Number(row['number']))
      countWorlds(-1)
      return file
    }
    const file = isInTransaction ? move() : transact(move)
    onMessage(
      `The world "${toText(row['label'])}" of the store "${path}" is damaged. It was moved to "${file}"; its key has a new world`,
    )
  }

  /** Changes the tables in one transaction. */
  function transact<T>(work: () => T): T {
    guard.check()
    try {
      tables.run('begin')
      isInTransaction = true
      const result = work()
      tables.run('commit')
      // SQLite as WebAssembly does not make the name of the new log durable.
      if (!isFolderSynced) syncFolder(dirname(path))
      isFolderSynced = true
      return result
    } catch (error) {
      // SQLite may have done so.
      attempt(() => tables.run('rollback'))
      throw error
    } finally {
      isInTransaction = false
      guard.keep()
    }
  }

  function countWorlds(more: number): number {
    const { worlds: count, next } = tables.counts() ?? { worlds: 0, next: 1 }
    tables.putCounts(count + more, more > 0 ? next + more : next)
    return next
  }

  function read<T>(work: () => T): T {
    if (isClosed) throw new SandboxError('STORE_UNAVAILABLE', `The store "${path}" is closed`)
    try {
      return work()
    } catch (error) {
      guard.check()
      throw isDamage(error) ? guard.lose(`it is damaged (${(error as Error).message})`) : error
    }
  }

  function readWhole(world: World): Committed | undefined {
    const { rows, isWhole } = checkRows(world, tables.entriesOf(world.number))
    if (!isWhole) {
      const row = tables.worldOf(world.id)
      return row && setAside(world.id, row, rows)
    }
    return { stamp: world.stamp, isWhole: true, entries: rows.map(({ name, text }) => ({ name, text })) }
  }

  /** Makes the changes of a commit, within a transaction. */
  function apply(id: string, { commitId, on, isWhole, entries, label }: Commit, next: Map<string, World | undefined>) {
    const before = next.has(id) ? next.get(id) : findWorld(id)
    if (before ? !on || !isSame(before.stamp, on) : on) return 'conflict'
    const incarnation = before?.stamp.incarnation ?? randomBytes(12).toString('base64url')
    const world: World = {
      number: before?.number ?? countWorlds(1),
      id,
      label: before?.label ?? label ?? id,
      stamp: { incarnation, sequence: (before?.stamp.sequence ?? 0) + 1 },
      rows: isWhole ? 0 : (before?.rows ?? 0),
      digest: isWhole ? 0 : (before?.digest ?? 0),
    }
    if (isWhole && before) tables.removeEntries(before.number)
    for (const { name, text } of entries) putEntry(world, toBytes(name), text, !before || isWhole)
    tables.putWorld(world, !before)
    tables.putCommit({ number: commitNumber, id: commitId, stamp: world.stamp })
    commitNumber++
    next.set(id, world)
    return world.stamp
  }

  function putEntry(world: World, name: Uint8Array, text: string | null, isNew: boolean): void {
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

  function keepCommit(commitId: string, stamp: Stamp): void {
    commits.set(commitId, stamp)
    dropOldest(commits, keptCommits)
  }

  /** Adds a change to the transaction of this turn of the event loop. */
  function queue<T>(change: (next: Map<string, World | undefined>) => [result: T, keep?: () => void]): Promise<T> {
    return new Promise((resolve, reject) => {
      if (isClosed) throw new SandboxError('STORE_UNAVAILABLE', `The store "${path}" is closed`)
      if (waiting.length === 0) setImmediate(flush)
      waiting.push({
        change(next) {
          const [result, keep] = change(next)
          return () => {
            keep?.()
            resolve(result)
          }
        },
        fail: reject,
      })
    })
  }

  function flush(): void {
    const changes = waiting
    waiting = []
    if (changes.length > 0) commitAll(changes)
  }

  function commitAll(changes: readonly Waiting[]): void {
    const next = new Map<string, World | undefined>()
    const firstNumber = commitNumber
    let answers: (() => void)[]
    try {
      answers = transact(() => changes.map(({ change }) => change(next)))
    } catch (error) {
      commitNumber = firstNumber
      failAll(changes, error)
      return
    }
    for (const [id, world] of next) {
      worlds.delete(id)
      remember(id, world)
    }
    for (const answer of answers) answer()
  }

  /** The changes of one may be at fault, so each is tried alone. */
  function failAll(changes: readonly Waiting[], error: unknown): void {
    worlds.clear()
    if (isDamage(error)) guard.lose(`it is damaged (${(error as Error).message})`)
    else if (changes.length > 1 && !isFull(error)) {
      for (const each of changes) commitAll([each])
      return
    }
    for (const { fail } of changes) fail(toFailure(error))
  }

  function isFull(error: unknown): boolean {
    return reasonOf(error, path) !== (error as Error).message
  }

  function toFailure(error: unknown): Error {
    if (error instanceof SandboxError) return error
    return new SandboxError('STORE_UNAVAILABLE', `Failed to write to the store "${path}": ${reasonOf(error, path)}`)
  }

  removeUnusedFiles()
  return {
    isExclusive: true,
    open(id, have) {
      const known = worlds.get(id)
      if (have && known && isSame(known.stamp, have) && !isClosed) return 'unchanged'
      if (!known && !have && worlds.has(id) && !isClosed) return undefined
      return read(() => {
        const world = findWorld(id)
        if (!world) return undefined
        return have && isSame(world.stamp, have) ? 'unchanged' : readWhole(world)
      })
    },
    commit(id, commit) {
      return queue<Stamp | 'conflict'>((next) => {
        const stamp = apply(id, commit, next)
        return [stamp, () => stamp !== 'conflict' && keepCommit(commit.commitId, stamp)]
      })
    },
    committed(_, commitId) {
      flush()
      return commits.get(commitId)
    },
    list(after, limit) {
      return read(() => {
        const found: { id: string; label: string }[] = []
        let last: Cell = after === undefined ? beforeAll : toBytes(after)
        while (found.length < limit) {
          const rows = tables.worldsAfter(last, limit + 1 - found.length)
          for (const row of rows) {
            last = row['id'] ?? beforeAll
            const world = toWorld(row)
            if (!world) setAside(toText(last), row, [])
            else if (world.id !== sharedId) found.push({ id: world.id, label: world.label })
          }
          if (rows.length === 0) break
        }
        return found.slice(0, limit)
      })
    },
    count: () => read(() => (tables.counts()?.worlds ?? 0) - (findWorld(sharedId) ? 1 : 0)),
    remove(id) {
      return queue((next) => {
        const world = next.has(id) ? next.get(id) : findWorld(id)
        if (world) {
          tables.removeWorld(world.number)
          countWorlds(-1)
        }
        next.set(id, undefined)
        return [undefined]
      })
    },
    clear() {
      return queue((next) => {
        for (let last: Cell = beforeAll, rows = tables.worldsAfter(last, 1000); rows.length > 0; ) {
          for (const row of rows) {
            last = row['id'] ?? beforeAll
            const id = toText(last)
            if (id === sharedId) continue
            tables.removeWorld(Number(row['number']))
            countWorlds(-1)
            next.set(id, undefined)
          }
          rows = tables.worldsAfter(last, 1000)
        }
        return [undefined]
      })
    },
    blob(hash, bytes) {
      if (!bytes) return read(() => checkedFile(hash))
      const copy = Uint8Array.from(bytes)
      return queue(() => {
        tables.putFile(hash, copy)
        return [copy]
      })
    },
    async close() {
      if (isClosed) return
      flush()
      isClosed = true
      try {
        guard.check()
        database.close()
      } catch (error) {
        // Whoever has the database now also has the log, which SQLite would remove.
        onMessage((error as Error).message)
      }
      await lock.release()
    },
  }

  function checkedFile(hash: string): Uint8Array | undefined {
    const bytes = tables.file(hash)
    if (!bytes || hashOf(bytes) === hash) return bytes
    transact(() => tables.removeFile(hash))
    onMessage(`The file ${hash} of the store "${path}" is damaged, and was removed`)
    return undefined
  }
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}

function isSame(one: Stamp, other: Stamp): boolean {
  return one.incarnation === other.incarnation && one.sequence === other.sequence
}
