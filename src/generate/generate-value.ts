/** Generates one value of a schema. Only this module runs json-schema-faker. */
import { type GenerateOptions, generateSync, type JsonSchema } from 'json-schema-faker'
import { toDecimal } from '../json/is-multiple.js'

/** A schema with its formats and methods. Each call passes them, because the generator's registries are global. */
export interface GenerationSchema {
  schema: JsonSchema
  /** Functions that make the texts of a format. */
  formats: Record<string, () => string>
  /** Functions that the keyword `faker` names, as `hint.<name>`. */
  methods: Record<string, () => unknown>
}

/** @returns undefined if the generator finds no value */
export function generateValue({ schema, formats, methods }: GenerationSchema, seed: number): unknown {
  try {
    return generateSync(schema, { ...options, formats, extensions: { faker: { hint: methods } }, seed })
  } catch {
    return undefined
  }
}

const options: GenerateOptions = {
  optionalsProbability: 0.8,
  // More than the depth of any generation schema.
  maxDepth: 64,
  outputTransform: (value, schema) => (typeof value === 'number' ? toReadable(value, schema) : value),
}

/** Rounds a number to two decimals, or to a multiple. */
function toReadable(value: number, schema: JsonSchema): number {
  if (Number.isInteger(value) || typeof schema === 'boolean') return value
  const { multipleOf, minimum = value, maximum = value } = schema
  const step = multipleOf ?? 0.01
  const rounded = toDecimal(Math.round(value / step) * step)
  return rounded >= minimum && rounded <= maximum ? rounded : value
}
