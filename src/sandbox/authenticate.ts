/** Second step: reads the key of the request and opens its world, or answers 401. */
import type { Operation, RequestContract, SecurityScheme } from '../contract/contract.js'
import { writeCredentials } from '../contract/credentials.js'
import type { Later } from '../state/store.js'
import type { StoredWorld } from '../state/stored-world.js'
import { alternativesOf, challengeOf, firstScheme, nameOf } from './challenge.js'
import { Refusal } from './outcome.js'
import type { CredentialReaders } from './read-credentials.js'
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
  /** For an `Authorization` header that does not begin with the scheme. */
  schemeless: Refusal
  invalid: Refusal
}

export type Authenticate = (request: SandboxRequest, operation: Operation) => Later<StoredWorld | Refusal>

export interface AuthenticateOptions {
  contract: RequestContract
  keys: Keys
  credentialReaders: CredentialReaders
  worlds: Worlds
  render: RenderRefusal
}

export function createAuthenticate({
  contract,
  keys,
  credentialReaders,
  worlds,
  render,
}: AuthenticateOptions): Authenticate {
  const { operations } = contract
  const { isValid, defaultKey } = keys
  const required = new Map(operations.map((operation) => [operation, toRequired(operation)]))

  return function authenticate(request, operation) {
    // The map has every operation of the contract.
    const { alternatives, scheme, missing, schemeless, invalid } = required.get(operation) as Required
    if (alternatives.length === 0) return worlds.open(keyOfOpenRequest(request))
    for (const alternative of alternatives) {
      const sent = alternative.map((each) => readKey(request, each) ?? '')
      const [key = ''] = sent
      if (key !== '' && sent.every(isValid)) return worlds.open(key)
    }
    if (readKey(request, scheme) !== undefined) return invalid
    return scheme.kind !== 'apiKey' && request.header('authorization') ? schemeless : missing
  }

  function readKey(request: SandboxRequest, scheme: SecurityScheme): string | undefined {
    // The type of the scheme is that of its reader.
    const read = credentialReaders[scheme.kind] as ((...from: unknown[]) => string | undefined) | undefined
    return read?.(request, scheme)
  }

  function toRequired(operation: Operation): Required {
    const alternatives = alternativesOf(contract, operation)
    const scheme = firstScheme(alternatives)
    const name = nameOf(scheme)
    return {
      alternatives,
      scheme,
      missing: refuse(operation, scheme, 'An API key is required'),
      schemeless: refuse(operation, scheme, `The Authorization header must begin with "${name}"`),
      // RFC 6750, section 3.1: an error code only if the request has authentication of this scheme.
      invalid: refuse(operation, scheme, 'This API key is not valid here', ', error="invalid_token"'),
    }
  }

  /** If an operation requires no key, a valid one still opens its own world. */
  function keyOfOpenRequest(request: SandboxRequest): string {
    const key = readKey(request, { kind: 'bearer' }) ?? ''
    return isValid(key) ? key : defaultKey
  }

  /** The same for all requests of an operation, so that it is rendered once. */
  function refuse(operation: Operation, scheme: SecurityScheme, why: string, error = ''): Refusal {
    const { in: place, name: sent, value } = writeCredentials(scheme, defaultKey)
    const how =
      place === 'header' ? `the header "${sent}: ${value}"` : `the ${place} parameter "${sent}" with the value ${value}`
    const message = `${why}: send ${how}`
    const code = scheme.kind === 'bearer' ? error : ''
    const headers = { 'WWW-Authenticate': `${challengeOf(contract, scheme)}${code}` }
    const rendered = render(new Refusal('unauthorized', message, { headers }), operation)
    return new Refusal('unauthorized', message, { headers, rendered })
  }
}
