/** The properties by which a list is filtered and sorted. */
import type { Located, OpenApiDocument, Schema } from '../document/document.js'
import { flattenSchema } from './flatten-schema.js'

/**
 * A list is also filtered and sorted by what it does not show.
 * @param record the schema of one of its records
 * @param whole that of the records of the collection
 */
export function queriedProperties(
  document: OpenApiDocument,
  record: Located<Schema> | undefined,
  whole: Located<Schema> | undefined,
): ReadonlyMap<string, Located<Schema>> {
  const shown = propertiesOf(document, record)
  return whole ? new Map([...propertiesOf(document, whole), ...shown]) : shown
}

/** The properties of a record, with those of the attributes of a resource object (JSON:API 1.1, section 7.2). */
function propertiesOf(
  document: OpenApiDocument,
  record: Located<Schema> | undefined,
): ReadonlyMap<string, Located<Schema>> {
  const own = record ? flattenSchema(document, record).properties : new Map<string, Located<Schema>>()
  const attributes = own.has('type') ? own.get('attributes') : undefined
  if (!attributes) return own
  const inner = [...flattenSchema(document, attributes).properties]
  return new Map([...inner.map(([name, schema]) => [`attributes/${name}`, schema] as const), ...own])
}
