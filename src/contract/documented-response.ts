/** What an operation documents for a status, and how an error body is filled. */
import type { Ensure } from './effects/ensure.js'

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
  /** The properties of an object that has only these. Absent if `part` describes the body. */
  fields?: UsualField[]
  part?: ErrorPart
  /** What it is if it is no JSON. */
  form?: 'text' | 'xml'
  ensure?: Ensure
}

export type UsualField = 'code' | 'message' | 'status'

/**
 * Where a value of an error body comes from. `title` is the code in words, `phrase` that of the status, `statusText` the status as text, `id` a text
 * that is the same for the same refusal, `count` the number of violations. The others are of one violation: `field` is
 * the place with dots, `pointer` a JSON Pointer, `fragment` one after `#`, `parameter` the name of a parameter, `place` its kind, `keyword` the violated one.
 */
export type ErrorSource =
  | UsualField
  | ('title' | 'phrase' | 'statusText' | 'id' | 'count' | 'path' | 'time' | 'milliseconds')
  | ('field' | 'pointer' | 'fragment' | 'parameter' | 'place' | 'keyword')

/** A part of an error body. */
export type ErrorPart =
  | { from: ErrorSource }
  | { from: 'constant'; value: unknown }
  /** The place as a list. `isPlaced`: it starts with the kind of place. `isText`: indexes are text. */
  | { from: 'steps'; isPlaced: boolean; isText: boolean }
  /** A value by the keyword, place, status or code of the refusal. Without one, the part is left out. */
  | { from: 'choice'; values: Record<string, unknown>; otherwise?: unknown }
  /** One of the parts, whose index is chosen likewise. Without one, the first. */
  | { from: 'branch'; values: Record<string, number>; parts: ErrorPart[] }
  /** `isAside`: it can be left out, and has no message. */
  | { from: 'object'; members: [name: string, part: ErrorPart, isAside?: boolean][] }
  /** One item per violation, or one for the refusal. `isExtra`: left out without violations. */
  | { from: 'list' | 'map'; item: ErrorPart; isExtra?: boolean }
