/** The model of a compiled contract: what a service promises, as plain data and validators. */

import type { SamplerPlan } from '../json/sampler/sampler-plan.js'
import type { Shape } from '../json/shape.js'
import type { AnyDocument, DocumentTypes } from './document-types.js'
import type { DocumentedResponse, ErrorBody } from './documented-response.js'
import type {
  CreateEffect,
  Effect,
  EffectKind,
  EffectUse,
  FieldChange,
  FileUse,
  InnerList,
  TimeForm,
} from './effects/effect.js'
import type { Ensure } from './effects/ensure.js'
import type { HttpSemantics, ShownTag } from './http/http-semantics.js'
import type { Representation, XmlElement } from './http/representation.js'
import type { Forgiven, KeyWord, Parameter, RequestBody, Selector, TextType } from './request-model.js'
import type { ExpressionTemplate, RuntimeExpression } from './runtime-expression.js'
import type { Validate } from './validator.js'
import type { Webhook } from './webhook.js'

/**
 * What a service promises, compiled from its OpenAPI document.
 * @typeParam Types types of the document for TypeScript. @default none
 */
export interface Contract<Types extends DocumentTypes = AnyDocument> extends RequestContract {
  /** Only for TypeScript, never set. A method, so that a typed contract is assignable to an untyped one. */
  describes?(types: Types): void
  /** Paths in the document of the schemas of returned records. */
  recordSchemas: (readonly (string | number)[])[]
  /** Facts about records outside of their schemas, by collection. Absent if the document has none. */
  recordSources?: Record<string, RecordSource>
  /** Validators of `recordSchemas`, for data from users. */
  recordValidators: Validate[]
}

/** Facts about the records of a collection, for generated data. */
export interface RecordSource {
  /** The places with examples. */
  examples: ExamplePlace[]
  /** Paths of further schemas in which answers show records. */
  shownSchemas: (readonly (string | number)[])[]
  /** Texts that list filters allow, for properties whose own schema allows any text. */
  filterValues: Record<string, string[]>
}

/** A media type, or a path parameter, that may have examples. */
export interface ExamplePlace {
  /** Its path in the document. */
  path: readonly (string | number)[]
  /** The names and indexes that lead to the records in the value of the media type. */
  pointer: string[]
  /** The property of each list item that holds the record. Absent if the item is the record. */
  wrapper?: string
  /** Whether the example is a list of records, a record, a request body that creates one, or a key. */
  is: 'list' | 'record' | 'draft' | 'key'
}

/** The part of a contract that answering requests needs. Everything except `validators` is plain JSON data. */
export interface RequestContract {
  /** `info.title` */
  title: string
  /** `info.version` */
  version: string
  servers: Server[]
  /** Names of servers, each with that of the first server with the same data. Absent if no data is shared. */
  sharedServers?: [name: string, first: string][]
  operations: Operation[]
  collections: CollectionModel[]
  /** Security schemes by name (OpenAPI 3.1, section 4.8.27). */
  schemes: Record<string, SecurityScheme>
  /** Names of properties and parameters whose schemas have the format `password`. Absent if there are none. */
  secretNames?: string[]
  /** Absent if the document has no scheme of OAuth 2.0. */
  oauth?: OAuth
  /** Known properties, for pruning request bodies and writing responses. Number 0 accepts any value. */
  shapes: Shape[]
  /** Types of the values that requests write as text in parts: in styled parameters, forms and multipart bodies. */
  textTypes: TextType[]
  /** The error body for operations that document none. */
  errorBody: ErrorBody
  validators: Validate[]
  /** The numbers of the plans of records, by collection. A collection without one gets no made records. */
  recordPlans?: Record<string, number>
  /** Plans to make required values of responses that requests do not give. */
  plans: SamplerPlan[]
  /** How values are written as XML. Absent if none are. */
  xml?: XmlElement[]
  /** Names of documented headers that pages of other origins may read, each after `, `. Absent if there are no others. */
  exposed?: string
  /** Whether operations have entity tags, idempotency keys, `Location` and 406 even if the document describes none. */
  hasHttpSemantics?: true
  /** The callbacks and webhooks. Absent if nothing is sent. */
  webhooks?: Webhook[]
}

/** A server of the document, with its own address. */
export interface Server {
  /** `x-sandbox-name`, else a word of the description or the address that distinguishes it: `production` */
  name: string
  /** The documented address without a trailing slash, with the default values of its variables. */
  url: string
  /** Path of `url`: `/v1`, or an empty string at the root. */
  basePath: string
  /** Where the HTTP server mounts it: `basePath`, or `/<name><basePath>` if another server has that path. */
  mount: string
}

/** In upper case. A method of `additionalOperations` (OpenAPI 3.2) is as it is written. */
export type Method = string

