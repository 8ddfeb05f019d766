/** Describes how a value violates its schema: what, where, and what is allowed. */

import type { ParameterPlace } from './request-model.js'
import type { SchemaError, Validate } from './validator.js'

/** One way in which a request breaks the contract. */
export interface Violation {
  /** The body, or the kind of parameter. */
  in: 'body' | ParameterPlace
  /** Name or dotted path of the value. Empty for the whole body. */
  at: string
  /** The names and indexes in `at`, if one of them has dots or brackets. */
  path?: readonly string[]
  /**
   * The violated JSON Schema keyword, e.g. `required` or `enum`. `repeated` for a parameter sent more than once; `patch`
   * for an operation of a JSON Patch that cannot be applied; `unlisted` for the last entry, which counts the rest.
   */
  rule: string
  /** What is wrong and what is allowed, as a sentence without a full stop. */
  message: string
}

/**
 * What an error is about, the most specific first. An invalid request lacks required values alone, has nothing wrong but parameters,
 * or its body cannot be read, so that there are no violations.
 * @example reasonsOf('invalid_request', [{ in: 'query', at: 'limit', rule: 'type', message: '' }]) // ['invalid_parameter', 'invalid_request']
 */
export function reasonsOf(reason: string, violations: readonly Violation[] = []): string[] {
  if (reason !== 'invalid_request') return [reason]
  const isAll = (test: (each: Violation) => boolean) => violations.length > 0 && violations.every(test)
  return [
    ...(violations.length === 0 ? ['invalid_syntax'] : []),
    ...(isAll(({ rule }) => rule === 'required') ? ['missing_value'] : []),
    ...(isAll((each) => each.in !== 'body') ? ['invalid_parameter'] : []),
    reason,
  ]
}

/** The sent body, used to find the part of the document that it violates. */
export interface SentBody {
  contentType: string | undefined
  /** The JSON value. Undefined for other media types. */
  value: unknown
}

/** The bound that replaces the format `int64`, and its description. */
export const int64End: number = 2 ** 63
const int64Words = `an int64: from -${2n ** 63n} to ${2n ** 63n - 1n}`

/** The requirement of each keyword. `*` is replaced by its value; a plural ending is cut if that is 1. */
const requirements: Record<string, string> = {
  type: 'be *',
  enum: 'be one of *',
  const: 'be *',
  minimum: 'be at least *',
  maximum: 'be at most *',
  exclusiveMinimum: 'be more than *',
  exclusiveMaximum: 'be less than *',
  multipleOf: 'be a multiple of *',
  minLength: 'have at least * characters',
  maxLength: 'have at most * characters',
  minItems: 'have at least * items',
  maxItems: 'have at most * items',
  minProperties: 'have at least * properties',
  maxProperties: 'have at most * properties',
  uniqueItems: 'not have the same item twice',
  pattern: 'match *',
  format: 'be a valid *',
  oneOf: 'match exactly one alternative',
}

/**
 * Describes one error as a sentence without a full stop.
 * @param place name of the place that `pathOf` returns
 * @param value the value there, to be quoted; undefined quotes nothing
 */
export function describeSchemaError({ keyword, params }: SchemaError, place: string, value: unknown): string {
  if (keyword === 'required') return `${place} is required`
  const unknown = params['additionalProperty'] ?? params['unevaluatedProperty']
  if (unknown !== undefined) return `${join(place, shorten(String(unknown)))} is not allowed`
  if (keyword === 'false schema') return `${place} is not allowed`
  const words = requirements[keyword] ?? `satisfy "${keyword}"`
  const { limit: bound, allowedValues = bound, allowedValue = allowedValues, [keyword]: limit = allowedValue } = params
  const isInt64 = bound === int64End || bound === -int64End
  const requirement = isInt64 ? `be ${int64Words}` : words.split('*').join(showLimit(keyword, limit))
  // Says "1 character", not "1 characters".
  const counted = limit === 1 ? requirement.replace(/(ie)?s$/, (_, isVowel) => (isVowel ? 'y' : '')) : requirement
  const got = value === undefined ? '' : ` (got ${quote(value)})`
  // The journal keeps the message. `join` makes one flat string, which takes less memory than a concatenation.
  return [place, ' must ', counted, got].join('')
}

/** Maximum values of an enum that a message has. */
const maxValues = 5

