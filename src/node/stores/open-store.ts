/** Opens the store that an address names. */
import { SandboxError } from '../../contract/sandbox-error.js'
import type { Store } from '../../state/commits/store.js'

export interface StoreOptions {
  onMessage?: ((message: string) => void) | undefined
}

export async function openStore(address: string, _options: StoreOptions = {}): Promise<Store | undefined> {
  if (address === 'memory') return undefined
  if (/^rediss?:/i.test(address)) return (await import('./redis-store.js')).openRedisStore(address)
  throw new SandboxError('INVALID_OPTION', `Unknown store "${address}"`)
}
