/** Finds lists and records in bodies, in any envelope. */

import type { Located, OpenApiDocument, Schema } from '../../document/document.js'
import {
  endsLikeList,
  hasNew,
  isAside,
  isBesideRecord,
  isListName,
  isPageName,
  isPagingName,
  isRecordName,
  isSideName,
  isWrapperName,
} from '../../lexicon/envelopes.js'
import { isOwnUser, isRegistration } from '../../lexicon/persons.js'
import { isSameName, nounOf } from '../../lexicon/words.js'
import { behindReference, type FlatSchema, flattenSchema, isObjectSchema } from '../../schemas/flatten-schema.js'

/** A part of a body. */
export interface BodyPart {
  /** The properties and indexes that lead to it from the body. */
  pointer: string[]
  schema: Located<Schema>
}

export interface FoundList extends BodyPart {
  /** The schema of one record. */
  item: Located<Schema>
  /** The property of each item that holds the record: `product` in `[{"product": {…}}]`. */
  wrapper?: string
  /** Whether the items are objects. */
  hasRecords: boolean
  /** Whether the list is an object whose properties are the items, by their keys. */
  isMap: boolean
  /** Whether the envelope only pages or describes the list. */
  isEnvelope: boolean
  /** Whether it has a usual name next to a count or a page. */
  isPaged: boolean
}

/** Maximum depth of nested objects above the list or the record. */
const maxDepth = 2

/** @param name the name of the resource in its path */
export function findList(document: OpenApiDocument, schema: Located<Schema>, name: string): FoundList | undefined {
  return findAt(schema, [], 0)

  function findAt(each: Located<Schema>, pointer: string[], depth: number): FoundList | undefined {
    const flat = flattenSchema(document, each)
    if (isArray(flat)) return toList(each, flat, pointer, true)
    if (!isObjectSchema(flat)) return undefined
    const lists = [...flat.properties].flatMap(([property, inner]) => {
      const innerFlat = flattenSchema(document, inner)
      const list = isArray(innerFlat)
        ? toList(inner, innerFlat, [...pointer, property], isPage(flat, property))
        : undefined
      return list && (isSameName(property, name) || !isSideName(property)) ? [{ property, list }] : []
    })
    const ranked = lists.toSorted((a, b) => rank(b.property, b.list) - rank(a.property, a.list))
    const [best] = ranked
    if (best) return { ...best.list, isPaged: isListName(best.property) && hasPage(flat) }
    const map = toMap(each, pointer)
    if (map) return map
    if (depth >= maxDepth) return undefined
    const wrappers = [...flat.properties].filter(
      ([property, inner]) =>
        (isListName(property) ||
          isSameName(property, name) ||
          property === '_embedded' ||
          (endsLikeList(property) && isPage(flat, property))) &&
        isObjectSchema(flattenSchema(document, inner)),
    )
    for (const [property, inner] of wrappers) {
      const found = findAt(inner, [...pointer, property], depth + 1)
      if (found && (!found.isMap || isSameName(property, name)))
        return { ...found, isEnvelope: found.isEnvelope && isPage(flat, property) }
    }
    // The only property, of any name, may have a page: `{"UsersResponse": {"Item": [user], "NextToken": token}}`
    const [only, ...others] = flat.properties
    const found =
      only && others.length === 0 && wrappers.length === 0
        ? findAt(only[1], [...pointer, only[0]], depth + 1)
        : undefined
    return found?.hasRecords && found.isEnvelope && !found.isMap && found.pointer.length === pointer.length + 2
      ? found
      : undefined
  }

  function rank(property: string, { item, hasRecords }: FoundList): number {
    const record = schemaName(item) ?? ''
    const isNamed = isSameName(property, name) || isSameName(record, name)
    const isOfRecord = record !== '' && isSameName(property, record)
    const endsWithNoun = nounOf(property) === nounOf(name)
    return (
      (isAside(property) ? -3 : 0) +
      (isNamed ? 4 : endsWithNoun ? 2.5 : isOfRecord ? 1.5 : 0) +
      (hasRecords ? 3 : 0) +
      (!isListName(property) ? 0 : record === '' && isBlank(item) ? 1 : 2)
    )
  }

  /** Whether the items are not described. */
  function isBlank(item: Located<Schema>): boolean {
    return flattenSchema(document, item).properties.size === 0
  }

  function toList(each: Located<Schema>, flat: FlatSchema, pointer: string[], isEnvelope: boolean): FoundList {
    const whole = flat.items ?? { value: true, path: each.path }
    const wrapped = wrappedIn(whole)
    const item = wrapped?.record ?? whole
    return {
      pointer,
      schema: each,
      item,
      ...(wrapped && { wrapper: wrapped.property }),
      hasRecords: isObjectSchema(flattenSchema(document, item)),
      isMap: false,
      isEnvelope,
      isPaged: false,
    }
  }

  /** The record in an item with only one property, if that has the name of the collection or of the schema. */
  function wrappedIn(whole: Located<Schema>): { property: string; record: Located<Schema> } | undefined {
    const [only, ...others] = flattenSchema(document, whole).properties
    if (!only || others.length > 0) return undefined
    const [property, record] = only
    const flat = flattenSchema(document, record)
    const names = [name, schemaName(whole) ?? '', schemaName(record) ?? '']
    const isNamed = names.some((each) => nounOf(each) === nounOf(property)) || property === 'node'
    return isNamed && isObjectSchema(flat) && flat.properties.size > 1 ? { property, record } : undefined
  }

  /** An object whose other properties are records. */
  function toMap(each: Located<Schema>, pointer: string[]): FoundList | undefined {
    const item = valuesOf(document, each)
    if (!item) return undefined
    const hasRecords = isObjectSchema(flattenSchema(document, item))
    return hasRecords
      ? { pointer, schema: each, item, hasRecords, isMap: true, isEnvelope: true, isPaged: false }
      : undefined
  }
}

