/** Finds every list that a success body has. */
import type { Located, OpenApiDocument, Schema } from '../document.js'
import { flattenSchema, isObjectSchema } from '../schemas/flatten-schema.js'

export interface ListInBody {
  /** The properties that lead to it. */
  pointer: string[]
  /** The schema of one item. */
  record: Located<Schema>
}

/** Objects in objects that are searched. */
const maxDepth = 3

/** Finds the arrays of objects in a body, the outer ones first. */
export function findLists(document: OpenApiDocument, schema: Located<Schema>, pointer: string[] = []): ListInBody[] {
  const { types, items, properties } = flattenSchema(document, schema)
  if (types.has('array')) {
    return items && isObjectSchema(flattenSchema(document, items)) ? [{ pointer, record: items }] : []
  }
  if (pointer.length >= maxDepth) return []
  const found = [...properties].flatMap(([name, inner]) => findLists(document, inner, [...pointer, name]))
  return found.toSorted((a, b) => a.pointer.length - b.pointer.length)
}
