/** Keeps the worlds of a sandbox in a store, and those that were used last in memory. */

import { ownKey } from '../contract/credentials.js'
import { SandboxError } from '../contract/sandbox-error.js'
import type { ClockState } from '../state/change.js'
import { CommitQueue } from '../state/commits/commit-queue.js'
import { hashText } from '../state/commits/hash-bytes.js'
import type { OpenedShared } from '../state/commits/keep-start.js'
import type { PutShared } from '../state/commits/shared-table.js'
import type { Later, ListedWorld, Store } from '../state/commits/store.js'
import type { KeptBase } from '../state/commits/world-base.js'
import { createWorldTable } from '../state/commits/world-table.js'
import type { StoredWorld } from '../state/stored-world.js'
import { hashIn, ofHash, toWorldId, type WorldId } from '../state/world-id.js'
import { Refusal } from './outcome.js'
import { refuseMore, type Worlds, type WorldsOptions } from './worlds.js'

interface OpenedWorld {
  world: StoredWorld
  queue: CommitQueue
  /** Greater than those of worlds that were opened before. */
  number: number
}

export function createWorldsInStore(
  options: WorldsOptions,
  store: Store,
  { table, queue: sharedQueue }: OpenedShared,
  describe: () => Promise<KeptBase>,
): Worlds {
  const { factory, clock, resetClock, maxWorlds } = options
  /** Least recently used first. */
  const opened = new Map<WorldId, OpenedWorld>()
  /** The id that opened the world of a hash last. It may have left memory. */
  const idsByHash = new Map<string, WorldId>()
  // Requests that hold a world when it leaves memory still commit to it.
  const queues = new WeakMap<StoredWorld, OpenedWorld>()
  let lastNumber = 0
  /** The number of the last world that was opened before one was ended, by the label of that one. */
  const ends = new Map<string, number>()
  const creating = new Map<WorldId, Promise<OpenedWorld | Refusal>>()
  /** The last hash before each offset of a list where a page has ended, since the first page. */
  const starts = new Map<number, string | undefined>()
  let kept: Promise<KeptBase> | undefined
  let joining: Promise<void> | undefined
  let hasJoined = false
  table.connect('clock', (_, state) => (state ? clock.put(state as ClockState) : resetClock()))

  function isEnded({ queue, number }: OpenedWorld): boolean {
    return number <= (ends.get(queue.table.label ?? '') ?? 0)
  }

  async function create(id: WorldId): Promise<OpenedWorld | Refusal> {
    const number = ++lastNumber
    const [hash, base] = await Promise.all([toHash(id), keepBase()])
    const known = findOther(id, hash)
    if (known) return known
    for (let waits = 0; !makeRoom(); waits++) {
      if (waits === maxWaits) return refuseMore(maxWorlds)
      await waitForOldest()
    }
    const world = factory.create(id)
    const queue = new CommitQueue(createWorldTable(world, hash, toLabel(id, hash), base), store)
    const created = { world, queue, number }
    queues.set(world, created)
    opened.set(id, created)
    idsByHash.set(hash, id)
    return created
  }

  /** The world of a hash that was opened by its key. One that was opened by its hash leaves memory when its key is known. */
  function findOther(id: WorldId, hash: string): OpenedWorld | undefined {
    const other = idsByHash.get(hash)
    const found = other && opened.get(other)
    if (!found || other === id || isEnded(found)) return undefined
    if (hashIn(id) !== undefined) return found
    opened.delete(other)
    return undefined
  }

  /** Drops the worlds that were not used for the longest time. What they changed is committed. */
  function makeRoom(): boolean {
    if (opened.size < maxWorlds) return true
    for (const [id, { queue }] of opened) {
      if (!queue.isIdle) continue
      opened.delete(id)
      idsByHash.delete(queue.table.id)
      return true
    }
    return false
  }

  /** Waits for the commit of the world that was not used for the longest time. */
  async function waitForOldest(): Promise<void> {
    const [oldest] = opened.values()
    try {
      await oldest?.queue.attempt(() => {})
    } catch {
      // Its changes are undone, and the requests that made them fail.
    }
  }

  async function openNew(id: WorldId): Promise<StoredWorld | Refusal> {
    const created = creating.get(id) ?? create(id)
    creating.set(id, created)
    try {
      const found = await created
      return found instanceof Refusal ? found : await openQueue(found.queue, found.world)
    } finally {
      creating.delete(id)
    }
  }

  /** Keeps the base, for a sandbox with another one that carries worlds over. */
  function keepBase(): Promise<KeptBase> {
    kept ??= keep().catch((error: unknown) => {
      kept = undefined
      throw error
    })
    return kept
  }

  async function keep(): Promise<KeptBase> {
    const base = await describe()
    await tell('keep the data of the sandbox', async () => {
      await store.blob(base.hash, base.bytes)
    })
    return base
  }

  /** Brings what all worlds share up to date, and the first time compares the base. */
  function openShared(): Later<void> {
    if (hasJoined) return openQueue(sharedQueue, undefined)
    joining ??= join().finally(() => {
      joining = undefined
    })
    return joining
  }

  async function join(): Promise<void> {
    const { hash } = await keepBase()
    await openQueue(sharedQueue, undefined)
    const known = await sharedQueue.attempt(() => {
      const other = table.get('base', '')
      if (other === undefined || store.isExclusive) table.put('base', '', hash)
      return table.get('base', '')
    })
    if (known !== hash) throw new SandboxError('STORE_UNAVAILABLE', otherBase)
    hasJoined = true
  }

  function useTable<T>(run: (put: PutShared) => T): Later<T> {
    const attempt = () => sharedQueue.attempt(() => run(table.put))
    const opening = openShared()
    return opening ? opening.then(attempt) : attempt()
  }

  function openQueue<T>(queue: CommitQueue, result: T): Later<T> {
    try {
      const opening = queue.open()
      return opening ? opening.then(() => result, fail) : result
    } catch (error) {
      return fail(error)
    }
  }

  function fail(error: unknown): never {
    throw unavailable('open the world', error)
  }

  async function tell<T>(what: string, work: () => Later<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw unavailable(what, error)
    }
  }

  return {
    open(id) {
      const known = opened.get(id)
      opened.delete(id)
      if (!known || isEnded(known)) return openNew(id)
      opened.set(id, known)
      return openQueue(known.queue, known.world)
    },
    attempt(world, run, context) {
      const held = queues.get(world) as OpenedWorld
      return held.queue.attempt((taken) => {
        if (isEnded(held)) throw new SandboxError('STORE_UNAVAILABLE', 'The key of this world was revoked meanwhile')
        // With the number of another request, the same values would be made again.
        if (context && context.seed <= taken) context.seed = ++world.requests
        return run()
      })
    },
    ids: () => opened.keys(),
    hashOf: (world) => (queues.get(world) as OpenedWorld).queue.table.id,
    stampOf: (world) => queues.get(world)?.queue.stamp,
    hide: async (id) => (ownKey.test(id) ? id : ofHash(await toHash(id))),
    list: (offset, limit) =>
      tell('list the worlds', async () => {
        if (offset === 0) starts.clear()
        let at = Math.max(0, ...[...starts.keys()].filter((start) => start <= offset))
        let after = starts.get(at)
        const read = async (most: number) => {
          const page = await store.list(after, most)
          at += page.length
          after = page.at(-1)?.id ?? after
          return page
        }
        while (at < offset) if ((await read(Math.min(pageSize, offset - at))).length === 0) break
        const page = at === offset ? await read(limit) : []
        starts.set(at, after)
        const ids = await toIds(page)
        if (store.count) return { total: await store.count(), ids }
        while ((await read(pageSize)).length === pageSize);
        return { total: at, ids }
      }),
    async find(shown) {
      const start = ownKey.test(shown) ? (await hashText(shown)).slice(0, -1) : shown
      // An id comes directly after its own beginning.
      const page = await tell('find the world', () => store.list(start, 1))
      return (await toIds(page.filter(({ id }) => id.startsWith(start))))[0]
    },
    end: (shown) => void ends.set(shown, lastNumber),
    async remove(id) {
      const hash = await toHash(id)
      const known = idsByHash.get(hash) ?? id
      const held = opened.get(known)
      opened.delete(known)
      idsByHash.delete(hash)
      await tell('remove the world', async () => {
        // What is being committed must not come after the removal. If it fails, its requests do.
        await Promise.resolve(held?.queue.attempt(() => {})).catch(() => {})
        await store.remove(hash)
      })
    },
    async clear() {
      opened.clear()
      idsByHash.clear()
      await tell('remove the worlds', () => store.clear())
    },
    shared: { use: useTable, connect: (kind, load) => table.connect(kind, load) },
    useClock: (work) =>
      useTable((put) => {
        const { offset: ahead, frozenAt: stoodAt } = clock
        const result = work(clock)
        const { offset, frozenAt } = clock
        if (offset !== ahead || frozenAt !== stoodAt) put('clock', '', { offset, frozenAt })
        return result
      }),
    refresh: openShared,
    refreshBefore:
      (step) =>
      (...input) => {
        const opening = openShared()
        return opening ? opening.then(() => step(...input)) : step(...input)
      },
    refuseFailure: (error) =>
      error instanceof SandboxError && error.code === 'STORE_UNAVAILABLE'
        ? new Refusal('unavailable', error.message)
        : undefined,
  }
}

