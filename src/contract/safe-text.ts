/** Makes text safe for terminals and logs: no control of a terminal, no forged lines, no reversed text. */

/**
 * Control characters (also C1, which terminals obey), lone surrogates, line separators, and characters that change the
 * direction of text. Joiners are allowed, as emoji contain them.
 */
export const unsafe: RegExp = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu

/** Most text has no such character, and is found to be safe in a tenth of the time. */
const beyondAscii = /[^ -~]/

/** One line: each unsafe character, including line breaks, becomes U+FFFD. */
export function toSafeLine(text: string): string {
  return beyondAscii.test(text) ? text.replace(unsafe, '\ufffd') : text
}

/** An unsafe character as it is written in a JSON string. */
export function toJsonEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** JSON text in one line that is safe as well: escapes what `JSON.stringify` does not. */
export function toSafeJson(json: string): string {
  if (!beyondAscii.test(json)) return json
  return json.replace(unsafe, toJsonEscape)
}
