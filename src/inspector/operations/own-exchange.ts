/** Finds the request of a form in the journal, which comes by the stream. */
import type { Exchange } from '../api-types.js'
import { exchanges } from '../store.js'

/** Milliseconds after which a form no longer waits. */
const patienceMs = 1000

/** @param after id of the newest exchange before it */
export function findExchange(operation: string, after: number): Exchange | undefined {
  return exchanges.value.find((each) => each.id > after && each.operation === operation && !each.sent)
}

export function waitForExchange(operation: string, after: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, patienceMs)
    const stop = exchanges.subscribe(() => {
      if (findExchange(operation, after)) queueMicrotask(end)
    })
    function end(): void {
      clearTimeout(timer)
      stop()
      resolve()
    }
  })
}
