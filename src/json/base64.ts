/** Bytes as Base64 text (RFC 4648, section 4). */

/** Arguments of one call: more would overflow the stack. */
const chunk = 8192

export function encodeBytes(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += chunk) {
    text += String.fromCharCode(...bytes.subarray(start, start + chunk))
  }
  return btoa(text)
}

/** @returns undefined if the text is not Base64 */
export function decodeBytes(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
