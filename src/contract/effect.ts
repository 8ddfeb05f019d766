/** What operations do to the state of a world, and what they answer then. */

import type { Ensure } from './ensure.js'
import type { JsonType } from './request-model.js'

/**
 * What an operation does with the files of its world: keeps the one in the body, answers with one in place of its effect,
 * or removes them with its record.
 */
export type FileUse = { kind: 'keep'; paths: FilePath[] } | { kind: 'send'; types: string[] } | { kind: 'remove' }

/** Where a file is downloaded. */
export interface FilePath {
  /** The documented path. */
  path: string
  /**
   * Properties of the answer, of which the first one that is there is the last parameter of the path. Absent: all
   * parameters are those of the request.
   */
  properties?: string[]
}

/** What an operation does to the state. */
export type Effect = ListEffect | CreateEffect | KeyedEffect | ExampleEffect | UndescribedEffect

export type EffectKind = Effect['kind']

/** The success response of an operation. */
export interface Success {
  status: number
  /** Absent if the response has no body. */
  mediaType?: string
  /** Values of the headers that the document requires. */
  headers?: Record<string, string>
}

export interface ListEffect extends Success {
  kind: 'list'
  collection: string
  /** Shape of one record. */
  shape: number
  filters: ListFilter[]
  /** The query parameter that limits the number of records. Absent: all records are returned. */
  limit?: string
  /** The page size if the request does not set one. */
  defaultLimit?: number
  /** Properties of the object around the list. Absent if the response is the array itself. */
  envelope?: EnvelopeField[]
  /** For one record. */
  ensure?: Ensure
  /** For the whole body. */
  ensureBody?: Ensure
}

/** A query parameter that selects records by the value of a property. */
export interface ListFilter {
  parameter: string
  property: string
  /** JSON types of the property. Values of the parameter are converted to one of them to be compared. */
  types: JsonType[]
  /** The value if the request does not set one. */
  default?: unknown
}

/** A property of the object around a list. One of them is the list itself. */
export interface EnvelopeField {
  name: string
  /** The records, the number of matches, the number of records on the page, whether there are more, or a constant. */
  from: 'records' | 'total' | 'count' | 'more' | 'constant'
  value?: unknown
}

export interface CreateEffect extends Success {
  kind: 'create'
  collection: string
  shape: number
  fills: Fill[]
  ensure?: Ensure
}

export interface KeyedEffect extends Success {
  kind: 'read' | 'replace' | 'update' | 'remove'
  collection: string
  /** The path parameter that holds the key. */
  parameter: string
  shape: number
  /** Properties that the service writes: kept on replace and update, or written again. */
  fills: Fill[]
  /** Shape of the record as callers write it: what it hides, only the service writes. For replace and update. */
  writable?: number
  /** Number of the validator that an updated record must satisfy. */
  validatePatched?: number
  ensure?: Ensure
}

/** A property that the service fills in: with the next key, the time of the world's clock, or a constant. */
export interface Fill {
  property: string
  with: 'key' | 'now' | 'constant'
  value?: unknown
  /** Only the service writes it, and replace keeps its value. Else the fill is the default of an optional property. */
  owned?: boolean
  /** Written again by each replace and update. */
  again?: boolean
}

export interface ExampleEffect extends Success {
  kind: 'example'
  /** From the document's examples and schema: JSON text, or text for other media types. */
  body?: string
  /** In place of text, bytes in Base64. */
  base64?: string
  /** For a JSON body. */
  ensure?: Ensure
}

/** The document describes no success response. */
export interface UndescribedEffect {
  kind: 'undescribed'
}
