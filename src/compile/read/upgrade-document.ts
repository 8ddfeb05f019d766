/** Upgrades the schemas of an OpenAPI 3.0 document to 3.1, so that all other code reads one dialect. */

/** Rewrites the keywords that 3.1 changed (OpenAPI Initiative: "Migrating from OpenAPI 3.0 to 3.1"). */
export function upgradeDocument(document: unknown): unknown {
  return { ...(upgrade(document) as object), openapi: '3.1.0' }
}

/** Keys whose values are user data, not schemas. */
const values = new Set(['example', 'examples', 'default', 'enum', 'const', 'value'])
/** Keys of objects whose property names are chosen by the user, even if they look like keywords. */
const maps = new Set(['properties', 'patternProperties', 'schemas'])

function upgrade(node: unknown, key?: string): unknown {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map((item) => upgrade(item))
  const isMap = key !== undefined && maps.has(key)
  const upgraded = Object.fromEntries(
    Object.entries(node).map(([name, value]) => {
      if (isMap) return [name, upgrade(value)]
      return [name, values.has(name) ? value : upgrade(value, name)]
    }),
  )
  if (isMap) return upgraded
  upgradeBound(upgraded, 'exclusiveMinimum', 'minimum')
  upgradeBound(upgraded, 'exclusiveMaximum', 'maximum')
  if (upgraded['nullable'] === true) {
    if (typeof upgraded['type'] === 'string') upgraded['type'] = [upgraded['type'], 'null']
    if (Array.isArray(upgraded['enum'])) upgraded['enum'] = [...upgraded['enum'], null]
  }
  return upgraded
}

function upgradeBound(schema: Record<string, unknown>, exclusive: string, inclusive: string): void {
  if (typeof schema[exclusive] !== 'boolean') return
  if (schema[exclusive] && schema[inclusive] !== undefined) {
    schema[exclusive] = schema[inclusive]
    delete schema[inclusive]
  } else delete schema[exclusive]
}
