/** Values inside of objects. */
import { isObject, ownValue } from './own-value.js'

/** The value at the end of a chain of properties. Undefined if there is none. */
export function valueAt(object: unknown, pointer: readonly string[]): unknown {
  return pointer.reduce((at, name) => (isObject(at) ? ownValue(at, name) : undefined), object)
}

/**
 * The object with another value at the end of a chain of properties. Changes nothing.
 * @example withNested({ a: { b: 1 } }, ['a', 'c'], 2) // { a: { b: 1, c: 2 } }
 */
export function withNested(
  object: Readonly<Record<string, unknown>>,
  [name, ...others]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  if (name === undefined) return object
  const inner = ownValue(object, name)
  return { ...object, [name]: others.length === 0 ? value : withNested(isObject(inner) ? inner : {}, others, value) }
}
