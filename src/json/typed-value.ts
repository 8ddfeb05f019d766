/** Reads a scalar as the type that it is compared in: `"12"` finds the integer 12, and 12 finds the text `"12"`. */
import { toExactInteger } from './exact-json.js'

/** A number has one text here; `1.0`, `01` and `+1` are other texts (RFC 8259, section 6, without an exponent). */
const canonicalInteger = /^(?:0|-?[1-9]\d*)$/
const canonicalNumber = /^(?:0|-?[1-9]\d*|-?(?:0|[1-9]\d*)\.\d*[1-9])$/

/**
 * The value as one of the types, if its text is canonical there; else the value as it is.
 * @param types JSON types, the preferred one first
 *
 * @example
 * toTyped('12', ['integer']) // 12
 * toTyped('012', ['integer']) // '012'
 * toTyped(12, ['string']) // '12'
 */
export function toTyped(value: unknown, types: readonly string[]): unknown {
  if (typeof value === 'string') return types.includes('string') ? value : fromText(value, types)
  const isNumber = typeof value === 'number' || typeof value === 'bigint'
  if (isNumber && (types.includes('integer') || types.includes('number'))) return value
  if (typeof value === 'boolean' && types.includes('boolean')) return value
  return (isNumber || typeof value === 'boolean') && types.includes('string') ? String(value) : value
}

function fromText(text: string, types: readonly string[]): unknown {
  for (const type of types) {
    if ((type === 'integer' || type === 'number') && canonicalInteger.test(text)) return toExactInteger(text)
    if (type === 'number' && canonicalNumber.test(text)) return Number(text)
    if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  }
  return text
}
