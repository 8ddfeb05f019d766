/** Writes a JSON value by its shape. */
import type { ExactValue } from './exact-value.js'
import type { Shape } from './shape.js'

/** Writes a value as JSON text, with known properties in their documented order and every digit of a bigint. */
export function writeByShape(value: ExactValue, shapes: Shape[], shape: number): string {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const { properties, open, hidden = [], items } = shapes[shape] ?? {}
  if (Array.isArray(value)) return `[${value.map((item) => writeByShape(item, shapes, items ?? 0)).join(',')}]`
  const values = value as Record<string, ExactValue>
  const parts: string[] = []
  const write = (name: string, inner: number) => {
    const item = values[name]
    if (item !== undefined) parts.push(`${JSON.stringify(name)}:${writeByShape(item, shapes, inner)}`)
  }
  for (const [name, inner] of properties ?? []) if (Object.hasOwn(values, name)) write(name, inner)
  if (open || properties === undefined) {
    const known = new Set(properties?.map(([name]) => name).concat(hidden))
    for (const name of Object.keys(values)) if (!known.has(name)) write(name, 0)
  }
  return `{${parts.join(',')}}`
}
