/** Looks up names that come from documents and requests: `constructor` and `__proto__` are names like any other. */

/**
 * The value of an object's own property, never an inherited one.
 * @example
 * ownValue({ id: 1 }, 'id') // 1
 * ownValue({}, 'constructor') // undefined
 */
export function ownValue<T>(object: { readonly [name: string]: T }, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Its prototype has no members. Faster than `Object.create(null)`, whose objects are dictionaries to V8. */
class Named {}
Object.setPrototypeOf(Named.prototype, null)
Reflect.deleteProperty(Named.prototype, 'constructor')

/** An object for values by name that inherits nothing, so that a name such as `__proto__` is a property. */
export function createNamed<T>(): Record<string, T> {
  return new Named() as Record<string, T>
}
