/** Makes a value from the examples and the schema of a document, the same each time. */
import { ownValue } from '../../json/own-value.js'
import type { Located, MediaTypeObject, OpenApiDocument, Schema, SchemaObject } from '../document.js'
import { isReference } from '../document.js'
import { resolve } from '../references.js'
import { flattenSchema, hasFlag, isObjectSchema } from './flatten-schema.js'

/** Returns an example of a response body: that of the media type, else one from its schema. */
export function sampleMediaType(document: OpenApiDocument, media: Located<MediaTypeObject>): unknown {
  const { example, examples, schema } = media.value
  if (example !== undefined) return example
  const [first] = Object.entries(examples ?? {})
  if (first) {
    const [name, written] = first
    const { value } = resolve<{ value?: unknown }>(document, written, [...media.path, 'examples', name])
    if (!isReference(value) && value.value !== undefined) return value.value
  }
  return schema === undefined ? undefined : sample(document, { value: schema, path: [...media.path, 'schema'] })
}

/** Recursive schemas are cut at this depth. */
const maxDepth = 6

/** Returns `example`, `examples`, `default`, `const` or the first of `enum`, else the simplest value of the type. */
export function sample(document: OpenApiDocument, schema: Located<Schema>, depth = 0): unknown {
  const flat = flattenSchema(document, schema)
  const { keywords } = flat
  const given = sampleGiven(keywords)
  if (given !== undefined) return given
  if (isObjectSchema(flat)) {
    if (depth >= maxDepth) return {}
    const shown = [...flat.properties].filter(
      ([name, property]) =>
        !hasFlag(document, property, 'writeOnly') && (depth < maxDepth / 2 || flat.required.has(name)),
    )
    return Object.fromEntries(shown.map(([name, property]) => [name, sample(document, property, depth + 1)]))
  }
  if (flat.types.has('array') || flat.items) {
    const count = Math.max(keywords.minItems ?? 0, depth === 0 ? 1 : 0)
    const { items } = flat
    return items === undefined || depth >= maxDepth
      ? []
      : Array.from({ length: count }, () => sample(document, items, depth + 1))
  }
  if (flat.types.has('null')) return null
  if (flat.types.has('boolean')) return true
  if (flat.types.has('integer') || flat.types.has('number')) return sampleNumber(keywords)
  return sampleString(keywords)
}

/** Returns a value that the schema contains, or undefined. */
export function sampleGiven(keywords: SchemaObject): unknown {
  const { example, examples, enum: allowed } = keywords
  return example ?? examples?.[0] ?? keywords.default ?? keywords.const ?? allowed?.[0]
}

function sampleNumber({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: SchemaObject): number {
  const low = minimum ?? (exclusiveMinimum === undefined ? 0 : Math.floor(exclusiveMinimum) + 1)
  const high = maximum ?? (exclusiveMaximum === undefined ? Number.POSITIVE_INFINITY : Math.ceil(exclusiveMaximum) - 1)
  return Math.min(Math.max(low, 0), high)
}

const formats: Record<string, string> = {
  'date-time': '2026-01-01T00:00:00.000Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  uuid: '00000000-0000-4000-8000-000000000000',
  email: 'someone@service.example',
  uri: 'https://service.example/',
  'uri-reference': '/',
  hostname: 'service.example',
  ipv4: '127.0.0.1',
  ipv6: '::1',
}

function sampleString({ format, minLength = 0 }: SchemaObject): string {
  return ownValue(formats, format ?? '')?.padEnd(minLength) ?? 'string'.padEnd(minLength, '.')
}
