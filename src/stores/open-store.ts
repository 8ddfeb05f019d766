/** Opens the store that an address names. */
import { SandboxError } from '../contract/sandbox-error.js'
import type { Store } from '../state/commits/store.js'
import type { FileStoreOptions } from './file-store.js'

export type StoreOptions = Pick<FileStoreOptions, 'onMessage'>

const known = 'memory, file:<path>, redis://<host>, rediss://<host>'

/**
 * Opens a store. Each kind is loaded only if it is named.
 * @param address `memory`, `file:<path>`, `redis://…` or `rediss://…`
 * @returns undefined for `memory`
 * @throws SandboxError `INVALID_OPTION` for another address, `UNREADABLE_FILE` if there can be no store at the path,
 * `CANNOT_REACH` if no Redis answers
 */
export async function openStore(address: string, options: StoreOptions = {}): Promise<Store | undefined> {
  if (address === 'memory') return undefined
  const [, scheme = '', rest = ''] = /^([a-z]+):(.*)$/is.exec(address) ?? []
  switch (scheme.toLowerCase()) {
    case 'file': {
      const { openFileStore } = await import('./file-store.js')
      return openFileStore(rest, options)
    }
    case 'redis':
    case 'rediss': {
      const { openRedisStore } = await import('./redis-store.js')
      return await openRedisStore(address)
    }
    default:
      throw new SandboxError('INVALID_OPTION', `Unknown store "${withoutPassword(address)}"; available: ${known}`)
  }
}

/** An address without the user and password of a URL. */
function withoutPassword(address: string): string {
  return address.replace(/^([^/]*:\/\/)[^/?#]*@/, '$1')
}
