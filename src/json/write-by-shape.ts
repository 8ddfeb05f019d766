/** Writes a JSON value by its shape. */
import type { ExactValue } from './exact-value.js'
import { ownValue } from './own-value.js'
import type { Shape } from './shape.js'

/** Caches the known properties of shapes as JSON text with a colon, because most answers have the same few. */
const knownNames = new WeakMap<object, string[]>()

/** Writes a value as JSON text, with known properties in their documented order and every digit of a bigint. */
export function writeByShape(value: ExactValue, shapes: Shape[], shape: number): string {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const { properties, open, hidden = [], items } = shapes[shape] ?? {}
  if (Array.isArray(value)) return `[${value.map((item) => writeByShape(item, shapes, items ?? 0)).join(',')}]`
  const values = value as Record<string, ExactValue>
  const parts: string[] = []
  const names = properties && (knownNames.get(properties) ?? keepNames(properties))
  properties?.forEach(([name, inner], index) => {
    const item = ownValue(values, name)
    if (item !== undefined) parts.push(names?.[index] + writeByShape(item, shapes, inner))
  })
  if (open || !properties) {
    const known = new Set(properties?.map(([name]) => name).concat(hidden))
    for (const name of Object.keys(values)) {
      if (!known.has(name) && values[name] !== undefined)
        parts.push(writeName(name) + writeByShape(values[name], shapes, 0))
    }
  }
  return `{${parts.join(',')}}`
}

function keepNames(properties: [name: string, shape: number][]): string[] {
  const names = properties.map(([name]) => writeName(name))
  knownNames.set(properties, names)
  return names
}

function writeName(name: string): string {
  return `${JSON.stringify(name)}:`
}
