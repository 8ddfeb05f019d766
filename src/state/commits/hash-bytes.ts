/** Hashes for names in stores. */

/** SHA-256 (FIPS 180-4) in hexadecimal. */
export async function hashBytes(bytes: Uint8Array): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function hashText(text: string): Promise<string> {
  return hashBytes(new TextEncoder().encode(text))
}
