/** Makes one value of a schema: the one place that runs json-schema-faker. */
import { type GenerateOptions, generateSync, type JsonSchema } from 'json-schema-faker'

/** A schema with what stands in it by name, given with each call: the generator's own registries are shared by all. */
export interface GenerationSchema {
  schema: JsonSchema
  /** What makes the texts of a format. */
  formats: Record<string, () => string>
  /** What the keyword `faker` names, as `hint.<name>`. */
  methods: Record<string, () => unknown>
}

/** @returns nothing where the generator finds no value */
export function generateValue({ schema, formats, methods }: GenerationSchema, seed: number): unknown {
  try {
    return generateSync(schema, { ...options, formats, extensions: { faker: { hint: methods } }, seed })
  } catch {
    return undefined
  }
}

const options: GenerateOptions = {
  optionalsProbability: 0.8,
  // The schema is finite already.
  maxDepth: 64,
  outputTransform: (value, schema) => (typeof value === 'number' ? toReadable(value, schema) : value),
}

/** A number with two digits after the point, or as many as `multipleOf` has. */
function toReadable(value: number, schema: JsonSchema): number {
  if (Number.isInteger(value) || typeof schema === 'boolean') return value
  const { multipleOf, minimum = value, maximum = value } = schema
  const digits = multipleOf === undefined ? 2 : (String(multipleOf).split('.')[1]?.length ?? 0)
  const rounded = Number(value.toFixed(Math.min(digits, 12)))
  return rounded >= minimum && rounded <= maximum ? rounded : value
}
