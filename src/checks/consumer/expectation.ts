/** Reads `Sandbox-Expect`: a consumer announces a status, so that a test of its error handling is not a finding. */

import { rangeOf } from '../../contract/documented-status.js'
import type { Exchange } from '../../state/journal.js'
import { requestHeader } from './exchange-values.js'

/** Name of the request header. */
export const expectationHeader = 'Sandbox-Expect'

/** The statuses that a consumer announced. */
export interface Expectation {
  /** Value of the header. */
  text: string
  /** The statuses and ranges in it, in upper case and each once. */
  statuses: readonly string[]
  /** It is a comma-separated list of statuses or ranges such as 4XX. */
  isReadable: boolean
  /** The response has one of these statuses. */
  isMet: boolean
}

/** Undefined without the header. */
export function readExpectation(exchange: Exchange): Expectation | undefined {
  const text = requestHeader(exchange, expectationHeader)?.trim()
  if (text === undefined) return undefined
  const expected = [...new Set(text.split(',').map((part) => part.trim().toUpperCase()))]
  const isReadable = expected.every((part) => /^[1-5](\d\d|XX)$/.test(part))
  const { status } = exchange.response
  return {
    text,
    statuses: expected,
    isReadable,
    isMet: isReadable && expected.some((part) => part === String(status) || part === rangeOf(status)),
  }
}
