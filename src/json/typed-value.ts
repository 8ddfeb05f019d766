/** Converts a scalar to the type in which it is compared: `"12"` matches the integer 12, and 12 the string `"12"`. */
import { toExactInteger } from './exact-json.js'

/** Excludes -0, because a key has only one spelling. */
const integer = /^(?:0|-?[1-9]\d*)$/
const anyNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** One spelling per number: not `1.0`, `01` or `+1` (RFC 8259, section 6, without an exponent). */
const canonicalNumber = /^-?(?:0|[1-9]\d*)\.\d*[1-9]$/

/**
 * Converts the value to one of the types if its text is the canonical spelling of that type. Otherwise returns it unchanged.
 * @param types JSON types, the preferred one first
 *
 * @example
 * toTyped('12', ['integer']) // 12
 * toTyped('012', ['integer']) // '012'
 * toTyped(12, ['string']) // '12'
 */
export function toTyped(value: unknown, types: readonly string[]): unknown {
  if (typeof value === 'string') return types.includes('string') ? value : decodeText(value, types, canonicalNumber)
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  if (isNumber && (types.includes('integer') || types.includes('number'))) return value
  if (typeof value === 'boolean' && types.includes('boolean')) return value
  return (isNumber || typeof value === 'boolean') && types.includes('string') ? String(value) : value
}

/**
 * Reads the text as the first matching type. Other text stays text, and a validator refuses it.
 * @param number the spellings of numbers. @default those of JSON, where `null` is null
 */
export function decodeText(text: string, types: readonly string[], number: RegExp = anyNumber): unknown {
  for (const type of types) {
    if ((type === 'integer' || type === 'number') && integer.test(text)) return toExactInteger(text)
    if (type === 'number' && number.test(text)) return Number(text)
    if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
    if (type === 'null' && text === 'null' && number === anyNumber) return null
    if (type === 'string') return text
  }
  return text
}

/** Whether a value is of a type of JSON Schema. @example isOfType(1, 'integer') // true */
export function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  if (typeof value === 'bigint') return type === 'integer' || type === 'number'
  return type === 'integer' ? Number.isInteger(value) : typeof value === type
}
