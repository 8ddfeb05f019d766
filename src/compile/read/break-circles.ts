/** Finds schemas that apply to a value only if they apply to that same value already, which no validator can decide. */
import { type DocumentPath, isReference, type OpenApiDocument, type Reference, type SchemaObject } from '../document.js'
import type { Notes } from '../notes.js'
import { followOnce } from '../references.js'

const lists = ['allOf', 'anyOf', 'oneOf'] as const
const singles = ['not', 'if', 'then', 'else'] as const

/**
 * Removes each `$ref` that leads back to its own schema without a step into the value.
 * @param schemas all schemas of the document with their places
 */
export function breakCircles(
  document: OpenApiDocument,
  schemas: ReadonlyMap<SchemaObject, DocumentPath>,
  notes: Notes,
): void {
  const done = new Set<unknown>()
  const open = new Set<unknown>()

  function visit(schema: unknown): void {
    if (typeof schema !== 'object' || schema === null || done.has(schema)) return
    open.add(schema)
    if (isReference(schema)) followUnlessOpen(schema)
    for (const inner of partsOf(schema as SchemaObject)) {
      // An inner schema is part of its own only by an alias of YAML, which `checkSize` refuses.
      visit(inner)
    }
    open.delete(schema)
    done.add(schema)
  }

  function followUnlessOpen(schema: Reference): void {
    const target = followOnce<unknown>(document, schema, []).value
    if (!open.has(target)) {
      visit(target)
      return
    }
    const path = schemas.get(schema as SchemaObject) ?? []
    notes.add([...path, '$ref'], `$ref "${schema.$ref}" leads back to itself`, 'any value is accepted')
    delete (schema as Partial<Reference>).$ref
  }

  for (const schema of schemas.keys()) visit(schema)
}

/** The schemas in a schema that apply to the same value. */
function partsOf(schema: SchemaObject): unknown[] {
  return [
    ...lists.flatMap((keyword) => schema[keyword] ?? []),
    ...singles.map((keyword) => schema[keyword]),
    ...Object.values((schema['dependentSchemas'] as object | undefined) ?? {}),
  ]
}
