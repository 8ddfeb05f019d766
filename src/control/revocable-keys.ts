/** Keys that can be revoked while a sandbox runs. */
import type { CreateKeys } from '../sandbox/credentials/valid-keys.js'

/** Wraps the decision which keys are valid. @param revoked keys that are valid no more */
export function withRevocation(createKeys: CreateKeys, revoked: ReadonlySet<string>): CreateKeys {
  return (apiKeys) => {
    const keys = createKeys(apiKeys)
    const isLeft = (key: string) => !revoked.has(key)
    return {
      ...keys,
      isValid: (key) => isLeft(key) && keys.isValid(key),
      worldOf(sent, scheme) {
        const key = keys.worldOf(sent, scheme)
        return key !== undefined && isLeft(key) ? key : undefined
      },
    }
  }
}
