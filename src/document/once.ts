/** Calls a function when its result is first needed, and caches the result. */
export function once<Result extends object>(calculate: () => Result): () => Result {
  let known: Result | undefined
  return () => {
    known ??= calculate()
    return known
  }
}

/** Calls a function once for each object. */
export function oncePer<Key extends object, Result>(calculate: (key: Key) => Result): (key: Key) => Result {
  const known = new WeakMap<Key, { result: Result }>()
  return (key) => {
    const found = known.get(key)
    if (found) return found.result
    const result = calculate(key)
    known.set(key, { result })
    return result
  }
}

/**
 * Adds a lazy property to an object. Caches undefined as well.
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
