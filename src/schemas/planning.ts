/** What the compilers of sampler plans share. */
import type { OpenApiDocument, Schema, SchemaObject } from '../document/document.js'
import type { SamplerPlan } from '../json/sampler/sampler-plan.js'
import type { ValueLooks } from '../json/sampler/value-looks.js'

/** What a value is: its name and that of its owner decide how it looks. */
export interface PlanContext {
  /** The name of the property, or of the list that contains the value. */
  name?: string
  /** The name of the collection, or of the property with the object. */
  owner?: string
  /** Whether values must differ, so that none is an example. */
  isKey?: boolean
  /** The description of the list with the value. */
  description?: string
  /** What examples of whole records have here. */
  examples?: readonly unknown[]
}

export type WholeContext = Required<PlanContext>

export interface Planning {
  document: OpenApiDocument
  looks: ValueLooks
  /** The number of records in each collection. Undefined: the plans are not those of records. */
  records: number | undefined
  /** Each is compiled on first read. */
  plans: SamplerPlan[]
  /** Adds the plan of a schema. @returns its number */
  add(schema: Schema, context?: PlanContext): number
  register(toPlan: () => SamplerPlan): number
  /** Adds a plan of one of several words. @returns its number */
  addWords(words: readonly string[]): number
}

/** Maximum values of examples for one property. */
export const maxExamples = 20

/** The keywords of a schema that it has. */
export function pick<Name extends keyof SchemaObject>(
  schema: SchemaObject,
  ...names: Name[]
): Pick<SchemaObject, Name> {
  const entries = names.filter((name) => schema[name] !== undefined).map((name) => [name, schema[name]])
  return Object.fromEntries(entries)
}
