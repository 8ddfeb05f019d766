/** Returns the value of a key in a map, and makes it if it is missing (like `Map.prototype.getOrInsertComputed`). */
export function getOrInsert<K, V>(map: Map<K, V>, key: K, make: () => NoInfer<V>): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
