/** What a consumer says beforehand about an answer, so that a test of its error handling is no finding. */

import { rangeOf } from '../../contract/documented-status.js'
import type { Exchange } from '../../state/journal.js'
import { requestHeader } from './exchange-headers.js'

export const expectationHeader = 'Sandbox-Expect'

export interface Expectation {
  text: string
  /** It names statuses, or ranges such as 4XX, between commas. */
  isReadable: boolean
  /** The answer has one of them. */
  isMet: boolean
}

export function readExpectation(exchange: Exchange): Expectation | undefined {
  const text = requestHeader(exchange, expectationHeader)?.trim()
  if (text === undefined) return undefined
  const expected = text.split(',').map((part) => part.trim().toUpperCase())
  const isReadable = expected.every((part) => /^[1-5](\d\d|XX)$/.test(part))
  const { status } = exchange.response
  return {
    text,
    isReadable,
    isMet: isReadable && expected.some((part) => part === String(status) || part === rangeOf(status)),
  }
}
