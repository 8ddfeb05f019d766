/** Reads JSON and keeps every digit of an integer. */
import { next, toDoubleBelow } from './rounding.js'

/** A JSON value in which an integer beyond ±(2^53−1) is a bigint. */
export type ExactValue = unknown

/** A text read in two ways at once. Where no integer is unsafe, both are the same value. */
export interface ExactJson {
  /** What is stored: unsafe integers are bigints. */
  exact: ExactValue
  /**
   * What a validator sees: unsafe integers are doubles rounded down. So a bound that is itself a double (`minimum`,
   * and the exclusive 2^63 that int64 has) is judged as if every digit had been compared. A fraction whose double is an
   * integer is the next double that is none.
   */
  rounded: unknown
}

/** Numbers of so many digits, or with an exponent, may be others than their doubles. */
const mayHoldInexactNumbers = /[\d.]{16}|\d\.?\d*[eE]/
const stringsAndNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Nesting beyond this is refused: a validator or a writer that recurses would run out of stack. */
export const maxDepth = 512

/** Valid JSON that is nested too deep; says what the limit is. */
export class NestingError extends SyntaxError {
  constructor() {
    super(`JSON must not be nested deeper than ${maxDepth} levels`)
  }
}

/** @throws SyntaxError for what is not JSON (RFC 8259), `NestingError` */
export function parseExactJson(text: string): ExactJson {
  const value: unknown = JSON.parse(text)
  if (text.length > maxDepth && isTooDeep(value)) throw new NestingError()
  if (!mayHoldInexactNumbers.test(text)) return { exact: value, rounded: value }
  const digits = text.replace(stringsAndNumbers, (token) => {
    const integer = token.startsWith('"') ? undefined : toInexact(token)
    return integer === undefined ? token : `"${integer}"`
  })
  const said: unknown = JSON.parse(digits)
  return {
    exact: zip(value, said, (number, text) => (text === fraction ? number : BigInt(text))),
    rounded: zip(value, said, (number, text) => (text === fraction ? toFraction(number) : toDoubleBelow(BigInt(text)))),
  }
}

/** Where the second reading has a string for what the first reads as a number, it says what that number really is. */
function zip(value: unknown, digits: unknown, pick: (number: number, digits: string) => ExactValue): ExactValue {
  if (typeof value === 'number' && typeof digits === 'string') return pick(value, digits)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item, index) => zip(item, (digits as unknown[])[index], pick))
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([name, item]) => [name, zip(item, (digits as Record<string, unknown>)[name], pick)]),
  )
}

const fraction = 'fraction'

/** An unsafe integer, or a fraction whose double is an integer; nothing where the double says it all. */
function toInexact(token: string): bigint | typeof fraction | undefined {
  const number = Number(token)
  if (!Number.isInteger(number)) return undefined
  const [mantissa = '', exponent = '0'] = token.toLowerCase().split('e')
  const [whole = '', decimals = ''] = mantissa.split('.')
  const digits = withoutTrailingZeros(decimals)
  const shift = Number(exponent) - digits.length
  const isZero = digits === '' && /^-?0$/.test(whole)
  if (isZero || (shift >= 0 && Number.isSafeInteger(number))) return undefined
  const all = whole + digits
  // A number whose double is an integer has no more than 308 digits before its point.
  const end = shift < 0 ? Math.max(all.length + shift, 0) : all.length
  if (/[1-9]/.test(all.slice(end))) return fraction
  if (Number.isSafeInteger(number)) return undefined
  return shift < 0 ? BigInt(all.slice(0, end)) : BigInt(all) * 10n ** BigInt(shift)
}

function withoutTrailingZeros(decimals: string): string {
  let end = decimals.length
  while (decimals[end - 1] === '0') end--
  return decimals.slice(0, end)
}

/** The greatest double with a fraction; all beyond are integers. */
const greatestFraction = 2 ** 52 - 0.5

/** A double close by that is not an integer. */
function toFraction(integer: number): number {
  if (integer === 0) return Number.MIN_VALUE
  return Math.abs(integer) > greatestFraction ? Math.sign(integer) * greatestFraction : next(integer, 1n)
}

/** Whether a value holds a number beyond ±1.8e308, which could not be written again. */
export function holdsInfinity(value: ExactValue): boolean {
  if (typeof value !== 'object' || value === null) return value === Infinity || value === -Infinity
  return Object.values(value).some(holdsInfinity)
}

/** Reads the text of an integer, e.g. of a path parameter: a number where that is exact, else a bigint. */
export function toExactInteger(text: string): number | bigint {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

/** Whether a value is nested deeper than JSON that can be read here. */
export function isTooDeep(value: unknown, level = 1): boolean {
  if (typeof value !== 'object' || value === null) return false
  return level > maxDepth || Object.values(value).some((item) => isTooDeep(item, level + 1))
}
