/** Decides which keys are valid, and which worlds they open. */
import type { SecurityScheme } from '../../contract/contract.js'
import { ownKey } from '../../contract/credentials.js'
import type { WorldId } from '../../state/world-id.js'
import type { Refusal } from '../outcome.js'

/**
 * Which keys are valid: `sandbox` and every `sandbox-<name>`, only those of the option `apiKeys`, or any that is not
 * empty.
 */
export type KeyRule = 'named' | 'listed' | 'any'

export interface Keys {
  rule: KeyRule
  /** A valid key, for messages and for requests without one. */
  defaultKey: string
  /**
   * The world of a key, or of a user by name. Undefined for a key that is not valid.
   * @param apiKey with listed keys, the one of the user; '' for the world that a header names. @default `defaultKey`
   */
  idOf(key: string, apiKey?: string): WorldId | undefined
  /** The world of credentials. Undefined if they are not valid. @param sent what the reader of the scheme returned */
  worldOf(sent: string, scheme: SecurityScheme): WorldId | undefined
  /** The world of a request that needs no credentials, by the header `Sandbox-World`. Undefined if its credentials are refused. */
  openWorld?(name: string | undefined, refused: string | undefined): WorldId | Refusal | undefined
  /** Returns a bearer token for the world of a client. Undefined if its credentials are not valid. */
  issueToken?(client: string, secrets: readonly string[]): string | undefined
}

/** @param isRevoked whether the key of a world is no longer valid. @default none is revoked */
export type CreateKeys = (apiKeys: readonly string[] | undefined, isRevoked?: (id: WorldId) => boolean) => Keys

/** @param apiKeys the only valid keys. @default `sandbox` and `sandbox-<name>` */
export const createKeys: CreateKeys = (apiKeys, isRevoked) => {
  const [defaultKey = 'sandbox'] = apiKeys ?? []
  const listed = apiKeys && new Set(apiKeys)
  const idOf = (key: string): WorldId | undefined => {
    const isValid = listed ? listed.has(key) : ownKey.test(key)
    const id = key as WorldId
    return isValid && !isRevoked?.(id) ? id : undefined
  }
  return { rule: listed ? 'listed' : 'named', defaultKey, idOf, worldOf: idOf }
}
