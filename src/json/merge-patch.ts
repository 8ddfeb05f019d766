/** JSON Merge Patch (RFC 7396). */
import { isObject } from './own-value.js'

/**
 * `null` removes a property, an object is merged, and any other value replaces the current one.
 * @example mergePatch({ a: 1, b: { c: 2, d: 3 } }, { a: null, b: { c: 4 } }) // { b: { c: 4, d: 3 } }
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = new Map<string, unknown>(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  return Object.fromEntries(merged)
}
