/** The words of a compiled contract: what a service promises, as plain data and validators, ready to be looked up. */
import type { Shape } from '../json/shape.js'

/** What a service promises, compiled from its OpenAPI document. */
export interface Contract extends RequestContract {
  /** Where the schemas of records as they are returned stand in the document. */
  recordSchemas: (readonly (string | number)[])[]
  /** Judge records by those schemas; for data that users bring. */
  recordValidators: Validate[]
}

/** What is needed to answer requests. Everything but `validators` is plain JSON data. */
export interface RequestContract {
  /** `info.title` */
  title: string
  /** `info.version` */
  version: string
  servers: Server[]
  operations: Operation[]
  collections: CollectionModel[]
  /** Security schemes by name (OpenAPI 3.1, section 4.8.27). */
  schemes: Record<string, SecurityScheme>
  /** Which properties are known, for pruning what comes in and writing what goes out; number 0 is "anything". */
  shapes: Shape[]
  /** How a refusal looks where the operation documents none. */
  errorBody: ErrorBody
  validators: Validate[]
}

/** A server of the document: an address of its own, with collections of its own. */
export interface Server {
  /** e.g. `production`; `x-sandbox-name`, else the first word of the description, else the first label of the host */
  name: string
  /** The documented address without a trailing slash, variables at their defaults. */
  url: string
  /** Path of `url`: `/v1`, or the empty string at the root. */
  basePath: string
  /** Where the HTTP server mounts it: `basePath`, or `/<name><basePath>` where another server has that already. */
  mount: string
}

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE' | 'OPTIONS' | 'HEAD' | 'PATCH' | 'TRACE'

export interface Operation {
  /** `operationId`, else `METHOD /path` */
  id: string
  method: Method
  /** The documented path: `/xs/{id}` */
  path: string
  /** Names of the servers that have this operation. */
  servers: string[]
  parameters: Parameter[]
  /** Validator of the decoded path parameters, `{ path }`; absent where there are none. */
  validatePath?: number
  /** Validator of the other decoded parameters, `{ query, header, cookie }`; absent where there are none. */
  validateParameters?: number
  body?: RequestBody
  /** Any one of these suffices; each names schemes that are all needed. Empty: open to everyone. */
  security: string[][]
  responses: DocumentedResponse[]
  lifecycle: Lifecycle
  effect: Effect
}

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie'

export interface Parameter {
  name: string
  in: ParameterPlace
  required: boolean
  /** JSON types its schema allows; text is decoded to the first that it can be read as. */
  types: JsonType[]
  /** For a list: what stands between the items, or `repeat` for a parameter given once per item. */
  list?: { separator: ',' | ' ' | '|' | 'repeat'; itemTypes: JsonType[] }
  /** Used where the parameter is absent. */
  default?: unknown
}

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'array' | 'object'

export interface RequestBody {
  required: boolean
  /** By media type, in lower case, without parameters; a body whose media type has no codec is not among them. */
  content: BodyContent[]
}

/** How a body of one media type is read. */
export interface BodyContent {
  /** In lower case, without parameters, e.g. `application/json`; the full wildcard accepts any media type. */
  mediaType: string
  /** What decodes it. */
  codec: CodecName
  /** Number of the validator of the decoded value. */
  validate: number
  /** Number of the shape that is kept of a valid value. */
  shape: number
}

/**
 * What decodes a media type: JSON (RFC 8259), JSON Merge Patch (RFC 7396) or JSON Patch (RFC 6902). The implementations
 * are in `media`.
 */
export type CodecName = 'json' | 'merge-patch' | 'json-patch'

export interface DocumentedResponse {
  /** `200`, a range such as `4XX`, or `default` */
  status: string
  /** Of the example. */
  mediaType?: string
  /** What a refusal with this status looks like, where that is not the common one. */
  error?: ErrorBody
  /** A body made from the document's examples and schema, as JSON text; for answers forced by the caller. */
  example?: string
}

/** What a refusal looks like. */
export interface ErrorBody {
  mediaType: string
  fields: ErrorField[]
}

/** A property of an error body, with where its value comes from. */
export type ErrorField =
  | { name: string; from: 'code' | 'message' | 'status' }
  | { name: string; from: 'constant'; value: unknown }
  | { name: string; from: 'fields'; fields: ErrorField[] }

