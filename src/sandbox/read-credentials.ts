/** Reads the key of a request, in a way for each kind of security scheme. */
import type { SecurityScheme } from '../contract/contract.js'
import type { SandboxRequest } from './request.js'

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

export function readApiKey(request: SandboxRequest, scheme: ApiKeyScheme): string | undefined {
  if (scheme.in === 'header') return request.header(scheme.name.toLowerCase())
  if (scheme.in === 'query') return new URLSearchParams(request.query).get(scheme.name) ?? undefined
  return cookiesOf(request, scheme.name)[0]
}

type ApiKeyScheme = Extract<SecurityScheme, { kind: 'apiKey' }>

/** Reads the text after the scheme, whose name is case-insensitive (RFC 9110, section 11.1). */
function readCredentials(request: SandboxRequest, scheme: string): string | undefined {
  const header = request.header('authorization')?.trim()
  if (header?.slice(0, scheme.length).toLowerCase() !== scheme) return undefined
  const rest = header.slice(scheme.length)
  return rest === '' || rest.startsWith(' ') ? rest.trim() : undefined
}

/** Reads the password, or the user name if the password is empty (RFC 7617). */
export function readBasic(request: SandboxRequest): string | undefined {
  const encoded = readCredentials(request, 'basic')
  if (encoded === undefined) return undefined
  try {
    const [user = '', ...password] = atob(encoded).split(':')
    return password.join(':') || user
  } catch {
    return ''
  }
}

/** Values of all cookies with a name (RFC 6265, section 4.2.1). */
export function cookiesOf(request: SandboxRequest, name: string): string[] {
  const cookies = (request.header('cookie') ?? '').split(/; */).map((cookie) => cookie.split('='))
  return cookies.filter(([each]) => each === name).map(([, ...value]) => value.join('='))
}
