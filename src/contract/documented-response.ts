/** What an operation documents for a status, and how an error body is filled. */
import type { Ensure } from './ensure.js'

export interface DocumentedResponse {
  /** `200`, a range such as `4XX`, or `default` */
  status: string
  /** Media type of the example. */
  mediaType?: string
  /** The error body for this status, if it differs from `RequestContract.errorBody`. */
  error?: ErrorBody
  /** A body from the document's examples and schema, as text, for `Prefer: code=...`. */
  example?: string
  /** In place of text, bytes in Base64. */
  base64?: string
  /** For an example in JSON. */
  ensure?: Ensure
  /** Values of the headers that the document requires. */
  headers?: Record<string, string>
}

/** The body of an error response. */
export interface ErrorBody {
  mediaType: string
  fields: ErrorField[]
  /** What it is if it is no JSON object: a list of one object, the message as a JSON string, as text or in XML. */
  form?: 'list' | 'message' | 'text' | 'xml'
  ensure?: Ensure
}

/** A property of an error body and the source of its value. */
export type ErrorField =
  | { name: string; from: 'code' | 'message' | 'status' }
  | { name: string; from: 'constant'; value: unknown }
  | { name: string; from: 'fields'; fields: ErrorField[] }
  /** A list of one object. */
  | { name: string; from: 'list'; fields: ErrorField[] }
  /** A list of the message. */
  | { name: string; from: 'messages' }
