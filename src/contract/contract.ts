/** The model of a compiled contract: what a service promises, as plain data and validators. */

import type { FillPlan } from '../json/fill-plan.js'
import type { Shape } from '../json/shape.js'
import type { DocumentedResponse, ErrorBody } from './documented-response.js'
import type { Ensure } from './ensure.js'
import type { Validate } from './validator.js'

/** What a service promises, compiled from its OpenAPI document. */
export interface Contract extends RequestContract {
  /** Paths in the document of the schemas of returned records. */
  recordSchemas: (readonly (string | number)[])[]
  /** Validators of those schemas, for data from users. */
  recordValidators: Validate[]
}

/** The part of a contract that answering requests needs. Everything except `validators` is plain JSON data. */
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
  /** Absent if the document has no scheme of OAuth 2.0. */
  oauth?: OAuth
  /** Known properties, for pruning request bodies and writing responses. Number 0 accepts any value. */
  shapes: Shape[]
  /** Types of the values that requests write as text in parts: in styled parameters, forms and multipart bodies. */
  textTypes: TextType[]
  /** The error body of an operation that documents none. */
  errorBody: ErrorBody
  validators: Validate[]
  /** How to make values that responses require and requests do not give. */
  plans: FillPlan[]
}

/** A server of the document, with its own address and collections. */
export interface Server {
  /** `x-sandbox-name`, else the first word of the description, else the first label of the host: `production` */
  name: string
  /** The documented address without a trailing slash, with the default values of its variables. */
  url: string
  /** Path of `url`: `/v1`, or an empty string at the root. */
  basePath: string
  /** Where the HTTP server mounts it: `basePath`, or `/<name><basePath>` if another server has that path. */
  mount: string
}

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE' | 'OPTIONS' | 'HEAD' | 'PATCH' | 'TRACE'

export interface Operation {
  /** `operationId`, else `METHOD /path` */
  id: string
  method: Method
  /** The documented path: `/xs/{id}` */
  path: string
  /** What requests for it have, if other operations have its method and path, too. */
  selector?: Selector
  /** Names of the servers that have this operation. */
  servers: string[]
  parameters: Parameter[]
  /** Number of the validator of the decoded path parameters, `{ path }`. Absent without path parameters. */
  validatePath?: number
  /** Number of the validator of the other decoded parameters, `{ query, header, cookie }`. Absent without them. */
  validateParameters?: number
  body?: RequestBody
  /** Alternatives, each a list of schemes that are all required. Empty: no authentication. */
  security: string[][]
  responses: DocumentedResponse[]
  lifecycle: Lifecycle
  effect: Effect
  /** What it does with uploaded files, besides its effect. Absent if nothing. */
  file?: FileUse
}

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

/** A parameter, with its only value if it has one. */
export interface Selector {
  in: 'query' | 'header'
  name: string
  value?: string
}

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie'

export interface Parameter {
  name: string
  in: ParameterPlace
  required: boolean
  /** JSON types that its schema allows. Text is decoded to the first type that fits. */
  types: JsonType[]
  /** How the value is written, if it is not just one text. */
  style?: ParameterStyle
  /** Used if the parameter is absent. */
  default?: unknown
}

/** How an array, an object or another value with a syntax is written in a request. */
export interface ValueStyle {
  name: StyleName
  /** Whether each item or property is written on its own. */
  explode: boolean
  /** Number of the text type of the value. */
  type: number
}

export interface ParameterStyle extends ValueStyle {
  /** Whether an empty text is the same as none (`allowEmptyValue`). */
  isEmptyNone?: true
}

/**
 * The styles of OpenAPI 3.2 (section 4.12.2). The others are those of parameters with `content`: the text of one, or the
 * whole query, as JSON or as a form.
 */
export type StyleName =
  | 'simple'
  | 'label'
  | 'matrix'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject'
  | 'cookie'
  | 'json'
  | 'urlencoded'
  | 'query-json'
  | 'query-form'

/** The types of a value that is written as text, and of its parts. */
export interface TextType {
  /** JSON types that its schema allows. Text is decoded to the first type that fits. Empty: it stays text. */
  types: JsonType[]
  /** Number of the type of the items of an array. */
  items?: number
  /** Properties of an object, each with the number of its type. */
  properties?: [name: string, type: number][]
  /** Number of the type of all other properties. Absent if the schema names no others. */
  others?: number
  /** Whether a part of a multipart body is kept as bytes. */
  isBinary?: true
}

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'array' | 'object'

export interface RequestBody {
  required: boolean
  /** One entry for each media type: before ranges, the media types in them. */
  content: BodyContent[]
}

/** How to read a body of one media type. */
export interface BodyContent {
  /** In lower case, without parameters, e.g. `application/json`, or a range, e.g. `image/*` or `application/*+json`. */
  mediaType: string
  codec: CodecName
  /** Number of the validator of the decoded value. */
  validate: number
  /** Number of the shape that valid values are pruned to. */
  shape: number
  /** Number of the text type of the whole value. For forms, multipart bodies and text. */
  textType?: number
  /** How fields of a form are written that have an `encoding`. Others are written as most clients do. */
  styles?: Record<string, ValueStyle>
}

/**
 * The codec of a media type: JSON (RFC 8259), JSON Merge Patch (RFC 7396), JSON Patch (RFC 6902), forms, multipart
 * bodies, text, and `binary` for all others. Implemented in `media`.
 */
export type CodecName = 'json' | 'merge-patch' | 'json-patch' | 'form' | 'multipart' | 'text' | 'binary'

export interface Lifecycle {
  deprecated: boolean
  /** Seconds since 1970 (RFC 9745). 0 if the document gives no date. */
  deprecatedSince?: number
  /** Milliseconds since 1970. The operation is removed from this instant on (RFC 8594). */
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

export interface CollectionModel {
  /** The last segment of its path, `xs` of `/xs`. The whole path if the last segment is taken. */
  name: string
  /** The property that holds the key. */
  key: string
  /** How new keys are made. */
  keyKind: 'integer' | 'uuid' | 'string'
  /** Number of the plan that makes keys, if their schema allows only some integers or texts. */
  keyPlan?: number
  servers: string[]
  /**
   * JSON text of a record. If it is there, every key has a record until it is removed: no operation lists or creates
   * records, so that nobody could know a key.
   */
  sample?: string
  /** Number of its record schema and validator. */
  record: number
  /** For a record that an operation writes. */
  ensure?: Ensure
}

export type SecurityScheme =
  | { kind: 'bearer' }
  | { kind: 'basic' }
  | { kind: 'apiKey'; in: 'header' | 'query' | 'cookie'; name: string }
  /** Any other scheme of HTTP, e.g. Digest. */
  | { kind: 'http'; scheme: string }

/** What a document says about tokens of OAuth 2.0. */
export interface OAuth {
  /** Paths of documented token endpoints on its servers, below the base if they are there. None is that of an operation. */
  tokenPaths: string[]
  /** The scopes of all flows. */
  scopes: string[]
}

/** One way in which a request breaks the contract. */
export interface Violation {
  /** The body, or the kind of parameter. */
  in: 'body' | ParameterPlace
  /** Name or dotted path of the value. Empty for the whole body. */
  at: string
  /**
   * The violated JSON Schema keyword, e.g. `required` or `enum`. `repeated` for a parameter sent more than once;
   * `unlisted` for the last of too many, whose message counts the others.
   */
  rule: string
  /** What is wrong and what is allowed, as a sentence without a full stop. */
  message: string
}