const otherBase =
  'The store has the worlds of another document or of other data: use the same ones, or another place in the store'

/** How many commits of other worlds a new one waits for, if each world in memory is in use. */
const maxWaits = 10

/** The number of worlds that are skipped at once. */
const pageSize = 1000

/** The ids of listed worlds. An earlier version had worlds whose ids were chosen by callers, and others may write labels. */
async function toIds(page: readonly ListedWorld[]): Promise<WorldId[]> {
  const known = page.filter(({ id }) => /^[0-9a-f]{64}$/.test(id))
  return Promise.all(
    known.map(async ({ id, label }) => {
      const isOwn = ownKey.test(label) && (await hashText(label)) === id
      return (isOwn && toWorldId(label)) || ofHash(id)
    }),
  )
}

/** A store keeps hashes of keys. */
async function toHash(id: WorldId): Promise<string> {
  return hashIn(id) ?? hashText(id)
}

/** Other keys are secret. */
function toLabel(id: WorldId, hash: string): string {
  return ownKey.test(id) ? id : hash.slice(0, 16)
}

function unavailable(what: string, error: unknown): SandboxError {
  if (error instanceof SandboxError && error.code === 'STORE_UNAVAILABLE') return error
  return new SandboxError('STORE_UNAVAILABLE', `Failed to ${what}: ${(error as Error).message}. Try again`)
}
