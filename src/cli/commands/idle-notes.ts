/** Collects what requests of a run have that has no effect, for its report. */
import { plural } from '../../checks/reports/report-texts.js'
import type { RequestContract } from '../../contract/contract.js'
import { findIdle } from '../../contract/effects/find-idle.js'
import type { Exchange } from '../../state/journal.js'

/** How many notes are printed. */
const most = 10

export interface IdleNotes {
  add(exchange: Exchange): void
  notes(): string[]
}

export function collectIdleNotes(contract: RequestContract): IdleNotes {
  const known = new Map(contract.operations.map((each) => [each.id, findIdle(each, contract)]))
  const found = new Set<string>()
  return {
    add({ operation = '', notes }) {
      for (const { parameter, note } of notes.length === 0 ? [] : (known.get(operation) ?? []))
        if (notes.includes(note)) found.add(parameter === undefined ? note : `${operation}: ${note}`)
    },
    notes() {
      const all = [...found]
      const more = all.length > most ? [`${plural(all.length - most, 'more part')} of requests had no effect`] : []
      return [...all.slice(0, most), ...more]
    },
  }
}
