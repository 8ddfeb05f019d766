/** Compiles schemas to text types: the types of texts in a form or a styled parameter. */

import type { JsonType, TextType } from '../contract/request-model.js'
import type { Located, OpenApiDocument, Schema, SchemaObject } from '../document/document.js'
import { toPointer } from '../document/references.js'
import { partsOf } from '../document/schema-parts.js'
import { separatorName } from '../document/tidy/swagger-parts.js'
import { getOrInsert } from '../json/own-value.js'
import { isOfType } from '../json/typed-value.js'
import { isBinary } from './flatten-schema.js'

export interface TextTypeCompiler {
  /** Each is compiled on first use, and all of them when they are written as JSON. */
  textTypes: TextType[]
  /** Returns the number of the text type of a schema. */
  add(schema: Located<Schema>): number
  /** Whether the same text may be a value of several types, also as a part of the value. */
  isAmbiguous(type: number): boolean
}

/** The parts of schemas that describe the same value. */
interface Parts {
  types: Set<JsonType>
  items: Located<Schema>[]
  properties: Map<string, Located<Schema>[]>
  others: Located<Schema>[]
  isBinary: boolean
}

export function createTextTypeCompiler(document: OpenApiDocument): TextTypeCompiler {
  const textTypes: TextType[] = []
  const numbers = new Map<string, number>()
  Object.defineProperty(textTypes, 'toJSON', { value: () => compileAll() })

  /** @param schemas alternatives and parts of one schema */
  function addAll(schemas: Located<Schema>[]): number {
    const id = schemas.map(({ path }) => toPointer(path)).join(' ')
    const known = numbers.get(id)
    if (known !== undefined) return known
    const number = textTypes.push(toLazy(() => compile(schemas))) - 1
    numbers.set(id, number)
    return number
  }

  function compile(schemas: Located<Schema>[]): TextType {
    const { types, items, properties, others, isBinary } = collectParts(document, schemas)
    const type: TextType = { types: [...types] }
    if (items.length > 0) type.items = addAll(items)
    if (properties.size > 0) type.properties = [...properties].map(([name, each]) => [name, addAll(each)])
    if (others.length > 0) type.others = addAll(others)
    if (isBinary) type.isBinary = true
    const [own] = schemas
    const separator = typeof own?.value === 'object' ? own.value[separatorName] : undefined
    if (typeof separator === 'string') type.separator = separator
    return type
  }

  /** The list grows during the loop. */
  function compileAll(): TextType[] {
    for (const type of textTypes) void type.types
    return [...textTypes]
  }

  function isAmbiguous(number: number, seen: Set<number> = new Set()): boolean {
    const type = textTypes[number]
    if (!type || seen.has(number)) return false
    seen.add(number)
    const { types, items = -1, others = -1, properties = [] } = type
    const inner = [items, others, ...properties.map(([, each]) => each)]
    const isNullOrText = types.includes('null') && types.includes('string')
    return isNullOrText || isSeveral(types) || inner.some((each) => isAmbiguous(each, seen))
  }

  return { textTypes, add: (schema) => addAll([schema]), isAmbiguous: (type) => isAmbiguous(type) }
}

/** Whether only a schema decides which of the types a text has. A number, a flag and null have different texts. */
export function isSeveral(types: readonly JsonType[]): boolean {
  return types.filter((type) => type !== 'null').length > 1 && /string|array|object/.test(types.join())
}

/** The types of a schema, also those of listed values. */
export function typesOf(document: OpenApiDocument, schema: Located<Schema>): JsonType[] {
  return [...collectParts(document, [schema]).types]
}

function toLazy(compile: () => TextType): TextType {
  let made: TextType | undefined
  const get = () => {
    made ??= compile()
    return made
  }
  const names = ['types', 'items', 'properties', 'others', 'isBinary', 'separator'] as const
  return Object.defineProperties(
    {},
    Object.fromEntries(names.map((name) => [name, { enumerable: true, get: () => get()[name] }])),
  ) as TextType
}

function collectParts(document: OpenApiDocument, schemas: readonly Located<Schema>[]): Parts {
  const parts: Parts = { types: new Set(), items: [], properties: new Map(), others: [], isBinary: false }
  const seen = new Set<unknown>()
  for (const schema of schemas) visit(schema)
  const [only] = schemas
  // The type of the schema itself restricts those of its parts.
  if (schemas.length === 1 && typeof only?.value === 'object' && typeof only.value.type === 'string') {
    parts.types = new Set([only.value.type as JsonType])
  }
  if (parts.types.size === 0 && parts.properties.size > 0) parts.types.add('object')
  if (parts.types.size === 0 && parts.items.length > 0) parts.types.add('array')
  return parts

  function visit({ value, path }: Located<Schema>): void {
    if (typeof value !== 'object' || seen.has(value)) return
    seen.add(value)
    for (const type of allowedTypes(value)) parts.types.add(type)
    if (isBinary(value)) parts.isBinary = true
    const inner = (member: Schema, ...keys: (string | number)[]) => ({ value: member, path: [...path, ...keys] })
    for (const [name, property] of Object.entries(value.properties ?? {})) {
      getOrInsert(parts.properties, name, () => []).push(inner(property, 'properties', name))
    }
    for (const [pattern, property] of Object.entries(value.patternProperties ?? {})) {
      parts.others.push(inner(property, 'patternProperties', pattern))
    }
    for (const keyword of ['additionalProperties', 'unevaluatedProperties'] as const) {
      const others = value[keyword]
      if (others !== undefined && others !== false) parts.others.push(inner(others, keyword))
    }
    if (value.items !== undefined) parts.items.push(inner(value.items, 'items'))
    value.prefixItems?.forEach((item, index) => {
      parts.items.push(inner(item, 'prefixItems', index))
    })
    for (const part of partsOf(document, { value, path })) visit(part)
  }
}

/** The types that a schema names, else those of the values that it allows. */
function allowedTypes({ type, enum: allowed, const: only }: SchemaObject): JsonType[] {
  if (type !== undefined) return [type].flat() as JsonType[]
  return [...(allowed ?? []), ...(only === undefined ? [] : [only])].map(typeOf)
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return isOfType(value, 'integer') ? 'integer' : (typeof value as JsonType)
}
