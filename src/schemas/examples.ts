/** Reads the examples that a document has at a place: of media types, parameters and schemas. */
import type { ExamplePlace } from '../contract/contract.js'
import {
  isReference,
  type Located,
  type MediaTypeObject,
  type OpenApiDocument,
  type Schema,
  schemaOf,
} from '../document/document.js'
import { resolve } from '../document/references.js'
import { fromJson } from '../json/exact-json.js'
import { isObject, ownValue } from '../json/own-value.js'
import { allowsNull, flattenSchema } from './flatten-schema.js'

interface WithExamples {
  example?: unknown
  examples?: unknown
  schema?: Schema
}

/** The values of a property in the records at a place, or those of a place that has keys. */
export function propertyExamples(document: OpenApiDocument, place: ExamplePlace, name: string): unknown[] {
  const values = examplesAt(document, place)
  return place.is === 'key'
    ? values
    : values.flatMap((value) => recordsIn(place, value)).map((record) => ownValue(record, name))
}

/** The values at a place: those of the media type or the parameter itself, else those of its schema. */
export function examplesAt(
  document: OpenApiDocument,
  place: Pick<ExamplePlace, 'path' | 'is'> & Partial<ExamplePlace>,
): unknown[] {
  const { path, is } = place
  const own = ownExamplesAt(document, place)
  const schema = holderOf(document, path)?.schema
  if (own.length > 0 || schema === undefined) return own
  const located = schemaOf({ value: { schema }, path })
  const ofSchema = schemaExamples(document, located)
  const { default: standard } = flattenSchema(document, located).keywords
  // The default of a key is one that works.
  return is === 'key' && ofSchema.length === 0 && standard !== undefined ? [standard] : ofSchema.map(parse)
}

function holderOf(document: OpenApiDocument, path: ExamplePlace['path']): WithExamples | undefined {
  const holder = path.reduce<unknown>(
    (at, part) => (isObject(at) || Array.isArray(at) ? at[part as never] : undefined),
    document,
  )
  return isObject(holder) ? (holder as WithExamples) : undefined
}

/** Those of the media type or the parameter itself. */
function ownExamplesAt(document: OpenApiDocument, { path }: Pick<ExamplePlace, 'path'>): unknown[] {
  const { example, examples } = holderOf(document, path) ?? {}
  const named = isObject(examples) ? Object.values(examples) : []
  const values = named.flatMap((each) => {
    const named = isReference(each) ? resolve<{ value?: unknown }>(document, each, [...path]).value : each
    return isObject(named) && 'value' in named ? [named['value']] : []
  })
  return [...(example === undefined ? [] : [example]), ...values].map(parse)
}

export function schemaExamples(document: OpenApiDocument, schema: Located<Schema>): unknown[] {
  const { example, examples } = flattenSchema(document, schema).keywords
  return [...(example === undefined ? [] : [example]), ...(Array.isArray(examples) ? examples : [])]
}

/** Examples may be JSON in a text. */
function parse(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return fromJson(value)
  } catch {
    return value
  }
}

export function recordsIn({ pointer, wrapper, is }: ExamplePlace, value: unknown): Record<string, unknown>[] {
  const inner = pointer.reduce<unknown>((at, name) => (isObject(at) ? ownValue(at, name) : undefined), value)
  const listed = Array.isArray(inner) ? inner : is === 'list' ? [] : [inner]
  const records: unknown[] =
    wrapper === undefined ? listed : listed.map((item) => (isObject(item) ? ownValue(item, wrapper) : undefined))
  return records.filter(isObject)
}

/** The first example of a body that the document has beside its schema. */
export function exampleOf(document: OpenApiDocument, media: Located<MediaTypeObject>): unknown {
  const { example, examples } = media.value
  // Some generators write null where there is no example.
  const isNone =
    example === null && media.value.schema !== undefined && !allowsNull(flattenSchema(document, schemaOf(media)))
  if (example !== undefined && !isNone) return example
  const [first] = Object.entries(examples ?? {})
  if (first) {
    const [name, written] = first
    const { value } = resolve<{ value?: unknown }>(document, written, [...media.path, 'examples', name])
    if (!isReference(value) && value.value !== undefined) return value.value
  }
  return undefined
}

/** Parses an example that is the JSON text of a value. @returns undefined if the schema allows a text */
export function parseExample(document: OpenApiDocument, media: Located<MediaTypeObject>, text: string): unknown {
  const flat = flattenSchema(document, schemaOf(media))
  const isStructured = flat.types.size === 0 ? /^\s*[[{]/.test(text) : !flat.types.has('string')
  if (!isStructured) return undefined
  try {
    return fromJson(text)
  } catch {
    return undefined
  }
}
