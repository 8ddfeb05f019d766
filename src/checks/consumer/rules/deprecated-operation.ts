/** Calls of operations that will be removed. */
import type { ConsumerRule } from '../consumer-rule.js'
import { dateOf, successorOf } from '../lifecycle-words.js'

const day = 24 * 60 * 60 * 1000

export const deprecatedOperation: ConsumerRule = {
  id: 'deprecated-operation',
  severity: 'warning',
  looksAt: 'a call of a deprecated operation',
  help: 'Stop calling it: callers should not use a deprecated operation (OpenAPI, Operation Object)',
  isExpectable: false,
  *analyze({ exchange, operation }) {
    if (!operation?.lifecycle.deprecated || exchange.refused === 'removed') return
    const { sunset } = operation.lifecycle
    const left = Math.ceil(((sunset ?? 0) - exchange.at) / day)
    const inDays = left > 0 ? `in ${left} day${left === 1 ? '' : 's'}` : 'which is in the past'
    const until = sunset === undefined ? '' : ` and ends on ${dateOf(sunset)}, ${inDays}`
    const instead = successorOf(operation)
    yield {
      at: '',
      message: `${operation.id} is deprecated${until}`,
      ...(instead === undefined ? {} : { help: `Use ${instead} instead` }),
    }
  },
}
