/** Collects integers beyond ±(2^53−1) from responses. A consumer that loses digits sends back others. */
import type { Exchange } from '../../state/journal.js'
import { unsafeIntegers } from './sent-integers.js'

/** The integers received so far, oldest first. */
export interface ReceivedIntegers {
  readonly all: ReadonlySet<bigint>
  add(exchange: Exchange): void
}

/** The oldest ones are forgotten beyond this number. */
const mostKept = 10_000

/** Starts empty. */
export function createReceivedIntegers(): ReceivedIntegers {
  const all = new Set<bigint>()
  return {
    all,
    add({ response }) {
      if (typeof response.body !== 'string') return
      for (const { value } of unsafeIntegers(response.body, '')) {
        // Moves it to the end, as the most recent one.
        all.delete(value)
        all.add(value)
        const [oldest] = all
        if (all.size > mostKept && oldest !== undefined) all.delete(oldest)
      }
    },
  }
}
