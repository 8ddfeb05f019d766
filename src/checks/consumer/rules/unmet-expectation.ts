/** Requests that announce a status and get another one, so that a test of error handling tests something else. */
import { quote } from '../../../contract/violations.js'
import type { ConsumerRule } from '../consumer-rule.js'
import { expectationHeader, readExpectation } from '../expectation.js'

export const unmetExpectation: ConsumerRule = {
  id: 'unmet-expectation',
  severity: 'error',
  looksAt: 'a request marked with "Sandbox-Expect" that was answered with another status',
  help: 'Send what really brings the expected answer, or mark the request with the status that it gets',
  isExpectable: false,
  *analyze({ exchange }) {
    const expectation = readExpectation(exchange)
    if (!expectation || expectation.isMet) return
    const at = `header ${expectationHeader}`
    const { status } = exchange.response
    if (expectation.isReadable) yield { at, message: `${expectation.text} was expected, the answer was ${status}` }
    else
      yield {
        at,
        message: `${quote(expectation.text)} is no status, range or list of them`,
        help: `Write e.g. "${expectationHeader}: 400", "400, 422" or "4XX"`,
      }
  },
}
