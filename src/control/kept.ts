/** State of the control API besides the worlds: snapshots and keys. It is kept when another document is served. */
import type { Contract } from '../contract/contract.js'
import { ownKey } from '../contract/credentials.js'
import { SandboxError } from '../contract/sandbox-error.js'
import type { Engine } from '../sandbox/create-engine.js'
import type { CreateKeys } from '../sandbox/credentials/valid-keys.js'
import { bytesOf, type MemoryBudget } from '../state/memory-budget.js'
import { problemOfRecord } from '../state/scenario.js'
import { type Capture, captureWorld, restoreCapture } from '../state/snapshots/capture-world.js'
import { carryCapture } from '../state/snapshots/carry-world.js'
import { restoreWorld, snapshotWorld } from '../state/snapshots/snapshot-world.js'
import type { WorldState } from '../state/snapshots/world-state.js'
import type { Values } from '../state/stored-record.js'
import type { WorldFactory } from '../state/stored-world.js'
import { hashIn, noWorld, type WorldId } from '../state/world-id.js'

export interface Kept {
  /** Created keys. */
  readonly made: ReadonlySet<string>
  /** The ids of the worlds of revoked keys. The engine checks them with each request. */
  readonly revoked: ReadonlySet<string>
  readonly snapshots: ReadonlyMap<string, Snapshot>
  /** Keeps a key in place of what is known of it. @param id the id of its world @param state undefined forgets the key */
  setKey(id: string, state: unknown): void
  /** @param snapshot undefined removes it */
  setSnapshot(name: string, snapshot: Snapshot | undefined): void
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

/** @param memory counts what is kept, also beyond its limit: check it before */
export function createKept(memory: MemoryBudget): Kept {
  const made = new Set<string>()
  const revoked = new Set<string>()
  const snapshots = new Map<string, Snapshot>()
  return {
    ...{ made, revoked, snapshots },
    setKey(id, state) {
      const isKnown = made.delete(id) || revoked.delete(id)
      if (isKnown) memory.free(bytesOf(id))
      if (state === undefined) return
      memory.hold(bytesOf(id))
      const keys = state === 'made' ? made : revoked
      keys.add(id)
    },
    setSnapshot(name, snapshot) {
      memory.free(snapshots.get(name)?.bytes ?? 0)
      memory.hold(snapshot?.bytes ?? 0)
      if (snapshot) snapshots.set(name, snapshot)
      else snapshots.delete(name)
    },
  }
}

/** The id of a world as the control API has it. @example toShownId('sandbox-ana' as WorldId) // 'sandbox-ana' */
export function toShownId(id: WorldId): string {
  const hash = hashIn(id)
  if (hash !== undefined) return hash.slice(0, 16)
  if (ownKey.test(id)) return id
  // Importing `node:crypto` takes a tenth of the time of a start, and most starts do not need it.
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash('sha256').update(id).digest('hex').slice(0, 16)
}

/** Shares keys and snapshots with the other programs that use the store of an engine. Without a store, does nothing. */
export function connectKept(kept: Kept, { worlds, factory }: Engine, contract: Contract): void {
  worlds.shared?.connect('key', (id, state) => {
    kept.setKey(id, state)
    if (state === 'revoked') worlds.end?.(id)
  })
  worlds.shared?.connect('snapshot', (name, value) =>
    kept.setSnapshot(name, value ? toSnapshot(name, value as SnapshotState, factory, contract) : undefined),
  )
}

/** A snapshot as plain data. */
interface SnapshotState extends Pick<Snapshot, 'at' | 'bytes'> {
  state: WorldState
}

export function toSnapshotState({ at, bytes, capture }: Snapshot, factory: WorldFactory): SnapshotState {
  const world = factory.create(noWorld)
  restoreCapture(world, capture)
  return { at, bytes, state: snapshotWorld(world) }
}

/**
 * Leaves out records that do not fit, because the snapshot was taken with another document. The store keeps them.
 * @returns undefined for a snapshot of other data, which stays in the store
 */
function toSnapshot(
  name: string,
  { at, bytes, state }: SnapshotState,
  factory: WorldFactory,
  contract: Contract,
): Snapshot | undefined {
  const world = factory.create(noWorld)
  try {
    restoreWorld(world, state)
  } catch (error) {
    if (error instanceof SandboxError) return undefined
    throw error
  }
  const capture = captureWorld(world)
  const problemOf = (collection: string, values: Values) => problemOfRecord(contract, collection, values)
  const isFit = state.collections.every(({ name, changed, added }) =>
    [...changed.map(([, values]) => values), ...added].every((values) => !values || !problemOf(name, values)),
  )
  if (isFit) return { name, at, bytes, capture }
  const carried = carryCapture(capture, { from: factory, to: factory }, [], { contract, problemOf })
  return { name, at, bytes, capture: carried.capture }
}

/** Makes revoked keys invalid. @param revoked the ids of the worlds of keys that are no longer valid */
export function withRevocation(createKeys: CreateKeys, revoked: ReadonlySet<string>): CreateKeys {
  return (apiKeys) => createKeys(apiKeys, (id) => revoked.size > 0 && revoked.has(toShownId(id)))
}
