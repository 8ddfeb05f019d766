/** Bodies that violate their schema or cannot be read. */
import type { ConsumerRule } from '../consumer-rule.js'
import { violatedPlaces } from '../violated-places.js'

export const invalidBody: ConsumerRule = {
  id: 'invalid-body',
  severity: 'error',
  looksAt: 'a body that is missing, too large, not JSON or violates its schema',
  help: 'Send a body that the document allows; mark a test of an invalid one with "Sandbox-Expect: 4XX"',
  isExpectable: true,
  *analyze(call) {
    const { exchange, isForced, message } = call
    yield* violatedPlaces(call, (violation) => violation.in === 'body')
    const isUnreadable = exchange.refused === 'invalid_request' && !exchange.violations
    if (isForced || !(isUnreadable || exchange.refused === 'payload_too_large')) return
    yield { at: 'body', message: message ?? 'The body cannot be read' }
  },
}
