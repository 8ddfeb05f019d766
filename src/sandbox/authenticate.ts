/** Second step: which key came, and which world does it open? Else 401. */
import type { Operation, RequestContract, SecurityScheme } from '../contract/contract.js'
import type { World } from '../state/world.js'
import { credentialsOf, readKey } from './credentials.js'
import { isRefusal, type Refusal } from './refusal.js'
import type { SandboxRequest } from './request.js'
import type { Worlds } from './worlds.js'

/** What an operation asks for, and what it says where that does not come. */
interface Required {
  /** Any one of them suffices; each needs all of its schemes. */
  alternatives: SecurityScheme[][]
  /** Whether the first of them is a bearer key alone. */
  isBearer: boolean
  /** The scheme that refusals speak of. */
  scheme: SecurityScheme
  missing: Refusal
  invalid: Refusal
}

export type Authenticate = (request: SandboxRequest, operation: Operation) => World | Refusal

export function createAuthenticate({ operations, schemes, title }: RequestContract, worlds: Worlds): Authenticate {
  const realm = title.replace(/["\\]|[^\x20-\x7e]/g, '')
  const required = new Map(operations.map((operation) => [operation, toRequired(operation)]))
  // By the header that opened them: clients send it again and again.
  const opened = new Map<string, World>()

  return function authenticate(request, operation) {
    // Each operation is there from the beginning.
    const { alternatives, isBearer, scheme, missing, invalid } = required.get(operation) as Required
    const header = isBearer && request.header('authorization')
    const known = header && opened.get(header)
    if (known) return known
    if (alternatives.length === 0) return worlds.open(keyOfOpenRequest(request))
    for (const alternative of alternatives) {
      const keys = alternative.map((each) => readKey(request, each) ?? '')
      const [key = ''] = keys
      if (key === '' || !keys.every(worlds.isValid)) continue
      const world = worlds.open(key)
      // In one way of writing it, so that there are not more of them than worlds.
      if (header === `Bearer ${key}` && !isRefusal(world)) opened.set(header, world)
      return world
    }
    return readKey(request, scheme) === undefined ? missing : invalid
  }

  function toRequired({ security }: Operation): Required {
    const alternatives = security.map((names) => names.flatMap((name) => schemes[name] ?? []))
    const [first = []] = alternatives
    const scheme = first[0] ?? { kind: 'bearer' }
    const isBearer = first.length === 1 && scheme.kind === 'bearer'
    return { alternatives, isBearer, scheme, missing: refuse(scheme, true), invalid: refuse(scheme, false) }
  }

  /** Where no key is asked for, one that comes all the same still opens its own world. */
  function keyOfOpenRequest(request: SandboxRequest): string {
    const key = readKey(request, { kind: 'bearer' }) ?? ''
    return worlds.isValid(key) ? key : worlds.defaultKey
  }

  function refuse(scheme: SecurityScheme, isMissing: boolean): Refusal {
    const { in: place, name: sent, value } = credentialsOf(scheme, worlds.defaultKey)
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
