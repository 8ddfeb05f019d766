/** Reads the idempotency key of a header. */

/** Maximum number of characters of a key. */
export const maxKeyLength: number = 1024

/**
 * A String of Structured Fields (RFC 9651, section 3.3.3), or the bare text that most clients send.
 * @returns undefined if the text is not a valid key
 * @example parseKey('"8e03978e"') // '8e03978e'
 */
export function parseKey(field: string): string | undefined {
  const text = field.trim()
  const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"(?:;.*)?$/.exec(text)
  const key = quoted ? quoted[1]?.replace(/\\(.)/g, '$1') : /^[\x20\x21\x23-\x7e]+$/.test(text) ? text : undefined
  return key !== undefined && key.length > 0 && key.length <= maxKeyLength ? key : undefined
}
