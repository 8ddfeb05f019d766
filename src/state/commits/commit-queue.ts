/**
 * Commits the changes of one table to a store. Attempts are applied at once, one after another. Each resolves, in
 * order, when everything that it read or changed is committed. On a conflict all of them are undone, the table is
 * brought up to date, and they run again in the same order.
 */
import { SandboxError } from '../../contract/sandbox-error.js'
import { type Commit, type Committed, type Entry, type Later, type Stamp, type Store, sharedId } from './store.js'

/** A function that reads or changes a table, and whose result waits for a commit. */
interface Attempt {
  run: Run<unknown>
  /** The result or error of the last run. */
  outcome: { result: unknown } | { error: unknown } | undefined
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** @param taken see `Table.taken` */
export type Run<T> = (taken: number) => T

/** After this many consecutive conflicts the attempts fail: other processes write faster than this one can follow. */
const maxConflicts = 100
/** Maximum number of tries of a commit whose response was lost. */
const maxTries = 3

export class CommitQueue {
  readonly table: Table
  readonly #store: Store
  #stamp: Stamp | undefined
  /** Whether the table in the store is unknown, so that all of it must be loaded. */
  #isUnknown = false
  /** Increases with each change of `#stamp`. A read of the store that began in an earlier epoch is out of date. */
  #epoch = 0
  #attempts: Attempt[] = []
  /** Resolves when all waiting changes are committed. Absent if none wait. */
  #committing: Promise<void> | undefined
  /** Whether the table must not be used: its changes are undone, but those of other processes are not loaded yet. */
  #isBehind = false

  constructor(table: Table, store: Store) {
    this.table = table
    this.#store = store
  }

  /** Whether nothing waits for a commit. */
  get isIdle(): boolean {
    return this.#attempts.length === 0
  }

  /** The stamp of the table without its uncommitted changes. Undefined before the first commit. */
  get stamp(): Stamp | undefined {
    return this.#stamp
  }

