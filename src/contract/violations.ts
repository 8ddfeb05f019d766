/** Says in words how a value breaks its schema: what, where, and what is allowed. */
import type { SchemaError, Violation } from './contract.js'

/** Bounds that stand for an integer format, with the words for them. */
export const int64End: number = 2 ** 63
const int64Words = 'an int64: from -9223372036854775808 to 9223372036854775807'

/** Says one error as a sentence without a full stop; `value` is quoted where it is given. */
export function describeSchemaError(error: SchemaError, place: string, value: unknown): string {
  const { params } = error
  const got = value === undefined ? '' : ` (got ${quote(value)})`
  const must = (rest: string) => `${place} must ${rest}${got}`
  switch (error.keyword) {
    case 'required':
      return `${join(place, String(params['missingProperty']))} is required`
    case 'type':
      return must(`be ${[params['type']].flat().map(withArticle).join(' or ')}`)
    case 'enum':
      return must(`be one of ${(params['allowedValues'] as unknown[]).map(show).join(', ')}`)
    case 'const':
      return must(`be ${show(params['allowedValue'])}`)
    case 'minimum':
      return must(params['limit'] === -int64End ? `be ${int64Words}` : `be at least ${params['limit']}`)
    case 'maximum':
      return must(`be at most ${params['limit']}`)
    case 'exclusiveMinimum':
      return must(`be more than ${params['limit']}`)
    case 'exclusiveMaximum':
      return must(params['limit'] === int64End ? `be ${int64Words}` : `be less than ${params['limit']}`)
    case 'multipleOf':
      return must(`be a multiple of ${params['multipleOf']}`)
    case 'minLength':
      return must(`have at least ${count(params['limit'], 'character')}`)
    case 'maxLength':
      return must(`have at most ${count(params['limit'], 'character')}`)
    case 'minItems':
      return must(`have at least ${count(params['limit'], 'item')}`)
    case 'maxItems':
      return must(`have at most ${count(params['limit'], 'item')}`)
    case 'uniqueItems':
      return must('not have the same item twice')
    case 'minProperties':
      return must(`have at least ${params['limit']} properties`)
    case 'maxProperties':
      return must(`have at most ${params['limit']} properties`)
    case 'pattern':
      return must(`match ${params['pattern']}`)
    case 'format':
      return must(`be a valid ${params['format']}`)
    case 'additionalProperties':
      return `${join(place, String(params['additionalProperty']))} is not allowed`
    case 'unevaluatedProperties':
      return `${join(place, String(params['unevaluatedProperty']))} is not allowed`
    case 'false schema':
      return `${place} is not allowed`
    case 'oneOf':
      return must(`match exactly one of the ${place === 'body' ? '' : 'documented '}alternatives`)
    case 'anyOf':
      return must('match one of the documented alternatives')
    default:
      return must(`keep the rule "${error.keyword}" of the document`)
  }
}

/**
 * All violations of a body or of parameters, in the order of the document.
 * @param exact the value with every digit, which is what gets quoted
 */
export function toViolations(errors: readonly SchemaError[], exact: unknown, isParameters: boolean): Violation[] {
  const kept = errors.filter((error) => !followsFromOthers(error, errors))
  const violations = kept.map((error): Violation => {
    const path = error.instancePath.split('/').slice(1).map(unescapePointer)
    const value = valueAt(exact, path)
    const place = isParameters ? (path.shift() as Violation['in']) : 'body'
    const at = toDottedPath(path)
    const words = isParameters ? `${place} parameter ${at}`.trimEnd() : at === '' ? 'body' : at
    const missing = error.keyword === 'required' ? String(error.params['missingProperty']) : undefined
    return {
      in: place,
      at: missing === undefined ? at : join(at, missing),
      rule: error.keyword,
      message:
        isParameters && missing !== undefined
          ? `${place} parameter ${missing} is required`
          : describeSchemaError(error, missing !== undefined && at === '' ? '' : words, value),
    }
  })
  return violations.filter(
    (violation, index) => violations.findIndex((other) => other.message === violation.message) === index,
  )
}

/** What another error at the same place says better: a type beside an enum, an `if` beside what its branch says. */
function followsFromOthers({ keyword, instancePath }: SchemaError, errors: readonly SchemaError[]): boolean {
  if (keyword === 'if') return errors.length > 1
  const isTold = (other: SchemaError) =>
    ['enum', 'const'].includes(other.keyword) && other.instancePath === instancePath
  return keyword === 'type' && errors.some(isTold)
}

function valueAt(root: unknown, path: string[]): unknown {
  let value = root
  for (const part of path) value = (value as Record<string, unknown> | undefined)?.[part]
  return value
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
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

function count(limit: unknown, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? '' : 's'}`
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
