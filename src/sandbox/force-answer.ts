/** The answer that a caller asks for with `Prefer: code=...`: the documented one, or any error. */
import type { Operation } from '../contract/contract.js'
import { documentedResponse } from '../contract/documented-status.js'
import { type Answer, Refusal } from './outcome.js'

/** @returns nothing where the operation has no such answer */
export function forceAnswer(operation: Operation, status: number): Answer | Refusal | undefined {
  if (status >= 400) {
    return new Refusal('forced', `This answer was asked for by "Prefer: code=${status}"`, { status })
  }
  const documented = status >= 200 ? documentedResponse(operation, status) : undefined
  if (!documented || documented.status === 'default') return undefined
  return { status, mediaType: documented.mediaType, body: documented.example }
}
