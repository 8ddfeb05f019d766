/** The worlds of a sandbox by key, kept in a store that may wait. */
import { ChangeLog } from '../state/change-log.js'
import { CommitQueue } from '../state/commit-queue.js'
import type { Store } from '../state/store.js'
import type { StoredWorld } from '../state/stored-world.js'
import { Refusal } from './outcome.js'
import { refuseMore, type Worlds, type WorldsOptions } from './worlds.js'

export function createWorldsInStore({ factory, maxWorlds }: WorldsOptions, store: Store): Worlds {
  const queues = new Map<string, CommitQueue>()

  function findQueue(key: string): CommitQueue | undefined {
    const known = queues.get(key)
    if (known || queues.size >= maxWorlds) return known
    const log = new ChangeLog()
    const queue = new CommitQueue(factory.create(key, log), log, store)
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
        return new Refusal('unavailable', `Failed to open the world: ${(error as Error).message}. Try again`)
      }
    },
    attempt(world: StoredWorld, run) {
      const queue = queues.get(world.key)
      // A world that was forgotten since it was opened keeps nothing.
      return queue?.world === world ? queue.attempt(run) : run()
    },
    clear() {
      queues.clear()
      return store.clear()
    },
  }
}
