/** Decides which keys are valid, and which worlds they open. */
import type { SecurityScheme } from '../../contract/contract.js'
import { ownKey } from '../../contract/credentials.js'

/**
 * Which keys are valid: `sandbox` and every `sandbox-<name>`, only those of the option `apiKeys`, or any that is not
 * empty.
 */
export type KeyRule = 'named' | 'listed' | 'any'

export interface Keys {
  rule: KeyRule
  /** A valid key, for messages and for requests without one. */
  defaultKey: string
  /** Whether a key names a world. */
  isValid(key: string): boolean
  /** Returns the key of the world of valid credentials. @param sent the credentials that the reader of the scheme returned */
  worldOf(sent: string, scheme: SecurityScheme): string | undefined
  /** Returns a bearer token for the world of a client. Undefined if its credentials are not valid. */
  issueToken?(client: string, secrets: readonly string[]): string | undefined
}

export type CreateKeys = (apiKeys: readonly string[] | undefined) => Keys

/** @param apiKeys the only valid keys. @default `sandbox` and `sandbox-<name>` */
export const createKeys: CreateKeys = (apiKeys) => {
  const [defaultKey = 'sandbox'] = apiKeys ?? []
  const listed = apiKeys && new Set(apiKeys)
  const isValid = (key: string) => (listed ? listed.has(key) : ownKey.test(key))
  const rule = listed ? 'listed' : 'named'
  return { rule, defaultKey, isValid, worldOf: (sent) => (isValid(sent) ? sent : undefined) }
}
