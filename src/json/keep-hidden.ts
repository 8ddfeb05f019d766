/** Keeps the properties that a change must not touch. */
import type { ExactValue } from './exact-value.js'
import { isSameJson } from './same-json.js'
import type { Shape } from './shape.js'

type Values = Record<string, ExactValue>

/**
 * Returns a changed value with the previous values of the properties that its shape hides, at every level. Modifies neither
 * argument.
 * @example keepHidden({ a: 2, id: 9 }, { a: 1, id: 1 }, [{ properties: [['a', 1]], hidden: ['id'] }], 0) // { a: 2, id: 1 }
 */
export function keepHidden(value: ExactValue, before: ExactValue, shapes: Shape[], shape: number): ExactValue {
  const { properties = [], hidden = [], items } = shapes[shape] ?? {}
  if (Array.isArray(value)) {
    if (items === undefined) return value
    const others: ExactValue[] = Array.isArray(before) ? before : []
    const own = shapes[items]?.hidden ?? []
    return value.map((item) => keepHidden(item, findSame(item, others, own), shapes, items))
  }
  if (!isObject(value)) return value
  const was = isObject(before) ? before : {}
  const kept = new Map(Object.entries(value))
  for (const name of hidden) {
    if (Object.hasOwn(was, name)) kept.set(name, was[name])
    else kept.delete(name)
  }
  for (const [name, inner] of properties) {
    const item = kept.get(name)
    if (isObject(item) || Array.isArray(item)) {
      kept.set(name, keepHidden(item, Object.hasOwn(was, name) ? was[name] : undefined, shapes, inner))
    }
  }
  return Object.fromEntries(kept)
}

/** Items of a list may move: finds an item by its hidden properties, else by all others. */
function findSame(item: ExactValue, others: readonly ExactValue[], hidden: readonly string[]): ExactValue {
  if (!isObject(item) || hidden.length === 0) return undefined
  const isHidden = ([name]: [string, unknown]) => hidden.includes(name)
  const part = (of: Values, areHidden: boolean) =>
    Object.fromEntries(Object.entries(of).filter((entry) => isHidden(entry) === areHidden))
  const hasHidden = Object.entries(item).some(isHidden)
  return others.find((other) => isObject(other) && isSameJson(part(other, hasHidden), part(item, hasHidden)))
}

function isObject(value: ExactValue): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
