/** What the control API keeps beside the worlds: snapshots and keys. It stays when another document is served. */

import { createHash } from 'node:crypto'
import { ownKey } from '../contract/credentials.js'
import type { CreateKeys } from '../sandbox/credentials/valid-keys.js'
import type { Capture } from '../state/snapshots/capture-world.js'

export interface Kept {
  /** The keys that were made. */
  readonly made: Set<string>
  /** The revoked keys. The engine reads them with each request. */
  readonly revoked: Set<string>
  readonly snapshots: Map<string, Snapshot>
}

/** The state of a world under a name. */
export interface Snapshot {
  name: string
  /** The time of the world when it was taken: milliseconds since 1970. */
  at: number
  capture: Capture
  /** Its memory. */
  bytes: number
}

export function createKept(): Kept {
  return { made: new Set(), revoked: new Set(), snapshots: new Map() }
}

/** Keys of the sandbox's own making are no secrets. */
export function isOwnKey(key: string): boolean {
  return ownKey.test(key)
}

/** @example toWorldId('sandbox-ana') // 'sandbox-ana' */
export function toWorldId(key: string): string {
  return isOwnKey(key) ? key : createHash('sha256').update(key).digest('hex').slice(0, 16)
}

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
