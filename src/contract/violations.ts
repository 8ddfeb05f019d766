/** Says in words how a value breaks its schema: what, where, and what is allowed. */
import type { SchemaError, Validate, Violation } from './contract.js'

/** Bounds that stand for an integer format, with the words for them. */
export const int64End: number = 2 ** 63
const int64Words = 'an int64: from -9223372036854775808 to 9223372036854775807'

/** What a value must do by a keyword; `*` stands for the limit or its like, `s` after it for more than one. */
const demands: Record<string, [words: string, param?: string]> = {
  type: ['be *', 'type'],
  enum: ['be one of *', 'allowedValues'],
  const: ['be *', 'allowedValue'],
  minimum: ['be at least *'],
  maximum: ['be at most *'],
  exclusiveMinimum: ['be more than *'],
  exclusiveMaximum: ['be less than *'],
  multipleOf: ['be a multiple of *', 'multipleOf'],
  minLength: ['have at least * characters'],
  maxLength: ['have at most * characters'],
  minItems: ['have at least * items'],
  maxItems: ['have at most * items'],
  minProperties: ['have at least * properties'],
  maxProperties: ['have at most * properties'],
  uniqueItems: ['not have the same item twice'],
  pattern: ['match *', 'pattern'],
  format: ['be a valid *', 'format'],
  oneOf: ['match exactly one of the documented alternatives'],
  anyOf: ['match one of the documented alternatives'],
}

/**
 * Says one error as a sentence without a full stop.
 * @param place what `pathOf` leads to, in words
 * @param value what stands there, quoted where it is given
 */
export function describeSchemaError({ keyword, params }: SchemaError, place: string, value: unknown): string {
  if (keyword === 'required') return `${place} is required`
  const unknown = params['additionalProperty'] ?? params['unevaluatedProperty']
  if (unknown !== undefined) return `${join(place, String(unknown))} is not allowed`
  if (keyword === 'false schema') return `${place} is not allowed`
  const [words, param = 'limit'] = demands[keyword] ?? [`keep the rule "${keyword}" of the document`]
  const limit = params[param]
  const isInt64 = param === 'limit' && Math.abs(Number(limit)) === int64End
  const demand = isInt64 ? `be ${int64Words}` : words.replace('*', () => showLimit(keyword, limit))
  // One character is not "1 characters".
  const counted = limit === 1 ? demand.replace(/ies$|s$/, (plural) => (plural === 'ies' ? 'y' : '')) : demand
  const got = value === undefined ? '' : ` (got ${quote(value)})`
  // The journal keeps it: joined, it is one text in memory, and not the parts and how they hang together.
  return [place, ' must ', counted, got].join('')
}

function showLimit(keyword: string, limit: unknown): string {
  const limits: unknown[] = Array.isArray(limit) ? limit : [limit]
  return keyword === 'type' ? limits.map(withArticle).join(' or ') : limits.map(show).join(', ')
}

/**
 * Every way in which a body, a record or parameters break what a validator asks for, in the order of the document.
 * @param rounded the value as the validator sees it: see `ExactJson`
 * @param exact the value with every digit, which is what gets quoted
 * @param isParameters whether it is parameters, by where they stand and by name
 * @returns none where there is no validator
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
  // Of what is wrong at one place, these say the most: of its type nobody needs to hear then.
  const told = new Set(
    errors.map(({ keyword, instancePath }) => (keyword === 'enum' || keyword === 'const' ? instancePath : undefined)),
  )
  const violations = new Map<string, Violation>()
  for (const error of errors) {
    const { keyword } = error
    // What its branch says of an `if` is all that there is to say.
    if (keyword === 'if' ? errors.length > 1 : keyword === 'type' && told.has(error.instancePath)) continue
    const path = pathOf(error)
    const value = valueAt(exact, path)
    const place = isParameters ? (path.shift() as Violation['in']) : 'body'
    const at = toDottedPath(path)
    const words = isParameters ? `${place} parameter ${at}` : at || 'body'
    const message = describeSchemaError(error, words, value)
    if (violations.has(message)) continue
    violations.set(message, { in: place, at, rule: keyword, message })
  }
  return [...violations.values()]
}

function valueAt(root: unknown, path: string[]): unknown {
  let value = root
  for (const part of path) value = (value as Record<string, unknown> | undefined)?.[part]
  return value
}

/** Keys from the value that was judged to the one that an error is about (RFC 6901), even where that is missing. */
export function pathOf({ instancePath, keyword, params }: SchemaError): string[] {
  const path = instancePath.split('/').slice(1).map(unescapePointer)
  if (keyword === 'required') path.push(String(params['missingProperty']))
  return path
}

function unescapePointer(part: string): string {
  return part.includes('~') ? part.replaceAll('~1', '/').replaceAll('~0', '~') : part
}

function toDottedPath(path: string[]): string {
  return path.reduce((at, part) => (/^\d+$/.test(part) ? `${at}[${part}]` : join(at, part)), '')
}

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

/** A value as JSON, cut where it is long; what is big is only named. */
export function quote(value: unknown): string {
  if (typeof value === 'symbol') return value.description ?? ''
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (value === Infinity || value === -Infinity) return 'a number beyond 1.8e308'
  return shorten(typeof value === 'bigint' ? value.toString() : JSON.stringify(value))
}

/** A text for a message, cut where it is long. */
export function shorten(text: string): string {
  return text.length > maxQuoted ? `${text.slice(0, maxQuoted)}…` : text
}
