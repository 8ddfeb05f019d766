/** Collects what requests of a run have that has no effect, for its report. */
import { plural } from '../../checks/reports/report-texts.js'
import type { Operation, RequestContract } from '../../contract/contract.js'
import { findIdle } from '../../contract/effects/find-idle.js'
import { oncePer } from '../../document/once.js'
import type { Exchange } from '../../state/journal.js'

/** How many notes are printed. */
const most = 10

export interface IdleNotes {
  add(exchange: Exchange): void
  notes(): string[]
}

export function collectIdleNotes(contract: RequestContract): IdleNotes {
  const operations = new Map(contract.operations.map((each) => [each.id, each]))
  const idleOf = oncePer((operation: Operation) => findIdle(operation, contract))
  const found = new Set<string>()
  return {
    add({ operation = '', notes }) {
      const asked = notes.length === 0 ? undefined : operations.get(operation)
      for (const { parameter, note } of asked ? idleOf(asked) : [])
        if (notes.includes(note)) found.add(parameter === undefined ? note : `${operation}: ${note}`)
    },
    notes() {
      const all = [...found]
      const more = all.length > most ? [`${plural(all.length - most, 'more part')} of requests had no effect`] : []
      return [...all.slice(0, most), ...more]
    },
  }
}
