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
  /** Examples with names, for `Prefer: example=...`. Absent if there are none. */
  examples?: NamedExample[]
}

/** A documented example of a body, as text or as bytes in Base64. */
export interface NamedExample {
  name: string
  mediaType: string
  text?: string
  base64?: string
}

/** The body of an error response. */
export interface ErrorBody {
  mediaType: string
  /** The properties of an object that has only these. Absent if `part` describes the body. */
  fields?: UsualField[]
  part?: ErrorPart
  /** The form of the body if it is not JSON. */
  form?: 'text' | 'xml'
  ensure?: Ensure
}

/** The fields of our own error bodies. */
export const usualFields: readonly UsualField[] = ['code', 'message', 'status']
export type UsualField = 'code' | 'message' | 'status'

/**
 * The source of a value of an error body. `title` is the code in words, `phrase` the reason phrase, `statusText` the status as
 * text, `id` a text that is the same for equal refusals, `count` the number of violations. The others describe one violation:
 * `field` is a dotted path, `pointer` a JSON Pointer, `fragment` one after `#`, `parameter` a name, `place` its kind,
 * `keyword` the violated keyword.
 */
export type ErrorSource =
  | UsualField
  | ('title' | 'phrase' | 'statusText' | 'id' | 'count' | 'path' | 'time' | 'milliseconds')
  | ('field' | 'pointer' | 'fragment' | 'parameter' | 'place' | 'keyword')

/** A part of an error body. */
export type ErrorPart =
  | { from: ErrorSource }
  | { from: 'constant'; value: unknown }
  /** The path of the value as a list. `isPlaced`: starts with the kind of place. `isText`: indexes are strings. */
  | { from: 'steps'; isPlaced: boolean; isText: boolean }
  /** A value chosen by the keyword, place, status or code of the refusal. Left out if none matches and there is no other. */
  | { from: 'choice'; values: Record<string, unknown>; otherwise?: unknown; source?: ErrorSource }
  /** One of the parts, chosen in the same way. The first if none matches. */
  | { from: 'branch'; values: Record<string, number>; parts: ErrorPart[] }
  /** `isAside`: the member can be left out and contains no message. */
  | { from: 'object'; members: [name: string, part: ErrorPart, isAside?: boolean][] }
  /** One item per violation, or one for the refusal. `isExtra`: left out if there are no violations. */
  | { from: 'list' | 'map'; item: ErrorPart; isExtra?: boolean }
