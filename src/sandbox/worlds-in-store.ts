/** Keeps the worlds of a sandbox in a store. */

import { SandboxError } from '../contract/sandbox-error.js'
import { CommitQueue } from '../state/commits/commit-queue.js'
import type { Store } from '../state/commits/store.js'
import type { StoredWorld } from '../state/stored-world.js'
import { resetWorld } from '../state/world-content.js'
import { Refusal } from './outcome.js'
import { refuseMore, type Worlds, type WorldsOptions } from './worlds.js'

export function createWorldsInStore({ factory, maxWorlds }: WorldsOptions, store: Store): Worlds {
  const queues = new Map<string, CommitQueue>()

  function findQueue(key: string): CommitQueue | undefined {
    const known = queues.get(key)
    if (known || queues.size >= maxWorlds) return known
    const queue = new CommitQueue(factory.create(key), store)
    queues.set(key, queue)
    return queue
  }

  return {
    async open(key) {
      const queue = findQueue(key)
      if (!queue) return refuseMore(maxWorlds)
      try {
        await queue.open()
        return queue.world
      } catch (error) {
        throw unavailable('open the world', error)
      }
    },
    attempt(world: StoredWorld, run) {
      const queue = queues.get(world.key)
      // Changes to a world that was cleared since it was opened are not committed.
      return queue?.world === world ? queue.attempt(run) : run()
    },
    keys: () => queues.keys(),
    async remove(key) {
      const queue = queues.get(key)
      if (!queue) return
      // The store now has the content of a new world.
      await queue.open()
      await queue.attempt(() => resetWorld(queue.world))
      queues.delete(key)
    },
    async clear() {
      queues.clear()
      try {
        await store.clear()
      } catch (error) {
        throw unavailable('remove the worlds', error)
      }
    },
    refuseFailure: (error) =>
      error instanceof SandboxError && error.code === 'STORE_UNAVAILABLE'
        ? new Refusal('unavailable', error.message)
        : undefined,
  }
}

function unavailable(what: string, error: unknown): SandboxError {
  return new SandboxError('STORE_UNAVAILABLE', `Failed to ${what}: ${(error as Error).message}. Try again`)
}
