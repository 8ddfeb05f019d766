/** What identifies worlds within the program. Only these functions and `Keys` make one: no text of a caller is taken for it. */

declare const isMade: unique symbol

/** A key; a user and the listed key that the user has sent; or, after NUL, the hash of one of these, if a store knows no more. */
export type WorldId = string & { readonly [isMade]: true }

export interface WorldNames {
  /** The key or the user that opened the world. */
  key: string
  /** The listed key that the user has sent. Undefined if `key` is one, or all keys are valid. */
  apiKey?: string | undefined
}

/** For a world that nobody opens. */
export const noWorld: WorldId = '' as WorldId

/** For callers whose credentials are not valid, where none are required. No text of a caller names it. */
export const nobody: WorldId = '\n' as WorldId

/**
 * Whether a text has a character that credentials must not have: a control character (RFC 7617, section 2; RFC 6749, appendix A), or one
 * that replaces what could not be decoded, because different credentials would then be equal. Characters from U+0080 to U+009F
 * are allowed: they are bytes of UTF-8 in headers.
 */
export function hasForbidden(text: string): boolean {
  return /[^\P{Cc}\x80-\x9f]|[\p{Cs}\ufffd]/u.test(text)
}

/** @param apiKey the listed key that a user has sent. @default the key itself @returns undefined for a text that is no key */
export function toWorldId(key: string, apiKey: string = key): WorldId | undefined {
  return key === '' || hasForbidden(key) ? undefined : joinNames({ key, apiKey: apiKey === key ? undefined : apiKey })
}

/** @param names those of a world that was opened */
export function joinNames({ key, apiKey }: WorldNames): WorldId {
  return (apiKey === undefined ? key : `${key}\n${apiKey}`) as WorldId
}

export function namesOf(id: WorldId): WorldNames {
  const [key = '', apiKey] = id.split('\n')
  return { key, apiKey }
}

export const ofHash = (hash: string): WorldId => `\0${hash}` as WorldId

/** The hash in an id. Undefined if it has none. */
export const hashIn = (id: WorldId): string | undefined => (id.startsWith('\0') ? id.slice(1) : undefined)

/** SHA-256 (FIPS 180-4) in hexadecimal. */
export async function hashBytes(bytes: Uint8Array): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function hashText(text: string): Promise<string> {
  return hashBytes(new TextEncoder().encode(text))
}
