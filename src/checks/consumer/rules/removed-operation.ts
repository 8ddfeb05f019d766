/** Calls of operations after their sunset. */
import type { ConsumerRule } from '../consumer-rule.js'
import { dateOf, successorOf } from '../lifecycle-words.js'

export const removedOperation: ConsumerRule = {
  id: 'removed-operation',
  severity: 'error',
  looksAt: 'a call of an operation after its sunset',
  help: 'Stop calling it; mark a test of its removal with "Sandbox-Expect: 4XX"',
  isExpectable: true,
  *analyze({ exchange, operation, message }) {
    if (!operation || exchange.refused !== 'removed') return
    const { sunset } = operation.lifecycle
    const instead = successorOf(operation)
    yield {
      at: '',
      message: message ?? `${operation.id} was removed${sunset === undefined ? '' : ` on ${dateOf(sunset)}`}`,
      ...(instead === undefined ? {} : { help: `Use ${instead} instead` }),
    }
  },
}
