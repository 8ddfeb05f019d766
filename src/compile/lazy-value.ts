/** Properties that are calculated when they are read for the first time. */

/**
 * Adds a property to an object. A result of undefined is kept as well.
 * @example
 * withLazy({ kind: 'example' }, 'body', () => JSON.stringify(sample(document, schema)))
 */
export function withLazy<T extends object, Name extends string, Value>(
  object: T,
  name: Name,
  calculate: () => Value,
): T & { [Key in Name]: Value } {
  Object.defineProperty(object, name, {
    get() {
      const value = calculate()
      Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
      return value
    },
    enumerable: true,
    configurable: true,
  })
  return object as T & { [Key in Name]: Value }
}
