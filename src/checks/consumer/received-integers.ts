/** Remembers the integers beyond ±(2^53−1) that came in answers: what a consumer may send back, if it keeps every digit. */
import type { Exchange } from '../../state/journal.js'
import { unsafeIntegers } from './sent-integers.js'

export interface ReceivedIntegers {
  readonly all: ReadonlySet<bigint>
  add(exchange: Exchange): void
}

/** A suite that receives more of them has forgotten the first ones, too. */
const mostKept = 10_000

export function createReceivedIntegers(): ReceivedIntegers {
  const all = new Set<bigint>()
  return {
    all,
    add({ response }) {
      if (typeof response.body !== 'string') return
      for (const { value } of unsafeIntegers(response.body, '')) {
        // The last one received stands last.
        all.delete(value)
        all.add(value)
        const [oldest] = all
        if (all.size > mostKept && oldest !== undefined) all.delete(oldest)
      }
    },
  }
}