/** The schema of each value of an object that has others by their keys. */
export function valuesOf(document: OpenApiDocument, schema: Located<Schema>): Located<Schema> | undefined {
  const { properties, keywords } = flattenSchema(document, schema)
  const { additionalProperties: value } = keywords
  if (properties.size > 0 || typeof value !== 'object') return undefined
  const { path } = behindReference(document, schema)
  return { value, path: [...path, 'additionalProperties'] }
}

function isArray(flat: FlatSchema): boolean {
  return flat.types.has('array') || (flat.types.size === 0 && flat.items !== undefined)
}

/** The name of a schema in `components`, if a `$ref` leads to it. */
export function schemaName({ value, path }: Located<Schema>): string | undefined {
  if (typeof value === 'object' && typeof value.$ref === 'string') return value.$ref.split('/').at(-1)
  const [only, ...others] = typeof value === 'object' ? (value.allOf ?? []) : []
  // Other parts of `allOf` may only add a description or an example.
  const adds = (part: Schema) => typeof part === 'object' && (part.properties ?? part.$ref ?? part.allOf) !== undefined
  if (only !== undefined && !others.some(adds)) return schemaName({ value: only, path: [...path, 'allOf', 0] })
  return path.length === 3 && path[1] === 'schemas' ? String(path[2]) : undefined
}

export interface FoundRecordSchema extends BodyPart {
  flat: FlatSchema
}

/**
 * Finds the record in a body that is an object.
 * @param name the name of the resource in its path
 * @param hasKey whether an object has the key of the record
 * @param sent what requests have that write records
 */
