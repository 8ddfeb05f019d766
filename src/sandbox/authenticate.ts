/** Second step: reads the key of the request and opens its world, or answers 401. */
import type { Operation, RequestContract, SecurityScheme } from '../contract/contract.js'
import { writeCredentials } from '../contract/credentials.js'
import { ownValue } from '../json/own-value.js'
import type { Later } from '../state/store.js'
import type { StoredWorld } from '../state/stored-world.js'
import { Refusal } from './outcome.js'
import { readKey } from './read-credentials.js'
import type { RenderRefusal } from './render-refusal.js'
import type { SandboxRequest } from './request.js'
import type { Keys } from './valid-keys.js'
import type { Worlds } from './worlds.js'

/** The credentials that an operation requires, and the refusals of requests without them. */
interface Required {
  /** Alternatives. Each requires all of its schemes. */
  alternatives: SecurityScheme[][]
  /** The scheme that the refusals name. */
  scheme: SecurityScheme
  missing: Refusal
  invalid: Refusal
}

export type Authenticate = (request: SandboxRequest, operation: Operation) => Later<StoredWorld | Refusal>

export interface AuthenticateOptions {
  contract: RequestContract
  keys: Keys
  worlds: Worlds
  render: RenderRefusal
}

export function createAuthenticate({ contract, keys, worlds, render }: AuthenticateOptions): Authenticate {
  const { operations, schemes, title } = contract
  const { isValid, defaultKey } = keys
  const realm = title.replace(/["\\]|[^\x20-\x7e]/g, '')
  const required = new Map(operations.map((operation) => [operation, toRequired(operation)]))

  return function authenticate(request, operation) {
    // The map has every operation of the contract.
    const { alternatives, scheme, missing, invalid } = required.get(operation) as Required
    if (alternatives.length === 0) return worlds.open(keyOfOpenRequest(request))
    for (const alternative of alternatives) {
      const sent = alternative.map((each) => readKey(request, each) ?? '')
      const [key = ''] = sent
      if (key !== '' && sent.every(isValid)) return worlds.open(key)
    }
    return readKey(request, scheme) === undefined ? missing : invalid
  }

  function toRequired(operation: Operation): Required {
    const alternatives = operation.security.map((names) => names.flatMap((name) => ownValue(schemes, name) ?? []))
    const scheme = alternatives[0]?.[0] ?? { kind: 'bearer' }
    return { alternatives, scheme, missing: refuse(operation, scheme, true), invalid: refuse(operation, scheme, false) }
  }

  /** If an operation requires no key, a valid one still opens its own world. */
  function keyOfOpenRequest(request: SandboxRequest): string {
    const key = readKey(request, { kind: 'bearer' }) ?? ''
    return isValid(key) ? key : defaultKey
  }

  /** The same for all requests of an operation, so that it is rendered once. */
  function refuse(operation: Operation, scheme: SecurityScheme, isMissing: boolean): Refusal {
    const { in: place, name: sent, value } = writeCredentials(scheme, defaultKey)
    const how =
      place === 'header' ? `the header "${sent}: ${value}"` : `the ${place} parameter "${sent}" with the value ${value}`
    const name = scheme.kind.charAt(0).toUpperCase() + scheme.kind.slice(1)
    // RFC 6750, section 3.1: no error code if the request has no authentication of this scheme.
    const error = scheme.kind === 'bearer' && !isMissing ? ', error="invalid_token"' : ''
    const message = `${isMissing ? 'An API key is required' : 'This API key is not valid here'}: send ${how}`
    const headers = { 'WWW-Authenticate': `${name} realm="${realm}"${error}` }
    const rendered = render(new Refusal('unauthorized', message, { headers }), operation)
    return new Refusal('unauthorized', message, { headers, rendered })
  }
}
