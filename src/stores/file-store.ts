/** A store in one SQLite database, which one process owns. Its rows are the present state of each world. */
import { SandboxError } from '../contract/sandbox-error.js'
import { type ListedWorld, type Stamp, type Store, sharedId } from '../state/commits/store.js'
import { guardFiles } from './file-guard.js'
import {
  applyCommit,
  type ChangedWorlds,
  findWorld,
  hashOf,
  isSameStamp,
  readWorld,
  rememberCommit,
  rememberWorld,
  removeWorld,
  setAside,
  transact,
  type WorldFile,
} from './file-worlds.js'
import { checkFile, openDatabase, reasonOf } from './open-database.js'
import { describeWait, type OwnerLock, ownedError, takeOwnership } from './owner-lock.js'
import { attempt, type Cell, type Database, type Engine, isDamage, loadEngine } from './sqlite-engine.js'
import { beforeAll, prepareTables, toBytes, toText, toWorld } from './tables.js'

export interface FileStoreOptions {
  /** Gets a line for each damage that was found. @default a warning of the process */
  onMessage?: (text: string) => void
  /** @default `node:sqlite` if this version of Node.js has it */
  engine?: Engine['name']
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
  const file = openFile(path, database, onMessage, lock)
  const { tables, guard, worlds } = file
  const queue = createQueue(file)
  let isClosed = false

  const closed = () => new SandboxError('STORE_UNAVAILABLE', `The store "${path}" is closed`)

  function read<T>(work: () => T): T {
    if (isClosed) throw closed()
    try {
      return work()
    } catch (error) {
      guard.check()
      throw isDamage(error) ? guard.lose(`it is damaged (${(error as Error).message})`) : error
    }
  }

  function change<T>(work: Change<T>): Promise<T> {
    return isClosed ? Promise.reject(closed()) : queue.add(work)
  }

