/** Bodies that violate their schema or cannot be read. */
import { NestingError, parseExactJson } from '../../../json/exact-json.js'
import type { Exchange } from '../../../state/journal.js'
import type { ConsumerRule } from '../consumer-rule.js'
import { requestHeader } from '../exchange-headers.js'
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
    yield { at: 'body', kind: kindOf(exchange), message: message ?? 'The body cannot be read' }
  },
}

function kindOf(exchange: Exchange): string {
  const { body } = exchange.request
  if (exchange.refused === 'payload_too_large') return 'too-large'
  if (body === undefined) {
    const isSent = requestHeader(exchange, 'transfer-encoding') ?? Number(requestHeader(exchange, 'content-length'))
    return isSent ? 'not-text' : 'missing'
  }
  if (!/json/i.test(requestHeader(exchange, 'content-type') ?? 'json')) return 'unreadable'
  try {
    parseExactJson(body)
    return 'unreadable'
  } catch (error) {
    return error instanceof NestingError ? 'too-deep' : 'not-json'
  }
}
