/** What describes the values of a request: the content of its body, and the schemas of its parameters. */
import { bareMediaType, codecOf } from '../../contract/http/media-types.js'
import {
  type Located,
  type MediaTypeObject,
  type OpenApiDocument,
  type ParameterObject,
  type Schema,
  schemaOf,
} from '../../document/document.js'
import { flattenSchema } from '../flatten-schema.js'
import { type DescribedOperation, jsonContent } from './describe-operations.js'

/** The request content with the record: JSON, else the first one. Undefined without any. */
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
  const { items } = flattenSchema(document, schemaOf(media))
  const properties = items && flattenSchema(document, items).properties
  return properties?.has('op') === true && properties.has('path')
}

/** The schema of a parameter: its `schema`, or that of its only media type. */
export function parameterSchema({
  value,
  path,
}: Located<Pick<ParameterObject, 'schema' | 'content'>>): Located<Schema> {
  const [media] = Object.entries(value.content ?? {})
  return schemaOf(media ? { value: media[1], path: [...path, 'content', media[0]] } : { value, path })
}
