/** Leaves out the properties that the shape of a value does not list. */
import type { ExactValue } from './exact-value.js'
import { ownValue } from './own-value.js'
import type { Shape } from './shape.js'

/** Removes unknown properties from a value in place, and calls `onDropped` with the dotted path of each. */
export function pruneByShape(
  value: ExactValue,
  shapes: Shape[],
  shape: number,
  onDropped: (path: string) => void,
  path = '',
): void {
  if (typeof value !== 'object' || value === null) return
  const { properties, open, hidden, items } = shapes[shape] ?? {}
  if (Array.isArray(value)) {
    if (items === undefined) return
    for (const [index, item] of value.entries()) pruneByShape(item, shapes, items, onDropped, `${path}[${index}]`)
  } else if (properties !== undefined) {
    const values = value as Record<string, ExactValue>
    const names = Object.keys(values)
    const shapeOf = toFind(properties, names.length)
    for (const name of names) {
      const at = path === '' ? name : `${path}.${name}`
      const known = shapeOf(name)
      if (known !== undefined) pruneByShape(values[name], shapes, known, onDropped, at)
      else if (!open || hidden?.includes(name)) {
        delete values[name]
        onDropped(at)
      }
    }
  }
}

/** The properties that `writeByShape` writes, in its order. */
export function pickByShape(value: ExactValue, shapes: Shape[], shape: number): ExactValue {
  if (typeof value !== 'object' || value === null) return value
  const { properties, open, hidden = [], items } = shapes[shape] ?? {}
  if (Array.isArray(value)) return value.map((item) => pickByShape(item, shapes, items ?? 0))
  const known = properties ?? []
  const names = Object.keys(value)
  const shapeOf = toFind(known, names.length)
  const unknown = names.filter((name) => shapeOf(name) === undefined && !hidden.includes(name))
  const others = open || !properties ? unknown.map((name): [string, number] => [name, 0]) : []
  const picked = [...known, ...others].flatMap(([name, inner]): [string, ExactValue][] => {
    const own = ownValue(value as Record<string, ExactValue>, name)
    return own === undefined ? [] : [[name, pickByShape(own, shapes, inner)]]
  })
  return Object.fromEntries(picked)
}

type ShapeByName = readonly [name: string, shape: number]

/** Returns a function that finds the shape of a name: in a map, if that is faster for so many names. */
function toFind(properties: readonly ShapeByName[], count: number): (name: string) => number | undefined {
  const map = count * properties.length > 1e4 && new Map(properties)
  return (name) => (map ? map.get(name) : properties.find(([each]) => each === name)?.[1])
}
