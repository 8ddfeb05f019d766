/** Measures values, so that patches cannot make them grow without end. */
import type { ExactValue } from './exact-value.js'

/** About the length of the JSON text of a value: the characters of its names, texts and long integers, and one for each value. */
export function countCharacters(value: ExactValue): number {
  if (typeof value === 'string') return value.length + 1
  if (typeof value === 'bigint') return value.toString(16).length + 1
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  if (Array.isArray(value)) for (const item of value) count += countCharacters(item)
  else for (const [name, item] of Object.entries(value)) count += name.length + countCharacters(item)
  return count
}
