/**
 * Finds schemas that no validator can evaluate in reasonable time: schemas that contain themselves for the same value, and
 * schemas that expand to too many schemas.
 */
import { type DocumentPath, isReference, type OpenApiDocument, type Reference, type SchemaObject } from '../document.js'
import type { Notes } from '../notes.js'
import { followOnce } from '../references.js'

const lists = ['allOf', 'anyOf', 'oneOf'] as const
/** How many schemas one schema may expand to. Nested alternatives multiply. */
const maxSchemas = 20_000

const singles = ['not', 'if', 'then', 'else'] as const

/**
 * Removes each `$ref` that leads back to its own schema for the same value, or expands to too many schemas.
 * @param schemas all schemas of the document with their places
 */
export function boundSchemas(
  document: OpenApiDocument,
  schemas: ReadonlyMap<SchemaObject, DocumentPath>,
  notes: Notes,
): void {
  /** The number of schemas that each finished schema expands to. */
  const sizes = new Map<unknown, number>()
  const open = new Set<unknown>()

  function sizeOf(schema: unknown): number {
    if (typeof schema !== 'object' || schema === null) return 0
    const known = sizes.get(schema)
    if (known !== undefined) return known
    open.add(schema)
    // A schema can only contain itself directly by a YAML alias, which `checkSize` refuses.
    let size = partsOf(schema as SchemaObject).reduce((sum: number, inner) => sum + sizeOf(inner), 1)
    if (isReference(schema)) size += sizeOfTarget(schema)
    open.delete(schema)
    sizes.set(schema, size)
    return size
  }

  function sizeOfTarget(schema: Reference): number {
    const target = followOnce<unknown>(document, schema, []).value
    const isCircle = open.has(target)
    const size = isCircle ? 0 : sizeOf(target)
    if (!isCircle && size <= maxSchemas) return size
    const path = [...(schemas.get(schema as SchemaObject) ?? []), '$ref']
    const name = `$ref "${schema.$ref}"`
    if (isCircle) notes.add(path, `${name} leads back to itself`, 'any value is accepted')
    else notes.addLimit(path, `${name} expands to more than ${maxSchemas} schemas`, 'any value is accepted')
    delete (schema as Partial<Reference>).$ref
    return 0
  }

  for (const schema of schemas.keys()) sizeOf(schema)
}

/** The schemas in a schema that apply to the same value. */
function partsOf(schema: SchemaObject): unknown[] {
  return [
    ...lists.flatMap((keyword) => schema[keyword] ?? []),
    ...singles.map((keyword) => schema[keyword]),
    ...Object.values((schema['dependentSchemas'] as object | undefined) ?? {}),
  ]
}
