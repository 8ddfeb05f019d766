/** Copies JSON values. */
import type { ExactValue } from './exact-value.js'

/** A deep copy of a JSON value; what is in two places of the value is two copies. */
export function copyValue<T extends ExactValue>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => copyValue(item)) as T
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copyValue(item)])) as T
}