  return {
    isExclusive: true,
    open(id, have) {
      const known = worlds.get(id)
      if (have && known && isSameStamp(known.stamp, have) && !isClosed) return 'unchanged'
      if (!known && !have && worlds.has(id) && !isClosed) return undefined
      return read(() => {
        const world = findWorld(file, id)
        if (!world) return undefined
        return have && isSameStamp(world.stamp, have) ? 'unchanged' : readWorld(file, world)
      })
    },
    commit(id, commit) {
      return change<Stamp | 'conflict'>((next) => {
        const stamp = applyCommit(file, id, commit, next)
        return [stamp, () => stamp !== 'conflict' && rememberCommit(file, commit.commitId, stamp)]
      })
    },
    committed(_, commitId) {
      queue.flush()
      return file.commits.get(commitId)
    },
    list: (after, limit) => read(() => listWorlds(file, after, limit)),
    count: () => read(() => (tables.counts()?.worlds ?? 0) - (findWorld(file, sharedId) ? 1 : 0)),
    remove(id) {
      return change((next) => {
        const world = next.has(id) ? next.get(id) : findWorld(file, id)
        if (world) removeWorld(tables, world.number)
        next.set(id, undefined)
        return [undefined]
      })
    },
    clear() {
      return change((next) => {
        for (let last: Cell = beforeAll, rows = tables.worldsAfter(last, 1000); rows.length > 0; ) {
          for (const row of rows) {
            last = row['id'] ?? beforeAll
            const id = toText(last)
            if (id === sharedId) continue
            removeWorld(tables, Number(row['number']))
            next.set(id, undefined)
          }
          rows = tables.worldsAfter(last, 1000)
        }
        return [undefined]
      })
    },
    blob(hash, bytes) {
      if (!bytes) return read(() => readFile(file, hash))
      const copy = Uint8Array.from(bytes)
      return change(() => {
        tables.putFile(hash, copy)
        return [copy]
      })
    },
    async close() {
      if (isClosed) return
      queue.flush()
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
}

function openFile(
  path: string,
  database: Database,
  onMessage: WorldFile['onMessage'],
  { isHeld }: OwnerLock,
): WorldFile {
  const tables = prepareTables(database)
  const commits = tables.commits()
  const file: WorldFile = {
    ...{ path, tables, onMessage, guard: guardFiles(path, isHeld), worlds: new Map() },
    commits: new Map(commits.map(({ id, stamp }) => [id, stamp])),
    commitNumber: (commits.at(-1)?.number ?? 0) + 1,
    isInTransaction: false,
    isFolderSynced: false,
  }
  removeUnusedFiles(file)
  return file
}

/** Before the first commit: a file is kept before the commit that refers to it. */
function removeUnusedFiles(file: WorldFile): void {
  const { tables } = file
  // The data of the sandbox, from which all worlds differ, is a file, too.
  if (tables.hashes(2).length < 2) return
  // Damage is found when the entry is read. Then no file is removed.
  attempt(() =>
    transact(file, () => {
      const used = new Set(tables.referringTexts().flatMap((text) => toText(text).match(/[0-9a-f]{64}/g) ?? []))
      for (const each of tables.hashes(-1)) if (!used.has(each)) tables.removeFile(each)
    }),
  )
}

function listWorlds(file: WorldFile, after: string | undefined, limit: number): ListedWorld[] {
  const found: ListedWorld[] = []
  let last: Cell = after === undefined ? beforeAll : toBytes(after)
  while (found.length < limit) {
    const rows = file.tables.worldsAfter(last, limit + 1 - found.length)
    for (const row of rows) {
      last = row['id'] ?? beforeAll
      const world = toWorld(row)
      if (!world) setAside(file, toText(last), row, [])
      else if (world.id !== sharedId) found.push({ id: world.id, label: world.label })
    }
    if (rows.length === 0) break
  }
  return found.slice(0, limit)
}

/** @returns undefined if there is no such file, or if it is damaged */
function readFile(file: WorldFile, hash: string): Uint8Array | undefined {
  const { tables, onMessage, path } = file
  const bytes = tables.file(hash)
  if (!bytes || hashOf(bytes) === hash) return bytes
  transact(file, () => tables.removeFile(hash))
  onMessage(`The file ${hash} of the store "${path}" is damaged, and was removed`)
  return undefined
}

/** Changes the tables, within a transaction. @returns the answer, and what is done before it when the transaction is committed */
type Change<T> = (next: ChangedWorlds) => [answer: T, keep?: () => void]

interface Waiting {
  /** The function that it returns answers after the transaction is committed. */
  change: (next: ChangedWorlds) => () => void
  fail: (error: Error) => void
}

interface Queue {
  /** Adds a change to the transaction of this turn of the event loop. */
  add<T>(work: Change<T>): Promise<T>
  /** Commits all changes that wait. */
  flush(): void
}

/** Collects the changes of a turn of the event loop, and commits them together. */
function createQueue(file: WorldFile): Queue {
  let waiting: Waiting[] = []

  function flush(): void {
    const changes = waiting
    waiting = []
    if (changes.length > 0) commitAll(file, changes)
  }

  return {
    flush,
    add: (work) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush)
        waiting.push({
          change(next) {
            const [answer, keep] = work(next)
            return () => {
              keep?.()
              resolve(answer)
            }
          },
          fail: reject,
        })
      }),
  }
}

function commitAll(file: WorldFile, changes: readonly Waiting[]): void {
  const next: ChangedWorlds = new Map()
  const firstNumber = file.commitNumber
  let answers: (() => void)[]
  try {
    answers = transact(file, () => changes.map(({ change }) => change(next)))
  } catch (error) {
    file.commitNumber = firstNumber
    failAll(file, changes, error)
    return
  }
  for (const [id, world] of next) rememberWorld(file, id, world)
  for (const answer of answers) answer()
}

/** The changes of one may be at fault, so each is tried alone. */
function failAll(file: WorldFile, changes: readonly Waiting[], error: unknown): void {
  const { worlds, guard, path } = file
  const { message } = error as Error
  const reason = reasonOf(error, path)
  const isFull = reason !== message
  worlds.clear()
  if (isDamage(error)) guard.lose(`it is damaged (${message})`)
  else if (changes.length > 1 && !isFull) {
    for (const each of changes) commitAll(file, [each])
    return
  }
  const failure =
    error instanceof SandboxError
      ? error
      : new SandboxError('STORE_UNAVAILABLE', `Failed to write to the store "${path}": ${reason}`)
  for (const { fail } of changes) fail(failure)
}
