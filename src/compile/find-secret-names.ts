/** Finds the names of properties and parameters whose schemas have the format `password` (OpenAPI 3.1, section 4.4). */
import { isObject } from '../json/is-object.js'
import type { OpenApiDocument } from './document.js'

export function findSecretNames(document: OpenApiDocument): string[] {
  const names = new Set<string>()
  // Grows while it is read. Parts of YAML may be shared.
  const parts = new Set<unknown>([document])
  for (const part of parts) {
    if (typeof part !== 'object' || part === null) continue
    for (const each of Object.values(part)) parts.add(each)
    if (!isObject(part)) continue
    const { properties, name, schema } = part
    for (const [property, each] of Object.entries(isObject(properties) ? properties : {}))
      if (isPassword(each)) names.add(property)
    if (typeof name === 'string' && isPassword(schema)) names.add(name)
  }
  return [...names].sort()

  function isPassword(schema: unknown): boolean {
    if (!isObject(schema)) return false
    const { $ref, format } = schema
    const shared: Record<string, unknown> = document.components?.schemas ?? {}
    const target = typeof $ref === 'string' ? shared[$ref.replace(/^#\/components\/schemas\//, '')] : undefined
    return format === 'password' || (isObject(target) && target['format'] === 'password')
  }
}
