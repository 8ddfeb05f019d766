/** Second step: which key came, and which world does it open? Else 401. */
import type { Contract, Operation, SecurityScheme } from '../contract/contract.js'
import type { World } from '../state/world.js'
import type { Refusal } from './refusal.js'
import type { SandboxRequest } from './request.js'
import type { Worlds } from './worlds.js'

export type Authenticate = (request: SandboxRequest, operation: Operation) => World | Refusal

export function createAuthenticate({ schemes, title }: Contract, worlds: Worlds): Authenticate {
  const realm = title.replace(/["\\]|[^\x20-\x7e]/g, '')

  return function authenticate(request, operation) {
    const alternatives = operation.security.map((names) => names.flatMap((name) => schemes[name] ?? []))
    if (alternatives.length === 0) return worlds.open(keyOfOpenRequest(request))
    for (const alternative of alternatives) {
      const keys = alternative.map((scheme) => readKey(request, scheme))
      const [key] = keys
      if (key !== undefined && keys.every((each) => each !== undefined && worlds.isValid(each))) return worlds.open(key)
    }
    const [scheme] = alternatives[0] ?? []
    return refuse(request, scheme ?? { kind: 'bearer' })
  }

  /** Where no key is asked for, one that comes all the same still opens its own world. */
  function keyOfOpenRequest(request: SandboxRequest): string {
    const key = readKey(request, { kind: 'bearer' })
    return key !== undefined && worlds.isValid(key) ? key : worlds.defaultKey
  }

  function refuse(request: SandboxRequest, scheme: SecurityScheme): Refusal {
    const key = readKey(request, scheme)
    const how = howToSend(scheme, worlds.defaultKey)
    const name = { bearer: 'Bearer', basic: 'Basic', apiKey: 'ApiKey' }[scheme.kind]
    // RFC 6750, section 3.1: no error code where the request has no authentication of this scheme.
    const error = scheme.kind === 'bearer' && key !== undefined ? ', error="invalid_token"' : ''
    return {
      reason: 'unauthorized',
      message:
        key === undefined ? `An API key is required: send ${how}` : `This API key is not valid here: send ${how}`,
      headers: { 'WWW-Authenticate': `${name} realm="${realm}"${error}` },
    }
  }
}

/** The key as it was sent by a scheme; empty where the scheme came without one, none where it did not come. */
function readKey(request: SandboxRequest, scheme: SecurityScheme): string | undefined {
  if (scheme.kind === 'bearer') return readCredentials(request, 'bearer')
  if (scheme.kind === 'basic') return readBasic(request)
  if (scheme.in === 'header') return request.header(scheme.name.toLowerCase())
  if (scheme.in === 'query') return new URLSearchParams(request.query).get(scheme.name) ?? undefined
  const cookies = (request.header('cookie') ?? '').split(/; */).map((cookie) => cookie.split('='))
  return cookies.find(([name]) => name === scheme.name)?.[1]
}

/** What follows the scheme, which is written in any case (RFC 9110, section 11.1). */
function readCredentials(request: SandboxRequest, scheme: string): string | undefined {
  const header = request.header('authorization')?.trim()
  if (header?.slice(0, scheme.length).toLowerCase() !== scheme) return undefined
  const rest = header.slice(scheme.length)
  return rest === '' || rest.startsWith(' ') ? rest.trim() : undefined
}

/** The password, else the user name (RFC 7617). */
function readBasic(request: SandboxRequest): string | undefined {
  const encoded = readCredentials(request, 'basic')
  if (encoded === undefined) return undefined
  try {
    const [user = '', ...password] = atob(encoded).split(':')
    return password.join(':') || user
  } catch {
    return ''
  }
}

function howToSend(scheme: SecurityScheme, key: string): string {
  if (scheme.kind === 'bearer') return `the header "Authorization: Bearer ${key}"`
  if (scheme.kind === 'basic') return `the header "Authorization: Basic ${btoa(`${key}:`)}"`
  return `the ${scheme.in === 'query' ? 'query parameter' : scheme.in} "${scheme.name}" with the value ${key}`
}
