/** Public ids of worlds: keys may be credentials, which no address may have. */
import { createHash } from 'node:crypto'
import { ownKey } from '../contract/credentials.js'

/** Keys of the sandbox's own making are no secrets. */
export function isOwnKey(key: string): boolean {
  return ownKey.test(key)
}

/** @example toWorldId('sandbox-ana') // 'sandbox-ana' */
export function toWorldId(key: string): string {
  return isOwnKey(key) ? key : createHash('sha256').update(key).digest('hex').slice(0, 16)
}
