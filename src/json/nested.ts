/** Values inside of objects and lists. */
import { isObject, ownValue } from './own-value.js'

/** The value at the parts of a JSON Pointer (RFC 6901), names and indexes. Undefined if there is none. */
export function valueAt(root: unknown, pointer: readonly string[]): unknown {
  let value = root
  for (const part of pointer) {
    if (typeof value !== 'object' || value === null) return undefined
    value =
      Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(part)
        ? undefined
        : ownValue(value as Record<string, unknown>, part)
  }
  return value
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
