/** Quotes values of a document and names its parts in messages. */
import { quote } from '../contract/violations.js'
import { type DocumentPath, filesMember } from './document.js'

/** The name of a part within its file. */
export function namePart(path: DocumentPath): string {
  const own = path[0] === filesMember ? path.slice(2) : path
  return own.join('.') || (own === path ? 'the document' : 'the file')
}

/** A simple value as JSON; the type of any other one. */
export function quoteValue(value: unknown): string {
  return value === undefined ? 'nothing' : quote(value)
}
