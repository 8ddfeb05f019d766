/** What a store keeps under one id: a world, or what all worlds share. */
import type { Committed, Entry } from './store.js'

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
