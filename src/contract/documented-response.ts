/** What an operation documents for a status, and how an error body is filled. */

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
}

/** The body of an error response. */
export interface ErrorBody {
  mediaType: string
  fields: ErrorField[]
}

/** A property of an error body and the source of its value. */
export type ErrorField =
  | { name: string; from: 'code' | 'message' | 'status' }
  | { name: string; from: 'constant'; value: unknown }
  | { name: string; from: 'fields'; fields: ErrorField[] }
