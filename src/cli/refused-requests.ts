/** Requests that the server itself refuses, e.g. for their host: no operation sees them, and no rule judges them. */
import { plural } from '../checks/reports/report-texts.js'
import type { LogEntry } from '../entries/node.js'

export interface RefusedRequests {
  /** Counts the entry if the server itself refused it. */
  add(entry: LogEntry): void
  count(): number
  /** A sentence without a full stop for each reason, with the first request. */
  notes(): string[]
}

interface Refused {
  first: LogEntry
  count: number
}

/** Each reason may quote what a request sends. */
const maxReasons = 10

export function countRefusedRequests(): RefusedRequests {
  const byReason = new Map<string, Refused>()
  let count = 0

  function toNote([reason, { first, count }]: [string, Refused]): string {
    const which = first.method === '-' ? '' : `, the first one ${first.method} ${first.target}`
    return `${plural(count, 'request')} did not reach the service${which}: ${first.status}, ${reason}`
  }

  return {
    add(entry) {
      if (!entry.isRefusedByServer) return
      count++
      // `run` has no such option: the tests can use the address that it gives them.
      const reason = (entry.refused ?? '').replace(/\. Start with --allow-host .*$/s, '')
      const known = byReason.get(reason)
      if (known) known.count++
      else if (byReason.size < maxReasons) byReason.set(reason, { first: entry, count: 1 })
    },
    count: () => count,
    notes() {
      const listed = [...byReason.values()].reduce((sum, each) => sum + each.count, 0)
      const more = count > listed ? [`${plural(count - listed, 'more request')} did not reach the service`] : []
      return [...[...byReason].map(toNote), ...more]
    },
  }
}
