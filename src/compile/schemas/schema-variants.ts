/** Resolves composed schemas: returns one plain schema for each way in which a value can satisfy a schema. */
import { isReference, type OpenApiDocument, type Schema, type SchemaObject } from '../document.js'
import { resolve } from '../references.js'

interface Composed extends SchemaObject {
  if?: Schema
  then?: Schema
  else?: Schema
}

/** Alternatives multiply, so their number is limited. */
const maxVariants = 24

/**
 * Returns the schema without `$ref`, `allOf`, `oneOf`, `anyOf`, `if` and `const`, once for each alternative. Inner
 * schemas, in `properties` and `items`, are not resolved. Returns an empty array if no value can be valid.
 */
export function toVariants(document: OpenApiDocument, schema: Schema): SchemaObject[] {
  const open = new Set<Schema>()
  // Without it, schemas that refer to each other twice would take exponential time.
  const known = new Map<Schema, SchemaObject[]>()
  return visit(schema)

  function visit(each: Schema): SchemaObject[] {
    if (typeof each === 'boolean') return each ? [{}] : []
    const result = known.get(each) ?? visitOnce(each)
    known.set(each, result)
    return result
  }

  function visitOnce(each: SchemaObject): SchemaObject[] {
    // A circular alternative adds no variant.
    if (open.has(each)) return []
    open.add(each)
    const {
      $ref,
      allOf,
      oneOf,
      anyOf,
      if: condition,
      then,
      else: otherwise,
      const: constant,
      ...own
    } = each as Composed
    let variants: SchemaObject[] = [own]
    const and = (others: SchemaObject[]) => {
      const merged = variants.flatMap((variant) => others.map((other) => mergeSchemas(variant, other)))
      variants = merged.filter((each) => each !== undefined).slice(0, maxVariants)
    }
    if (constant !== undefined) and([{ enum: [constant] }])
    if (isReference(each)) and(visit(resolve<Schema>(document, each, []).value))
    for (const part of allOf ?? []) and(visit(part))
    if (oneOf) and(oneOf.flatMap(visit))
    if (anyOf) and(anyOf.flatMap(visit))
    if (condition !== undefined) {
      and([...visit({ allOf: [condition, then ?? true] }), ...visit(otherwise ?? true)])
    }
    open.delete(each)
    return variants
  }
}

/** Merges two schemas. Undefined if no value satisfies both. Keywords that cannot be merged come from the first. */
function mergeSchemas(first: SchemaObject, second: SchemaObject): SchemaObject | undefined {
  const merged: SchemaObject = { ...second, ...first }
  for (const [keyword, merge] of Object.entries(merges)) {
    const [one, other] = [first[keyword], second[keyword]]
    if (one === undefined || other === undefined) continue
    const both = merge(one as never, other as never)
    if (both === undefined) return undefined
    merged[keyword] = both
  }
  return merged
}

const merges: Record<string, (one: never, other: never) => unknown> = {
  type: intersectTypes,
  enum: intersectValues,
  minimum: Math.max,
  exclusiveMinimum: Math.max,
  minLength: Math.max,
  minItems: Math.max,
  minProperties: Math.max,
  maximum: Math.min,
  exclusiveMaximum: Math.min,
  maxLength: Math.min,
  maxItems: Math.min,
  maxProperties: Math.min,
  uniqueItems: (one: boolean, other: boolean) => one || other,
  required: (one: string[], other: string[]) => [...new Set([...one, ...other])],
  items: both,
  additionalProperties: both,
  properties: mergeMembers,
  patternProperties: mergeMembers,
}

function both(one: Schema, other: Schema): Schema {
  return one === other ? one : { allOf: [one, other] }
}

function mergeMembers(one: Record<string, Schema>, other: Record<string, Schema>): Record<string, Schema> {
  const added = Object.entries(other).map(([name, schema]) => {
    const known = Object.hasOwn(one, name) ? one[name] : undefined
    return [name, known === undefined ? schema : both(known, schema)] as const
  })
  return { ...one, ...Object.fromEntries(added) }
}

function intersectTypes(one: string | string[], other: string | string[]): string[] | undefined {
  const [wide, narrow] = [[one].flat(), [other].flat()]
  const types = wide.flatMap((type) => {
    if (narrow.includes(type)) return [type]
    const isWhole =
      (type === 'number' && narrow.includes('integer')) || (type === 'integer' && narrow.includes('number'))
    return isWhole ? ['integer'] : []
  })
  return types.length === 0 ? undefined : types
}

function intersectValues(one: unknown[], other: unknown[]): unknown[] | undefined {
  const texts = new Set(other.map((value) => JSON.stringify(value)))
  const values = one.filter((value) => texts.has(JSON.stringify(value)))
  return values.length === 0 ? undefined : values
}
