/** Groups the members of a list. */
import { getOrInsert } from './own-value.js'

/** In the order of the first member of each group. */
export function groupBy<T>(all: readonly T[], keyOf: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const each of all) getOrInsert(groups, keyOf(each), () => []).push(each)
  return groups
}
