/** The outcome of a request: an answer or a refusal. */
import type { Violation } from '../contract/violations.js'

/** A success before it becomes a response. */
export interface Answer {
  status: number
  mediaType?: string | undefined
  body?: string | Uint8Array | undefined
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

/** Reasons that always come with their status. */
export type CareReason = 'precondition_failed' | 'precondition_required' | 'key_reused'

export type Reason =
  | CareReason
  | 'invalid_request'
  | 'incomplete_body'
  | 'unsupported_media_type'
  | 'payload_too_large'
  | 'malformed_path'
  | 'not_found'
  | 'conflict'
  | 'not_acceptable'
  | 'removed'
  | 'unauthorized'
  | 'method_not_allowed'
  | 'not_described'
  | 'not_made'
  | 'unavailable'
  | 'internal_error'
  | 'forced'
