/** The rule about tests that fail with another version of the document. It is about tests, and finds nothing in a call. */
import type { ConsumerRule } from '../consumer-rule.js'

export const newFailure: ConsumerRule = {
  id: 'new-failure',
  severity: 'error',
  looksAt: 'a test that passes with the present document and fails with the next one (with --against)',
  help: 'Change what the test covers before the service changes',
  isExpectable: false,
  analyze: () => [],
}
