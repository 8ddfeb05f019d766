/** Answers `Prefer: code=...`: with any error, or with a documented response. */
import type { Operation, RequestContract } from '../contract/contract.js'
import { documentedResponse } from '../contract/documented-status.js'
import { decodeBytes } from '../json/base64.js'
import type { Filler } from './fill.js'
import { type Answer, Refusal } from './outcome.js'

/** @returns undefined if the operation documents no such response */
export type ForceAnswer = (operation: Operation, status: number) => Answer | Refusal | undefined

export function createForceAnswer(contract: RequestContract, filler: Filler | undefined): ForceAnswer {
  return (operation, status) => {
    if (status >= 400) return new Refusal('forced', `Requested with "Prefer: code=${status}"`, { status })
    const documented = status >= 200 ? documentedResponse(operation, status) : undefined
    if (!documented || documented.status === 'default') return undefined
    const { mediaType, example, base64, ensure, headers } = documented
    const text =
      ensure && filler && example !== undefined
        ? filler.ensureText(contract, ensure, example, `${operation.id} ${status}`)
        : example
    return { status, mediaType, headers, body: base64 === undefined ? text : decodeBytes(base64) }
  }
}
