/** The outcome of a request: an answer or a refusal. */
import type { Violation } from '../contract/violations.js'
import { parseExactJson } from '../json/exact-json.js'
import type { ExactValue } from '../json/exact-value.js'
import type { Change } from '../state/change.js'
import type { Cause } from '../state/journal.js'
import type { StoredRecord, Values } from '../state/stored-record.js'

/** A success as data. `writeAnswer` makes its body. */
export interface Answer {
  status: number
  mediaType?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
  content?: Content | undefined
  /** What the effect did, in order. Absent if nothing. */
  changes?: readonly Change[] | undefined
  cause?: Cause | undefined
}

export interface Content {
  /** The values of the record that the body shows. Absent if it shows none. */
  record?: Values
  /** Writes JSON, or text of another media type. Absent for a file. @returns undefined if no valid text exists */
  text?(): string | undefined
  /** The text in UTF-8, if it is already encoded; or the bytes of a file, which has no text. */
  bytes?: Uint8Array | undefined
  /** As a value, for media types that are not JSON. Absent for a file. */
  value?(): ExactValue
  /** The same with another state of its record. Absent if that cannot be shown. */
  show?(record: StoredRecord): Content
}

export interface Written extends Answer {
  body?: string | Uint8Array | undefined
  /** The body in UTF-8, if it is already encoded. */
  bytes?: Uint8Array | undefined
}

/**
 * The reason why a step refuses a request. Only `finish` turns this plain value into a response. `declare` adds no code:
 * other fields are also set before the constructor runs, to undefined.
 */
export class Refusal {
  declare readonly reason: Reason
  /** What is wrong, where, and what is allowed. */
  declare readonly message: string
  declare readonly violations: readonly Violation[] | undefined
  declare readonly headers: Readonly<Record<string, string>> | undefined
  /** The body, if it was read, for the journal. */
  declare readonly text: string | undefined
  /** A status that the caller requested. It overrides the candidates of the reason. */
  declare readonly status: number | undefined
  /** The answer, if it is already known. */
  declare readonly rendered: RenderedRefusal | undefined
  declare readonly cause: Cause | undefined

  constructor(
    reason: Reason,
    message: string,
    { violations, headers, text, status, rendered, cause }: RefusalDetails = {},
  ) {
    this.reason = reason
    this.message = message
    this.violations = violations
    this.headers = headers
    this.text = text
    this.status = status
    this.rendered = rendered
    this.cause = cause
  }
}

export type RefusalDetails = Partial<Pick<Refusal, 'violations' | 'headers' | 'text' | 'status' | 'rendered' | 'cause'>>

/** A refusal as an answer, with its machine-readable code. */
export type RenderedRefusal = Written & { code: string }

/** The result of an effect. */
export type Outcome = Answer | Refusal

/** The result of a request before it becomes a response. */
export type WrittenOutcome = Written | Refusal

/**
 * Content that is already text: an example of the document, or a kept answer.
 * @param record the record that the values of the answer may come from
 */
export function textContent(text: string, bytes?: Uint8Array, record?: Values): Content {
  return new TextContent(text, bytes, record)
}

/** A class, because each answer has one: its methods are created once. */
class TextContent implements Content {
  readonly #text: string
  declare readonly bytes: Uint8Array | undefined
  declare readonly record: Values | undefined

  constructor(text: string, bytes: Uint8Array | undefined, record: Values | undefined) {
    this.#text = text
    this.bytes = bytes
    this.record = record
  }

  text(): string {
    return this.#text
  }

  value(): ExactValue {
    // biome-ignore lint/plugin: an example of the document
    return parseExactJson(this.#text).exact
  }
}

/** Reasons that always come with their status. */
export type HttpReason = 'precondition_failed' | 'precondition_required' | 'key_reused'

export type Reason =
  | HttpReason
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
