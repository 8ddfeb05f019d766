/** Public ids of worlds: keys may be credentials, which no address may have. */
import { createHash } from 'node:crypto'

/** Keys of the sandbox's own making are no secrets. */
const own = /^sandbox(-[A-Za-z0-9._-]{1,64})?$/

export function isOwnKey(key: string): boolean {
  return own.test(key)
}

/** @example toWorldId('sandbox-ana') // 'sandbox-ana' */
export function toWorldId(key: string): string {
  return isOwnKey(key) ? key : createHash('sha256').update(key).digest('hex').slice(0, 16)
}
