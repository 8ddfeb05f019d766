/** Copies JSON values. */
import type { ExactValue } from './exact-value.js'

/** A deep copy of a JSON value. Shared parts are copied for each place. */
export function copyValue<T extends ExactValue>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => copyValue(item)) as T
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copyValue(item)])) as T
}

/** The approximate length of the JSON text of a value: characters of names, texts and long integers, plus one for each value. */
export function countCharacters(value: ExactValue): number {
  if (typeof value === 'string') return value.length + 1
  if (typeof value === 'bigint') return value.toString(16).length + 1
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  if (Array.isArray(value)) for (const item of value) count += countCharacters(item)
  else for (const [name, item] of Object.entries(value)) count += name.length + countCharacters(item)
  return count
}
