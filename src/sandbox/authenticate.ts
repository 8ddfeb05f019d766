/** Reads the credentials of the request and opens their world, or answers 401. */
import type { Operation, RequestContract, SecurityScheme } from '../contract/contract.js'
import { writeCredentials, writeScheme } from '../contract/credentials.js'
import { getOrInsert } from '../json/own-value.js'
import type { Later } from '../state/commits/store.js'
import type { StoredWorld } from '../state/stored-world.js'
import type { WorldId } from '../state/world-id.js'
import { type CredentialReaders, isRepeated } from './credentials/read-credentials.js'
import type { Keys } from './credentials/valid-keys.js'
import { Refusal } from './outcome.js'
import type { SandboxRequest } from './request/request.js'
import { alternativesOf, challengeOf, type RenderRefusal } from './responses/render-refusal.js'
import type { Worlds } from './worlds.js'

export type Authenticate = (request: SandboxRequest, operation: Operation) => Later<StoredWorld | Refusal>

export interface AuthenticateOptions {
  contract: RequestContract
  keys: Keys
  credentialReaders: CredentialReaders
  worlds: Worlds
  render: RenderRefusal
}

/** A scheme that an operation requires. */
interface Requirement {
  scheme: SecurityScheme
  /** Refusals by cause. They are the same for all requests, so each is rendered only once. */
  refusals: Map<string, Refusal>
}

/** Schemes that are all required. The compiler never makes an empty alternative. */
type Alternative = readonly [Requirement, ...Requirement[]]

export function createAuthenticate({
  contract,
  keys,
  credentialReaders,
  worlds,
  render,
}: AuthenticateOptions): Authenticate {
  const { worldOf, openWorld, defaultKey } = keys
  const required = new Map(contract.operations.map((each) => [each, toAlternatives(each)]))

  return function authenticate(request, operation) {
    // The map has every operation of the contract.
    const alternatives = required.get(operation) as Alternative[]
    for (const alternative of alternatives) {
      const id = worldBy(request, alternative)
      if (id) return worlds.open(id)
    }
    const isRequired = !!operation.security[0]
    const sent = alternatives.find((each) => isSent(request, isRequired, each))
    if (!isRequired && openWorld) {
      const named = openWorld(request.header('sandbox-world'), sent && readKey(request, sent[0].scheme))
      if (named instanceof Refusal) return named
      if (named) return worlds.open(named)
    }
    return refuse(request, operation, sent ?? (alternatives[0] as Alternative))
  }

  /** If an operation requires no credentials, those of each scheme still open their world. */
  function toAlternatives(operation: Operation): Alternative[] {
    const required = alternativesOf(contract, operation)
    const all = required[0] ? required : Object.values(contract.schemes).map((scheme) => [scheme])
    return all.map((each) => each.map((scheme): Requirement => ({ scheme, refusals: new Map() })) as [Requirement])
  }

  /** The first of the credentials decides. Undefined if one of them is not valid. */
  function worldBy(request: SandboxRequest, alternative: Alternative): WorldId | undefined {
    const isOne = alternative.length === 1
    return isOne || alternative.every((each) => idBy(request, each)) ? idBy(request, alternative[0]) : undefined
  }

  function isSent(request: SandboxRequest, isRequired: boolean, alternative: Alternative): boolean {
    return alternative.some(({ scheme }) => {
      const key = readKey(request, scheme)
      // Where none is required, an empty key is none.
      return !!key || (key === '' && (scheme.kind !== 'apiKey' || isRequired || isRepeated(request)))
    })
  }

  /** Undefined if the credentials are missing or not valid. */
  function idBy(request: SandboxRequest, { scheme }: Requirement): WorldId | undefined {
    const key = readKey(request, scheme)
    return key ? worldOf(key, scheme) : undefined
  }

  function readKey(request: SandboxRequest, scheme: SecurityScheme): string | undefined {
    // The reader of a kind takes schemes of that kind.
    const read = credentialReaders[scheme.kind] as ((...from: unknown[]) => string | undefined) | undefined
    return read?.(request, scheme)
  }

  /** Names what is missing or not valid. @param alternative the one that the request satisfies in part, else the first one */
  function refuse(request: SandboxRequest, operation: Operation, alternative: Alternative): Refusal {
    const lacking = alternative.find((each) => !idBy(request, each)) ?? alternative[0]
    const { scheme, refusals } = lacking
    const isInvalid = readKey(request, scheme) !== undefined
    const header = scheme.kind !== 'apiKey' && request.header('authorization')
    const isSeveral = header && isRepeated(request)
    const invalid = isSeveral ? 'A request must have only one Authorization header' : 'This API key is not valid here'
    const missing = header
      ? `The Authorization header must begin with "${writeScheme(scheme)}"`
      : 'An API key is required'
    const why = isInvalid ? invalid : missing
    return getOrInsert(refusals, why, () => {
      const message = `${why}: send ${alternative.map(describe).join(' and ')}`
      // RFC 6750, section 3.1: an error code only if the request has authentication of this scheme.
      const code = isInvalid && scheme.kind === 'bearer' ? ', error="invalid_token"' : ''
      const headers = { 'WWW-Authenticate': challengeOf(contract, scheme) + code }
      const rendered = render(new Refusal('unauthorized', message, { headers }), operation)
      return new Refusal('unauthorized', message, { headers, rendered })
    })
  }

  function describe({ scheme }: Requirement): string {
    const { in: place, name, value } = writeCredentials(scheme, defaultKey)
    return place === 'header'
      ? `the header "${name}: ${value}"`
      : `the ${place} parameter "${name}" with the value ${value}`
  }
}
