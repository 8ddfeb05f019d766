/** Converts values of a document to the types of their schemas. */
import type { SchemaObject } from '../document.js'
import { isOfType } from '../schemas/is-of-type.js'

/** Whether a value is of one of the types of a schema. */
export function hasType({ type }: SchemaObject, value: unknown): boolean {
  return type === undefined || [type ?? []].flat().some((name) => isOfType(value, name))
}

/** The value in a type of the schema, if it is one that is only written in another way: `"5"` or `true`. */
export function convert({ type }: SchemaObject, value: unknown): unknown {
  for (const name of [type ?? []].flat()) {
    const converted = convertTo(name, value)
    if (converted !== undefined && isOfType(converted, name)) return converted
  }
  return undefined
}

function convertTo(type: string, value: unknown): unknown {
  const isText = typeof value === 'string'
  if (type === 'string') return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
  if (type === 'boolean' && isText) return { true: true, false: false }[value.toLowerCase()]
  if ((type === 'integer' || type === 'number') && isText && value.trim() !== '') return Number(value)
  if (type === 'array' && value !== null && typeof value !== 'object') return [value]
  return undefined
}
