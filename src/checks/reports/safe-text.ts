/** Makes text from requests and responses safe for reports: no control of terminals, no line breaks. */

import { unsafe } from '../../contract/safe-text.js'

/** Replaces each unsafe character, including line breaks, by U+FFFD. */
export function toLine(text: string): string {
  return text.replace(unsafe, '\ufffd')
}

const shownLength = 300

/** A body in one line, cut after 300 characters. */
export function shortenBody(body: string): string {
  // Cut first, as a body may have a megabyte.
  const line = toLine(
    body
      .slice(0, 10 * shownLength)
      .replace(/\s+/g, ' ')
      .trim(),
  )
  const characters = [...line]
  if (characters.length <= shownLength && body.length <= 10 * shownLength) return line
  return `${characters.slice(0, shownLength).join('')}…`
}

/** JSON that is safe on a terminal: also escapes what `JSON.stringify` does not. */
export function toJson(value: unknown): string {
  const toReference = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  // Line breaks are layout; in strings they are already escaped.
  return `${JSON.stringify(value, null, 2).replace(unsafe, (found) => (found === '\n' ? found : toReference(found)))}\n`
}
