/** The outcome of a request: an answer or a refusal. */
import type { Operation, Violation } from '../contract/contract.js'
import { documentedResponse } from '../contract/documented-status.js'

/** A success before it becomes a response. */
export interface Answer {
  status: number
  mediaType?: string | undefined
  body?: string | undefined
  /** The body in UTF-8, if it is already encoded. */
  bytes?: Uint8Array | undefined
  headers?: Readonly<Record<string, string>> | undefined
}

/** The reason why a step refuses a request: a plain value that only `finish` turns into a response. */
export class Refusal {
  readonly reason: Reason
  /** What is wrong, where, and what is allowed. */
  readonly message: string
  readonly violations: readonly Violation[] | undefined
  readonly headers: Readonly<Record<string, string>> | undefined
  /** The body, if it was read, for the journal. */
  readonly text: string | undefined
  /** A status that the caller requested. It overrides the candidates of the reason. */
  readonly status: number | undefined
  /** How it is answered, if that is known when it is made. */
  readonly rendered: RenderedRefusal | undefined

  constructor(reason: Reason, message: string, { violations, headers, text, status, rendered }: RefusalDetails = {}) {
    this.reason = reason
    this.message = message
    this.violations = violations
    this.headers = headers
    this.text = text
    this.status = status
    this.rendered = rendered
  }
}

export type RefusalDetails = Partial<Pick<Refusal, 'violations' | 'headers' | 'text' | 'status' | 'rendered'>>

/** A refusal as an answer, with its machine-readable code. */
export type RenderedRefusal = Answer & { code: string }

/** The result of a request before it becomes a response. */
export type Outcome = Answer | Refusal

export type Reason =
  | 'invalid_request'
  | 'unsupported_media_type'
  | 'payload_too_large'
  | 'malformed_path'
  | 'not_found'
  | 'conflict'
  | 'removed'
  | 'unauthorized'
  | 'method_not_allowed'
  | 'not_described'
  | 'unavailable'
  | 'internal_error'
  | 'forced'

/** Statuses in order of preference. The first that the operation documents is used, else the first of all. */
const candidates: Record<Reason, readonly [number, ...number[]]> = {
  invalid_request: [400, 422],
  unsupported_media_type: [415, 400],
  payload_too_large: [413],
  malformed_path: [400, 404, 422],
  not_found: [404],
  conflict: [409, 422, 400],
  removed: [410, 404],
  unauthorized: [401],
  method_not_allowed: [405],
  not_described: [501],
  unavailable: [503],
  internal_error: [500],
  forced: [500],
}

/** Codes for statuses that only callers request. */
const otherCodes: Record<number, string> = { 429: 'rate_limited' }

export function statusOf({ reason, status }: Refusal, operation: Operation | undefined): number {
  if (status !== undefined) return status
  const all = candidates[reason]
  return (operation && all.find((candidate) => documentedResponse(operation, candidate))) ?? all[0]
}

/** The machine-readable code of a refusal with a status. */
export function codeOf(reason: Reason, status: number): string {
  if (reason === 'malformed_path') return status === 404 ? 'not_found' : 'invalid_request'
  if (reason !== 'forced') return reason
  const reasons = Object.entries(candidates)
  const found = reasons.find(([, [first]]) => first === status) ?? reasons.find(([, all]) => all.includes(status))
  return found?.[0] ?? otherCodes[status] ?? `status_${status}`
}
