/** Finds the part of a value from a user that is not JSON and so can be neither stored nor sent. */
import { maxDepth } from './exact-json.js'

/**
 * Describes the part of a value that is not JSON; undefined if all of it is. Integers may be bigints, and a property may be
 * undefined, which counts as absent.
 * @example findNonJson({ at: new Date() }) // 'a Date'
 */
export function findNonJson(value: unknown, level = 1): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `the number ${value}`
  if (typeof value === 'symbol' || typeof value === 'function') return `a ${typeof value}`
  if (typeof value !== 'object' || value === null) return undefined
  if (level > maxDepth) return `more than ${maxDepth} levels, or a value that holds itself`
  const prototype: unknown = Array.isArray(value) ? null : Object.getPrototypeOf(value)
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return `a ${value.constructor.name}`
  for (const item of Object.values(value)) {
    const found = findNonJson(item, level + 1)
    if (found !== undefined) return found
  }
  return undefined
}
