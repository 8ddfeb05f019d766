/** Keys of other documents: unless keys are listed, any credentials are valid and open the world of their client. */
import { decodeBase64, encodeBase64, toUrlSafe } from '../../contract/credentials.js'
import { quote } from '../../contract/violations.js'
import { isObject } from '../../json/own-value.js'
import { hasForbidden, nobody, toWorldId, type WorldId } from '../../state/world-id.js'
import { Refusal } from '../outcome.js'
import type { CreateKeys } from './valid-keys.js'

/** Keys with this beginning are never valid, so that programs and `check` can test the refusal of an unknown key. */
const unknown = 'no-such-key'

/** @param apiKeys the only valid keys. @default any text that is not empty */
export const createOpenKeys: CreateKeys = (apiKeys, isRevoked) => {
  const [defaultKey = 'sandbox'] = apiKeys ?? []
  const listed = apiKeys && new Set(apiKeys)
  const tokens = createTokens(apiKeys ?? [''])

  /** The listed key among the texts that a client has sent; without listed keys, the client. Undefined if there is none. */
  function keyOf(client: string, sent: readonly string[]): string | undefined {
    return listed ? [...sent, client].find((each) => listed.has(each)) : client
  }

  function toValidId(client: string, key: string | undefined): WorldId | undefined {
    const isName = key !== undefined && (listed?.has(client) || !client.startsWith(unknown))
    const id = isName ? toWorldId(client, key) : undefined
    return id !== undefined && [id, key as WorldId].some((each) => isRevoked?.(each)) ? undefined : id
  }

  function idOf(given: string, apiKey?: string): WorldId | undefined {
    if (listed?.has(given)) return toValidId(given, apiKey || given)
    // The same client as with a token in a request.
    const token = tokens.read(given)
    const client = token?.client ?? (listed ? given : (clientOfJwt(given) ?? given))
    if (token || !listed) return apiKey ? undefined : toValidId(client, token?.key || client)
    // As in `Basic`, a listed key may follow the user.
    const [, user = '', own = ''] = (apiKey === undefined && /^([^:]+):(.*)$/s.exec(given)) || []
    if (listed.has(own)) return toValidId(user, own)
    const key = apiKey ?? defaultKey
    return key === '' || listed.has(key) ? toValidId(given, key) : undefined
  }

  return {
    rule: listed ? 'listed' : 'any',
    defaultKey,
    idOf,
    openWorld(name, refused) {
      // Malformed credentials are refused in any case.
      if (refused !== undefined && (/^$| /.test(refused) || hasForbidden(refused))) return undefined
      if (refused !== undefined && !name) return nobody
      // A name is no proof of a user, so with listed keys it opens another world than the credentials of that user.
      const id = name ? idOf(name, '') : idOf(defaultKey)
      return id ?? new Refusal('invalid_request', `Sandbox-World must name a valid client (got ${quote(name)})`)
    },
    worldOf(given, scheme) {
      // Documents with a key in `Authorization` mean the bare key or one after a scheme: both are the same key.
      const isAny = scheme.kind === 'apiKey' && scheme.in === 'header' && /^authorization$/i.test(scheme.name)
      const sent = isAny ? given.replace(/^[\w-]+ +/, '') : given
      // Whatever a listed key looks like, it names itself.
      if (listed?.has(sent)) return toValidId(sent, sent)
      // A token is one word (RFC 6750, section 2.1).
      if (hasForbidden(sent) || (scheme.kind === 'bearer' && sent.includes(' '))) return undefined
      const password = scheme.kind === 'basic' ? sent.slice(sent.indexOf(':') + 1) : undefined
      const hasParameters = scheme.kind === 'http' || sent !== given
      // A token is valid in place of the key that it was issued for.
      const { client, key: own } = tokens.read(sent) ?? { client: clientOf(sent, password, hasParameters), key: sent }
      return toValidId(client, keyOf(client, [own, password ?? '']))
    },
    issueToken(client, secrets) {
      const key = keyOf(client, secrets)
      return toValidId(client, key) && tokens.write(client, listed ? (key ?? '') : '')
    },
  }
}

const prefix = 'sbx_'

/** @param keys the keys that tokens can be issued for */
function createTokens(keys: readonly string[]) {
  return {
    write: (client: string, key: string): string =>
      prefix + toUrlSafe(encodeBase64(`${fingerprint(client, key)}.${client}`)),
    /** Returns the client of a token, and the key with which it authenticated. Undefined for any other text. */
    read(token: string): { client: string; key: string } | undefined {
      if (!token.startsWith(prefix)) return undefined
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
 * @param sent the credentials, without the scheme
 * @param hasParameters whether they may be parameters
 */
function clientOf(sent: string, password: string | undefined, hasParameters: boolean): string {
  if (password !== undefined) return sent.slice(0, -password.length - 1) || password
  return clientOfJwt(sent) ?? (hasParameters ? clientOfParameters(sent) : undefined) ?? sent
}

/**
 * What names the client in Digest (RFC 7616), Hawk, OAuth 1.0 (RFC 5849), HTTP Message Signatures and AWS signatures. In the
 * last, a date follows the client.
 */
const clientNames: ReadonlySet<string> = new Set(['username', 'id', 'keyid', 'oauth_consumer_key', 'credential'])

/** A parameter of credentials (RFC 9110, section 11.2). Unlike there, values without quotes may have any characters, as many have. */
const parameter = /([!#$%&'*+.^`|~\w-]+)[ \t]*=[ \t]*(?:(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))[ \t]*)?(?:,[ \t,]*|$)/gsy

/** Undefined for one word (token68), and for what is not a list of parameters with different names. */
function clientOfParameters(sent: string): string | undefined {
  const found = /^[\w.~+/-]+=*$/.test(sent) ? [] : [...sent.matchAll(parameter)]
  const values = new Map(
    found.map(([, name = '', quoted, word]) => [name.toLowerCase(), quoted?.replace(/\\(.)/gs, '$1') ?? word]),
  )
  const isList = values.size === found.length && found.map(([text]) => text).join('') === sent
  const [name, client] = (isList && [...values].find(([each]) => clientNames.has(each))) || []
  return (name === 'credential' ? client?.replace(/\/.*/s, '') : client) || undefined
}

/** The claims that name the client (RFC 9068, OpenID Connect Core), and the subject as a fallback (RFC 7519). */
const claims = ['client_id', 'azp', 'sub'] as const

function clientOfJwt(token: string): string | undefined {
  const values = claimsOf(token)
  const found = values ? claims.map((claim) => values[claim]) : []
  const names = found.filter((value): value is string => typeof value === 'string' && value !== '')
  // A claim with a control character makes the whole token invalid.
  return names.find(hasForbidden) ?? names[0]
}

/** What a JSON Web Token says. Undefined for any other text. */
export function claimsOf(token: string): Readonly<Record<string, unknown>> | undefined {
  const [, payload = '', signature] = token.startsWith('eyJ') ? token.split('.') : []
  if (signature === undefined) return undefined
  try {
    // biome-ignore lint/plugin: a token of the request (RFC 7519, section 3)
    const values: unknown = JSON.parse(decodeBase64(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return isObject(values) ? values : undefined
  } catch {
    return undefined
  }
}
