/** State of the control API besides the worlds: snapshots and keys. It is kept when another document is served. */

import { createHash } from 'node:crypto'
import { ownKey } from '../contract/credentials.js'
import type { CreateKeys } from '../sandbox/credentials/valid-keys.js'
import type { Capture } from '../state/snapshots/capture-world.js'

export interface Kept {
  /** Created keys. */
  readonly made: Set<string>
  /** Revoked keys. The engine checks them with each request. */
  readonly revoked: Set<string>
  readonly snapshots: Map<string, Snapshot>
}

/** The state of a world under a name. */
export interface Snapshot {
  name: string
  /** The time of the world when it was taken: milliseconds since 1970. */
  at: number
  capture: Capture
  /** The bytes of memory that it takes. */
  bytes: number
}

export function createKept(): Kept {
  return { made: new Set(), revoked: new Set(), snapshots: new Map() }
}

/** Whether a key is a default key of the sandbox, which is not secret. */
export function isOwnKey(key: string): boolean {
  return ownKey.test(key)
}

/** @example toWorldId('sandbox-ana') // 'sandbox-ana' */
export function toWorldId(key: string): string {
  return isOwnKey(key) ? key : createHash('sha256').update(key).digest('hex').slice(0, 16)
}

/** Makes revoked keys invalid. @param revoked keys that are no longer valid */
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
