/** Which keys are valid. */

export interface Keys {
  isValid(key: string): boolean
  /** A key that is valid, to name in messages and to use if an operation requires none. */
  defaultKey: string
}

const anyone = /^sandbox(-[A-Za-z0-9._-]{1,64})?$/

/** @param apiKeys the only keys that are valid. @default `sandbox` and `sandbox-<name>` */
export function createKeys(apiKeys: readonly string[] | undefined): Keys {
  const [defaultKey = 'sandbox'] = apiKeys ?? []
  const listed = apiKeys && new Set(apiKeys)
  return { defaultKey, isValid: (key) => (listed ? listed.has(key) : anyone.test(key)) }
}
