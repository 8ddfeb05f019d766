/** Answers `Prefer: code=...`: with any error, or with a documented response. */
import type { Operation } from '../contract/contract.js'
import { documentedResponse } from '../contract/documented-status.js'
import { decodeBytes } from '../json/base64.js'
import { type Answer, Refusal } from './outcome.js'

/** @returns undefined if the operation documents no such response */
export function forceAnswer(operation: Operation, status: number): Answer | Refusal | undefined {
  if (status >= 400) {
    return new Refusal('forced', `Requested with "Prefer: code=${status}"`, { status })
  }
  const documented = status >= 200 ? documentedResponse(operation, status) : undefined
  if (!documented || documented.status === 'default') return undefined
  const { mediaType, example, base64 } = documented
  return { status, mediaType, body: base64 === undefined ? example : decodeBytes(base64) }
}
