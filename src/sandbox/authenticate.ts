/** Second step: which key came, and which world does it open? Else 401. */
import type { Operation, RequestContract, SecurityScheme } from '../contract/contract.js'
import type { World } from '../state/world.js'
import { credentialsOf, readKey } from './credentials.js'
import type { Refusal } from './refusal.js'
import type { SandboxRequest } from './request.js'
import type { Worlds } from './worlds.js'

export type Authenticate = (request: SandboxRequest, operation: Operation) => World | Refusal

export function createAuthenticate({ operations, schemes, title }: RequestContract, worlds: Worlds): Authenticate {
  // For each operation: any one of the alternatives suffices, each needs all of its schemes.
  const required = new Map(
    operations.map((operation) => [
      operation,
      operation.security.map((names) => names.flatMap((name) => schemes[name] ?? [])),
    ]),
  )
  const realm = title.replace(/["\\]|[^\x20-\x7e]/g, '')

  return function authenticate(request, operation) {
    const alternatives = required.get(operation) ?? []
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
    const { in: place, name: sent, value } = credentialsOf(scheme, worlds.defaultKey)
    const how =
      place === 'header' ? `the header "${sent}: ${value}"` : `the ${place} parameter "${sent}" with the value ${value}`
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
