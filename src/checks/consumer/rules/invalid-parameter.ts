/** Parameters that violate their schema or are missing. */
import type { ConsumerRule } from '../consumer-rule.js'
import { violatedPlaces } from '../violated-places.js'

export const invalidParameter: ConsumerRule = {
  id: 'invalid-parameter',
  severity: 'error',
  looksAt: 'a path, query, header or cookie parameter that is missing or violates its schema',
  help: 'Send a value that the document allows; mark a test of an invalid one with "Sandbox-Expect: 4XX"',
  isExpectable: true,
  analyze: (call) => violatedPlaces(call, (violation) => violation.in !== 'body'),
}
