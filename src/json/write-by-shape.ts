/** Writes a JSON value by its shape. */
import type { ExactValue } from './exact-value.js'
import type { Shape } from './shape.js'

/** The known properties of a shape as JSON text, each with its colon: most answers have the same few. */
const writtenNames = new WeakMap<Shape, string[]>()

const anything: Shape = {}

/** Writes a value as JSON text, with known properties in their documented order and every digit of a bigint. */
export function writeByShape(value: ExactValue, shapes: Shape[], shape: number): string {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const known = shapes[shape] ?? anything
  if (Array.isArray(value)) {
    const { items = 0 } = known
    return `[${value.map((item) => writeByShape(item, shapes, items)).join(',')}]`
  }
  return `{${writeProperties(value as Record<string, ExactValue>, shapes, known).join(',')}}`
}

function writeProperties(values: Record<string, ExactValue>, shapes: Shape[], shape: Shape): string[] {
  const { properties = [] } = shape
  const names = writtenNames.get(shape) ?? writeNames(shape)
  const parts: string[] = []
  for (let index = 0; index < properties.length; index++) {
    const [name, inner] = properties[index] as [string, number]
    if (!Object.hasOwn(values, name)) continue
    const item = values[name]
    if (item !== undefined) parts.push(names[index] + writeByShape(item, shapes, inner))
  }
  if (shape.properties && !shape.open) return parts
  const known = new Set(properties.map(([name]) => name).concat(shape.hidden ?? []))
  for (const [name, item] of Object.entries(values)) {
    if (!known.has(name) && item !== undefined) parts.push(`${JSON.stringify(name)}:${writeByShape(item, shapes, 0)}`)
  }
  return parts
}

function writeNames(shape: Shape): string[] {
  const names = (shape.properties ?? []).map(([name]) => `${JSON.stringify(name)}:`)
  writtenNames.set(shape, names)
  return names
}
