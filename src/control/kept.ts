/** State of the control API besides the worlds: snapshots and keys. It is kept when another document is served. */

import { createHash } from 'node:crypto'
import { ownKey } from '../contract/credentials.js'
import { SandboxError } from '../contract/sandbox-error.js'
import type { Engine } from '../sandbox/create-engine.js'
import type { CreateKeys } from '../sandbox/credentials/valid-keys.js'
import { hashed } from '../sandbox/worlds.js'
import { type Capture, captureWorld, restoreCapture } from '../state/snapshots/capture-world.js'
import { restoreWorld, snapshotWorld } from '../state/snapshots/snapshot-world.js'
import type { WorldState } from '../state/snapshots/world-state.js'
import type { WorldFactory } from '../state/stored-world.js'

export interface Kept {
  /** Created keys. */
  readonly made: Set<string>
  /** The ids of the worlds of revoked keys. The engine checks them with each request. */
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
  if (key.startsWith(hashed)) return key.slice(hashed.length, hashed.length + 16)
  return isOwnKey(key) ? key : createHash('sha256').update(key).digest('hex').slice(0, 16)
}

/** Shares keys and snapshots with the other programs that use the store of an engine. Without a store, does nothing. */
export function connectKept({ made, revoked, snapshots }: Kept, { worlds, factory }: Engine): void {
  worlds.shared?.connect('key', (id, state) => {
    made.delete(id)
    revoked.delete(id)
    if (state === 'made') made.add(id)
    if (state === 'revoked') revoked.add(id)
  })
  worlds.shared?.connect('snapshot', (name, value) => {
    snapshots.delete(name)
    const snapshot = value ? toSnapshot(name, value as SnapshotState, factory) : undefined
    if (snapshot) snapshots.set(name, snapshot)
  })
}

/** A snapshot as plain data. */
interface SnapshotState extends Pick<Snapshot, 'at' | 'bytes'> {
  state: WorldState
}

export function toSnapshotState({ at, bytes, capture }: Snapshot, factory: WorldFactory): SnapshotState {
  const world = factory.create('')
  restoreCapture(world, capture)
  return { at, bytes, state: snapshotWorld(world) }
}

/** @returns undefined for a snapshot of other data, which stays in the store */
function toSnapshot(name: string, { at, bytes, state }: SnapshotState, factory: WorldFactory): Snapshot | undefined {
  const world = factory.create('')
  try {
    restoreWorld(world, state)
  } catch (error) {
    if (error instanceof SandboxError) return undefined
    throw error
  }
  return { name, at, bytes, capture: captureWorld(world) }
}

/** Makes revoked keys invalid. @param revoked the ids of the worlds of keys that are no longer valid */
export function withRevocation(createKeys: CreateKeys, revoked: ReadonlySet<string>): CreateKeys {
  return (apiKeys) => {
    const keys = createKeys(apiKeys)
    const isLeft = (key: string) => revoked.size === 0 || !revoked.has(toWorldId(key))
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
