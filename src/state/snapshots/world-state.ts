/** The state of a world as plain data: its changes to the scenario. */
import type { StoredAnswer } from '../stored-answers.js'
import type { Values } from '../stored-record.js'

/**
 * The differences of a world from its scenario. Unchanged collections are absent. Integers beyond ±(2^53−1) are
 * bigints.
 */
export interface WorldState {
  /** Milliseconds that the clock of the world is ahead of the clock of the sandbox. */
  clockOffset: number
  /** The time of its frozen clock in milliseconds since 1970. Absent for a running clock. */
  frozenAt?: number
  collections: CollectionState[]
  /** Absent without uploaded files. */
  files?: FileState[]
  /** Answers for repeated requests, oldest first. Absent without any. */
  answers?: StoredAnswer[]
}

/** A file that was uploaded. */
export interface FileState {
  /** The server and the path of its download. */
  path: string
  /** The bytes in Base64. Null for a file that was removed. */
  base64: string | null
  /** The media type. */
  type?: string
  name?: string
}

/** The changes to one collection. */
export interface CollectionState {
  name: string
  /** Name of the server that the collection belongs to. */
  server: string
  /** The next integer key. */
  nextKey: number
  /** Changed records of the scenario by their position. Null for a removed record. */
  changed: [position: number, values: Values | null][]
  /** Added records in the order of their creation. Null for a removed record. */
  added: (Values | null)[]
}
