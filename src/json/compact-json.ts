/** JSON in which objects, arrays and texts that are repeated are written once, and bigints as texts. */
import { toJson } from './exact-json.js'

/** Shorter parts are written each time. */
const leastLength = 24

/**
 * Writes a JSON value.
 * @returns a JSON text for `readCompact`: an array of the name that refers to parts, the parts, and the value
 * @example writeCompact([{ a: 'a text that is long' }, { a: 'a text that is long' }])
 * // '["$",[{"a":"a text that is long"}],[{"$":0},{"$":0}]]'
 */
export function writeCompact(value: unknown): string {
  const toText = (part: unknown) => toJson(part)
  const whole = toText(value)
  let reference = '$'
  while (whole.includes(JSON.stringify(reference))) reference += '$'
  const counts = new Map<string, number>()
  const numbers = new Map<string, number>()
  const parts: string[] = []
  count(value)
  const root = write(value)
  return `[${JSON.stringify(reference)},[${parts.join()}],${root}]`

  function count(part: unknown): void {
    const text = toText(part)
    if (text.length < leastLength) return
    const before = counts.get(text) ?? 0
    counts.set(text, before + 1)
    // What is in it is counted with the first one.
    if (before === 0) for (const [, inner] of membersOf(part)) count(inner)
  }

  function write(part: unknown): string {
    const text = toText(part)
    if ((counts.get(text) ?? 0) < 2) return writeMembers(part, text)
    let number = numbers.get(text)
    if (number === undefined) {
      // Its own parts come first.
      const written = writeMembers(part, text)
      number = parts.push(written) - 1
      numbers.set(text, number)
    }
    return `{${JSON.stringify(reference)}:${number}}`
  }

  function writeMembers(part: unknown, text: string): string {
    if (typeof part === 'bigint') return `{${JSON.stringify(reference)}:"${part}"}`
    if (typeof part !== 'object' || part === null) return text
    const members = membersOf(part)
    if (Array.isArray(part)) return `[${members.map(([, inner]) => write(inner))}]`
    return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${write(inner)}`)}}`
  }
}

function membersOf(part: unknown): [name: string, inner: unknown][] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).filter(([, inner]) => inner !== undefined)
}

/** Reads what `writeCompact` has written. Each use of a part is a value of its own. */
export function readCompact(text: string): unknown {
  const [reference, parts, root] = JSON.parse(text) as [string, unknown[], unknown]
  return read(root)

  function read(part: unknown): unknown {
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map(read)
    const number = (part as Record<string, number | string>)[reference]
    if (typeof number === 'string') return BigInt(number)
    if (number !== undefined) return read(parts[number])
    // A name such as `__proto__` is a property like others, as in `JSON.parse`.
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, read(inner)]))
  }
}
