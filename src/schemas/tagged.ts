/** Finds the property that distinguishes the alternatives of a schema, by `discriminator` or by constants. */

import type { Located, OpenApiDocument, Schema, SchemaObject } from '../document/document.js'
import { oncePer } from '../document/once.js'
import { ownValue } from '../json/own-value.js'
import { toComparableText } from './ajv-keywords.js'
import { type Family, familyOf, implicitName, mappedNames } from './family.js'
import { behindReference, flattenSchema, isObjectSchema } from './flatten-schema.js'
import { type ChosenBy, chosenBy } from './judge-alternatives.js'
import { maxVariants, toVariants, withTag } from './schema-variants.js'

export interface Tagged {
  keyword: 'oneOf' | 'anyOf'
  /** The name of the property. */
  name: string
  /** The alternatives with the property, each with its values. No value belongs to two of them. */
  branches: TaggedBranch[]
  /** Whether `branches` contains every alternative. */
  isAll: boolean
  /** Whether every alternative requires the property, and no other values are valid. */
  isClosed: boolean
  /** Whether a discriminator names all alternatives, so no other value of the property is valid. */
  isNamed: boolean
  /** Whether the schemas of all branches restrict their values. Otherwise a value may match several alternatives. */
  isExact: boolean
  /** Whether a discriminator maps values to every alternative, and none has its property, so that only it decides. */
  isMapped: boolean
}

export interface TaggedBranch {
  /** The index in the list of alternatives. */
  index: number
  schema: Schema
  values: unknown[]
  /** The enclosing schema with only this alternative. */
  whole: SchemaObject
}

const resultsOf = oncePer((_: OpenApiDocument) => new WeakMap<SchemaObject, Tagged | undefined>())

/** @returns undefined if there are no alternatives, or no property distinguishes them */
export function findTag(document: OpenApiDocument, schema: Located<Schema>): Tagged | undefined {
  const { value, path } = behindReference(document, schema)
  if (typeof value === 'boolean' || !(value.oneOf ?? value.anyOf ?? value.allOf)) return undefined
  const results = resultsOf(document)
  if (results.has(value)) return results.get(value)
  // An alternative may refer back to this schema.
  results.set(value, undefined)
  const tagged = find(document, { value, path })
  results.set(value, tagged)
  return tagged
}

/** Maximum alternatives of one schema. More would take too long to compare. */
const maxBranches = 20_000

function find(document: OpenApiDocument, { value, path }: Located<SchemaObject>): Tagged | undefined {
  const keyword = value.oneOf ? 'oneOf' : 'anyOf'
  const { [keyword]: written, allOf = [], ...others } = value
  if (!written) return findInParts({ value, path }, (part) => findTag(document, part))
  if (written.length > maxBranches) return undefined
  const objects = written.flatMap((schema, index) => {
    const isObject = isObjectSchema(flattenSchema(document, { value: schema, path: [...path, keyword, index] }))
    return isObject ? [{ index, schema, variants: toVariants(document, schema) }] : []
  })
  if (objects.length < 2) return undefined
  const isAll = objects.length === written.length
  const { propertyName, mapping = {}, defaultMapping: other } = value.discriminator ?? {}
  const first = objects[0]?.variants[0]?.properties ?? {}
  for (const name of propertyName === undefined ? Object.keys(first) : [propertyName]) {
    const found = objects.map(({ variants, ...each }) => {
      const own = valuesOf(document, variants, name)
      return { ...each, isOwn: own !== undefined, values: own ?? mappedNames(value, each.schema) }
    })
    const texts = found.flatMap(({ values }) => values.map(toComparableText))
    const taken = new Set(texts)
    if (taken.size < texts.length || found.some(({ values }) => values.length === 0)) continue
    const branches = found.map(({ index, schema, isOwn, values: named }): TaggedBranch => {
      const also = isOwn ? undefined : implicitName(schema)
      const isNew = also !== undefined && !taken.has(toComparableText(also))
      taken.add(toComparableText(also))
      const values = isNew ? [...named, also] : named
      return { index, schema, values, whole: { ...others, allOf: [withTag({ name }, values), ...allOf, schema] } }
    })
    const isExact = found.every(({ isOwn }) => isOwn)
    const isRequired = objects.every(({ variants }) => variants.every(({ required }) => required?.includes(name)))
    const isNamed =
      propertyName !== undefined && !other && Object.keys(mapping).every((each) => taken.has(toComparableText(each)))
    const isLacking = objects.every(({ variants }) => variants.every(({ properties: own }) => !own?.[name]))
    const isMapped =
      isLacking && isAll && found.every(({ values }) => values.some((each) => Object.hasOwn(mapping, String(each))))
    const isClosed = isAll && isRequired && (isExact || isNamed)
    return { keyword, name, branches, isAll, isClosed, isNamed, isExact, isMapped }
  }
  return undefined
}

