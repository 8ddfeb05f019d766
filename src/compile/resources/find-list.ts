/** Finds the list in a success body. */
import type { Located, OpenApiDocument, Schema } from '../document.js'
import { type FlatSchema, flattenSchema, isObjectSchema } from '../schemas/flatten-schema.js'

export interface FoundList {
  record: Located<Schema>
  /** The property that contains the list. Absent if the body is the list. */
  property?: string
}

/**
 * Finds the list in an array of objects, or in an object with exactly one such array.
 * @param chosen the property that contains the list, if there may be several
 */
export function findList(document: OpenApiDocument, flat: FlatSchema, chosen?: string): FoundList | undefined {
  const { items } = flat
  if (flat.types.has('array') && items) {
    return isObjectSchema(flattenSchema(document, items)) ? { record: items } : undefined
  }
  const lists = [...flat.properties].flatMap(([property, schema]) => {
    if (property !== (chosen ?? property)) return []
    const inner = flattenSchema(document, schema)
    const isList = inner.types.has('array') && inner.items && isObjectSchema(flattenSchema(document, inner.items))
    return isList && inner.items ? [{ record: inner.items, property }] : []
  })
  return isObjectSchema(flat) && lists.length === 1 ? lists[0] : undefined
}
