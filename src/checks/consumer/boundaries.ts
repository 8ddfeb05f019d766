/** The limits of a schema: bounds, lengths, and each value of an enum. */
import type { Located, OpenApiDocument, Schema, SchemaObject } from '../../document/document.js'
import { flattenSchema } from '../../schemas/flatten-schema.js'

export type Scalar = string | number | boolean

/** One limit that tests can reach. */
export interface Boundary {
  /** Follows the name of the parameter or property: `=100`, ` of 40 characters`. */
  label: string
  /** Absent for a length. */
  value?: Scalar
  /** Whether a JSON value, or the text of a parameter, is at this boundary. */
  isMetBy(value: unknown): boolean
}

/** Boundaries of a schema; for a list, those of its items. */
export function boundariesOf(document: OpenApiDocument, schema: Located<Schema>): Boundary[] {
  const whole = flattenSchema(document, schema)
  const flat = whole.types.has('array') && whole.items ? flattenSchema(document, whole.items) : whole
  const { keywords, types } = flat
  if (keywords.enum) return keywords.enum.filter(isScalar).map((value) => toValue(value))
  if (types.has('boolean')) return [toValue(true), toValue(false)]
  const bounds = [...new Set(boundsOf(keywords, types.has('integer')))].map((bound) => toValue(bound))
  const lengths = [...new Set([keywords.minLength ?? 0, keywords['maxLength']])].filter(isLength).map(toLength)
  return [...bounds, ...lengths]
}

/** For an exclusive bound of an integer, the nearest allowed integer. Fractions have no nearest value. */
function boundsOf(keywords: SchemaObject, isInteger: boolean): number[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = keywords
  const bounds = [
    minimum,
    isInteger && exclusiveMinimum !== undefined ? Math.floor(exclusiveMinimum) + 1 : undefined,
    maximum,
    isInteger && exclusiveMaximum !== undefined ? Math.ceil(exclusiveMaximum) - 1 : undefined,
  ]
  // A larger number cannot be written exactly in a document; it describes a format, not a limit of the service.
  return bounds.filter((bound): bound is number => bound !== undefined && Math.abs(bound) <= Number.MAX_SAFE_INTEGER)
}

function toValue(value: Scalar): Boundary {
  const text = String(value)
  const isSame = (sent: unknown) => typeof sent !== 'object' && String(sent) === text
  return { label: `=${text}`, value, isMetBy: typeof value === 'number' ? (sent) => isNumber(sent, value) : isSame }
}

/** `1.0` and `1e0` are 1, too. */
function isNumber(sent: unknown, value: number): boolean {
  return ['string', 'number', 'bigint'].includes(typeof sent) && sent !== '' && Number(sent) === value
}

/** A length of 0 is not a limit, as no text is shorter. */
function isLength(length: unknown): length is number {
  return typeof length === 'number' && length > 0
}

/** Counted in characters, as JSON Schema does (2020-12 validation, section 6.3.1). */
function toLength(length: number): Boundary {
  const words = `of ${length} character${length === 1 ? '' : 's'}`
  return {
    label: ` ${words}`,
    isMetBy: (sent) => typeof sent === 'string' && [...sent].length === length,
  }
}

function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'boolean'].includes(typeof value)
}
