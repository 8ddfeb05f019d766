/** Decodes the bytes of a text file. */

/**
 * Decodes UTF-8, and UTF-16 as YAML 1.2 finds it (section 5.2): by its byte order mark, or by the zero of an ASCII
 * character.
 * @throws TypeError with the code `ERR_ENCODING_INVALID_ENCODED_DATA` for other bytes
 */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes)
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0 && second !== 0 && second !== undefined) return 'utf-16be'
  if (second === 0 && first !== 0) return 'utf-16le'
  return 'utf-8'
}