  /** Brings the table up to date with the store. @throws any error of the store */
  open(): Later<void> {
    // Other processes may have committed after the running commit.
    if (this.#committing) return this.#committing.then(() => this.open())
    const epoch = this.#epoch
    const opened = this.#store.open(this.table.id, this.#have)
    if (opened === 'unchanged') return undefined
    return this.#useOpened(opened, epoch)
  }

  async #useOpened(opened: Later<Committed | 'unchanged' | undefined>, epoch: number): Promise<void> {
    const committed = await opened
    if (committed === 'unchanged') return
    const files = await this.#loadFiles(committed)
    // A commit that began in the meantime checks by itself whether others have committed.
    if (this.#committing) return
    if (epoch === this.#epoch) this.#bringUpToDate(committed, files)
    // Another read came first, whose answer may be older than this one.
    else if (!this.#hasReached(committed?.stamp)) await this.open()
  }

  #hasReached(stamp: Stamp | undefined): boolean {
    const own = this.#stamp
    return !this.#isUnknown && own?.incarnation === stamp?.incarnation && (own?.sequence ?? 0) >= (stamp?.sequence ?? 0)
  }

  /** Runs a function that may change the table. Resolves when everything that its result depends on is committed. */
  attempt<T>(run: Run<T>): Later<T> {
    const attempt: Attempt = { run, outcome: undefined, resolve: ignore, reject: ignore }
    if (!this.#isBehind) this.#run(attempt)
    if (this.table.log.length === 0 && this.#attempts.length === 0 && attempt.outcome)
      return toResult<T>(attempt.outcome)
    return new Promise<T>((resolve, reject) => {
      attempt.resolve = resolve as Attempt['resolve']
      attempt.reject = reject
      this.#attempts.push(attempt)
      this.#committing ??= this.#commitAll()
    })
  }

  get #have(): Stamp | undefined {
    return this.#isUnknown ? undefined : this.#stamp
  }

  /** Runs an attempt, and undoes its changes if it fails. */
  #run(attempt: Attempt): void {
    const before = this.table.log.length
    try {
      attempt.outcome = { result: attempt.run(this.table.taken) }
    } catch (error) {
      this.table.undoTo(before)
      attempt.outcome = { error }
    }
  }

  async #commitAll(): Promise<void> {
    let conflicts = 0
    while (this.#attempts.length > 0) {
      const answered = this.#attempts.length
      const changes = this.table.log.length
      try {
        if (changes > 0 && (await this.#commit()) === 'conflict') {
          if (++conflicts > maxConflicts) throw unavailable(`${maxConflicts} conflicts in a row`)
          await this.#startOver()
          continue
        }
        conflicts = 0
        this.table.log.splice(0, changes)
        for (const attempt of this.#attempts.splice(0, answered)) settle(attempt)
      } catch (error) {
        this.#fail(error)
      }
    }
    this.#committing = undefined
  }

  /** Commits all recorded changes. */
  async #commit(): Promise<'committed' | 'conflict'> {
    const { label, id } = this.table
    if (!this.#stamp && id === sharedId && (await this.#hasLost())) throw lostShared()
    const { isWhole, entries, files } = this.table.write((this.#stamp?.sequence ?? 0) + 1)
    const commit = { on: this.#stamp, isWhole, isNeverEmpty: true, entries, ...(label !== undefined && { label }) }
    for (let tries = 1; ; tries++) {
      const outcome = await this.#tryCommit(commit, files, tries === maxTries)
      if (outcome === undefined) continue
      if (outcome === 'conflict') return outcome
      this.#stamp = outcome
      this.#epoch++
      return 'committed'
    }
  }

  /** Whether the table that is created at the first start is missing, although there are worlds. */
  async #hasLost(): Promise<boolean> {
    const worlds = await this.#store.list(undefined, 1)
    // Another program may have created both in the meantime.
    return worlds.length > 0 && (await this.#store.open(sharedId)) === undefined
  }

  /** Looks a commit up after a lost response. @returns undefined if it is not stored, and must be tried again */
  async #tryCommit(
    commit: Omit<Commit, 'commitId'>,
    files: readonly FileToKeep[],
    isLast: boolean,
  ): Promise<Stamp | 'conflict' | undefined> {
    const { id } = this.table
    const commitId = crypto.randomUUID()
    try {
      // Files come first: nothing may refer to one that is missing.
      for (const file of files) await this.#store.blob(await file.hash, file.bytes)
      const entries = files.length === 0 ? commit.entries : await withHashes(commit.entries, files)
      return await this.#store.commit(id, { ...commit, entries, commitId })
    } catch (error) {
      const stored = await this.#find(id, commitId)
      if (!stored && isLast) throw unavailable((error as Error).message)
      return stored
    }
  }

  async #find(id: string, commitId: string): Promise<Stamp | undefined> {
    try {
      return await this.#store.committed(id, commitId)
    } catch (error) {
      throw unavailable((error as Error).message)
    }
  }

  /** Undoes all changes, loads the changes of other processes, and runs the attempts again. */
  async #startOver(): Promise<void> {
    if (this.table.isCarried) this.#isUnknown = true
    this.table.undoTo(0)
    this.#isBehind = true
    try {
      const committed = await this.#store.open(this.table.id, this.#have)
      if (committed !== 'unchanged') this.#bringUpToDate(committed, await this.#loadFiles(committed))
    } catch (error) {
      throw unavailable((error as Error).message)
    } finally {
      this.#isBehind = false
    }
    for (const attempt of this.#attempts) this.#run(attempt)
  }

  async #loadFiles(committed: Committed | undefined): Promise<ReadonlyMap<string, Uint8Array>> {
    const files = new Map<string, Uint8Array>()
    for (const hash of committed ? this.table.hashesIn(committed.entries) : []) {
      const bytes = await this.#store.blob(hash)
      // A store reports a damaged file, and has it no more.
      if (bytes) files.set(hash, bytes)
    }
    return files
  }

  #bringUpToDate(committed: Committed | undefined, files: ReadonlyMap<string, Uint8Array>): void {
    if (!committed && !this.#stamp && !this.#isUnknown) return
    this.table.read(committed, files)
    this.#stamp = committed?.stamp
    this.#isUnknown = false
    this.#epoch++
  }

  /** The content of the store is unknown: all uncommitted attempts fail, and the next request reads the store again. */
  #fail(error: unknown): void {
    this.table.undoTo(0)
    this.#isUnknown = true
    this.#epoch++
    for (const attempt of this.#attempts.splice(0)) attempt.reject(error)
  }
}

/** Puts the hashes of files into their entries. */
function withHashes(entries: readonly Entry[], files: readonly FileToKeep[]): Promise<Entry[]> {
  const withHash = async (entry: Entry) => {
    const file = files.find(({ name }) => name === entry.name)
    return file ? { name: entry.name, text: file.toText(await file.hash) } : entry
  }
  return Promise.all(entries.map(withHash))
}

function ignore(): void {}

function toResult<T>(outcome: NonNullable<Attempt['outcome']>): T {
  if ('error' in outcome) throw outcome.error
  return outcome.result as T
}

function settle({ outcome, resolve, reject }: Attempt): void {
  if (!outcome || 'error' in outcome) reject(outcome?.error)
  else resolve(outcome.result)
}

function unavailable(why: string): SandboxError {
  return new SandboxError('STORE_UNAVAILABLE', `Failed to commit the changes of a world: ${why}. Try again`)
}

export interface Table {
  readonly id: string
  /** How lists call it. */
  readonly label?: string | undefined
  /** Changes that are not yet committed, oldest first. */
  readonly log: { readonly length: number; splice(start: number, count?: number): unknown }
  /** The greatest number of a request that was committed. A request whose number is not greater needs another one. */
  readonly taken: number
  /** Whether the log has changes that `read` made, which are lost when they are undone. @default false */
  readonly isCarried?: boolean
  /** Undoes the newest changes until `length` of them are left in the log. */
  undoTo(length: number): void
  /** Writes all changes of the log. @param sequence the sequence of the next stamp */
  write(sequence: number): { isWhole: boolean; entries: Entry[]; files: readonly FileToKeep[] }
  /** Puts committed entries in place. The log is empty, and stays so unless they were carried over. @param committed undefined: there is no such table */
  read(committed: Committed | undefined, files: ReadonlyMap<string, Uint8Array>): void
  /** The hashes of the files that entries refer to. */
  hashesIn(entries: readonly Entry[]): readonly string[]
}

/** A file that is committed with an entry. */
export interface FileToKeep {
  /** The name of the entry. */
  name: string
  bytes: Uint8Array
  /** SHA-256 in hexadecimal. */
  readonly hash: Promise<string>
  /** The text of the entry. */
  toText(hash: string): string
}

/** Nobody must go on without it: revoked keys would be valid again. */
export function lostShared(): SandboxError {
  const lost = 'The store has lost what all keys share, such as revoked keys, faults and snapshots'
  const wayOut = 'Put a backup in its place, or give the address of an empty store'
  return new SandboxError('STORE_UNAVAILABLE', `${lost}. ${wayOut}`)
}
