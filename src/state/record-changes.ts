/** Keeps the changes of records with the exchanges that made them, for their history. Handlers for MSW need none. */
import type { Change } from './change.js'
import type { Entry, WritableJournal } from './journal.js'
import { bytesOf } from './memory-budget.js'

/** From now on, the exchanges of a journal have their changes. */
export function keepChanges(journal: WritableJournal): void {
  const { add } = journal
  journal.add = (entry, outcome) => {
    addChanges(entry, outcome as { changes?: readonly Change[] } | undefined)
    add(entry, outcome)
  }
}

function addChanges(entry: Entry, { changes }: { changes?: readonly Change[] } = {}): void {
  const found = changes?.filter((change) => change.kind === 'record') ?? []
  if (found.length === 0) return
  entry.changes = found
  const value = found.reduce((sum, { before, after }) => sum + bytesOf(before) + bytesOf(after), 0)
  Object.defineProperty(entry, 'changeBytes', { value })
}
