/** Finds where a document would have to have a property that answers show and no schema names. */
import type { DocumentPath, Located, OpenApiDocument, Schema } from '../document/document.js'
import { behindReference, flattenSchema } from '../schemas/flatten-schema.js'
import type { DescribedOperation } from '../schemas/operations/describe-operations.js'

/** A property that the document lacks. */
export interface AddedProperty {
  /** The object schema that gets it. */
  schema: DocumentPath
  name: string
  type: string
}

/**
 * @param at names that lead to the property in the body; an index stands for each item
 * @returns undefined if it is documented, or if no object schema is at its place
 */
export function findUndocumented(
  document: OpenApiDocument,
  { responses }: DescribedOperation,
  { status, at, value }: { status: number; at: readonly string[]; value: unknown },
): AddedProperty | undefined {
  // A success with another status than the documented one has its content.
  const isSuccess = ([name]: [string, unknown]) => name.startsWith('2')
  const response = responses.get(String(status)) ?? (status < 300 ? [...responses].find(isSuccess)?.[1] : undefined)
  const [type, media] = Object.entries(response?.value.content ?? {}).find(([name]) => name.includes('json')) ?? []
  if (!response || type === undefined || !media?.schema) return undefined
  let schema: Located<Schema> = { value: media.schema, path: [...response.path, 'content', type, 'schema'] }
  for (const [index, name] of at.entries()) {
    const flat = flattenSchema(document, schema)
    const next = flat.properties.get(name) ?? (/^\d+$/.test(name) ? flat.items : undefined)
    if (next) schema = next
    else if (index < at.length - 1 || flat.properties.size === 0) return undefined
    else return { schema: ownerOf(document, schema), name, type: typeOf(value) }
  }
  return undefined
}

/** The part of a schema that has its properties. */
function ownerOf(document: OpenApiDocument, schema: Located<Schema>): DocumentPath {
  const { value, path } = behindReference(document, schema)
  const [first] = flattenSchema(document, schema).properties.values()
  return typeof value === 'object' && value.properties === undefined && first ? first.path.slice(0, -2) : path
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return value === null ? 'null' : typeof value
}