function showLimit(keyword: string, limit: unknown): string {
  const isType = keyword === 'type'
  if (!Array.isArray(limit)) return isType ? withArticle(limit) : show(limit)
  if (isType) return limit.map(withArticle).join(' or ')
  const more = limit.length - maxValues
  return `${limit.slice(0, maxValues).map(show).join(', ')}${more > 0 ? ` or ${more.toLocaleString('en')} other${more > 1 ? 's' : ''}` : ''}`
}

/**
 * Returns every violation of a body, a record or parameters, in the order of the schema.
 * @param rounded the value that the validator sees: see `ExactJson`
 * @param exact the value with every digit, for quoting
 * @param isParameters whether the value holds parameters by place and name
 * @returns an empty array without a validator; from the 21st on, one entry counts the rest
 */
export function judge(
  validate: Validate | undefined,
  rounded: unknown,
  exact: unknown,
  isParameters: boolean,
): Violation[] {
  return !validate || validate(rounded) ? [] : toViolations(validate.errors ?? [], exact, isParameters)
}

function toViolations(errors: readonly SchemaError[], exact: unknown, isParameters: boolean): Violation[] {
  // A violation of `enum` or `const` says more than a wrong type at the same place.
  const constrained = new Set<string>()
  for (const { keyword, instancePath } of errors) {
    if (keyword === 'enum' || keyword === 'const') constrained.add(instancePath)
  }
  // There are few, so searching is faster than a map.
  const violations: Violation[] = []
  let described = 0
  let more = 0
  for (const error of errors) {
    const { keyword } = error
    // The errors of the failed branch already describe a failed `if`.
    if (keyword === 'if' ? errors.length > 1 : keyword === 'type' && constrained.has(error.instancePath)) continue
    if (violations.length === maxListed || ++described > maxDescribed) {
      more++
      continue
    }
    const path = pathOf(error)
    const value = valueAt(exact, path)
    const place = isParameters ? (path.shift() as Violation['in']) : 'body'
    // Shortens a long path in the middle, because the indexes at its end identify it.
    const whole = toDottedPath(path)
    const at = whole.length < 200 ? whole : `${whole.slice(0, 99)}…${whole.slice(-99)}`
    const words = isParameters ? `${place} parameter ${at}` : at || 'body'
    const message = describeSchemaError(error, words, value) + (error.params['closest'] ?? '')
    if (violations.some((each) => each.message === message)) continue
    const violation: Violation = { in: place, at, rule: keyword, message }
    if (at === whole && /[.[\]]/.test(path.join())) violation.path = path
    violations.push(violation)
  }
  const place = isParameters ? 'query' : 'body'
  if (more > 0) violations.push({ in: place, at: '', rule: 'unlisted', message: andMore(more) })
  return violations
}

/** Maximum number of listed violations. The validator may report one for each of a million wrong items. */
export const maxListed = 20

/** Maximum number of described violations: more than listed, because several may have the same message. */
const maxDescribed = 1000

/** The message for violations that are not listed. */
export function andMore(count: number): string {
  return `and ${count.toLocaleString('en')} more`
}

function valueAt(root: unknown, path: string[]): unknown {
  return path.reduce((value, part) => (value as Record<string, unknown> | undefined)?.[part], root)
}

/** Keys from the validated value to the value that an error is about, even if that is missing (RFC 6901). */
export function pathOf({ instancePath, keyword, params }: SchemaError): string[] {
  const parts = instancePath.split('/').slice(1)
  const isEscaped = instancePath.includes('~')
  const path = isEscaped ? parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')) : parts
  if (keyword === 'required') path.push(String(params['missingProperty']))
  return path
}

function toDottedPath(path: string[]): string {
  return path.reduce((place, part) => (isIndex.test(part) ? `${place}[${part}]` : join(place, part || '""')), '')
}

const isIndex = /^\d+$/

function join(place: string, name: string): string {
  return place === '' || place === 'body' ? name : `${place}.${name}`
}

function withArticle(type: unknown): string {
  if (type === 'null') return 'null'
  return /^[aeiou]/.test(String(type)) ? `an ${type}` : `a ${type}`
}

function show(value: unknown): string {
  return typeof value === 'string' ? value : quote(value)
}

const maxQuoted = 100

/** A value as JSON for a message. Long text is cut; arrays and objects are only named. */
export function quote(value: unknown): string {
  if (typeof value === 'symbol') return shorten(value.description ?? '')
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (value === Infinity || value === -Infinity) return 'a number beyond 1.8e308'
  return shorten(`${typeof value === 'bigint' ? value : JSON.stringify(value)}`)
}

/** Cuts long text for a message. */
export function shorten(text: string): string {
  return text.length > maxQuoted ? `${text.slice(0, maxQuoted)}…` : text
}
