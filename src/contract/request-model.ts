/** How requests are written: parameters, bodies and their types, as plain data. */

/** A parameter, with its only value if it has one. */
export interface Selector {
  in: 'query' | 'header'
  name: string
  value?: string
  /** Further parameters that the operation requires, to choose among operations with the same selector. */
  others?: Selector[]
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

/** How an array, an object or another structured value is written in a request. */
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
  /** Number of the validator of the value. Present if a text may be a value of several types, of which it accepts one. */
  validate?: number
  /** Whether the text may be in quotes that do not belong to the value, such as an idempotency key. */
  isQuotable?: true
}

/**
 * The styles of OpenAPI 3.2 (section 4.12.2), and styles for parameters with `content`: the text of one parameter or the
 * whole query, as JSON or as a form.
 */
export type StyleName =
  | 'simple'
  | 'label'
  | 'matrix'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'tabDelimited'
  | 'deepObject'
  | 'cookie'
  | 'json'
  | 'urlencoded'
  | 'query-json'
  | 'query-form'

/** The types of a value written as text, and of its parts. */
export interface TextType {
  /** JSON types that its schema allows. Text is decoded to the first type that fits. Empty: it stays text. */
  types: JsonType[]
  /** Number of the type of the items of an array. */
  items?: number
  /** What separates the items of an array in one text. */
  separator?: string
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
  /** One entry for each media type. Media types come before the ranges that include them. */
  content: BodyContent[]
  /** Media types that mean the same as documented ones. Only a sandbox that is not exact accepts them. */
  equivalents?: BodyContent[]
}

/**
 * A violation that the document itself explains: a required value that has a default, or a format that no example has. Only a
 * sandbox that is not exact forgives it.
 */
export interface Forgiven {
  in: 'body' | ParameterPlace
  /** Its place as in a violation, with `[]` for each index. */
  at: string
  rule: 'required' | 'format' | 'type'
  /** The property of the body that must have the value of the parameter instead. */
  instead?: string
  /** Whether a file must be sent, under whatever name. */
  isFile?: true
}

/** Words that stand for the key of a record, which the description of a parameter names: `me`, `last-used` */
export interface KeyWord {
  parameter: string
  words: string[]
  collection: string
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
  /** How form fields with an `encoding` are written. Others are written as most clients do. */
  styles?: Record<string, ValueStyle>
  /** Media types of the parts of a multipart body, if the document lists them. */
  partTypes?: Record<string, { mediaType: string }[]>
}

/**
 * The codec of a media type: JSON (RFC 8259), JSON Merge Patch (RFC 7396), JSON Patch (RFC 6902), forms, multipart
 * bodies, text, and `binary` for all others. Implemented in `media`.
 */
export type CodecName = 'json' | 'merge-patch' | 'json-patch' | 'form' | 'multipart' | 'text' | 'binary'
