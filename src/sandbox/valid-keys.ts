/** Decides which keys are valid. */

export interface Keys {
  isValid(key: string): boolean
  /** A valid key, for messages and for operations that require no key. */
  defaultKey: string
}

const standardKey = /^sandbox(-[A-Za-z0-9._-]{1,64})?$/

/** @param apiKeys the only valid keys. @default `sandbox` and `sandbox-<name>` */
export function createKeys(apiKeys: readonly string[] | undefined): Keys {
  const [defaultKey = 'sandbox'] = apiKeys ?? []
  const listed = apiKeys && new Set(apiKeys)
  return { defaultKey, isValid: (key) => (listed ? listed.has(key) : standardKey.test(key)) }
}
