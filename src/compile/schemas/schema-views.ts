/** Rewrites schemas for a view: the properties that requests may send or responses show. */
import {
  type DocumentPath,
  isReference,
  type Located,
  type OpenApiDocument,
  type Schema,
  type SchemaObject,
} from '../document.js'
import type { Notes } from '../notes.js'
import { fromPointer, resolve } from '../references.js'
import { isExponential } from './bounded-pattern.js'
import type { View } from './compile-shapes.js'
import { flattenSchema, hasFlag } from './flatten-schema.js'
import { hideProperties, mapSchema, withIntegerBounds, withPrototypeName } from './rewrite-schema.js'
import { findTag, judgeByTag } from './tagged.js'

export interface ViewOptions {
  /** Whether the schemas are for a module, which cannot match patterns in bounded time. */
  isForModule: boolean
  /** Called with each target of a `$ref`, its name and its place. */
  add(schema: SchemaObject, name: string, path: DocumentPath): void
}

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
      const { description, title, example, examples, default: _, nullable, ...keywords } = located.value
      const tagged = kept.has(located.value) ? undefined : findTag(document, located)
      if (tagged && keywords[tagged.keyword]) judgeByTag(tagged, keywords, kept)
      withIntegerBounds(keywords)
      const hidden = hiddenIn(located, view)
      if (hidden.size > 0) hideProperties(keywords, hidden)
      if (isForModule) leaveOutUnbounded(keywords, located.path)
      withPrototypeName(keywords)
      if (isReference(keywords)) keywords.$ref = reference(keywords.$ref, located.path, view)
      return keywords
    })
  }

  /** The names of the properties of an object that a view hides. Empty for other schemas. */
  function hiddenIn(schema: Located<SchemaObject>, view: View): Set<string> {
    const { properties, required, allOf } = schema.value
    if (!properties && !required && !allOf) return new Set()
    const flag = view === 'request' ? 'readOnly' : 'writeOnly'
    const all = [...flattenSchema(document, schema).properties]
    return new Set(all.filter(([, property]) => hasFlag(document, property, flag)).map(([name]) => name))
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

export function asObject(schema: Schema): SchemaObject {
  return typeof schema === 'boolean' ? { allOf: [schema] } : schema
}
