/** Facts about a document beyond its contract, for the control API. `entries` implements it. */
import type { CollectionModel } from '../contract/contract.js'
import type { SentBody, Violation } from '../contract/violations.js'
import type { Values } from '../state/stored-record.js'
import type { StoredWorld } from '../state/stored-world.js'

/** A part of the document. */
export interface DocumentPart {
  /** JSON Pointer (RFC 6901) in the document as OpenAPI 3.1, or in the other file that contains it. */
  pointer: string
  file: string
  /** From 1. */
  line: number
}

/** Values of the parameters of a request, by place and name. */
export type ParameterValues = Partial<Record<'path' | 'query' | 'header' | 'cookie', Record<string, unknown>>>

/** A request as values. */
export interface RequestValues {
  /** The key to send. */
  key: string
  /** Name of the target server. @default the first one that has the operation */
  environment?: string | undefined
  parameters?: ParameterValues
  /** A JSON value. Absent: no body. */
  body?: unknown
  /** The documented media type of the body. @default JSON if the operation accepts it, else the first one */
  mediaType?: string | undefined
}

/** A request to send to this sandbox. */
export interface WrittenRequest {
  method: string
  /** Path and query. */
  target: string
  headers: { name: string; value: string }[]
  body?: string
}

/** The data of a form for an operation. */
export interface OperationForm {
  summary?: string
  description?: string
  /** Whether the document allows users to try it. */
  canTry: boolean
  parameters: { in: string; name: string; required: boolean; description?: string; schema?: string }[]
  body?: { required: boolean; contents: { mediaType: string; schema?: string; example?: unknown }[] }
  responses: { status: string; description?: string }[]
  /** A valid request, if one can be made. */
  example: Pick<RequestValues, 'parameters' | 'body'>
}

export interface Inspected {
  /** Why an operation has its effect: a sentence without a full stop. */
  reasonOf(operation: string): string | undefined
  summaryOf(operation: string): string | undefined
  canTry(operation: string): boolean
  /** Properties of the records of a collection that refer to records of another one, by their names. */
  referencesOf(collection: string): { property: string; collection: string; key: string }[]
  /** A record of a collection with these values and all other required values, except the key. */
  complete(model: CollectionModel, values: Values, environment: string | undefined, world: StoredWorld): Values
  /** The place of an operation, or of the violated part. @param sent the body @returns undefined for an unknown operation */
  locate(
    operation: string,
    violation?: Pick<Violation, 'in' | 'at' | 'rule'>,
    sent?: SentBody,
  ): DocumentPart | undefined
  /** @param key the key of the world whose records the example uses */
  formOf(operation: string, key: string): Promise<OperationForm>
  /** @throws RangeError for values that cannot be sent */
  write(operation: string, values: RequestValues): WrittenRequest
}
