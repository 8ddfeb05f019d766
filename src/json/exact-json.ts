/** Reads JSON and keeps every digit of an integer. */
import type { ExactValue } from './exact-value.js'
import { isObject } from './own-value.js'
import { next, toRounded } from './rounding.js'

/** A text read in two ways. If every number is exact as a double, both values are the same. */
export interface ExactJson {
  /** The value to store. Unsafe integers are bigints, and numbers too small for a double are infinite instead of 0. */
  exact: ExactValue
  /**
   * The value that a validator sees: unsafe integers are rounded down to a double. Comparing it with a bound that is
   * itself a double (`minimum`, or the exclusive 2^63 of int64) gives the same result as comparing every digit. A
   * fraction whose double is an integer becomes the nearest double that is not an integer.
   */
  rounded: unknown
  /** Returns the value for messages. Each inexact number is a symbol whose description is the number as written. */
  quoted?: () => ExactValue
}

/** A number with 16 digits or more, or with an exponent, may differ from its double. A string rarely looks like one. */
const mayHoldInexactNumbers = /(?:^|[\s:,[])-?(?:[\d.]{16}|\d+\.?\d*[eE])/
const stringsAndNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
/**
 * A double keeps 15 digits, so such a number is written as it was read. Large exponents would turn a short text into a long
 * one, so only integers with an exponent below 40 are read exactly.
 */
const isKept = /^[^e]{1,15}($|e\+?([4-9]\d|\d{3}))/i

/** Deeper nesting is refused: recursive validators and writers would overflow the stack. */
export const maxDepth = 512

/** Valid JSON that is nested too deeply. */
export class NestingError extends SyntaxError {
  constructor() {
    super(`JSON must not be nested deeper than ${maxDepth} levels`)
  }
}

/** @throws SyntaxError with the place of the error if the text is not JSON (RFC 8259), `NestingError` */
export function parseExactJson(text: string): ExactJson {
  const value = parseJson(text)
  if (text.length > maxDepth && isTooDeep(value)) throw new NestingError()
  const replace = mayHoldInexactNumbers.test(text) ? findNumbers(text, value, toInexact) : undefined
  if (!replace) return { exact: value, rounded: value }
  return {
    exact: replace((number, found) => (found === fraction ? number || Infinity : found)),
    rounded: toRounded(replace((number, found) => (found === fraction ? toFraction(number) : found))),
    quoted: () => replace((_, __, token) => Symbol(token)),
  }
}

/** Returns the value for a number. @param found the value that JSON.parse made @param token the number as written */
type Replace<T> = (number: number, found: T, token: string) => ExactValue

/**
 * Finds the numbers of a JSON text that need another value.
 * @param value the parsed text
 * @param find returns undefined for a number that stays unchanged
 * @returns a function that copies the value with replaced numbers; undefined if all stay unchanged
 */
export function findNumbers<T>(
  text: string,
  value: unknown,
  find: (token: string) => T | undefined,
): ((replace: Replace<T>) => ExactValue) | undefined {
  const found: [T, token: string][] = []
  const marked = text.replace(stringsAndNumbers, (token) => {
    const own = token.startsWith('"') ? undefined : find(token)
    if (own === undefined) return token
    return `"${found.push([own, token]) - 1}"`
  })
  if (found.length === 0) return undefined
  const marks: unknown = JSON.parse(marked)
  return (replace) => zip(value, marks, (number, mark) => replace(number, ...(found[Number(mark)] as [T, string])))
}

/** Replaces each number for which the second reading has a string: the index of an inexact number. */
function zip(value: unknown, marks: unknown, pick: (number: number, mark: string) => ExactValue): ExactValue {
  if (typeof value === 'number') return typeof marks === 'string' ? pick(value, marks) : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item, index) => zip(item, (marks as unknown[])[index], pick))
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([name, item]) => [name, zip(item, (marks as Record<string, unknown>)[name], pick)]),
  )
}

const fraction = 'fraction'

