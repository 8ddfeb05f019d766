/** Reads the values of the vocabulary: places, durations, and where a value comes from. */
import type { ChosenValue } from '../contract/effects/effect.js'
import { parseRuntimeExpression } from '../contract/runtime-expression.js'
import { toExactNumber } from '../json/exact-json.js'
import { fromJsonPointer } from '../json/json-pointer.js'
import { isObject } from '../json/own-value.js'

const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** @example toMilliseconds('5s') // 5000 */
export function toMilliseconds(duration: string): number {
  const [, number, unit = ''] = /^([\d.]+)([a-z]+)$/.exec(duration) ?? []
  return Number(number) * (units[unit] ?? 0)
}

/** @example toDuration(90000) // '90s' */
export function toDuration(milliseconds: number): string {
  const [unit = 'ms', length = 1] =
    Object.entries(units).findLast(([, each]) => milliseconds % each === 0 && milliseconds >= each) ?? []
  return `${milliseconds / length}${unit}`
}

/** @returns undefined for a text with a `$` in front or in braces that is no expression */
export function readValue(written: unknown): ChosenValue | undefined {
  if (Array.isArray(written)) return together('list', written.map(readValue))
  if (isObject(written)) {
    const names = Object.keys(written)
    const value = together('list', Object.values(written).map(readValue))
    const pair = <T>(each: T, index: number): [string, T] => [names[index] ?? '', each]
    if (value?.from === 'constant')
      return { from: 'constant', value: Object.fromEntries((value.value as []).map(pair)) }
    return value && { from: 'object', properties: value.parts.map(pair) }
  }
  if (typeof written === 'string' && !written.startsWith('$') && written.includes('{$'))
    return together('text', written.split(/\{(\$[^{}]*)\}/).map(readValue))
  if (typeof written !== 'string' || !written.startsWith('$')) return { from: 'constant', value: written }
  if (written.startsWith('$$')) return { from: 'constant', value: written.slice(1) }
  if (written === '$now') return { from: 'now' }
  if (written === '$none') return { from: 'none' }
  const [, change, operand = ''] = /^\$(add|remove)\.(.+)$/.exec(written) ?? []
  if (change !== undefined) {
    const value = readValue(/^-?\d+(\.\d+)?$/.test(operand) ? toExactNumber(operand, Number(operand)) : operand)
    return value && { from: change === 'add' ? 'add' : 'without', value }
  }
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

/** A constant as the vocabulary writes it: a text that begins like an expression gets a further `$`. */
export function toWritten(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('$') ? `$${value}` : value
}

/** A list or a text that is made of values. A list of constants is a constant. */
function together(from: 'list' | 'text', read: readonly (ChosenValue | undefined)[]) {
  if (read.includes(undefined)) return undefined
  const parts = read as ChosenValue[]
  const constants = parts.flatMap((each) => (each.from === 'constant' ? [each.value] : []))
  if (from === 'list' && constants.length === parts.length) return { from: 'constant' as const, value: constants }
  return { from, parts }
}

/** The values that a value is made of, itself included. */
export function partsOf(value: ChosenValue): ChosenValue[] {
  const inner =
    'parts' in value
      ? value.parts
      : 'properties' in value
        ? value.properties.map(([, each]) => each)
        : value.from === 'add' || value.from === 'without'
          ? [value.value]
          : []
  return [value, ...inner.flatMap(partsOf)]
}

/** What expressions look like, for messages. */
export const forms: readonly string[] = [
  ...['$request.body#/name', '$request.path.name', '$request.query.name', '$request.header.name'],
  ...['$record#/name', '$related.property#/name', '$now', '$add.1', '$add.$request.body#/name', '$none'],
  '$remove.$request.body#/name',
]

/** A value of which nothing is said besides that it is made: as generated data, or briefly, for what an operation computes. */
export const made = '$made'
export const briefly = '$made.briefly'

export function isMade(value: unknown): boolean {
  return value === made || value === briefly
}

/** The page size if nothing says any. */
export const usualSize = 50
