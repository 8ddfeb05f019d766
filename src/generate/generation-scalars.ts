/** The parts of a generation schema for single values: numbers, patterns and enums. */

import type { JsonSchema } from 'json-schema-faker'
import type { SchemaObject } from '../compile/document.js'
import { isOfType } from '../compile/schemas/compile-plans.js'
import { withFewRepetitions } from '../compile/schemas/foreign-patterns.js'
import { generateValue } from './generate-value.js'

export type GenerationNode = Exclude<JsonSchema, boolean>

/** Integers beyond this limit are not exact. */
const limit = Number.MAX_SAFE_INTEGER
/** Bounds as wide as those of an int32 do not indicate usual values. */
const int32 = { least: -(2 ** 31), greatest: 2 ** 31 - 1 }

/**
 * @param usual the range of the number if the schema has no bounds
 * @param isUsuallyWhole whether to make an integer, if one is within the bounds
 * @returns undefined if no number is within the bounds
 */
export function toNumberNode(
  type: 'integer' | 'number',
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf: step = 0 }: SchemaObject,
  [from, to]: readonly [number, number],
  isUsuallyWhole = false,
): GenerationNode | undefined {
  const isWhole = type === 'integer'
  const nextTo = isWhole ? 1 : 0.01
  const lowest = Math.max(minimum ?? -limit, exclusiveMinimum === undefined ? -limit : exclusiveMinimum + nextTo)
  const highest = Math.min(maximum ?? limit, exclusiveMaximum === undefined ? limit : exclusiveMaximum - nextTo)
  const width = Math.max(to - from, step * 100)
  const isBoundBelow = lowest > int32.least
  const isBoundAbove = highest < int32.greatest
  const low = isBoundBelow ? lowest : Math.max(lowest, from <= highest ? from : highest - width)
  const high = isBoundAbove ? highest : Math.min(highest, low + width)
  const bounds = { minimum: isWhole ? Math.ceil(low) : low, maximum: isWhole ? Math.floor(high) : high }
  if (bounds.minimum > bounds.maximum) return undefined
  const hasWhole = Math.ceil(bounds.minimum) <= Math.floor(bounds.maximum) && (step === 0 || Number.isInteger(step))
  const made = isUsuallyWhole && hasWhole ? 'integer' : type
  return { type: made, ...bounds, ...(step > 0 ? { multipleOf: step } : {}) }
}

/** Makes texts by the pattern, or uses the schema's examples if the generator does not support the pattern. */
export function toPatternNode(variant: SchemaObject, pattern: string): GenerationNode {
  const { minLength = 0, maxLength, example, examples = [], default: standard } = variant
  const node: GenerationNode = { type: 'string', pattern: withFewRepetitions(pattern), minLength }
  if (maxLength !== undefined) node.maxLength = maxLength
  if (isSupported(node, pattern)) return node
  const shown = [example, ...examples, standard].filter((value) => typeof value === 'string')
  return shown.length === 0 ? node : { enum: shown }
}

/** The generator supports only some regular expressions, and makes texts that do not match the others. */
function isSupported(schema: GenerationNode, pattern: string): boolean {
  const matches = new RegExp(pattern, 'u')
  const make = (seed: number) => generateValue({ schema, formats: {}, methods: {} }, seed)
  return [1, 2, 3].every((seed) => matches.test(String(make(seed))))
}

/**
 * The values of an `enum` with the right type, without null if there are others: some readers do not accept null if only
 * `nullable` allows it (OpenAPI 3.0.3, section 4.7.24.1). Undefined if there are none.
 */
export function toEnumNode(allowed: unknown[], type: string | string[] | undefined): GenerationNode | undefined {
  const types = type === undefined ? undefined : [type].flat()
  const possible = allowed.filter((value) => !types || types.some((each) => isOfType(value, each)))
  const others = possible.filter((value) => value !== null)
  const values = others.length > 0 ? others : possible
  return values.length === 0 ? undefined : { enum: values }
}
