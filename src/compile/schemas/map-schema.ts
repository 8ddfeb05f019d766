/** Visits a schema and every schema in it. */
import type { Located, Schema, SchemaObject } from '../document.js'

const mapsOfSchemas = ['properties', 'patternProperties', 'dependentSchemas', '$defs']
const listsOfSchemas = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const schemas = [
  'items',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]

/** Applies a change to a schema and to every schema in it, but not to values such as those of `const`. */
export function mapSchema(schema: Located<Schema>, change: (schema: Located<SchemaObject>) => SchemaObject): Schema {
  const { value, path } = schema
  if (typeof value === 'boolean') return value
  const mapped = change({ value, path })
  const inner = (member: unknown, ...keys: (string | number)[]) =>
    mapSchema({ value: member as Schema, path: [...path, ...keys] }, change)
  for (const [keyword, member] of Object.entries(mapped)) {
    if (mapsOfSchemas.includes(keyword)) {
      mapped[keyword] = Object.fromEntries(
        Object.entries(member as object).map(([name, item]) => [name, inner(item, keyword, name)]),
      )
    } else if (listsOfSchemas.includes(keyword)) {
      mapped[keyword] = (member as Schema[]).map((item, index) => inner(item, keyword, index))
    } else if (schemas.includes(keyword)) mapped[keyword] = inner(member, keyword)
  }
  return mapped
}
