/** The parts of an OpenAPI 3.1 document that this program reads, and the resolution of its `$ref`s. */

/** The supported versions of OpenAPI. */
export type OpenApiVersion = '2.0' | '3.0' | '3.1' | '3.2'

/** Whether a version uses the schema dialect from before OpenAPI 3.1. */
export function isOld(version: OpenApiVersion): boolean {
  return version === '2.0' || version === '3.0'
}

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  openapi: string
  info?: { title?: string; version?: string; description?: string }
  servers?: ServerObject[]
  paths?: Record<string, PathItem>
  webhooks?: Record<string, PathItem | Reference>
  components?: {
    schemas?: Record<string, Schema>
    securitySchemes?: Record<string, SecuritySchemeObject | Reference>
    [section: string]: unknown
  }
  security?: SecurityRequirement[]
  [extension: `x-${string}`]: unknown
}

export interface ServerObject {
  url: string
  /** Since OpenAPI 3.2. */
  name?: string
  description?: string
  variables?: Record<string, { default?: unknown; enum?: unknown[] }>
  'x-sandbox-name'?: string
  'x-sandbox-environment'?: string
}

export interface PathItem {
  servers?: ServerObject[]
  parameters?: (ParameterObject | Reference)[]
  [member: string]: unknown
}

export interface OperationObject {
  tags?: string[]
  operationId?: string
  description?: string
  summary?: string
  deprecated?: boolean
  servers?: ServerObject[]
  parameters?: (ParameterObject | Reference)[]
  requestBody?: RequestBodyObject | Reference
  responses?: Record<string, ResponseObject | Reference>
  /** Callbacks by name, each with path items by expression. */
  callbacks?: Record<string, Record<string, PathItem | Reference> | Reference>
  security?: SecurityRequirement[]
  [extension: `x-${string}`]: unknown
}

export interface ParameterObject {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie' | 'querystring'
  required?: boolean
  deprecated?: boolean
  style?: string
  explode?: boolean
  allowEmptyValue?: boolean
  schema?: Schema
  content?: Record<string, MediaTypeObject>
  example?: unknown
  description?: string
}

export interface RequestBodyObject {
  required?: boolean
  content: Record<string, MediaTypeObject>
}

export interface ResponseObject {
  /** Not checked. */
  description?: unknown
  headers?: Record<string, ParameterObject | Reference>
  content?: Record<string, MediaTypeObject>
  /** Not checked. */
  links?: unknown
  [extension: `x-${string}`]: unknown
}

export interface MediaTypeObject {
  schema?: Schema
  /** The schema of each item of a stream. Since OpenAPI 3.2. */
  itemSchema?: Schema
  encoding?: Record<string, EncodingObject>
  example?: unknown
  examples?: Record<string, { value?: unknown } | Reference>
}

export interface EncodingObject {
  contentType?: string
  style?: string
  explode?: boolean
}

export interface SecuritySchemeObject {
  type?: string
  scheme?: string
  in?: string
  name?: string
  /** The flows of OAuth 2.0 by name. Not checked. */
  flows?: unknown
}

export type SecurityRequirement = Record<string, string[]>

export interface Reference {
  $ref: string
}

export type Schema = SchemaObject | boolean

export interface SchemaObject {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema
  unevaluatedProperties?: Schema
  patternProperties?: Record<string, Schema>
  items?: Schema
  prefixItems?: Schema[]
  allOf?: Schema[]
  oneOf?: Schema[]
  anyOf?: Schema[]
  discriminator?: { propertyName: string; mapping?: Record<string, string>; defaultMapping?: string }
  enum?: unknown[]
  const?: unknown
  default?: unknown
  example?: unknown
  examples?: unknown[]
  format?: string
  pattern?: string
  readOnly?: boolean
  writeOnly?: boolean
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  exclusiveMaximum?: number
  multipleOf?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  contains?: Schema
  minContains?: number
  minProperties?: number
  propertyNames?: Schema
  dependentRequired?: Record<string, string[]>
  [keyword: string]: unknown
}

/** Methods that a path item can have (OpenAPI 3.1, section 4.8.9). */
export const methodNames = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

/** An operation with its method, and its place in the path item. */
type WrittenOperation = [method: string, value: OperationObject, place: string[]]

/** The operations of a path item. The last two members are from OpenAPI 3.2: the reader removes them from other documents. */
export function operationsOf({ additionalOperations, ...item }: PathItem): WrittenOperation[] {
  const fixed = [...methodNames, 'query'].map((name) => [name.toUpperCase(), item[name], [name]])
  const further = Object.entries(additionalOperations ?? {}).map(([name, value]) => [
    name,
    value,
    ['additionalOperations', name],
  ])
  return ([...fixed, ...further] as WrittenOperation[]).filter(([, value]) => value !== undefined)
}

/** The place of the path item of an operation. */
export function pathItemOf(at: DocumentPath): DocumentPath {
  return at.slice(0, at.at(-2) === 'additionalOperations' ? -2 : -1)
}

/** A place in a document: the keys from its root. */
export type DocumentPath = readonly (string | number)[]

/** A part of a file, or an offset in its text. */
export interface FilePlace {
  file: string
  at: DocumentPath | number
}

/** A part of a document, or of one of its files. */
export type Place = DocumentPath | FilePlace

export function isFilePlace(place: Place): place is FilePlace {
  return !Array.isArray(place)
}

/** The root member of a document that holds the other files, by name. */
export const filesMember = 'x-sandbox-files'

/** An error at a place of the document. `readDocument` finds the line. */
export class DocumentProblem extends Error {
  readonly path: Place

  constructor(message: string, path: Place) {
    super(message)
    this.path = path
  }
}

/** A document without an operation. */
export class EmptyDocument extends DocumentProblem {}

/** A value of the document with its place after resolving `$ref`s. */
export interface Located<T> {
  value: T
  path: DocumentPath
}

/** The schema of a media type, a parameter or a header. Without one, any value is valid. */
export function schemaOf({ value, path }: Located<{ schema?: Schema }>): Located<Schema> {
  return { value: value.schema ?? true, path: [...path, 'schema'] }
}

export function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && '$ref' in value && typeof value.$ref === 'string'
}
