/** Finds the client in credentials, which may also have a password, a signature or a time. */
import type { SecurityScheme } from '../contract/contract.js'
import { decodeBase64 } from '../contract/credentials.js'
import { isObject } from '../json/is-object.js'

type Kind = SecurityScheme['kind']

/**
 * The user of Basic authentication, the client of a JSON Web Token, the client in the parameters of another scheme, else the
 * whole credentials. The same for all requests of a client, although its token or signature changes.
 * @param sent as the reader of the scheme returns it
 */
export function clientOf(sent: string, kind: Kind): string {
  if (kind === 'basic') return userOf(sent) || passwordOf(sent, kind)
  if (sent.startsWith('eyJ')) return clientOfJwt(sent) ?? sent
  return sent.includes('=') ? (parameter.exec(sent)?.[1] ?? sent) : sent
}

/** The password of Basic authentication (RFC 7617). Empty if there is none. */
export function passwordOf(sent: string, kind: Kind): string {
  const colon = kind === 'basic' ? sent.indexOf(':') : -1
  return colon === -1 ? '' : sent.slice(colon + 1)
}

function userOf(sent: string): string {
  const colon = sent.indexOf(':')
  return colon === -1 ? sent : sent.slice(0, colon)
}

/**
 * The parameter with the client: of Digest (RFC 7616), Hawk, OAuth 1.0 (RFC 5849), signatures of HTTP messages, and of AWS,
 * whose value continues with a date.
 */
const parameter = /(?:^|[\s,])(?:username|id|keyid|oauth_consumer_key|credential)="?([^",/\s]+)/i

/** The claim with the client (RFC 9068, OpenID Connect Core), else the subject (RFC 7519). */
const claims = ['client_id', 'azp', 'sub'] as const

function clientOfJwt(token: string): string | undefined {
  const [, payload = '', signature] = token.split('.')
  if (signature === undefined) return undefined
  try {
    const values: unknown = JSON.parse(decodeBase64(payload.replaceAll('-', '+').replaceAll('_', '/')))
    const found = isObject(values) ? claims.map((claim) => values[claim]) : []
    return found.find((value): value is string => typeof value === 'string' && value !== '')
  } catch {
    return undefined
  }
}
