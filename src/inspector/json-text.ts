/** JSON that keeps every digit of its numbers: numbers that JavaScript cannot represent are kept as text. */
import { findNumbers } from '../json/exact-json.js'

/** A number as it was written. */
export class Digits {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }

  toJSON(): string {
    return mark + this.text
  }
}

/** Starts texts that represent numbers. JSON text never contains the raw character. */
const mark = '\u0000'
const marked = /"\\u0000(-?[\d.eE+-]+)"/g

/** @throws SyntaxError like `JSON.parse` */
export function parseExact(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!/\d{16}|\d[eE]/.test(text)) return value
  const replace = findNumbers(text, value, (token) => isLong(token) || undefined)
  return replace ? replace((_, __, token) => new Digits(token)) : value
}

function isLong(token: string): boolean {
  return String(Number(token)) !== token && !/^-?\d{1,15}(\.\d{1,6})?$/.test(token)
}

/** @param indent spaces of each level */
export function writeExact(value: unknown, indent = 0): string {
  return (JSON.stringify(value, undefined, indent) ?? '').replace(marked, '$1')
}

/** Whether a value is an object or a list. */
export function isComposite(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Digits)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return isComposite(value) && !Array.isArray(value)
}

/** A short text for a table. */
export function toText(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : writeExact(value)
}

/** JSON text with line breaks, or the text itself if it is not JSON. */
export function prettify(text: string): string {
  try {
    return writeExact(parseExact(text), 2)
  } catch {
    return text
  }
}
