/** The changes of records that an exchange has made, for its history. Separate from the engine, so that bundles can drop it. */
import type { Change } from './change.js'
import type { Entry } from './journal.js'
import { bytesOf } from './memory-budget.js'

export type AddChanges = (entry: Entry, changes: readonly Change[] | undefined) => void

export function addChanges(entry: Entry, changes: readonly Change[] | undefined): void {
  const found = changes?.filter((change) => change.kind === 'record') ?? []
  if (found.length === 0) return
  entry.changes = found
  entry.changeBytes = found.reduce((sum, { before, after }) => sum + bytesOf(before) + bytesOf(after), 0)
}
