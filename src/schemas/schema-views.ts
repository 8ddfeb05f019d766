/** Rewrites schemas for a view: the properties that requests may send or responses show. */

import { shorten } from '../contract/violations.js'
import {
  type DocumentPath,
  isReference,
  type Located,
  type OpenApiDocument,
  type Schema,
  type SchemaObject,
} from '../document/document.js'
import type { Notes } from '../document/notes.js'
import { isExponential } from '../document/patterns/bounded-pattern.js'
import { fromPointer, resolve } from '../document/references.js'
import { behindReference, flattenSchema, hiddenNames, type View } from './flatten-schema.js'
import { alternativeNames } from './judge-alternatives.js'
import {
  hideProperties,
  mapSchema,
  withConstants,
  withExactNumbers,
  withIntegerBounds,
  withPrototypeName,
} from './rewrite-schema.js'
import { findTag, judgeByTag } from './tagged.js'

export interface ViewOptions {
  /** Whether the schemas are for a module, which cannot match patterns in bounded time. */
  isForModule: boolean
  /** Called with each target of a `$ref`, its name and its place. */
  add(schema: SchemaObject, name: string, path: DocumentPath): void
}

/** Parts within parts beyond this depth stay closed. */
const maxParts = 10

/**
 * @returns a function that returns the schema of a view: without hidden properties, annotations and `nullable`, and with
 * `$ref`s by name
 */
export function createViews(
  document: OpenApiDocument,
  notes: Notes,
  { isForModule, add }: ViewOptions,
): (schema: Located<Schema>, view: View) => Schema {
  const references = new Map<string, string>()
  /** Schemas whose alternatives stay unchanged. */
  const kept = new WeakSet<SchemaObject>()
  const byContent = new Map<string, string>()
  return toView

  function toView(schema: Located<Schema>, view: View): Schema {
    return mapSchema(schema, (located) => {
      const opened = view === 'request' ? closeTogether(document, located) : located.value
      const { description, title, example, examples, default: _, nullable, ...keywords } = opened
      withConstants(keywords, (part) => behindReference(document, { ...located, value: part }).value)
      const tagged = kept.has(located.value) ? undefined : findTag(document, located)
      if (tagged && keywords[tagged.keyword]) judgeByTag(tagged, keywords, kept)
      for (const keyword of ['oneOf', 'anyOf'] as const)
        if (keywords[keyword]) keywords[alternativeNames] = keywords[keyword].map(nameOf)
      withIntegerBounds(keywords)
      withExactNumbers(keywords)
      const { properties, required, allOf } = located.value
      const isObject = properties ?? required ?? allOf
      const hidden = isObject ? hiddenNames(document, flattenSchema(document, located), view) : []
      if (hidden.length > 0) hideProperties(keywords, new Set(hidden))
      if (isForModule) leaveOutUnbounded(keywords, located.path)
      withPrototypeName(keywords)
      if (isReference(keywords)) keywords.$ref = reference(keywords.$ref, located.path, view)
      return keywords
    })
  }

  /** Returns the name of a referenced schema in a view. Views with equal schemas share one. */
  function reference($ref: string, from: readonly (string | number)[], view: View): string {
    const id = `${view} ${$ref}`
    const known = references.get(id)
    if (known !== undefined) return known
    const name = `schema${references.size}`
    references.set(id, name)
    const target = resolve<Schema>(document, { $ref }, from)
    const path = fromPointer($ref, from)
    // Follows only one step, so that the siblings of each `$ref` in a chain are kept.
    const schema = asObject(toView({ value: target.value, path }, view))
    const content = JSON.stringify(schema)
    const equal = byContent.get(content)
    if (equal !== undefined) {
      references.set(id, equal)
      return equal
    }
    byContent.set(content, name)
    add(schema, name, path)
    return name
  }

  /** Drops patterns that a module cannot match in bounded time, because it only has the JavaScript engine. */
  function leaveOutUnbounded(keywords: SchemaObject, path: DocumentPath): void {
    const { pattern } = keywords
    if (pattern === undefined || !isExponential(pattern)) return
    delete keywords.pattern
    notes.add(
      [...path, 'pattern'],
      `pattern ${JSON.stringify(pattern)} can take exponential time`,
      'it is ignored in modules',
    )
  }
}

/**
 * A schema whose parts are closed (`additionalProperties: false`), but lack properties that other parts describe. No request
 * could have these properties, so that the parts are closed together, which is what their author means.
 */
function closeTogether(document: OpenApiDocument, { value, path }: Located<SchemaObject>): SchemaObject {
  if (!value.allOf) return value
  const { properties, open } = flattenSchema(document, { value, path })
  const lacks = ({ additionalProperties: others, patternProperties: patterns, properties: own = {} }: SchemaObject) =>
    others === false && !patterns && [...properties.keys()].some((name) => !Object.hasOwn(own, name))
  const isClosed = (part: Schema, depth: number): boolean => {
    if (typeof part === 'boolean' || depth > maxParts) return false
    const target = isReference(part) ? resolve<Schema>(document, part, path).value : false
    return lacks(part) || isClosed(target, depth + 1) || (part.allOf ?? []).some((each) => isClosed(each, depth + 1))
  }
  if (!isClosed(value, 0)) return value
  const toOpen = (part: Schema, depth: number): Schema => {
    if (typeof part === 'boolean' || !isClosed(part, depth)) return part
    const { $ref, additionalProperties: others, allOf = [], ...own } = part
    const target = $ref === undefined ? [] : [resolve<Schema>(document, { $ref }, path).value]
    const inner = [...target, ...allOf].map((each) => toOpen(each, depth + 1))
    return {
      ...own,
      ...(inner.length > 0 && { allOf: inner }),
      ...(others !== undefined && others !== false && { additionalProperties: others }),
    }
  }
  const all = Object.fromEntries([...properties.keys()].map((name) => [name, true]))
  const together = toOpen(value, 0) as SchemaObject
  return open ? together : { ...together, additionalProperties: false, properties: { ...all, ...together.properties } }
}

export function asObject(schema: Schema): SchemaObject {
  return typeof schema === 'boolean' ? { allOf: [schema] } : schema
}

/** The name of an alternative, in messages. */
function nameOf(part: Schema): string {
  if (typeof part === 'boolean') return ''
  return shorten(String(part.$ref === undefined ? (part.title ?? '') : fromPointer(part.$ref, []).at(-1)))
}
