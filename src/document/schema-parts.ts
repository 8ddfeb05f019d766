/** Finds the parts of a schema: those that describe the same value. */
import { isReference, type Located, type OpenApiDocument, type Schema, type SchemaObject } from './document.js'
import { resolve } from './references.js'
import { rarelyNull } from './tidy/tidy-schema.js'

/** A part of a schema that describes the same value. */
interface SchemaPart extends Located<Schema> {
  /** Whether every value must satisfy it. */
  isCertain: boolean
}

/** The target of the `$ref` of a schema, its parts and its alternatives, including conditional ones. */
export function* partsOf(document: OpenApiDocument, { value, path }: Located<SchemaObject>): Generator<SchemaPart> {
  if (isReference(value)) yield { ...resolve<Schema>(document, value, path), isCertain: true }
  for (const keyword of ['allOf', 'oneOf', 'anyOf'] as const) {
    for (const [index, part] of (value[keyword] ?? []).entries())
      yield {
        value: part,
        path: [...path, keyword, index],
        isCertain: keyword === 'allOf' || value[rarelyNull] === true,
      }
  }
  for (const [name, part] of Object.entries((value['dependentSchemas'] ?? {}) as Record<string, Schema>))
    yield { value: part, path: [...path, 'dependentSchemas', name], isCertain: false }
  for (const keyword of ['if', 'then', 'else'] as const) {
    const part = value[keyword]
    if (part !== undefined) yield { value: part as Schema, path: [...path, keyword], isCertain: false }
  }
}
