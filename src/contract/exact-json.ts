/** JSON that keeps every digit of an integer: reading, and writing by shape. */
import type { Shape } from './contract.js'

/** A JSON value in which an integer beyond ±(2^53−1) is a bigint. */
export type ExactValue = unknown

/** A text read in two ways at once. Where no integer is unsafe, both are the same value. */
export interface ExactJson {
  /** What is stored: unsafe integers are bigints. */
  exact: ExactValue
  /**
   * What a validator sees: unsafe integers are doubles rounded down. So a bound that is itself a double (`minimum`,
   * and the exclusive 2^63 that int64 has) is judged as if every digit had been compared.
   */
  rounded: unknown
}

const mayHoldUnsafeIntegers = /\d{16}|\d\.?\d*[eE]/
const stringsAndNumbers = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Nesting beyond this is refused: a validator or a writer that recurses would run out of stack. */
const maxDepth = 512
/** An exponent beyond this is left to the double, which is infinite then: nobody waits for a million digits. */
const maxExponent = 400

/** Valid JSON that is nested too deep. */
export class NestingError extends SyntaxError {
  constructor() {
    super(`JSON must not be nested deeper than ${maxDepth} levels`)
  }
}

/** @throws SyntaxError for what is not JSON (RFC 8259), `NestingError` for what is nested deeper than 512 levels */
export function parseExactJson(text: string): ExactJson {
  const value: unknown = JSON.parse(text)
  if (text.length > maxDepth && isTooDeep(text)) throw new NestingError()
  if (!mayHoldUnsafeIntegers.test(text)) return { exact: value, rounded: value }
  const digits = text.replace(stringsAndNumbers, (token) => {
    const integer = token.startsWith('"') ? undefined : toUnsafeInteger(token)
    return integer === undefined ? token : `"${integer}"`
  })
  return zip(value, JSON.parse(digits))
}

/** Where the second reading has a string for what the first reads as a number, it holds the integer's digits. */
function zip(value: unknown, digits: unknown): ExactJson {
  if (typeof value === 'number' && typeof digits === 'string') {
    const exact = BigInt(digits)
    return { exact, rounded: toDoubleBelow(exact) }
  }
  if (typeof value !== 'object' || value === null) return { exact: value, rounded: value }
  if (Array.isArray(value)) {
    const items = value.map((item, index) => zip(item, (digits as unknown[])[index]))
    return { exact: items.map((item) => item.exact), rounded: items.map((item) => item.rounded) }
  }
  const entries = Object.entries(value).map(
    ([name, item]) => [name, zip(item, (digits as Record<string, unknown>)[name])] as const,
  )
  return {
    exact: Object.fromEntries(entries.map(([name, item]) => [name, item.exact])),
    rounded: Object.fromEntries(entries.map(([name, item]) => [name, item.rounded])),
  }
}

function toUnsafeInteger(token: string): bigint | undefined {
  if (Number.isSafeInteger(Number(token))) return undefined
  const [mantissa = '', exponent = '0'] = token.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const shift = Number(exponent) - fraction.length
  if (Math.abs(shift) > maxExponent) return undefined
  const scaled = BigInt(whole + fraction)
  if (shift >= 0) return scaled * 10n ** BigInt(shift)
  const divisor = 10n ** BigInt(-shift)
  return scaled % divisor === 0n ? scaled / divisor : undefined
}

/** What a validator sees of a value that holds bigints. */
export function toRounded(value: ExactValue): unknown {
  if (typeof value === 'bigint') return toDoubleBelow(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(toRounded)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toRounded(item)]))
}

/** The greatest double that is not above the integer. */
export function toDoubleBelow(integer: bigint): number {
  const nearest = Number(integer)
  if (!Number.isFinite(nearest) || BigInt(nearest) <= integer) return nearest
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, nearest)
  view.setBigInt64(0, view.getBigInt64(0) + (nearest > 0 ? -1n : 1n))
  return view.getFloat64(0)
}

/** Reads the text of an integer, e.g. of a path parameter: a number where that is exact, else a bigint. */
export function toExactInteger(text: string): number | bigint {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

function isTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === backslash) index++
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    else if (code === openBrace || code === openBracket) {
      if (++depth > maxDepth) return true
    } else if (code === closeBrace || code === closeBracket) depth--
  }
  return false
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/** Keeps the known properties of a value, and calls `onDropped` with the dotted path of each other one. */
export function pruneByShape(
  value: ExactValue,
  shapes: Shape[],
  shape: number,
  onDropped: (path: string) => void,
  path = '',
): ExactValue {
  const { properties, open, items } = shapes[shape] ?? {}
  if (Array.isArray(value)) {
    return items === undefined
      ? value
      : value.map((item, index) => pruneByShape(item, shapes, items, onDropped, `${path}[${index}]`))
  }
  if (properties === undefined || typeof value !== 'object' || value === null) return value
  const kept: [string, ExactValue][] = []
  for (const [name, item] of Object.entries(value)) {
    const at = path === '' ? name : `${path}.${name}`
    const inner = properties.find(([known]) => known === name)?.[1]
    if (inner !== undefined) kept.push([name, pruneByShape(item, shapes, inner, onDropped, at)])
    else if (open) kept.push([name, item])
    else onDropped(at)
  }
  return Object.fromEntries(kept)
}

/** Writes a value as JSON text: known properties in their documented order, every digit of a bigint. */
export function writeByShape(value: ExactValue, shapes: Shape[], shape: number): string {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const { properties, open, items } = shapes[shape] ?? {}
  if (Array.isArray(value)) return `[${value.map((item) => writeByShape(item, shapes, items ?? 0)).join(',')}]`
  const values = value as Record<string, ExactValue>
  const parts: string[] = []
  const write = (name: string, inner: number) => {
    const item = values[name]
    if (item !== undefined) parts.push(`${JSON.stringify(name)}:${writeByShape(item, shapes, inner)}`)
  }
  for (const [name, inner] of properties ?? []) if (Object.hasOwn(values, name)) write(name, inner)
  if (open || properties === undefined) {
    const known = new Set(properties?.map(([name]) => name))
    for (const name of Object.keys(values)) if (!known.has(name)) write(name, 0)
  }
  return `{${parts.join(',')}}`
}
