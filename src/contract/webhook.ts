/** Requests that a service sends: the callbacks and webhooks of its document. */
import type { Ensure } from './effects/ensure.js'
import type { ExpressionTemplate } from './runtime-expression.js'

/** A request that follows the answer of an operation. */
export interface Webhook {
  /** The name of the callback or webhook. */
  name: string
  kind: 'callback' | 'webhook'
  /** Ids of the operations whose answers it follows. */
  on: string[]
  /** Their statuses: `201`, `2XX`. Absent: every success. */
  statuses?: string[]
  method: string
  url: WebhookUrl
  /** Milliseconds from the answer to the first attempt, by the clock of the world. Absent: none. */
  delayMs?: number
  /** Milliseconds before each further attempt. Absent: the usual ones. */
  retries?: number[]
  parameters?: WebhookParameter[]
  /** Headers with a signature, if the sandbox has a secret. */
  signatures?: WebhookSignature[]
  body?: WebhookBody
}

/** How a header signs the body by HMAC (RFC 2104). */
export interface WebhookSignature {
  /** The name of the header. */
  name: string
  hash: 'SHA-1' | 'SHA-256' | 'SHA-512'
  encoding: 'hex' | 'base64'
  /** Text before the signature, e.g. `sha256=`. */
  prefix?: string
  /** Whether it is written as `t=<seconds>,v1=<signature>`, and signs `<seconds>.<body>`. */
  isTimed?: true
}

/** The target: a URL, the property of records of a collection, or the URL that the user configures. */
export type WebhookUrl =
  | { kind: 'template'; text: string; parts: ExpressionTemplate }
  | { kind: 'records'; collection: string; property: string }
  /** The option. Inferred: nothing is noted without the option, because nobody said that it is sent. */
  | { kind: 'option'; isInferred?: true }

export interface WebhookParameter {
  in: 'header' | 'query'
  name: string
  value: string
}

export interface WebhookBody {
  mediaType: string
  /** How the value is written. Absent: the body is always the example. */
  codec?: 'json' | 'form'
  /** JSON text of an example, or the text of another media type. */
  example: string
  /** In place of text, bytes in Base64. */
  base64?: string
  ensure?: Ensure
  /** Places of records, by the name of their collection. */
  records?: Record<string, ShownRecord>
  /** Values that identify the event. */
  events?: [pointer: string[], value: string][]
  /** Places of the id of the event, each with the plan of new ones. */
  ids?: [pointer: string[], plan: number][]
  /** Places of the time of the event. */
  times?: string[][]
}

/** How a body shows a record, and where. */
export interface ShownRecord {
  /** Number of the shape of the record in answers, which has no `writeOnly` values. */
  shape: number
  places: RecordPlace[]
}

/** A place in a body with a record or some of its values. */
export interface RecordPlace {
  pointer: string[]
  /** Pairs of a property there and the property of the record with its value. Absent: all properties of the record. */
  values?: [shown: string, own: string][]
}
