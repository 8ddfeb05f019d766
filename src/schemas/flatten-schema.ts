/** Flattens a schema: collects its own keywords and those of every `$ref`, `allOf` and alternative in it. */

import {
  isReference,
  type Located,
  type OpenApiDocument,
  type Schema,
  type SchemaObject,
} from '../document/document.js'
import { oncePer } from '../document/once.js'
import { resolve, toPointer } from '../document/references.js'
import { partsOf } from '../document/schema-parts.js'
import type { ExactValue } from '../json/exact-value.js'
import { getOrInsert } from '../json/own-value.js'
import { isSameJson } from '../json/same-json.js'
import { isOfType } from '../json/typed-value.js'

export interface FlatSchema {
  /** JSON types of all parts. Empty if no part has a type. */
  types: Set<string>
  /** Properties in the order of their first occurrence. */
  properties: Map<string, Located<Schema>>
  /** Schemas of structured properties in further parts. Absent if there are none. */
  others?: Map<string, Located<Schema>[]>
  required: Set<string>
  /** Whether `additionalProperties`, `patternProperties` or `unevaluatedProperties` allows unknown properties. */
  open: boolean
  items?: Located<Schema>
  /** Keywords, each from the first part that has it. */
  keywords: SchemaObject
}

/** Caches results by document and schema, because many operations share schemas. Documents do not change after reading. */
const resultsOf = oncePer((_: OpenApiDocument) => new WeakMap<SchemaObject, FlatSchema>())

/**
 * The result is shared: do not modify it.
 * @param schema a schema and its place in the document. With an empty path, the places of its properties are wrong
 */
export function flattenSchema(document: OpenApiDocument, schema: Located<Schema>): FlatSchema {
  const { value, path } = schema
  if (typeof value === 'boolean') return flatten(document, schema)
  const results = resultsOf(document)
  const result =
    results.get(value) ??
    (isBare(value) ? flattenSchema(document, behindReference(document, schema)) : flatten(document, schema))
  if (path.length > 0) results.set(value, result)
  return result
}

/** The target of a schema that is only a `$ref`, so that all `$ref`s to a schema share its compiled parts. */
export function behindReference(document: OpenApiDocument, schema: Located<Schema>): Located<Schema> {
  return isBare(schema.value) ? resolve<Schema>(document, schema.value, schema.path) : schema
}

/** Whether a schema is only a `$ref`. */
function isBare(schema: Schema): boolean {
  if (!isReference(schema)) return false
  for (const keyword in schema) if (keyword !== '$ref') return false
  return true
}

function flatten(document: OpenApiDocument, schema: Located<Schema>): FlatSchema {
  const flat: FlatSchema = { types: new Set(), properties: new Map(), required: new Set(), open: false, keywords: {} }
  const seen = new Set<unknown>()
  visit(schema, true)
  // A value of a base schema may have the further properties of a subschema.
  const { discriminator, oneOf, anyOf } = typeof schema.value === 'object' ? schema.value : {}
  if (discriminator && !oneOf && !anyOf) flat.open = true
  return flat

  function visit(located: Located<Schema>, certain: boolean): void {
    const { value, path } = located
    if (typeof value !== 'object' || seen.has(value)) return
    seen.add(value)
    for (const keyword in value) if (!Object.hasOwn(flat.keywords, keyword)) flat.keywords[keyword] = value[keyword]
    for (const type of [value.type ?? []].flat()) flat.types.add(type)
    for (const [name, property] of Object.entries(value.properties ?? {})) {
      const first = flat.properties.get(name)
      const described = { value: property, path: [...path, 'properties', name] }
      const isFirst = first === undefined || isMoreSpecific(property, first.value)
      if (isFirst) flat.properties.set(name, described)
      const other = isFirst ? first : described
      if (
        other &&
        first &&
        isStructured(first.value) &&
        isStructured(property) &&
        !isSameSchema(first.value, property)
      ) {
        flat.others ??= new Map()
        getOrInsert(flat.others, name, () => []).push(other)
      }
    }
    if (certain) for (const name of value.required ?? []) flat.required.add(name)
    if (value.additionalProperties || value.patternProperties || value.unevaluatedProperties) flat.open = true
    if (value.items !== undefined) flat.items ??= { value: value.items, path: [...path, 'items'] }
    for (const { isCertain, ...part } of partsOf(document, { value, path })) visit(part, certain && isCertain)
  }
}

