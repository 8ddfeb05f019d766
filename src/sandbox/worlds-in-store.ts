/** Keeps the worlds of a sandbox in a store, and those that were used last in memory. */

import { ownKey } from '../contract/credentials.js'
import { SandboxError } from '../contract/sandbox-error.js'
import { CommitQueue } from '../state/commits/commit-queue.js'
import { hashText } from '../state/commits/hash-bytes.js'
import type { Later, Store } from '../state/commits/store.js'
import { type PutShared, SharedTable } from '../state/commits/shared-table.js'
import { createWorldTable } from '../state/commits/world-table.js'
import type { StoredWorld } from '../state/stored-world.js'
import { Refusal } from './outcome.js'
import { refuseMore, type Worlds, type WorldsOptions } from './worlds.js'

interface OpenedWorld {
  world: StoredWorld
  queue: CommitQueue
}

export function createWorldsInStore({ factory, maxWorlds, isInUse }: WorldsOptions, store: Store): Worlds {
  /** By key, least recently used first. */
  const opened = new Map<string, OpenedWorld>()
  // Requests that hold a world when it leaves memory still commit to it.
  const queues = new WeakMap<StoredWorld, CommitQueue>()
  const creating = new Map<string, Promise<OpenedWorld | Refusal>>()
  const table = new SharedTable()
  const sharedQueue = new CommitQueue(table, store)

  async function create(key: string): Promise<OpenedWorld | Refusal> {
    const id = await hashText(key)
    if (!makeRoom()) return refuseMore(maxWorlds)
    const world = factory.create(key)
    const queue = new CommitQueue(createWorldTable(world, id, toLabel(key, id)), store)
    queues.set(world, queue)
    const created = { world, queue }
    opened.set(key, created)
    return created
  }

  /** Drops the worlds that were not used for the longest time. What they changed is committed. */
  function makeRoom(): boolean {
    if (opened.size < maxWorlds) return true
    for (const [key, { queue }] of opened) {
      if (!queue.isIdle || isInUse?.(key)) continue
      opened.delete(key)
      return true
    }
    return false
  }

  async function openNew(key: string): Promise<StoredWorld | Refusal> {
    const created = creating.get(key) ?? create(key)
    creating.set(key, created)
    try {
      const found = await created
      return found instanceof Refusal ? found : await openKnown(found)
    } finally {
      creating.delete(key)
    }
  }

  /** Brings what all worlds share up to date. */
  function openShared(): Later<void> {
    try {
      return sharedQueue.open()?.catch((error: unknown) => fail(error))
    } catch (error) {
      return fail(error)
    }
  }

  function openKnown({ world, queue }: OpenedWorld): Later<StoredWorld> {
    try {
      const opening = queue.open()
      return opening ? opening.then(() => world, fail) : world
    } catch (error) {
      return fail(error)
    }
  }

  function fail(error: unknown): never {
    throw unavailable('open the world', error)
  }

  async function tell(what: string, work: () => Later<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      throw unavailable(what, error)
    }
  }

  return {
    open(key) {
      const known = opened.get(key)
      if (!known) return openNew(key)
      opened.delete(key)
      opened.set(key, known)
      return openKnown(known)
    },
    attempt: (world, run) => (queues.get(world) as CommitQueue).attempt(run),
    keys: () => opened.keys(),
    list: (after, limit) => store.list(after, limit),
    async remove(key) {
      opened.delete(key)
      const id = await hashText(key)
      await tell('remove the world', () => store.remove(id))
    },
    async clear() {
      opened.clear()
      await tell('remove the worlds', () => store.clear())
    },
    shared: {
      use<T>(run: (put: PutShared) => T): Later<T> {
        const attempt = () => sharedQueue.attempt(() => run(table.put))
        const opening = openShared()
        return opening ? opening.then(attempt) : attempt()
      },
      connect: (kind, load) => table.connect(kind, load),
    },
    refresh: openShared,
    wrapAuthenticate: (authenticate) => (request, operation) => {
      const opening = openShared()
      return opening ? opening.then(() => authenticate(request, operation)) : authenticate(request, operation)
    },
    refuseFailure: (error) =>
      error instanceof SandboxError && error.code === 'STORE_UNAVAILABLE'
        ? new Refusal('unavailable', error.message)
        : undefined,
  }
}

/** Other keys are secret. */
function toLabel(key: string, id: string): string {
  return ownKey.test(key) ? key : id.slice(0, 16)
}

function unavailable(what: string, error: unknown): SandboxError {
  if (error instanceof SandboxError && error.code === 'STORE_UNAVAILABLE') return error
  return new SandboxError('STORE_UNAVAILABLE', `Failed to ${what}: ${(error as Error).message}. Try again`)
}
