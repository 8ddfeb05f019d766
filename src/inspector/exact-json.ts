/** JSON that keeps every digit of its numbers: those that JavaScript cannot represent are kept as text. */

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

/** Begins the texts that stand for numbers. No JSON text has the character itself. */
const mark = '\u0000'
const marked = /"\\u0000(-?[\d.eE+-]+)"/g
const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** @throws SyntaxError like `JSON.parse` */
export function parseExact(text: string): unknown {
  if (!/\d{16}|\d[eE]/.test(text)) return JSON.parse(text)
  const prepared = text.replace(tokens, (token) => {
    if (token.startsWith('"') || !isLong(token)) return token
    JSON.parse(token)
    return `"\\u0000${token}"`
  })
  return JSON.parse(prepared, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) && isNumber(value.slice(1))
      ? new Digits(value.slice(1))
      : value,
  )
}

/** @param indent spaces of each level */
export function writeExact(value: unknown, indent = 0): string {
  return (JSON.stringify(value, undefined, indent) ?? '').replace(marked, '$1')
}

function isLong(token: string): boolean {
  return String(Number(token)) !== token && !/^-?\d{1,15}(\.\d{1,6})?$/.test(token)
}

function isNumber(text: string): boolean {
  return /^-?\d[\d.eE+-]*$/.test(text)
}

/** A short text for a table. */
export function toText(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : writeExact(value)
}

/** JSON text with line breaks, or the text itself if it is no JSON. */
export function prettify(text: string): string {
  try {
    return writeExact(parseExact(text), 2)
  } catch {
    return text
  }
}
