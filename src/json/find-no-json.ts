/** Judges values that users give: what is no JSON can be neither kept nor sent. */
import { maxDepth } from './exact-json.js'

/**
 * What in a value is no JSON, in words; nothing where all of it is. Integers may be bigints, and a property may be
 * undefined, which is as if it were not there.
 * @example findNoJson({ at: new Date() }) // 'a Date'
 */
export function findNoJson(value: unknown, level = 1): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `the number ${value}`
  if (typeof value === 'symbol' || typeof value === 'function') return `a ${typeof value}`
  if (typeof value !== 'object' || value === null) return undefined
  if (level > maxDepth) return `more than ${maxDepth} levels, or a value that holds itself`
  const prototype: unknown = Array.isArray(value) ? null : Object.getPrototypeOf(value)
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return `a ${value.constructor.name}`
  for (const item of Object.values(value)) {
    const found = findNoJson(item, level + 1)
    if (found !== undefined) return found
  }
  return undefined
}
