/** Tells bodies that describe a record from JSON Patches (RFC 6902), whose schema is that of a list of changes. */
import { type DescribedOperation, jsonContent } from './describe-operations.js'
import type { Located, MediaTypeObject, OpenApiDocument, Schema } from './document.js'
import { bareMediaType, codecOf } from './media-types.js'
import { flattenSchema } from './schemas/flatten-schema.js'

/** The content of a request that has the record: JSON, else the first one. Undefined without any. */
export function recordContent(
  document: OpenApiDocument,
  { body }: Pick<DescribedOperation, 'body'>,
): Located<MediaTypeObject> | undefined {
  if (!body) return undefined
  const at = ([name, value]: [string, MediaTypeObject]) => ({ value, path: [...body.path, 'content', name] })
  const entries = Object.entries(body.value.content).filter((entry) => !isJsonPatch(document, entry[0], at(entry)))
  const [first] = entries
  return jsonContent(Object.fromEntries(entries), body.path) ?? (first && at(first))
}

/** Whether a body is a JSON Patch, by its media type or because its JSON is a list of objects with `op` and `path`. */
export function isJsonPatch(document: OpenApiDocument, name: string, media: Located<MediaTypeObject>): boolean {
  const { schema } = media.value
  const codec = codecOf(bareMediaType(name))
  if (codec !== 'json' || schema === undefined) return codec === 'json-patch'
  const { items } = flattenSchema(document, { value: schema, path: [...media.path, 'schema'] })
  const properties = items && flattenSchema(document, items).properties
  return properties?.has('op') === true && properties.has('path')
}

/** Whether a schema of a JSON Patch can be one: documents often give that of the record, or of one change. */
export function allowsList(document: OpenApiDocument, schema: Located<Schema>): boolean {
  const { types, items } = flattenSchema(document, schema)
  return types.size === 0 ? items !== undefined : types.has('array')
}
