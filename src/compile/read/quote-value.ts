/** Quotes values of a document and names its parts in messages. */
import { shorten } from '../../contract/violations.js'
import { toJson } from '../../json/exact-json.js'
import { type DocumentPath, filesMember } from '../document.js'

/** The name of a part within its file. */
export function namePart(path: DocumentPath): string {
  const own = path[0] === filesMember ? path.slice(2) : path
  return own.join('.') || (own === path ? 'the document' : 'the file')
}

/** A simple value as JSON; the type of any other one. */
export function quoteValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  return shorten(toJson(value))
}