/** What is found in the first part of a schema with such alternatives. */
function findInParts<Found extends Pick<Tagged, 'branches'>>(
  { value, path }: Located<SchemaObject>,
  findIn: (part: Located<Schema>) => Found | undefined,
): Found | undefined {
  const { allOf = [] } = value
  for (const [index, part] of allOf.entries()) {
    const found = findIn({ value: part, path: [...path, 'allOf', index] })
    const inWhole = (own: TaggedBranch) => ({ ...own, whole: { ...value, allOf: allOf.with(index, own.whole) } })
    if (found) return { ...found, branches: found.branches.map(inWhole) }
  }
  return undefined
}

/** The constants of a property in all variants of an alternative. Undefined if a variant allows any value. */
function valuesOf(document: OpenApiDocument, variants: SchemaObject[], name: string): unknown[] | undefined {
  if (variants.length === 0 || variants.length >= maxVariants) return undefined
  const all = variants.flatMap(({ properties = {} }) => toVariants(document, ownValue(properties, name) ?? true))
  if (!all.every((each) => each.enum)) return undefined
  const values = all.flatMap((each) => each.enum ?? [])
  return [...new Map(values.map((value) => [toComparableText(value), value])).values()]
}

/** Like `findTag`, and finds the schemas that inherit from one with a discriminator, which are no part of validation. */
export function findKinds(
  document: OpenApiDocument,
  schema: Located<Schema>,
): Pick<Tagged, 'name' | 'branches'> | undefined {
  return findTag(document, schema) ?? findFamily(document, behindReference(document, schema))
}

function findFamily(document: OpenApiDocument, { value, path }: Located<Schema>): ReturnType<typeof findKinds> {
  if (typeof value === 'boolean') return undefined
  const family = familyOf(document, value)
  const toBranch = ({ schema, values }: Family['members'][number], index: number): TaggedBranch => {
    return { index, schema, values, whole: { allOf: [withTag(family as Family, values), value, schema] } }
  }
  if (family) return { name: family.name, branches: family.members.map(toBranch) }
  return findInParts({ value, path }, (part) => findFamily(document, behindReference(document, part)))
}

/** The schema with only one of its alternatives. The schema itself if they are not distinguished. */
export function withBranch(document: OpenApiDocument, schema: Located<Schema>, position = 0): Located<Schema> {
  const branch = findKinds(document, schema)?.branches[position]
  return branch ? { value: branch.whole, path: behindReference(document, schema).path } : schema
}

/**
 * Replaces alternatives by conditions: a value is validated only by the alternative of its tag, so that only this one reports
 * violations. Other values are validated by all.
 * @param kept collects the schemas whose alternatives stay
 */
export function judgeByTag(tagged: Tagged, keywords: SchemaObject, kept: WeakSet<SchemaObject>): void {
  const { keyword, name, branches, isAll, isNamed, isClosed, isExact, isMapped } = tagged
  const original: SchemaObject = { [keyword]: keywords[keyword] }
  const all = branches.flatMap(({ values }) => values)
  const anyTag = withTag(tagged, all)
  const indexes = branches.flatMap(({ values, index }) => values.map((each) => [toComparableText(each), index]))
  const chosen = { ...original, [chosenBy]: { name, indexes: Object.fromEntries(indexes) } satisfies ChosenBy }
  delete keywords[keyword]
  kept.add(original).add(chosen)
  // Alternatives without a constant also allow other values of the tag.
  const otherwise: SchemaObject = isAll ? { if: original, else: anyTag } : original
  const judged: SchemaObject[] = isClosed ? [anyTag, chosen] : [toCondition(anyTag, chosen, otherwise)]
  if (isNamed && !isExact && !isClosed) judged.push({ properties: { [name]: { enum: all } } })
  // A discriminator alone does not make a value that matches several alternatives valid (OpenAPI 3.0.4, section 4.7.25). Where
  // no alternative has its property, nothing else can decide.
  if (keyword === 'oneOf' && !isExact && !isMapped) judged.push(toCondition({ allOf: [anyTag, chosen] }, original))
  keywords.allOf = [...(keywords.allOf ?? []), ...judged]
}

/** Not an object literal, because the linter mistakes an object with `then` for a promise. */
function toCondition(condition: Schema, consequence: Schema, otherwise: Schema = true): SchemaObject {
  return Object.fromEntries(Object.entries({ if: condition, else: otherwise }).concat([['then', consequence]]))
}