export function findRecordSchema(
  document: OpenApiDocument,
  schema: Located<Schema>,
  name: string,
  hasKey: (flat: FlatSchema) => boolean,
  { isSingleton = false, sent = [] }: { isSingleton?: boolean; sent?: readonly FlatSchema[] } = {},
): FoundRecordSchema | undefined {
  const whole = flattenSchema(document, schema)
  // Some answer a list in place of the record, as for a folder in place of a file.
  if (isArray(whole) && !isObjectSchema(whole)) return findInList(schema, [])
  if (!isObjectSchema(whole)) return undefined
  return findInside(schema, whole, [], 0) ?? { pointer: [], schema, flat: whole }

  function findInside(
    each: Located<Schema>,
    flat: FlatSchema,
    pointer: string[],
    depth: number,
  ): FoundRecordSchema | undefined {
    // The attributes of JSON:API belong to the object around them.
    if (hasKey(flat) && !isWrapped(flat)) return { pointer, schema: each, flat }
    if (depth >= maxDepth) return undefined
    const inner = wrappedIn(flat)
    for (const [property, value] of inner) {
      const found = flattenSchema(document, value)
      const at = [...pointer, property]
      if (isObjectSchema(found)) {
        return findInside(value, found, at, depth + 1) ?? { pointer: at, schema: value, flat: found }
      }
      if (isArray(found) && (isSameName(property, name) || hasNew(property, name) || isListName(property))) {
        const first = findInList(value, at)
        if (first) return first
      }
    }
    return undefined
  }

  /** Whether an object only wraps a record, so that its own key is that of the answer. */
  function isWrapped(flat: FlatSchema): boolean {
    const inner = wrappedIn(flat)
    return inner.some(([property, value]) => {
      const found = flattenSchema(document, value)
      return isObjectSchema(found) && isPage(flat, property) && hasKey(found)
    })
  }

  /** The properties that may hold the record. */
  function wrappedIn(flat: FlatSchema): [string, Located<Schema>][] {
    const members = [...flat.properties].filter(
      ([property, value]) =>
        !(isBesideRecord(property) && !isOnlyRecord(flat, property, value)) && !isOwn(flat, property, value),
    )
    const isUser = isOwnUser(name) || isRegistration(name)
    const named = members.filter(
      ([property, value]) =>
        isSameName(property, name) ||
        hasNew(property, name) ||
        (isUser && isOwnUser(property) && isObjectSchema(flattenSchema(document, value))),
    )
    if (named.length > 0) return named
    const generic = members.filter(
      ([property]) =>
        (isRecordName(property) || isListName(property)) && (isWrapperName(property) || isPage(flat, property)),
    )
    if (generic.length > 0) return generic
    if (isSingleton) return []
    const objects = members.filter(([, value]) => isObjectSchema(flattenSchema(document, value)))
    const [only] = objects
    return only && objects.length === 1 && isPage(flat, only[0]) ? [only] : []
  }

  /** Whether what mostly stands beside a record is the record: it has the key, and everything else describes the answer. */
  function isOnlyRecord(flat: FlatSchema, property: string, value: Located<Schema>): boolean {
    const inner = flattenSchema(document, value)
    return flat.properties.size > 1 && isObjectSchema(inner) && hasKey(inner) && isPage(flat, property)
  }

  /** Whether callers write a property together with others of the same object, which is then no envelope of theirs. */
  function isOwn(flat: FlatSchema, property: string, value: Located<Schema>): boolean {
    const inner = flattenSchema(document, value)
    if (!isObjectSchema(inner) || hasKey(inner)) return false
    const isBlank = inner.properties.size === 0
    return sent.some(
      ({ properties }) =>
        properties.has(property) &&
        [...properties.keys()].some(
          (other) => other !== property && flat.properties.has(other) && (isBlank || !isPageName(other)),
        ),
    )
  }

  function findInList(each: Located<Schema>, pointer: string[]): FoundRecordSchema | undefined {
    const { items } = flattenSchema(document, each)
    const flat = items && flattenSchema(document, items)
    return items && flat && isObjectSchema(flat) ? { pointer: [...pointer, '0'], schema: items, flat } : undefined
  }
}

/** Whether a property counts items or leads to another page. */
export function hasPage({ properties }: FlatSchema): boolean {
  return [...properties.keys()].some(isPagingName)
}

/** Whether all properties except the list describe a page. */
export function isPage({ properties }: FlatSchema, list: string): boolean {
  return [...properties.keys()].every((name) => name === list || isPageName(name))
}
