/** Calls of operations that will be removed. */
import type { ConsumerRule } from '../consumer-rule.js'
import { dateOf, successorOf } from '../lifecycle-words.js'

const day = 24 * 60 * 60 * 1000

export const deprecatedOperation: ConsumerRule = {
  id: 'deprecated-operation',
  severity: 'warning',
  looksAt: 'a call of a deprecated operation',
  help: 'Switch to its replacement before its sunset',
  isExpectable: false,
  *analyze({ exchange, operation }) {
    if (!operation?.lifecycle.deprecated || exchange.refused === 'removed') return
    const { sunset } = operation.lifecycle
    const left = sunset === undefined ? undefined : Math.ceil((sunset - exchange.at) / day)
    const until =
      sunset === undefined || left === undefined
        ? '; no date is documented for its removal'
        : ` and ends on ${dateOf(sunset)}, ${left > 0 ? `in ${left} day${left === 1 ? '' : 's'}` : 'which is in the past'}`
    const instead = successorOf(operation)
    yield {
      at: '',
      message: `${operation.id} is deprecated${until}`,
      ...(instead === undefined ? {} : { help: `Use ${instead} instead` }),
    }
  },
}
