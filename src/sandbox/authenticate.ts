/** Second step: which key came, and which world does it open? Else 401. */
import type { Operation, RequestContract, SecurityScheme } from '../contract/contract.js'
import { writeCredentials } from '../contract/credentials.js'
import type { World } from '../state/world.js'
import { readKey } from './read-credentials.js'
import type { Refusal } from './refusal.js'
import type { SandboxRequest } from './request.js'
import type { Worlds } from './worlds.js'

/** What an operation asks for, and what it says where that does not come. */
interface Required {
  /** Any one of them suffices; each needs all of its schemes. */
  alternatives: SecurityScheme[][]
  /** The scheme that refusals speak of. */
  scheme: SecurityScheme
  missing: Refusal
  invalid: Refusal
}

export type Authenticate = (request: SandboxRequest, operation: Operation) => World | Refusal

export function createAuthenticate({ operations, schemes, title }: RequestContract, worlds: Worlds): Authenticate {
  const realm = title.replace(/["\\]|[^\x20-\x7e]/g, '')
  const required = new Map(operations.map((operation) => [operation, toRequired(operation)]))

  return function authenticate(request, operation) {
    // Each operation is there from the beginning.
    const { alternatives, scheme, missing, invalid } = required.get(operation) as Required
    if (alternatives.length === 0) return worlds.open(keyOfOpenRequest(request))
    for (const alternative of alternatives) {
      const keys = alternative.map((each) => readKey(request, each) ?? '')
      const [key = ''] = keys
      if (key !== '' && keys.every(worlds.isValid)) return worlds.open(key)
    }
    return readKey(request, scheme) === undefined ? missing : invalid
  }

  function toRequired({ security }: Operation): Required {
    const alternatives = security.map((names) => names.flatMap((name) => schemes[name] ?? []))
    const scheme = alternatives[0]?.[0] ?? { kind: 'bearer' }
    return { alternatives, scheme, missing: refuse(scheme, true), invalid: refuse(scheme, false) }
  }

  /** Where no key is asked for, one that comes all the same still opens its own world. */
  function keyOfOpenRequest(request: SandboxRequest): string {
    const key = readKey(request, { kind: 'bearer' }) ?? ''
    return worlds.isValid(key) ? key : worlds.defaultKey
  }

  function refuse(scheme: SecurityScheme, isMissing: boolean): Refusal {
    const { in: place, name: sent, value } = writeCredentials(scheme, worlds.defaultKey)
    const how =
      place === 'header' ? `the header "${sent}: ${value}"` : `the ${place} parameter "${sent}" with the value ${value}`
    const name = scheme.kind.charAt(0).toUpperCase() + scheme.kind.slice(1)
    // RFC 6750, section 3.1: no error code where the request has no authentication of this scheme.
    const error = scheme.kind === 'bearer' && !isMissing ? ', error="invalid_token"' : ''
    return {
      reason: 'unauthorized',
      message: `${isMissing ? 'An API key is required' : 'This API key is not valid here'}: send ${how}`,
      headers: { 'WWW-Authenticate': `${name} realm="${realm}"${error}` },
    }
  }
}
