/** The parts of a generation schema that hold no other ones: numbers, patterns, and the values that a schema lists. */
import type { JsonSchema } from 'json-schema-faker'
import type { SchemaObject } from '../compile/document.js'
import { generateValue } from './generate-value.js'

export type GenerationNode = Exclude<JsonSchema, boolean>

/** Integers beyond are not exact. */
const limit = Number.MAX_SAFE_INTEGER
/** Bounds as wide as those of an int32 say nothing about what to expect. */
const int32 = { least: -(2 ** 31), greatest: 2 ** 31 - 1 }

/**
 * @param usual where the number lies if the schema does not say
 * @returns nothing where the bounds leave no number
 */
export function toNumberNode(
  type: 'integer' | 'number',
  {
    minimum,
    maximum,
    exclusiveMinimum,
    exclusiveMaximum,
    multipleOf: step = 0,
  }: SchemaObject & { multipleOf?: number },
  [from, to]: readonly [number, number],
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
  return { type, ...bounds, ...(step > 0 ? { multipleOf: step } : {}) }
}

/** A text by its pattern, or one of the schema's examples where the generator cannot read that. */
export function toPatternNode(variant: SchemaObject, pattern: string): GenerationNode {
  const node: GenerationNode = { type: 'string', pattern, minLength: variant.minLength ?? 0 }
  if (variant['maxLength'] !== undefined) node.maxLength = variant['maxLength'] as number
  if (isReadable(node, pattern)) return node
  const { example, examples, default: standard } = variant
  const shown = [example, ...(examples ?? []), standard].filter((value) => typeof value === 'string')
  return shown.length === 0 ? node : { enum: shown }
}

/** The generator reads a part of what a regular expression can say, and makes other texts of the rest. */
function isReadable(schema: GenerationNode, pattern: string): boolean {
  const matches = new RegExp(pattern, 'u')
  const make = (seed: number) => generateValue({ schema, formats: {}, methods: {} }, seed)
  return [1, 2, 3].every((seed) => matches.test(String(make(seed))))
}

/** One of the values that a schema lists; nothing where none of them has its type. */
export function toEnumNode(values: unknown[], type: string | string[] | undefined): GenerationNode | undefined {
  const types = type === undefined ? undefined : [type].flat()
  const possible = values.filter((value) => !types || types.some((each) => isOfType(value, each)))
  return possible.length === 0 ? undefined : { enum: possible }
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  const own: string = typeof value
  return own === type && value !== null && !Array.isArray(value)
}