export interface Lifecycle {
  deprecated: boolean
  /** Seconds since 1970 (RFC 9745); 0 where the document gives no date. */
  deprecatedSince?: number
  /** Milliseconds since 1970: from this instant on the operation is removed (RFC 8594). */
  sunset?: number
  successor?: Successor
  stability?: string
}

/** The operation that replaces a deprecated one. */
export interface Successor {
  method: Method
  /** The documented path. */
  path: string
  /** The path as a URI reference, for a `Link` header; absent if it has parameters. */
  link?: string
  /** Query parameters that filter its list. */
  filters: string[]
}

/** What an operation does to the state. */
export type Effect = ListEffect | CreateEffect | KeyedEffect | ExampleEffect | UndescribedEffect

export type EffectKind = Effect['kind']

/** How success is answered. */
export interface Success {
  status: number
  /** Absent where success has no body. */
  mediaType?: string
}

export interface ListEffect extends Success {
  kind: 'list'
  collection: string
  /** Shape of one record. */
  shape: number
  filters: ListFilter[]
  /** The query parameter that bounds the number of records; without it, all are returned. */
  limit?: string
  /** The page size if the request gives none. */
  defaultLimit?: number
  /** The object that the list stands in, property by property; absent where the answer is the array itself. */
  envelope?: EnvelopeField[]
}

/** A query parameter that selects records by the value of a property. */
export interface ListFilter {
  parameter: string
  property: string
  /** JSON types of the property: a value of the parameter is compared as one of them. */
  types: JsonType[]
  /** The value if the request gives none. */
  default?: unknown
}

/** A property of the object around a list; one of them is the list itself. */
export interface EnvelopeField {
  name: string
  /** The records, how many match, how many are given, whether more match than are given, or a constant. */
  from: 'records' | 'total' | 'count' | 'more' | 'constant'
  value?: unknown
}

export interface CreateEffect extends Success {
  kind: 'create'
  collection: string
  shape: number
  fills: Fill[]
}

export interface KeyedEffect extends Success {
  kind: 'read' | 'replace' | 'update' | 'remove'
  collection: string
  /** The path parameter that holds the key. */
  parameter: string
  shape: number
  /** What the service itself writes: kept on replace and update, or written anew. */
  fills: Fill[]
  /** Number of the validator that a patched record must satisfy; only for an update that takes patches. */
  validatePatched?: number
}

/** A property that the service fills: with the next key, the time of the world's clock, or a constant. */
export interface Fill {
  property: string
  with: 'key' | 'now' | 'constant'
  value?: unknown
  /** Only the service writes it: replace keeps what is there. Else it is the default of what a caller may leave out. */
  owned?: boolean
  /** Written anew by each replace and update. */
  again?: boolean
}

export interface ExampleEffect extends Success {
  kind: 'example'
  /** JSON text, made when the document is compiled. */
  body?: string
}

/** Success is not described. */
export interface UndescribedEffect {
  kind: 'undescribed'
}

export interface CollectionModel {
  /** The last segment of its path, `xs` of `/xs`; the whole path where two end alike. */
  name: string
  /** The property that holds the key. */
  key: string
  /** How new keys are made. */
  keyKind: 'integer' | 'uuid' | 'string'
  servers: string[]
  /** Number of its record schema and validator. */
  record: number
}

export type SecurityScheme =
  | { kind: 'bearer' }
  | { kind: 'basic' }
  | { kind: 'apiKey'; in: 'header' | 'query' | 'cookie'; name: string }

/** A compiled JSON Schema validator: says whether the value is valid and leaves the errors on itself. */
export interface Validate {
  (value: unknown): boolean
  errors?: SchemaError[] | null
}

/** An error as Ajv reports it. */
export interface SchemaError {
  instancePath: string
  keyword: string
  params: Record<string, unknown>
}

/** One way in which a request breaks the contract. */
export interface Violation {
  /** Where: the body, or the kind of parameter. */
  in: 'body' | ParameterPlace
  /** Name or dotted path of the value; empty for the whole body. */
  at: string
  /** The JSON Schema keyword that is not kept, e.g. `required`, `enum`. */
  rule: string
  /** What is wrong and what is allowed, in words. */
  message: string
}
