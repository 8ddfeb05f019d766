/** Keeps the changes of records with the exchanges that made them, for their history. Handlers for MSW need none. */
import type { Change } from './change.js'
import type { Entry, WritableJournal } from './journal.js'
import { bytesOf } from './memory-budget.js'

/** The latest exchanges have their changes, as long as these take less memory. */
const maxBytes = 16 * 1024 * 1024
const maxExchanges = 1000

/** From now on, the exchanges of a journal have their changes. */
export function keepChanges(journal: WritableJournal): void {
  const { add } = journal
  let bytes = 0
  /** Oldest first. */
  const kept: { entry: Entry; bytes: number }[] = []
  journal.add = (entry, outcome) => {
    const { changes } = (outcome ?? {}) as { changes?: readonly Change[] }
    const found = changes?.filter((change) => change.kind === 'record') ?? []
    if (found.length > 0) {
      entry.changes = found
      const own = found.reduce((sum, { before, after }) => sum + bytesOf(before) + bytesOf(after), 0)
      kept.push({ entry, bytes: own })
      bytes += own
      while (bytes > maxBytes || kept.length > maxExchanges) forgetOldest()
    }
    add(entry, outcome)
  }

  function forgetOldest(): void {
    const oldest = kept.shift()
    if (oldest) oldest.entry.changes = undefined
    bytes -= oldest?.bytes ?? 0
  }
}
