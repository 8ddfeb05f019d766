/** Keys of other documents: any credentials are valid unless keys are listed, and open the world of their client. */
import { clientOf, passwordOf } from './client-of-credentials.js'
import { createTokens } from './tokens.js'
import type { CreateKeys } from './valid-keys.js'

/** Keys with this beginning are never valid, so that programs and `check` can test the refusal of an unknown key. */
const unknown = 'no-such-key'

/** @param apiKeys the only valid keys. @default any text that is not empty */
export const createOpenKeys: CreateKeys = (apiKeys) => {
  const [defaultKey = 'sandbox'] = apiKeys ?? []
  const listed = apiKeys && new Set(apiKeys)
  const isListed = (key: string) => (listed ? listed.has(key) : key !== '' && !key.startsWith(unknown))
  // A token proves the key that it was issued for.
  const { write, read } = createTokens(apiKeys ?? [''])

  return {
    rule: listed ? 'listed' : 'any',
    defaultKey,
    isValid: (key) => key !== '',
    worldOf(sent, { kind }) {
      const ofToken = read(sent)
      if (ofToken !== undefined) return ofToken
      const client = clientOf(sent, kind)
      const isValid = isListed(client) || (listed && (listed.has(sent) || listed.has(passwordOf(sent, kind))))
      return isValid ? client : undefined
    },
    issueToken(client, secrets) {
      if (!listed) return isListed(client) ? write(client, '') : undefined
      const key = [client, ...secrets].find(isListed)
      return key === undefined ? undefined : write(client, key)
    },
  }
}
