/** What a map holds for a key, made where there is nothing yet (as `Map.prototype.getOrInsertComputed` will do). */

/** @param most how many entries there may be: where one too many would come, the others are forgotten */
export function getOrInsert<K, V>(
  map: Map<K, V>,
  key: K,
  make: () => NoInfer<V>,
  most: number = Number.POSITIVE_INFINITY,
): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  if (map.size >= most) map.clear()
  map.set(key, made)
  return made
}

export function newMap<K, V>(): Map<K, V> {
  return new Map()
}
