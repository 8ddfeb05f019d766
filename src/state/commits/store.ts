/** A store keeps worlds outside of this process, as tables of entries that change. */

/**
 * Keeps worlds, and one more table for what all worlds share. Each method may return its result or a promise of it. A store
 * does not interpret entries. `petstore-sandbox/store-tests` tests all that follows.
 */
export interface Store {
  /**
   * Whether no other program uses the store at the same time. Then a sandbox whose document or data has changed carries the worlds
   * over; otherwise it is refused. @default false
   */
  readonly isExclusive?: boolean
  /**
   * Returns what was committed to a table.
   * @param have the stamp that the caller is at
   * @returns `unchanged` if `have` is the newest stamp; undefined if there is no such table
   */
  open(id: string, have?: Stamp): Later<Committed | 'unchanged' | undefined>
  /**
   * Commits changes durably, unless the newest stamp is another one than `on`: then returns `conflict`. If the promise
   * rejects, it is unknown whether the changes were committed.
   * @returns the new stamp
   */
  commit(id: string, commit: Commit): Later<Stamp | 'conflict'>
  /**
   * Returns the stamp of a commit. Called after a commit was rejected, before anything is applied again. A store may forget
   * a commit when 1000 others were committed after it.
   * @returns undefined if the commit is not stored, and will not be: a commit that is still on its way must conflict or fail
   */
  committed(id: string, commitId: string): Later<Stamp | undefined>
  /** Lists worlds in the order of their ids. @param after the last id of the page before @param limit maximum number */
  list(after: string | undefined, limit: number): Later<ListedWorld[]>
  /** The number of worlds. @default as many as `list` lists */
  count?(): Later<number>
  /** Removes a world. The next commit to its id begins a new incarnation. */
  remove(id: string): Later<void>
  /** Removes all worlds. The table of `sharedId` stays. */
  clear(): Later<void>
  /**
   * Keeps a file if `bytes` are given, and returns a file that is kept. It is kept as long as an entry refers to it. An exclusive
   * store may remove others when it is opened, and not later: a file is given before the commit that refers to it. An
   * entry refers to each file whose hash is in its text, if it is one of the shared table, or its name begins with one of
   * `referringNames`.
   * @param hash SHA-256 in hexadecimal
   * @returns undefined for an unknown hash
   */
  blob(hash: string, bytes?: Uint8Array): Later<Uint8Array | undefined>
  /**
   * Opens the list of exchanges that all programs append to and read. Absent if the store has none.
   * @param maxTexts about how many texts are kept; the oldest are removed
   */
  openLog?(maxTexts: number): SharedLog
  /** Ends connections and closes files. All commits before it are durable. */
  close?(): Later<void>
}

/** A list of texts that all programs append to and read, in one order. */
export interface SharedLog {
  append(texts: readonly string[]): Promise<void>
  /** The texts after the one with an id, oldest first. 0 is before all. */
  read(after: number): Promise<LoggedText[]>
  /**
   * Calls the listener with texts that are appended from now on, in their order, some of them perhaps again.
   * @returns a function that unsubscribes
   */
  follow(after: number, listener: (texts: readonly LoggedText[]) => void): Promise<() => Promise<void>>
}

export interface LoggedText {
  /** Greater than those of all texts before it, and the same in all programs. */
  id: number
  text: string
}

/** A value, or a promise of it. */
export type Later<T> = T | Promise<T>

/** The id of the table with what all worlds share: keys, faults, clock, snapshots. `list` and `clear` leave it out. */
export const sharedId = 'shared'

/** What the names of entries of worlds begin with that may refer to files. */
export const referringNames: readonly string[] = ['["file"', '["base"']

/** Identifies a state of a table. Two stamps are equal if both parts are. */
export interface Stamp {
  /** Random, and new for each table that is created. */
  incarnation: string
  /** 1 after the first commit, and 1 more after each further one. */
  sequence: number
}

/** A part of a table. */
export interface Entry {
  name: string
  /** JSON text. Null removes the entry. */
  text: string | null
}

export interface Committed {
  stamp: Stamp
  /** Whether `entries` are all entries of the table. Otherwise they are the changes since the stamp that was given. */
  isWhole: boolean
  /** Each name once. */
  entries: readonly Entry[]
}

export interface Commit {
  /** Unique. The store keeps it with the stamp. */
  commitId: string
  /** The stamp that the changes are based on. Undefined if there is no table yet. */
  on: Stamp | undefined
  /** Whether `entries` replace all that the table has. */
  isWhole: boolean
  /** Whether the table has entries since its first commit, so that one without was damaged by others. */
  isNeverEmpty?: boolean
  /** Each name once. */
  entries: readonly Entry[]
  /** How a new world is called in lists. @default its id */
  label?: string | undefined
}

export interface ListedWorld {
  id: string
  label: string
}
