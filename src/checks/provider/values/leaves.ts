/** The texts and numbers in a JSON value, each with its place. */

import { isObject } from '../../../json/own-value.js'

/** A text, number or other value without parts. */
export interface Leaf {
  path: readonly (string | number)[]
  /** The path as text. The items of a list share one. */
  name: string
  value: unknown
}

/** More are not varied. */
const maxLeaves = 50

/** The leaves of a value, in order. Of each list only the first item is visited. */
export function leavesOf(value: unknown): Leaf[] {
  return [...visit(value, [])].slice(0, maxLeaves)
}

function* visit(value: unknown, path: readonly (string | number)[]): Iterable<Leaf> {
  if (typeof value !== 'object' || value === null) {
    const name = path.map((part) => (typeof part === 'number' ? '[]' : part)).join('.')
    yield { path, name, value }
  } else if (Array.isArray(value)) {
    if (value.length > 0) yield* visit(value[0], [...path, 0])
  } else {
    for (const [name, inner] of Object.entries(value)) yield* visit(inner, [...path, name])
  }
}

/** The value that properties and indexes lead to; undefined if there is none. */
export function valueAt(value: unknown, path: Leaf['path']): unknown {
  return path.reduce<unknown>(
    (inner, part) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[part] : undefined,
    value,
  )
}

/** A copy with another value at a path. Objects that are missing on the way are made. */
export function withValueAt(value: unknown, [part, ...rest]: Leaf['path'], inner: unknown): unknown {
  if (part === undefined) return inner
  if (Array.isArray(value) && typeof part === 'number') return value.with(part, withValueAt(value[part], rest, inner))
  const own = isObject(value) ? value : {}
  return { ...own, [part]: withValueAt(own[part], rest, inner) }
}

/** Texts that a service may take for the same are the same here: in another case or with spaces around them. */
export function normalize(value: unknown): string {
  return typeof value === 'string' ? `"${value.normalize('NFKC').trim().toLowerCase()}` : String(value)
}
