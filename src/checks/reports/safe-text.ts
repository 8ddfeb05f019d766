/** Makes text from requests and answers fit to stand in a report: it must steer no terminal and end no line. */

/**
 * Control characters, halves of characters, line separators, and what turns the direction of text.
 * Joiners stay: emoji are made with them.
 */
const unsafe = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** In one line; each character that is not safe is shown as U+FFFD. */
export function toLine(text: string): string {
  return text.replace(unsafe, '\ufffd')
}

const shownLength = 300

/** A body in one line, its beginning where it is long. */
export function shortenBody(body: string): string {
  // Long before it is looked at: a body may have a megabyte.
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

/** JSON that is safe on a terminal too: escaped is what `JSON.stringify` leaves as it is. */
export function toJson(value: unknown): string {
  const toReference = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  // Line breaks are those of the layout: in strings they are escaped already.
  return `${JSON.stringify(value, null, 2).replace(unsafe, (found) => (found === '\n' ? found : toReference(found)))}\n`
}
