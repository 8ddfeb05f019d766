/** The texts and numbers in a JSON value, each with its place. */
import { isObject } from '../../../json/own-value.js'

/** A text, number or other value without parts. */
export interface Leaf {
  path: readonly (string | number)[]
  /** The path as text. The items of a list share one. */
  name: string
  value: unknown
}

/** Maximum number of leaves to vary. */
const maxLeaves = 50

/** The leaves of a value, in order. Visits only the first item of each list. */
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

/** A copy with another value at a path. Creates missing objects on the way. */
export function withValueAt(value: unknown, [part, ...rest]: Leaf['path'], inner: unknown): unknown {
  if (part === undefined) return inner
  if (Array.isArray(value) && typeof part === 'number') return value.with(part, withValueAt(value[part], rest, inner))
  const own = isObject(value) ? value : {}
  return { ...own, [part]: withValueAt(own[part], rest, inner) }
}

/** Ignores case and surrounding spaces, because a service may treat such texts as equal. */
export function normalize(value: unknown): string {
  return typeof value === 'string' ? `"${value.normalize('NFKC').trim().toLowerCase()}` : String(value)
}
