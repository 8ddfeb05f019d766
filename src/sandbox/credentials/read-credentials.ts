/** Reads the key of a request, with one function for each kind of security scheme. */
import type { SecurityScheme } from '../../contract/contract.js'
import { decodeBase64 } from '../../contract/credentials.js'
import type { SandboxRequest } from '../request/request.js'

/** Returns the key of a request: empty if the scheme is used without a key, undefined if it is not used. */
type CredentialReader<Scheme> = (request: SandboxRequest, scheme: Scheme) => string | undefined

/** The functions that read keys, by kind of scheme: all of them, or only those that a contract needs. */
export type CredentialReaders = {
  readonly [Kind in SecurityScheme['kind']]?: CredentialReader<Extract<SecurityScheme, { kind: Kind }>>
}

/** Reads the token (RFC 6750, section 2.1). */
export function readBearer(request: SandboxRequest): string | undefined {
  return readCredentials(request, 'bearer')
}

/** Reads the credentials of a scheme that is neither Bearer nor Basic. */
export function readHttp(
  request: SandboxRequest,
  { scheme }: Extract<SecurityScheme, { kind: 'http' }>,
): string | undefined {
  return readCredentials(request, scheme.toLowerCase())
}

export function readApiKey(request: SandboxRequest, { in: place, name }: ApiKeyScheme): string | undefined {
  if (place === 'query') return new URLSearchParams(request.query).get(name) ?? undefined
  if (place === 'cookie') return cookiesOf(request, name)[0]
  const header = name.toLowerCase()
  return header === 'authorization' && isRepeated(request) ? '' : request.header(header)
}

type ApiKeyScheme = Extract<SecurityScheme, { kind: 'apiKey' }>

/** Reads the text after the scheme, whose name is case-insensitive (RFC 9110, section 11.1). @param scheme in lower case */
function readCredentials(request: SandboxRequest, scheme: string): string | undefined {
  const header = request.header('authorization')
  if (header?.slice(0, scheme.length).toLowerCase() !== scheme) return undefined
  let start = scheme.length
  while (header[start] === ' ') start++
  if (start === scheme.length && header[start]) return undefined
  const rest = header.slice(start)
  return rest.includes(',') && isRepeated(request) ? '' : rest
}

/**
 * Whether the request has several `Authorization` headers: then none of them is valid (RFC 9110, section 5.3). All transports
 * join them with commas. A comma between parameters of one scheme precedes a name with an equals sign.
 */
export function isRepeated(request: SandboxRequest): boolean {
  const header = request.header('authorization') ?? ''
  return /, *[\w-]+ +[^\s=,]/.test(header.replace(/"(?:[^"\\]|\\.)*"?/g, '""'))
}

/** Reads user and password: one word of Base64, with a colon in it (RFC 7617, section 2). */
export function readBasic(request: SandboxRequest): string | undefined {
  const encoded = readCredentials(request, 'basic')
  if (encoded === undefined) return undefined
  try {
    const decoded = /\s/.test(encoded) ? '' : decodeBase64(encoded)
    return decoded === ':' || !decoded.includes(':') ? '' : decoded
  } catch {
    return ''
  }
}

/** Values of all cookies with a name (RFC 6265, section 4.2.1). */
export function cookiesOf(request: SandboxRequest, name: string): string[] {
  const cookies = (request.header('cookie') ?? '').split(/; */).map((cookie) => cookie.split('='))
  return cookies.filter(([each]) => each === name).map(([, ...value]) => value.join('='))
}

export const allCredentialReaders: Required<CredentialReaders> = {
  bearer: readBearer,
  basic: readBasic,
  apiKey: readApiKey,
  http: readHttp,
}
