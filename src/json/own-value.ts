/** Looks up names from documents and requests, in which `constructor` and `__proto__` are ordinary names. */

/**
 * The value of an object's own property, never an inherited one.
 * @example
 * ownValue({ id: 1 }, 'id') // 1
 * ownValue({}, 'constructor') // undefined
 */
export function ownValue<T>(object: { readonly [name: string]: T }, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** A class with an empty prototype. Faster than `Object.create(null)`, which gives V8 slow dictionary objects. */
class Named {}
Object.setPrototypeOf(Named.prototype, null)
Reflect.deleteProperty(Named.prototype, 'constructor')

/** Creates an object that inherits nothing, so that a name such as `__proto__` is an ordinary property. */
export function createNamed<T>(): Record<string, T> {
  return new Named() as Record<string, T>
}

/** Whether a JSON value is an object, not an array or null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the value of a key in a map, and makes it if it is missing (like `Map.prototype.getOrInsertComputed`). */
export function getOrInsert<K, V>(map: Map<K, V>, key: K, make: () => NoInfer<V>): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