/** Whether a schema may describe an object or a list. */
function isStructured(schema: Schema): schema is SchemaObject {
  if (typeof schema !== 'object') return false
  return ['$ref', 'properties', 'items', 'allOf', 'oneOf', 'anyOf'].some((keyword) => schema[keyword] !== undefined)
}

/** Whether a schema describes the content of an object or a list. */
function saysMore(schema: Schema): boolean {
  if (!isStructured(schema)) return false
  const { properties, ...others } = schema
  return Object.keys(properties ?? {}).length > 0 || isStructured(others)
}

/** Whether a schema describes the content of an object or a list, and the other one only its type, or what the other one leaves open. */
function isMoreSpecific(schema: Schema, other: Schema): boolean {
  if (other === true || (typeof other === 'object' && isOpen(other)))
    return typeof schema === 'object' && !isOpen(schema)
  if (!isStructured(schema) || typeof other !== 'object') return false
  const { items } = schema
  const { type } = other
  if (!isStructured(other)) return type === 'object' || (type === 'array' && items !== undefined)
  const isAnyList = other.items !== undefined && !saysMore(other.items) && other.$ref === undefined
  return isAnyList && items !== undefined && saysMore(items)
}

const annotations: ReadonlySet<string> = new Set(['title', 'description', 'default', 'example', 'examples'])

/** Whether a schema allows any value: it has no keywords but annotations. */
function isOpen(schema: SchemaObject): boolean {
  return Object.keys(schema).every((keyword) => annotations.has(keyword) || keyword.startsWith('x-'))
}

function isSameSchema(one: SchemaObject, other: SchemaObject): boolean {
  return one === other || (one.$ref !== undefined && one.$ref === other.$ref)
}

/** Whether the schema describes an object, by its type or its properties. */
export function isObjectSchema(flat: FlatSchema): boolean {
  return flat.types.has('object') || (flat.types.size === 0 && flat.properties.size > 0)
}

/** Whether the schema describes a list, by its type or its items. */
export function isListSchema({ types, items }: FlatSchema): boolean {
  return types.has('array') || (types.size === 0 && items !== undefined)
}

/** Whether null is a value of the schema. A schema without a type allows any value. */
export function allowsNull({ types }: FlatSchema): boolean {
  return types.has('null') || types.size === 0
}

/** The only values that a schema allows. Undefined if it lists none. */
export function allowedValues({ const: only, enum: listed }: SchemaObject): unknown[] | undefined {
  return only === undefined ? listed : [only]
}

/** Whether a property may have a constant, as far as its types and its allowed values say. */
export function isAllowed({ types, keywords }: FlatSchema, value: unknown): boolean {
  const isOfTypes = types.size === 0 || [...types].some((type) => isOfType(value, type))
  return isOfTypes && (keywords.enum?.some((each) => isSameJson(each as ExactValue, value as ExactValue)) ?? true)
}

/** The first example of a schema, or else its default, or else the first value that it allows. */
export function exampleValue(keywords: SchemaObject): unknown {
  return keywords.example ?? keywords.examples?.[0] ?? keywords.default ?? keywords.const ?? keywords.enum?.[0]
}

/** Whether only the service (`readOnly`) or only the caller (`writeOnly`) writes a property. */
export function hasFlag(document: OpenApiDocument, schema: Located<Schema>, flag: 'readOnly' | 'writeOnly'): boolean {
  return flattenSchema(document, schema).keywords[flag] === true
}

/** How a schema is used: a request has no `readOnly` properties, and a response no `writeOnly` ones. */
export type View = 'request' | 'response'

/** The names of the properties that a view hides. */
export function hiddenNames(document: OpenApiDocument, { properties }: FlatSchema, view: View): string[] {
  const flag = view === 'request' ? 'readOnly' : 'writeOnly'
  return [...properties].filter(([, property]) => hasFlag(document, property, flag)).map(([name]) => name)
}

/** Whether a value is a file: OpenAPI 3.0 uses a format, 3.1 a media type without an encoding. */
export function isBinary(schema: Schema | undefined): boolean {
  if (typeof schema !== 'object') return false
  const { format, contentMediaType, contentEncoding } = schema
  return format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined)
}

/** The place of a schema. `$ref`s without siblings are followed. */
export function placeOf(document: OpenApiDocument, { value, path }: Located<Schema>): string {
  const isReferenceOnly = typeof value === 'object' && value.$ref !== undefined && Object.keys(value).length === 1
  return toPointer(isReferenceOnly ? resolve<Schema>(document, value, path).path : path)
}
