/** Formats credentials, and places them in a request. */
import type { SecurityScheme } from './contract.js'

/** The default keys of the sandbox, which are not secret. */
export const ownKey: RegExp = /^sandbox(-[A-Za-z0-9._-]{1,64})?$/

/** Seconds after which a client should get a new token. The sandbox still accepts the old one. */
export const tokenLifetime: number = 3600

export interface PlacedCredentials {
  in: 'header' | 'query' | 'cookie'
  /** Name of the header, query parameter or cookie. */
  name: string
  value: string
}

/**
 * Returns the part of a request that authenticates with a key. For Basic authentication the key is the user name with
 * an empty password, or `user:password` (RFC 7617).
 * @example
 * writeCredentials({ kind: 'bearer' }, 'abc') // { in: 'header', name: 'Authorization', value: 'Bearer abc' }
 */
export function writeCredentials(scheme: SecurityScheme, key: string): PlacedCredentials {
  if (scheme.kind === 'apiKey') return { in: scheme.in, name: scheme.name, value: key }
  return { in: 'header', name: 'Authorization', value: `${writeScheme(scheme)} ${writeKey(scheme, key)}` }
}

/** The name of a scheme as it occurs in requests, e.g. `Bearer`. */
export function writeScheme(scheme: SecurityScheme): string {
  return scheme.kind === 'http' ? scheme.scheme : scheme.kind.charAt(0).toUpperCase() + scheme.kind.slice(1)
}

function writeKey({ kind }: SecurityScheme, key: string): string {
  if (kind !== 'basic') return key
  return encodeBase64(key === '' || key.includes(':') ? key : `${key}:`)
}

/** Base64 of the UTF-8 bytes of a text. `btoa` alone throws on characters beyond U+00FF. */
export function encodeBase64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))
}

/** Base64 for URLs and tokens, without padding (RFC 4648, section 5). */
export function toUrlSafe(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/**
 * Decodes Base64 text as UTF-8, or as Latin-1 if the bytes are not UTF-8, because old clients send Latin-1.
 * @throws DOMException if the text is not Base64
 */
export function decodeBase64(encoded: string): string {
  const binary = atob(encoded)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      Uint8Array.from(binary, (byte) => byte.charCodeAt(0)),
    )
  } catch {
    return binary
  }
}
