/** Resolves composed schemas: returns a plain schema for each way to satisfy a schema. */

import { isReference, type OpenApiDocument, type Schema, type SchemaObject } from '../document/document.js'
import { resolve } from '../document/references.js'
import { toJson } from '../json/exact-json.js'
import { getOrInsert } from '../json/own-value.js'
import { type Family, familyOf, mappedNames } from './family.js'
import { flattenSchema } from './flatten-schema.js'

interface Composed extends SchemaObject {
  if?: Schema
  then?: Schema
  else?: Schema
}

/** Maximum variants, because alternatives multiply. */
export const maxVariants = 24
/** Maximum parts with alternatives. For further parts, only the first alternative is used. */
const maxChoices = 100

/**
 * Returns the schema without `$ref`, `allOf`, `oneOf`, `anyOf`, `if` and `const`, once for each alternative. Inner
 * schemas, in `properties` and `items`, are not resolved. Returns an empty array if no value can be valid.
 */
export function toVariants(document: OpenApiDocument, schema: Schema): SchemaObject[] {
  // Cached, because schemas that refer to each other twice would take exponential time.
  const whole = { open: new Set<Schema>(), known: new Map<Schema, SchemaObject[]>() }
  const alone: typeof whole = { open: new Set(), known: new Map() }
  /** Schemas that are visited for one that inherits from them. */
  const inherited = new Set<Schema>()
  return visit(schema)

  function visit(each: Schema): SchemaObject[] {
    if (typeof each === 'boolean') return each ? [{}] : []
    const family = inherited.has(each) ? undefined : familyOf(document, each)
    const { open, known } = inherited.has(each) ? alone : whole
    // A circular alternative adds no variant.
    if (open.has(each)) return []
    return getOrInsert(known, each, () => {
      open.add(each)
      const variants = family ? visitFamily(each, family) : visitOnce(each)
      open.delete(each)
      return variants
    })
  }

  /** One variant for each schema that inherits, and last the schema itself, for values that name none of them. */
  function visitFamily(each: SchemaObject, { name, members, related }: Family): SchemaObject[] {
    const added = [...related].filter((other) => !inherited.has(other))
    for (const other of added) inherited.add(other)
    const own = visit(each)
    const variants = members
      .slice(0, maxVariants)
      .flatMap(({ schema: member, values }) => combine([[withTag({ name }, values)], own, visit(member)]))
    for (const other of added) inherited.delete(other)
    const others = own.map((variant) => ({ ...variant, [ofNoMember]: true }))
    return variants.length === 0 ? own : [...variants.slice(0, maxVariants), ...others]
  }

  function visitOnce(each: SchemaObject): SchemaObject[] {
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
    const parts: SchemaObject[][] = [[own]]
    if (constant !== undefined) parts.push([{ enum: [constant] }])
    if (isReference(each)) parts.push(visit(resolve<Schema>(document, each, []).value))
    for (const part of allOf ?? []) parts.push(visit(part))
    for (const branches of [oneOf, anyOf]) {
      if (branches) parts.push(branches.flatMap((branch) => visit(withName(document, each, branch))))
    }
    if (condition !== undefined) {
      parts.push([...visit({ allOf: [condition, then ?? true] }), ...visit(otherwise ?? true)])
    }
    return combine(parts)
  }
}

/** Marks variants that name no schema in their discriminator, so that they are only used for what was sent. */
export const ofNoMember = 'x-sandbox-of-no-member'

/** Adds the name from `discriminator` to an alternative, even if its own schema does not require it. */
export function withName(document: OpenApiDocument, schema: SchemaObject, branch: Schema): Schema {
  const names = mappedNames(schema, branch)
  const name = schema.discriminator?.propertyName ?? ''
  const property = names.length > 0 && flattenSchema(document, { value: branch, path: [] }).properties.get(name)
  const { const: constant, enum: values } = property ? flattenSchema(document, property).keywords : { const: 0 }
  return constant === undefined && !values ? { allOf: [branch, withTag({ name }, names)] } : branch
}

/** A schema that requires one of the tag values of an alternative. */
export function withTag({ name }: { name: string }, values: readonly unknown[]): SchemaObject {
  return { type: 'object', required: [name], properties: { [name]: { enum: [...values] } } }
}

