/** Requests that announce a status and get another one, so that a test of error handling tests something else. */
import { quote } from '../../../contract/violations.js'
import type { ConsumerRule } from '../consumer-rule.js'
import { expectationHeader, readExpectation } from '../expectation.js'

export const unmetExpectation: ConsumerRule = {
  id: 'unmet-expectation',
  severity: 'error',
  looksAt: 'a request marked with "Sandbox-Expect" that was answered with another status',
  help: 'Send a request that gets the expected status, or mark it with the status that it gets',
  isExpectable: false,
  *analyze({ exchange }) {
    const expectation = readExpectation(exchange)
    if (!expectation || expectation.isMet) return
    const at = `header ${expectationHeader}`
    const { status } = exchange.response
    if (expectation.isReadable) {
      const kind = `${[...expectation.statuses].sort().join('-or-')}-got-${status}`
      yield { at, kind, message: `expected ${expectation.text}, got ${status}` }
    } else {
      yield {
        at,
        kind: 'unreadable',
        message: `${quote(expectation.text)} is not a status, a range or a list of them`,
        help: `Write e.g. "${expectationHeader}: 400", "400, 422" or "4XX"`,
      }
    }
  },
}