export interface Operation {
  /** `operationId`, else `METHOD /path` */
  id: string
  method: Method
  /** The documented path: `/xs/{id}` */
  path: string
  /** The path with another end, with or without a slash. It means the same; only a sandbox that is not exact accepts it. */
  equivalentPath?: string
  /** Distinguishes its requests from those of other operations with the same method and path. */
  selector?: Selector
  /** Names of the servers that have this operation. */
  servers: string[]
  parameters: Parameter[]
  /** Number of the validator of the decoded path parameters, `{ path }`. Absent without path parameters. */
  validatePath?: number
  /** Number of the validator of the other decoded parameters, `{ query, header, cookie }`. Absent without them. */
  validateParameters?: number
  body?: RequestBody
  /** Violations that only an exact sandbox refuses. */
  forgiven?: Forgiven[]
  /** Words that stand for a key. Only a sandbox that is not exact knows them. */
  keyWords?: KeyWord[]
  /** Alternatives, each a list of schemes that are all required. Empty: no authentication. */
  security: string[][]
  /** Credentials may be sent, but need not be. */
  hasOptionalKey?: true
  responses: DocumentedResponse[]
  /** The status for a readable request that breaks the contract, if it is not the first documented one. */
  invalidStatus?: number
  /** The same for a conflict with a record that exists already. */
  conflictStatus?: number
  /** The same for its path. */
  invalidPath?: number
  lifecycle: Lifecycle
  effect: Effect
  /** What the operation is meant to do, where `effect` is only an example because no records are described. */
  means?: EffectKind
  /** Further media types of its success. Absent if there is no choice; empty if only 406 is documented. */
  representations?: Representation[]
  /** The property of the body that asks for a stream if it is true. */
  streamedBy?: string
  /** What it does with files, many records or HTTP headers in addition to its effect. Absent if nothing. */
  extras?: FileUse | EffectUse | HttpSemantics
  /** What a correction says of its answers. Absent if none does. */
  corrected?: CorrectedAnswers
}

/** What a correction says of the answers of an operation. */
export interface CorrectedAnswers {
  /** Headers of a success. A header with an expression that has no value is left out. */
  headers?: [name: string, value: ExpressionTemplate][]
  /** Those of an answer that is given again, because its idempotency key is known. */
  repeated?: [name: string, value: ExpressionTemplate][]
  /** Whether a form in the body has the query parameters, because the operation is that of a method without one. */
  isForm?: true
  /** Errors by reason: status, code in the documented body, or the whole body. */
  errors?: Record<string, { status?: number; code?: string; body?: BodyTemplate }>
}

/** JSON text with values in it. An expression inside of a text is written without its quotes. */
export type BodyTemplate = (string | { expression: RuntimeExpression | 'random' | 'now'; isInText: boolean })[]