/** One schema for each choice of an alternative from every part. */
function combine(parts: readonly SchemaObject[][]): SchemaObject[] {
  let variants: SchemaObject[] = [{}]
  /** Schemas to merge together, because merging one by one would take quadratic time. */
  let waiting: SchemaObject[] = []
  let choices = 0
  const merge = (alternatives: SchemaObject[]) => {
    const merged = variants.flatMap((variant) => alternatives.map((each) => mergeSchemas([variant, ...waiting, each])))
    variants = merged.filter((each) => each !== undefined).slice(0, maxVariants)
    waiting = []
  }
  for (const alternatives of parts) {
    const [only] = alternatives
    if (only && (alternatives.length === 1 || choices === maxChoices)) waiting.push(only)
    else {
      choices++
      merge(alternatives)
    }
  }
  merge([{}])
  return variants
}

/** Merges schemas. Undefined if no value satisfies all. Keywords that cannot be merged come from the first schema with them. */
function mergeSchemas(schemas: readonly SchemaObject[]): SchemaObject | undefined {
  const values = new Map<string, unknown[]>()
  for (const schema of schemas) {
    for (const [keyword, value] of Object.entries(schema)) getOrInsert(values, keyword, () => []).push(value)
  }
  const merged: SchemaObject = {}
  for (const [keyword, given] of values) {
    const merge = given.length > 1 && Object.hasOwn(merges, keyword) ? merges[keyword] : undefined
    const both = merge ? merge(given as never) : given[0]
    if (merge && both === undefined) return undefined
    merged[keyword] = both
  }
  if (merged.properties && merged.additionalProperties !== undefined && schemas.length > 1)
    merged.properties = restrictProperties(merged.properties, schemas)
  return merged
}

/** Maximum of properties times schemas that restrict them. */
const maxRestricted = 10_000

/** Applies `additionalProperties` of a schema to properties that only the other schemas describe. */
function restrictProperties(
  properties: Record<string, Schema>,
  schemas: readonly SchemaObject[],
): Record<string, Schema> {
  const closed = schemas.filter((schema) => {
    const { additionalProperties: others = true, patternProperties } = schema
    return others !== true && !patternProperties && Object.keys(others).length > 0
  })
  // Thousands of parts, each of which restricts the others, would take quadratic time.
  if (closed.length === 0 || closed.length * Object.keys(properties).length > maxRestricted) return properties
  const entries = Object.entries(properties).map(([name, schema]): [string, Schema] => {
    const also = closed.filter((each) => !Object.hasOwn(each.properties ?? {}, name))
    return [name, allOf([schema, ...also.map(({ additionalProperties = true }) => additionalProperties)])]
  })
  return Object.fromEntries(entries)
}

const merges: Record<string, (values: never) => unknown> = {
  type: (values: (string | string[])[]) => unlessEmpty(values.reduce(intersectTypes)),
  enum: (values: unknown[][]) => unlessEmpty(values.reduce(intersectValues)),
  ...byNumber('minimum exclusiveMinimum minLength minItems minProperties', Math.max),
  ...byNumber('maximum exclusiveMaximum maxLength maxItems maxProperties', Math.min),
  uniqueItems: (values: boolean[]) => values.includes(true),
  required: (values: string[][]) => [...new Set(values.flat())],
  items: allOf,
  additionalProperties: allOf,
  properties: mergeMembers,
  patternProperties: mergeMembers,
}

function byNumber(keywords: string, choose: (one: number, other: number) => number): typeof merges {
  const merge = (values: number[]) => values.reduce((one, other) => choose(one, other))
  return Object.fromEntries(keywords.split(' ').map((keyword) => [keyword, merge]))
}

/** A schema that satisfies all. */
function allOf(schemas: Schema[]): Schema {
  const different = [...new Set(schemas)]
  const [only = true] = different
  return different.length <= 1 ? only : { allOf: different }
}

function mergeMembers(maps: Record<string, Schema>[]): Record<string, Schema> {
  const members = new Map<string, Schema[]>()
  for (const [name, schema] of maps.flatMap((map) => Object.entries(map))) {
    getOrInsert(members, name, () => []).push(schema)
  }
  return Object.fromEntries([...members].map(([name, schemas]) => [name, allOf(schemas)]))
}

/** The common types. Empty if there are none. */
function intersectTypes(one: string | string[], other: string | string[]): string[] {
  const [wide, narrow] = [[one].flat(), [other].flat()]
  return wide.flatMap((type) => {
    if (narrow.includes(type)) return [type]
    const isWhole =
      (type === 'number' && narrow.includes('integer')) || (type === 'integer' && narrow.includes('number'))
    return isWhole ? ['integer'] : []
  })
}

/** The common values. Empty if there are none. */
function intersectValues(one: unknown[], other: unknown[]): unknown[] {
  const texts = new Set(other.map((value) => toJson(value)))
  return one.filter((value) => texts.has(toJson(value)))
}

function unlessEmpty<Values extends { length: number }>(values: Values): Values | undefined {
  return values.length === 0 ? undefined : values
}
