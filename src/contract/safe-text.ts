/** Makes text safe for terminals and logs: no terminal control sequences, forged lines or reversed text. */

/**
 * Control characters (also C1, which terminals obey), lone surrogates, line separators, and characters that change the
 * direction of text. Joiners are allowed, as emoji contain them.
 */
export const unsafe: RegExp = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu

/** A fast check first: most text is plain ASCII, which takes a tenth of the time. */
const beyondAscii = /[^ -~]/

/** One line: each unsafe character, including line breaks, becomes U+FFFD. */
export function toSafeLine(text: string): string {
  return beyondAscii.test(text) ? text.replace(unsafe, '\ufffd') : text
}

/** An unsafe character as it is written in a JSON string. */
export function toJsonEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Makes JSON text safe in one line: escapes characters that `JSON.stringify` does not. */
export function toSafeJson(json: string): string {
  if (!beyondAscii.test(json)) return json
  return json.replace(unsafe, toJsonEscape)
}
