/** Bearer tokens that name their client. Nothing is stored, so they survive a restart and every replica can read them. */
import { decodeBase64, encodeBase64 } from '../contract/credentials.js'

export interface Tokens {
  /** @param key one of the keys that the client has proved */
  write(client: string, key: string): string
  /** Returns the client of a token. Undefined for any other text. */
  read(token: string): string | undefined
}

const prefix = 'sbx_'
const maxLength = 8192

/** @param keys tokens are valid for these keys */
export function createTokens(keys: readonly string[]): Tokens {
  return {
    write: (client, key) => prefix + toUrlSafe(encodeBase64(`${fingerprint(client, key)}.${client}`)),
    read(token) {
      if (!token.startsWith(prefix) || token.length > maxLength) return undefined
      const text = decode(token.slice(prefix.length))
      const dot = text.indexOf('.')
      const client = text.slice(dot + 1)
      return keys.some((key) => text.slice(0, dot) === fingerprint(client, key)) ? client : undefined
    },
  }
}

function decode(text: string): string {
  try {
    return decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return ''
  }
}

function toUrlSafe(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/**
 * Tells a token from other texts, and one of a listed key from others (FNV-1a with two seeds). It does not contain the key. It is not
 * cryptographic: nothing in a sandbox is worth forging a token.
 */
function fingerprint(client: string, key: string): string {
  const text = `${client}\n${key}`
  return [0x811c9dc5, 0x01000193].map((seed) => hash(text, seed).toString(36)).join('')
}

function hash(text: string, seed: number): number {
  let value = seed
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value >>> 0
}
