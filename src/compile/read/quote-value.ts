/** Quotes values of a document in messages. */
import { shorten } from '../../contract/violations.js'

/** A simple value as JSON; the type of any other one. */
export function quoteValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  return shorten(JSON.stringify(value))
}
