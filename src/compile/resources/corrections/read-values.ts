/** Reads the values in corrections: places, durations, and where a value comes from. */
import type { ChosenValue } from '../../../contract/effects/effect.js'
import { parseRuntimeExpression } from '../../../contract/runtime-expression.js'
import { fromJsonPointer } from '../../../json/json-pointer.js'

/** The names that lead to a value: a JSON Pointer, or the name of a property. */
export function toNames(text: string): string[] {
  return text.startsWith('/') ? fromJsonPointer(text) : [text]
}

const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** @example toMilliseconds('5s') // 5000 */
export function toMilliseconds(duration: string): number {
  const [, number, unit = ''] = /^([\d.]+)(\w+)$/.exec(duration) ?? []
  return Number(number) * (units[unit] ?? 0)
}

/** @example toDuration(90000) // '90s' */
export function toDuration(milliseconds: number): string {
  const [unit = 'ms', length = 1] =
    Object.entries(units).findLast(([, each]) => milliseconds % each === 0 && milliseconds >= each) ?? []
  return `${milliseconds / length}${unit}`
}

/** @returns undefined for a text that begins with `$` and is no expression */
export function readValue(written: unknown): ChosenValue | undefined {
  if (typeof written !== 'string' || !written.startsWith('$')) return { from: 'constant', value: written }
  if (written.startsWith('$$')) return { from: 'constant', value: written.slice(1) }
  if (written === '$now') return { from: 'now' }
  if (written === '$none') return { from: 'none' }
  const [, added] = /^\$add\.(-?\d+(?:\.\d+)?)$/.exec(written) ?? []
  if (added !== undefined) return { from: 'add', value: Number(added) }
  const [, property, pointer = ''] = /^\$(?:record|related\.([^#]+))#(\/.*)$/.exec(written) ?? []
  if (pointer !== '') {
    const names = fromJsonPointer(pointer)
    return property === undefined
      ? { from: 'record', pointer: names }
      : { from: 'related', property, collection: '', pointer: names }
  }
  const expression = parseRuntimeExpression(written)
  if (!expression || !('in' in expression) || expression.of !== 'request') return undefined
  if (expression.in === 'body') return { from: 'request', in: 'body', pointer: expression.pointer ?? [] }
  const name = expression.in === 'header' ? expression.name.toLowerCase() : expression.name
  return { from: 'request', in: expression.in, pointer: [name] }
}

/** What expressions look like, for messages. */
export const forms: readonly string[] = [
  ...['$request.body#/name', '$request.path.name', '$request.query.name', '$request.header.name'],
  ...['$record#/name', '$related.property#/name', '$now', '$add.1', '$none'],
]
