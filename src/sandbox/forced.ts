/** The answer that a caller asks for with `Prefer: code=...`: the documented one, or any error. */
import type { Operation } from '../contract/contract.js'
import { documentedResponse } from '../contract/documented-status.js'
import type { Answer } from './applied.js'
import type { Refusal } from './refusal.js'

/** @returns nothing where the operation has no such answer */
export function forceAnswer(operation: Operation, status: number): Answer | Refusal | undefined {
  if (status >= 400) {
    return { reason: 'forced', status, message: `This answer was asked for by "Prefer: code=${status}"` }
  }
  const documented = status >= 200 ? documentedResponse(operation, status) : undefined
  if (!documented || documented.status === 'default') return undefined
  // RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5: these have no content.
  if ([204, 205, 304].includes(status)) return { status }
  return { status, mediaType: documented.mediaType, body: documented.example }
}
