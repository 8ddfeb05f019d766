/** Keys of other documents: unless keys are listed, any credentials are valid and open the world of their client. */

import { decodeBase64, encodeBase64, toUrlSafe } from '../../contract/credentials.js'
import { isObject } from '../../json/own-value.js'
import { hasForbidden, toWorldId } from '../../state/world-id.js'
import type { EngineParts } from '../create-engine.js'
import { allCredentialReaders } from './read-credentials.js'
import { createTokenEndpoint } from './token-endpoint.js'
import type { CreateKeys } from './valid-keys.js'

/** Keys with this beginning are never valid, so that programs and `check` can test the refusal of an unknown key. */
const unknown = 'no-such-key'

/** @param apiKeys the only valid keys. @default any text that is not empty */
export const createOpenKeys: CreateKeys = (apiKeys) => {
  const [defaultKey = 'sandbox'] = apiKeys ?? []
  const listed = apiKeys && new Set(apiKeys)
  const tokens = createTokens(apiKeys ?? [''])

  /** The listed key among the texts that a client has sent; '' if it needs none. Undefined if it is not valid. */
  function keyOf(client: string, sent: readonly string[]): string | undefined {
    if (client === '' || hasForbidden(client)) return undefined
    if (listed) return [...sent, client].find((each) => listed.has(each))
    return client.startsWith(unknown) ? undefined : ''
  }

  return {
    rule: listed ? 'listed' : 'any',
    defaultKey,
    idOf(key, apiKey) {
      if (!listed) return apiKey ? undefined : toWorldId(key)
      const own = apiKey || (listed.has(key) ? key : (apiKey ?? defaultKey))
      return own === '' || listed.has(own) ? toWorldId(key, own) : undefined
    },
    worldOf(sent, { kind }) {
      // A token is one word (RFC 6750, section 2.1).
      if (hasForbidden(sent) || (kind === 'bearer' && sent.includes(' '))) return undefined
      const password = kind === 'basic' ? sent.slice(sent.indexOf(':') + 1) : undefined
      // A token is valid in place of the key that it was issued for.
      const { client, key: own } = tokens.read(sent) ?? { client: clientOf(sent, password), key: sent }
      const key = keyOf(client, [own, password ?? ''])
      return key === undefined ? undefined : toWorldId(client, key || client)
    },
    issueToken(client, secrets) {
      const key = keyOf(client, secrets)
      return key === undefined ? undefined : tokens.write(client, key)
    },
  }
}

interface Tokens {
  /** @param key a key with which the client authenticated */
  write(client: string, key: string): string
  /** Returns the client of a token, and its key. Undefined for any other text. */
  read(token: string): { client: string; key: string } | undefined
}

const prefix = 'sbx_'

const maxLength = 8192

/** @param keys the keys that tokens can be issued for */
function createTokens(keys: readonly string[]): Tokens {
  return {
    write: (client, key) => prefix + toUrlSafe(encodeBase64(`${fingerprint(client, key)}.${client}`)),
    read(token) {
      if (!token.startsWith(prefix) || token.length > maxLength) return undefined
      const text = decode(token.slice(prefix.length))
      const dot = text.indexOf('.')
      const client = text.slice(dot + 1)
      const key = keys.find((each) => text.slice(0, dot) === fingerprint(client, each))
      return key === undefined ? undefined : { client, key }
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

/**
 * Marks a text as a token of a listed key (FNV-1a with two seeds) without containing the key. It is not cryptographic: nothing
 * in a sandbox is worth forging a token.
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

/**
 * Returns the user of Basic authentication, the client of a JSON Web Token, the client in the parameters of another scheme,
 * or else the whole credentials. It stays the same when the token or signature of a client changes.
 * @param sent the credentials that the reader of the scheme returned
 */
function clientOf(sent: string, password: string | undefined): string {
  if (password !== undefined) return sent.slice(0, -password.length - 1) || password
  if (sent.startsWith('eyJ')) return clientOfJwt(sent) ?? sent
  return sent.includes('=') ? (parameter.exec(sent)?.[1] ?? sent) : sent
}

/**
 * The parameter that names the client in Digest (RFC 7616), Hawk, OAuth 1.0 (RFC 5849), HTTP Message Signatures and AWS
 * signatures. In the last, a date follows the client.
 */
const parameter = /(?:^|[\s,])(?:username|id|keyid|oauth_consumer_key|credential)="?([^",/\s]+)/i

/** The claims that name the client (RFC 9068, OpenID Connect Core), and the subject as a fallback (RFC 7519). */
const claims = ['client_id', 'azp', 'sub'] as const

function clientOfJwt(token: string): string | undefined {
  const [, payload = '', signature] = token.split('.')
  if (signature === undefined) return undefined
  try {
    // biome-ignore lint/plugin: a token of the request (RFC 7519, section 3)
    const values: unknown = JSON.parse(decodeBase64(payload.replaceAll('-', '+').replaceAll('_', '/')))
    const found = isObject(values) ? claims.map((claim) => values[claim]) : []
    const names = found.filter((value): value is string => typeof value === 'string' && value !== '')
    // A claim with a control character makes the whole token invalid.
    return names.find(hasForbidden) ?? names[0]
  } catch {
    return undefined
  }
}

export const openCredentials: Required<Pick<EngineParts, 'credentialReaders' | 'createKeys' | 'createTokenEndpoint'>> =
  {
    credentialReaders: allCredentialReaders,
    createKeys: createOpenKeys,
    createTokenEndpoint,
  }