/** Finds an unsafe integer, or a fraction whose double is an integer. Undefined if the double is exact enough. */
function toInexact(token: string): bigint | typeof fraction | undefined {
  const number = Number(token)
  if (!Number.isInteger(number) || isKept.test(token)) return undefined
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

/** The greatest double with a fraction. All greater doubles are integers. */
const greatestFraction = 2 ** 52 - 0.5

/** The nearest double away from zero that is not an integer. */
function toFraction(integer: number): number {
  if (integer === 0) return Number.MIN_VALUE
  return Math.abs(integer) > greatestFraction ? Math.sign(integer) * greatestFraction : next(integer, 1n)
}

/** Whether a value contains a number beyond ±1.8e308, or one too small for a double. */
export function holdsInfinity(value: ExactValue): boolean {
  if (typeof value !== 'object' || value === null) return value === Infinity || value === -Infinity
  return Object.values(value).some(holdsInfinity)
}

/**
 * `JSON.parse` that keeps every digit of integers, for values that nobody sent: a fraction whose double is an integer, and a
 * number beyond a double, stay as `JSON.parse` reads them.
 * @param value the parsed text
 */
export function fromJson(text: string, value: unknown = JSON.parse(text)): ExactValue {
  const replace = mayHoldInexactNumbers.test(text) ? findNumbers(text, value, toInexact) : undefined
  return replace ? replace((number, found) => (found === fraction ? number : found)) : value
}

/** The member of a schema with the bounds that no double can represent. Their keywords have the next double inside. */
export const exactBounds = 'x-sandbox-exact'

/** `JSON.stringify` that writes every digit of bigints. Without `change`, exact bounds are written as their keywords. */
export function toJson(value: unknown, change?: (name: string, value: unknown) => unknown, indent?: number): string {
  try {
    return JSON.stringify(value, change, indent)
  } catch {
    // Half a surrogate pair, which is always escaped, marks a bigint.
    const mark = (name: string, each: unknown) => {
      const { [exactBounds]: bounds } = (isObject(each) ? each : {}) as Record<string, object | undefined>
      const whole = bounds && !change ? { ...(each as object), ...bounds, [exactBounds]: undefined } : each
      const changed = change ? change(name, each) : whole
      return typeof changed === 'bigint' ? `\ud800${changed}` : changed
    }
    return JSON.stringify(value, mark, indent).replace(/"\\ud800(-?\d+)"/g, '$1')
  }
}

/** The integer that a number of YAML is written as. The number itself if it is exact, or no integer. */
export function toExactNumber(written: string, number: number): number | bigint {
  if (!Number.isInteger(number) || Number.isSafeInteger(number)) return number
  const integer = /^0[xo]/.test(written) ? BigInt(written) : /^[-+\d.e]+$/i.test(written) && toInexact(written)
  return typeof integer === 'bigint' ? integer : number
}

/** Reads an integer, e.g. a path parameter: as a number if that is exact, else as a bigint. */
export function toExactInteger(text: string): number | bigint {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

/** Whether a value is nested deeper than JSON that can be read here. */
export function isTooDeep(value: unknown, level = 1): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (level > maxDepth) return true
  // Avoids copying arrays, and recursion for each number in them.
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof item === 'object' && isTooDeep(item, level + 1)) return true
  }
  return false
}

/** @throws SyntaxError with the line, the column and the text at the error */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const at = findSyntaxError(text)
    const [found] = text.slice(at, at + 2)
    const lines = text.slice(0, at).split('\n')
    const column = `${lines.at(-1)} `.length
    throw new SyntaxError(`line ${lines.length}, column ${column}: found ${JSON.stringify(found) ?? 'the end'}`)
  }
}

/** The first characters of values. */
const values = '"[{-0123456789tfn'

/** The index of the first unexpected token. @param text text that is not JSON */
function findSyntaxError(text: string): number {
  const tokens =
    /[ \t\n\r]*([[\]{},:]|"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\uffff]*)*("?)|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)?/y
  /** The brackets that close the open ones. */
  const open: string[] = []
  /** The allowed first characters of the next token. */
  let next = values
  for (;;) {
    const [, token = '', quote] = tokens.exec(text) ?? []
    const first = token.charAt(0)
    const at = tokens.lastIndex
    if (token === '' || !next.includes(first)) return at - token.length
    if (quote === '') return at
    // Whether only a name is possible here.
    const isName = first === '"' && next.length < 3
    if (first === '[') open.push(']')
    if (first === '{') open.push('}')
    if (first === open.at(-1)) open.pop()
    const end = open.at(-1) ?? ''
    if (first === '[') next = values + end
    else if (first === '{') next = `"${end}`
    else if (first === ',') next = end === '}' ? '"' : values
    else if (first === ':') next = values
    else next = isName ? ':' : end && `,${end}`
  }
}
