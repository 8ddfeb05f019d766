/** Reads what examples and defaults mean that are not values: a `$ref` in them, and numbers that no double has. */

import { isObject } from '../../json/own-value.js'
import { checkSize } from '../check-size.js'
import {
  type DocumentPath,
  DocumentProblem,
  isReference,
  type Located,
  type OpenApiDocument,
  type Schema,
} from '../document.js'
import type { Notes } from '../notes.js'
import { namePart } from '../quote-value.js'
import { resolve } from '../references.js'
import { partsOf } from '../schema-parts.js'
import type { ObjectKind } from './object-kinds.js'
import { type Holder, type Literal, leaveOut, type Tidying } from './tidying.js'

/**
 * By the letter, a `$ref` in a literal is a value (OpenAPI 3.0.4, section 4.7.15), but it breaks the schema, so that its
 * target is meant. It stays if the schema has a property with this name.
 * @param literals are modified. Of the same one, the first counts
 * @param kindOf the kind of an object of the document
 */
export function tidyLiterals(
  document: OpenApiDocument,
  literals: readonly Literal[],
  kindOf: (value: unknown) => ObjectKind | undefined,
  notes: Notes,
): void {
  const known = new Map<object, unknown>()
  for (const [holder, key, path, schema] of literals) {
    const value: unknown = Reflect.get(holder, key)
    if (!mustBeRead(value)) continue
    try {
      const read = toValue(value, path, schema)
      if (read === value) continue
      const why = checkSize(read)
      if (why !== undefined) throw new DocumentProblem(`$ref leads to too much: ${why}`, path)
      Reflect.set(holder, key, read)
      notes.add(path, `${namePart(path)} is a value, and has a $ref`, 'what it points to is used')
    } catch (error) {
      if (!(error instanceof DocumentProblem)) throw error
      // The last item of a list comes first.
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else Reflect.deleteProperty(holder, key)
      notes.add(path, `${namePart(path)} is not a value: ${error.message}`, 'it is ignored')
    }
  }

  function toValue(value: unknown, path: DocumentPath, schema: Located<Schema> | undefined): unknown {
    if (typeof value === 'number' && !Number.isFinite(value))
      throw new DocumentProblem('it has a number beyond 1.8e308', path)
    if (typeof value !== 'object' || value === null) return value
    if (known.has(value)) {
      const copy = known.get(value)
      if (copy === open) throw new DocumentProblem('its $ref leads back to itself', path)
      return copy
    }
    known.set(value, open)
    const isMeant = isReference(value) && !memberOf(schema, value, '$ref')
    const copy = isMeant ? toTarget(value, path, schema) : toMembers(value, path, schema)
    known.set(value, copy)
    return copy
  }

  function toTarget(value: { $ref: string }, path: DocumentPath, schema: Located<Schema> | undefined): unknown {
    const { value: target } = resolve<unknown>(document, value, path)
    const kind = kindOf(target)
    if (kind !== undefined && kind !== 'example')
      throw new DocumentProblem(`its $ref "${value.$ref}" leads to a ${kind}`, path)
    return toValue(kind === 'example' ? (target as { value?: unknown }).value : target, path, schema)
  }

  function toMembers(value: object, path: DocumentPath, schema: Located<Schema> | undefined): unknown {
    const entries = Object.entries(value).map(([name, each]) => [
      name,
      toValue(each, [...path, name], memberOf(schema, value, name)),
      each,
    ])
    if (entries.every(([, read, each]) => read === each)) return value
    return Array.isArray(value) ? entries.map(([, read]) => read) : Object.fromEntries(entries)
  }

  /** The schema of a member of a value: that of the first part which describes it. */
  function memberOf(
    schema: Located<Schema> | undefined,
    value: object,
    name: string,
    seen: Set<Schema> = new Set(),
  ): Located<Schema> | undefined {
    if (typeof schema?.value !== 'object' || seen.has(schema.value)) return undefined
    const { value: own, path } = schema
    seen.add(own)
    if (Array.isArray(value)) {
      if (own.items !== undefined) return { value: own.items, path: [...path, 'items'] }
    } else if (own.properties && Object.hasOwn(own.properties, name))
      return { value: own.properties[name] as Schema, path: [...path, 'properties', name] }
    for (const part of partsOf(document, { value: own, path })) {
      const found = memberOf(part, value, name, seen)
      if (found) return found
    }
    return undefined
  }
}

/** Marks a value that is being read. */
const open = Symbol('open')

function mustBeRead(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return false
  return isReference(value) || (Array.isArray(value) ? value : Object.values(value)).some(mustBeRead)
}

const literalKeys = ['example', 'examples', 'default', 'value', 'externalValue', 'dataValue', 'serializedValue']

/** Collects the literal values of an object. An example of OpenAPI 3.2 may have its value as data or as text. */
export function findLiterals(tidying: Tidying, kind: ObjectKind, value: Holder, path: DocumentPath): void {
  if (!literalKeys.some((name) => name in value)) return
  const { schema, examples, externalValue, dataValue, serializedValue = dataValue } = value
  const at = [...path, 'externalValue']
  if (kind === 'example' && value['value'] === undefined) {
    if (serializedValue !== undefined) value['value'] = dataValue ?? serializedValue
    else if (externalValue !== undefined)
      leaveOut(tidying, value, 'externalValue', at, 'is not read: only JSON and YAML beside the tidying.document is')
  }
  const written = kind === 'schema' ? { value, path } : { value: schema as Schema, path: [...path, 'schema'] }
  const own = written.value === undefined ? undefined : written
  for (const key of ['example', 'default', 'value'])
    if (key in value) tidying.literals.push([value, key, [...path, key], own])
  for (const [name, each] of Object.entries(
    isObject(examples) || Array.isArray(examples) ? examples : {},
  ).toReversed()) {
    const place = [...path, 'examples', name]
    if (kind === 'schema') tidying.literals.push([examples as object, name, place, own])
    else if (isObject(each) && !isReference(each)) tidying.literals.push([each, 'value', [...place, 'value'], own])
  }
}