export interface Lifecycle {
  deprecated: boolean
  /** Seconds since 1970 (RFC 9745). Absent if the document gives no date. */
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

export interface CollectionModel {
  /** The last segment of its path, `xs` of `/xs`. The whole path if the last segment is taken. */
  name: string
  /** The property that holds the key. */
  key: string
  /** Where records show a key that only paths have as a parameter: in `name` of `metadata`. */
  keyPointer?: string[]
  /** Whether the numbers of records begin at 1 below each owner. */
  isNumbered?: true
  /** How new keys are made. */
  keyKind: 'integer' | 'uuid' | 'string'
  /** Number of the plan that makes keys, if their schema allows only some integers or texts. */
  keyPlan?: number
  /** Names of the servers that have it, with all that share their data. */
  servers: string[]
  /** Other properties that name a record. They are searched if no record has the key. */
  otherKeys?: string[]
  /** Other properties that name a record, which the service makes when the record is created. */
  ownKeys?: OwnKey[]
  /** Keys of the objects in lists of its records. */
  nestedKeys?: NestedKey[]
  /** Properties that no two records below the same owners have the same value of. */
  unique?: UniqueProperty[]
  /**
   * Properties with the keys of the owners. They identify a record together with its key, because keys are only unique among
   * records with the same owners. Absent if keys are unique in the collection.
   */
  scope?: ScopePart[]
  /**
   * Properties that no body shows, with names in braces: keys that only paths have, such as `{bookId}`, and the key of a
   * record that exists once, `{}`.
   */
  hidden?: string[]
  /** Collections of records that its records refer to. */
  links?: Link[]
  /**
   * JSON text of a record. If present, every key has a record until it is removed, because no operation lists or creates
   * records and callers cannot know a key.
   */
  sample?: string
  /** Whether only records below accept any key of `sample`, because a list or a creation at another path shows keys. */
  isShown?: true
  /** Whether `sample` applies only below owners that have no records, because no operation adds any. */
  isSampledIfEmpty?: true
  /** Whether a change is dropped if the caller made up the key, that is, no list and no creation has returned it. */
  forgetsUnknown?: true
  /** Lists of objects, and values, that are the records below it. Absent if there are none. */
  parts?: PartList[]
  /** Times that a change of another property sets. Absent if there are none. */
  events?: FieldEvent[]
  /** Texts that are made from other values. Absent if there are none. */
  made?: MadeValue[]
  /** How its new records go on as time passes. Absent if only requests change them. */
  progress?: Progress
  /** Number of its record schema and validator. */
  record: number
  /** For a record that an operation writes. */
  ensure?: Ensure
  /** Absent if records show no entity tag. */
  tag?: ShownTag
}

/** The states of a job, which new records pass through as the clock of the world does. Those of the scenario stay as they are. */
export interface Progress {
  /** The property with the state. */
  property: string
  /** In their order. The last one is the end. */
  states: ProgressState[]
  /** The length of a step in milliseconds. */
  step: number
  /** The share of records that end in another state. Absent: none. */
  fails?: { share: number; value: string }
  /** In place of the states: those before, during and after the times of a record. */
  period?: Period
}

/** The state of a record by two of its times. */
export interface Period {
  /** The names that lead to the state. */
  pointer: string[]
  start: string
  end: string
  states: [before: string, during: string, after: string]
}

export interface ProgressState {
  value: string
  /** How many steps it lasts. */
  steps: number
  /** What else a record has from then on. A time is the one at which the state was reached. */
  sets: (FieldChange | ElapsedTime)[]
}

/** A property with the time since the job began: in seconds, milliseconds, or as an ISO 8601 duration such as `PT1.5S`. */
export interface ElapsedTime {
  property: string
  with: 'elapsed'
  as: 'seconds' | 'milliseconds' | 'duration'
}

/** Another key of a record, and how it is made. */
export interface OwnKey extends Pick<CollectionModel, 'keyKind' | 'keyPlan'> {
  property: string
}

/** The key that the service gives to the new objects in a list of a record. */
export interface NestedKey extends OwnKey {
  list: string
}

export interface UniqueProperty {
  property: string
  /** Values in examples of creations: records of the scenario may have them, too. */
  examples: unknown[]
}

/** A list that shows the records of a collection below a record. */
export interface PartList {
  property: string
  collection: string
  /** Whether it is one record, which exists once below each owner: the value, or `from` names the property that has it. */
  isSingle?: true
  from?: string
  /** Whether only requests have it, so that the record does not show it. */
  isSent?: true
  /** The list, if the property has an object around it. */
  inner?: InnerList
  /** How such a record is created alone. Absent if no operation does that. */
  creates?: CreateEffect
  /** Pairs of a property of these records and the property of the owner with the same value. */
  owners: [own: string, other: string][]
}

/** A text or a number that is made from other values of its record. */
export interface MadeValue {
  /** The properties that lead to it. */
  pointer: string[]
  /** Texts, and the properties that lead to values. */
  parts: (string | string[])[]
  /** The list whose length it is, instead. */
  counts?: string
  /** The property whose words a new record has there with hyphens, instead: `coastal-path` */
  slugOf?: string
  /** Whether it is a number that goes up with each change, instead. */
  isVersion?: true
}

/** A value of a property, and the time since when records have it, or how many have set it: `completed` and `completed_at`. */
export interface FieldEvent {
  property: string
  value: unknown
  /** The property with the time. It is removed, or null, if records have another value again. */
  time: string
  /** Whether it is no time: a number that goes up by one, and down if records have another value again. */
  isCount?: true
  /** How the time is written. @default as an RFC 3339 date-time */
  as?: TimeForm
  isNullable?: true
  /** Later states, which keep the time: an order that is approved was delivered. */
  kept?: unknown[]
}

/** A property whose value helps to identify a record. */
export interface ScopePart {
  property: string
  /** Whether records without the property belong to every owner, because no collection contains the owners. */
  isOpen?: true
}

/** How records refer to a record of another collection. */
export interface Link {
  collection: string
  /** Pairs of a property of the record and the property of the other record with the same value. */
  values: [own: string, other: string][]
  /** Whether the records belong to the other record and are removed with it. */
  isOwner?: true
  /** Whether the property has a list, which bodies show: of keys, or of objects. */
  isList?: 'keys' | 'records'
}

export type SecurityScheme =
  | { kind: 'bearer' }
  | { kind: 'basic' }
  | { kind: 'apiKey'; in: 'header' | 'query' | 'cookie'; name: string }
  /** Any other scheme of HTTP, e.g. Digest. */
  | { kind: 'http'; scheme: string }

/** Facts of a document about OAuth 2.0 tokens. */
export interface OAuth {
  /** Paths of documented token endpoints on its servers, relative to the base if below it. None belongs to an operation. */
  tokenPaths: string[]
  /** The scopes of all flows. */
  scopes: string[]
}
