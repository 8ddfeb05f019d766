/** Converts simple values of a document to the type that OpenAPI expects, if the meaning is clear. */

import { toExactNumber } from '../../json/exact-json.js'
import { isOfType } from '../../json/typed-value.js'
import type { SchemaObject } from '../document.js'
import type { ScalarKind } from './object-kinds.js'

/** A wrong value, with the value that is used instead. */
export interface Repair {
  /** What the value must be, as in "must be a string". */
  expected: string
  /** The value to use instead. Undefined if there is none. */
  value?: unknown
}

/** @returns undefined for a correct value */
export function repairScalar(kind: ScalarKind, value: unknown): Repair | undefined {
  return repairs[kind](value)
}

const repairs: Record<ScalarKind, (value: unknown) => Repair | undefined> = {
  text(value) {
    if (typeof value === 'string') return undefined
    const isSimple = ['number', 'bigint', 'boolean'].includes(typeof value)
    return { expected: 'a string', ...(isSimple ? { value: String(value) } : {}) }
  },
  flag(value) {
    if (typeof value === 'boolean') return undefined
    const isText = value === 'true' || value === 'false'
    return { expected: 'true or false', ...(isText ? { value: value === 'true' } : {}) }
  },
  number: (value) => repairNumber(value, 'a number', Number.isFinite),
  positive: (value) => repairNumber(value, 'a number above 0', (number) => Number.isFinite(number) && number > 0),
  count: (value) =>
    repairNumber(value, 'a whole number from 0 on', (number) => Number.isInteger(number) && number >= 0),
  texts(value) {
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return undefined
    const texts = [value].flat().filter((item) => typeof item === 'string')
    return { expected: 'an array of strings', ...(texts.length > 0 ? { value: texts } : {}) }
  },
}

function repairNumber(value: unknown, expected: string, isRight: (number: number) => boolean): Repair | undefined {
  if (typeof value === 'number' && isRight(value)) return undefined
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return { expected, ...(isRight(number) ? { value: number } : {}) }
}

/** Whether a value has one of the types of a schema. */
export function hasType({ type }: SchemaObject, value: unknown): boolean {
  return type === undefined || [type ?? []].flat().some((name) => isOfType(value, name))
}

/** Converts a value to a type of the schema if only its notation differs: `"5"` or `true`. */
export function convert({ type }: SchemaObject, value: unknown): unknown {
  for (const name of [type ?? []].flat()) {
    const converted = convertTo(name, value)
    if (converted !== undefined && isOfType(converted, name)) return converted
  }
  return undefined
}

function convertTo(type: string, value: unknown): unknown {
  const isText = typeof value === 'string'
  if (type === 'string') return ['number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : undefined
  if (type === 'boolean' && isText) return { true: true, false: false }[value.toLowerCase()]
  if ((type === 'integer' || type === 'number') && isText && value.trim() !== '')
    return toExactNumber(value.trim(), Number(value))
  if (type === 'array' && value !== null && typeof value !== 'object') return [value]
  return undefined
}
