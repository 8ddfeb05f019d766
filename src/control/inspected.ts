/** Facts about a document beyond its contract, for the control API. `entries` implements it. */
import type { CollectionModel } from '../contract/contract.js'
import type { OpenFact } from '../contract/open-fact.js'
import type { SentBody, Violation } from '../contract/violations.js'
import type { World } from '../sandbox/facade/world.js'
import type { Exchange } from '../state/journal.js'
import type { Values } from '../state/stored-record.js'
import type { StoredWorld } from '../state/stored-world.js'

export interface DocumentPart {
  /** JSON Pointer (RFC 6901) in the document as OpenAPI 3.1, or in the other file that contains it. */
  pointer: string
  file: string
  /** From 1. */
  line: number
}

/** Values of the parameters of a request, by place and name. */
export type ParameterValues = Partial<Record<'path' | 'query' | 'header' | 'cookie', Record<string, unknown>>>

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
  /** Values that are keys of records. */
  references: FormReference[]
  /** The header or the property of the body with the idempotency key. Absent if a repeated request counts as a new one. */
  idempotency?: { in: 'header' | 'body'; name: string }
  /** What is known about the records, and why. */
  facts: { fact: string; about: string; evidence: string; why: string }[]
  /** A valid request, if one can be made. */
  example: Pick<RequestValues, 'parameters' | 'body'>
}

/** A value of a request that is the key of a record. */
export interface FormReference {
  /** Only of a parameter of the path. Others are named in the query, in headers, and at any depth of the body. */
  in?: 'path'
  name: string
  collection: string
  /** The property of the record with the value. */
  property: string
  /** Further parameters of the path with values of the same record. */
  others?: { parameter: string; property: string }[]
}

/** What is inferred and corrected of an operation and its records. */
export interface PrintedOverlay {
  /** An OpenAPI Overlay in YAML that changes nothing. With a correction that is tried or applied: one with all corrections. */
  overlay: string
  /** A file for it, of which the program does not know yet. */
  file: string
  /** The command of this program with the file. */
  command?: string
  /** The effect, with the vocabulary of `x-sandbox-effect`. */
  effect: object
  /** The part of it that is corrected. */
  corrected: object
  /** What it needs and changes: see `describeChanges`. */
  does: string[]
  /** Why it is so, as a sentence without a full stop. */
  reason: string
  /** Whether the program applies a correction of it until it ends. Absent if it cannot. */
  applied?: boolean
}

export interface Inspected {
  /** Why an operation has its effect, as a sentence without a full stop, and how certain that is. */
  reasonOf(operation: string): { reason: string; sure: 'high' | 'medium' | 'low' } | undefined
  /** What decides answers, and nobody has said or shown. */
  openFacts(): readonly OpenFact[]
  /** Those that decided something in the answer of an exchange, and of what they are about, what they decided. */
  reliedOf(exchange: Exchange): Pick<OpenFact, 'number' | 'about'>[]
  summaryOf(operation: string): string | undefined
  tagsOf(operation: string): string[]
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
  /** The place of a webhook. Undefined for a callback. */
  locateWebhook(name: string, method: string): DocumentPart | undefined
  /** @param world the world whose records the example uses */
  formOf(operation: string, world: World): Promise<OperationForm>
  /** The path of a collection, as corrections name it. */
  pathOf(collection: string): string
  /** @param tried an `x-sandbox-effect` to try @throws SandboxError for one that the document cannot have */
  overlayOf(operation: string, tried?: object): Promise<PrintedOverlay>
  /**
   * Serves the document with a correction of an operation, until the program ends. Absent if it cannot.
   * @param effect an `x-sandbox-effect`. Absent: the correction is taken back @throws SandboxError like `overlayOf`
   */
  correct?(operation: string, effect?: object): Promise<void>
  /** Confirms an open fact until the program ends, or takes that back. Absent if it cannot. @returns false if there is no such fact */
  confirm?(target: string, name: string, isRight: boolean): Promise<boolean>
  /** All corrections in force until the program ends, and the number of confirmed facts. */
  corrections(): Promise<Pick<PrintedOverlay, 'overlay' | 'file' | 'command'> & { confirmed: number }>
  /**
   * A value that a schema allows.
   * @param pointer JSON Pointer of the schema in the document as OpenAPI 3.1
   * @param name the name of the property with the value
   * @returns undefined if there is no schema
   */
  sampleOf(pointer: string, name: string | undefined): unknown
  /** @throws RangeError for values that cannot be sent */
  write(operation: string, values: RequestValues): WrittenRequest
}
