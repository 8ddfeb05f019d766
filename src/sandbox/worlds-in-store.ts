/** Keeps the worlds of a sandbox in a store, and those that were used last in memory. */
import { ownKey } from '../contract/credentials.js'
import { SandboxError } from '../contract/sandbox-error.js'
import type { ClockState } from '../state/change.js'
import { CommitQueue } from '../state/commits/commit-queue.js'
import type { OpenedShared, PutShared } from '../state/commits/shared-table.js'
import type { Later, Store } from '../state/commits/store.js'
import type { KeptBase } from '../state/commits/world-base.js'
import { createWorldTable } from '../state/commits/world-table.js'
import type { StoredWorld } from '../state/stored-world.js'
import { hashIn, hashText, ofHash, type WorldId } from '../state/world-id.js'
import { Refusal } from './outcome.js'
import { createWorldLists, runInStore, unavailable } from './world-lists.js'
import { refuseMore, type Worlds, type WorldsOptions } from './worlds.js'

interface OpenedWorld {
  world: StoredWorld
  queue: CommitQueue
  /** Greater than those of worlds that were opened before. */
  number: number
}

/** The state of worlds in a store. */
interface Opening extends WorldsOptions, Pick<ReturnType<typeof createSharedTable>, 'keepBase'> {
  store: Store
  /** Least recently used first. */
  opened: Map<WorldId, OpenedWorld>
  /** The id that opened the world of a hash last. It may have left memory. */
  idsByHash: Map<string, WorldId>
  /** Requests that hold a world when it leaves memory still commit to it. */
  queues: WeakMap<StoredWorld, OpenedWorld>
  lastNumber: number
  /** The number of the last world that was opened before one was ended, by the label of that one. */
  ends: Map<string, number>
  creating: Map<WorldId, Promise<OpenedWorld | Refusal>>
  listeners: ((world: StoredWorld) => void)[]
}

export function createWorldsInStore(
  options: WorldsOptions,
  store: Store,
  shared: OpenedShared,
  describe: () => Promise<KeptBase>,
): Worlds {
  const { clock, resetClock } = options
  const { keepBase, openShared, useTable } = createSharedTable(shared, store, describe)
  const { table } = shared
  table.connect('clock', (_, state) => (state ? clock.put(state as ClockState) : resetClock()))
  const opening: Opening = {
    ...{ ...options, store, keepBase, lastNumber: 0, listeners: [] },
    ...{ opened: new Map(), idsByHash: new Map(), queues: new WeakMap(), ends: new Map(), creating: new Map() },
  }
  const { opened, idsByHash, queues, ends } = opening
  return {
    open: (id) => openWorld(opening, id),
    attempt(world, run, context) {
      const held = queues.get(world) as OpenedWorld
      return held.queue.attempt((taken) => {
        if (isEnded(opening, held))
          throw new SandboxError('STORE_UNAVAILABLE', 'The key of this world was revoked meanwhile')
        // With the number of another request, the same values would be made again.
        if (context && context.seed <= taken) context.seed = ++world.requests
        return run()
      })
    },
    ids: () => opened.keys(),
    hashOf: (world) => (queues.get(world) as OpenedWorld).queue.table.id,
    stampOf: (world) => queues.get(world)?.queue.stamp,
    hide: async (id) => (ownKey.test(id) ? id : ofHash(await toHash(id))),
    ...createWorldLists(store),
    end: (shown) => void ends.set(shown, opening.lastNumber),
    remove: (id) => removeWorld(opening, id),
    async clear() {
      opened.clear()
      idsByHash.clear()
      await runInStore('remove the worlds', () => store.clear())
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
    onOpened: (listener) => void opening.listeners.push(listener),
    refuseFailure: (error) =>
      error instanceof SandboxError && error.code === 'STORE_UNAVAILABLE'
        ? new Refusal('unavailable', error.message)
        : undefined,
  }
}

function isEnded({ ends }: Opening, { queue, number }: OpenedWorld): boolean {
  return number <= (ends.get(queue.table.label ?? '') ?? 0)
}

function openWorld(opening: Opening, id: WorldId): Later<StoredWorld | Refusal> {
  const { opened } = opening
  const known = opened.get(id)
  opened.delete(id)
  if (!known || isEnded(opening, known)) return openNew(opening, id)
  opened.set(id, known)
  return show(opening, known)
}

/** Brings a world up to date. */
function show({ listeners }: Opening, { queue, world }: OpenedWorld): Later<StoredWorld> {
  const shown = () => {
    for (const listener of listeners) listener(world)
    return world
  }
  const waiting = openQueue(queue)
  return waiting ? waiting.then(shown) : shown()
}

async function openNew(opening: Opening, id: WorldId): Promise<StoredWorld | Refusal> {
  const { creating } = opening
  const created = creating.get(id) ?? create(opening, id)
  creating.set(id, created)
  try {
    const found = await created
    return found instanceof Refusal ? found : await show(opening, found)
  } finally {
    creating.delete(id)
  }
}

async function create(opening: Opening, id: WorldId): Promise<OpenedWorld | Refusal> {
  const { factory, maxWorlds, store, keepBase, opened, idsByHash, queues } = opening
  const number = ++opening.lastNumber
  const [hash, base] = await Promise.all([toHash(id), keepBase()])
  const known = findOther(opening, id, hash)
  if (known) return known
  for (let waits = 0; !makeRoom(opening); waits++) {
    if (waits === maxWaits) return refuseMore(maxWorlds)
    await waitForOldest(opening)
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
function findOther(opening: Opening, id: WorldId, hash: string): OpenedWorld | undefined {
  const { opened, idsByHash } = opening
  const other = idsByHash.get(hash)
  const found = other && opened.get(other)
  if (!found || other === id || isEnded(opening, found)) return undefined
  if (hashIn(id) !== undefined) return found
  opened.delete(other)
  return undefined
}

/** Drops the worlds that were not used for the longest time. What they changed is committed. */
function makeRoom({ opened, idsByHash, maxWorlds }: Opening): boolean {
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
async function waitForOldest({ opened }: Opening): Promise<void> {
  const [oldest] = opened.values()
  try {
    await oldest?.queue.attempt(() => {})
  } catch {
    // Its changes are undone, and the requests that made them fail.
  }
}

async function removeWorld({ store, opened, idsByHash }: Opening, id: WorldId): Promise<void> {
  const hash = await toHash(id)
  const known = idsByHash.get(hash) ?? id
  const held = opened.get(known)
  opened.delete(known)
  idsByHash.delete(hash)
  await runInStore('remove the world', async () => {
    // What is being committed must not come after the removal. If it fails, its requests do.
    await Promise.resolve(held?.queue.attempt(() => {})).catch(() => {})
    await store.remove(hash)
  })
}

/** The table of what all worlds share. It is opened when the base in the store is the same. */
function createSharedTable({ table, queue }: OpenedShared, store: Store, describe: () => Promise<KeptBase>) {
  let kept: Promise<KeptBase> | undefined
  let joining: Promise<void> | undefined
  let hasJoined = false

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
    await runInStore('keep the data of the sandbox', async () => {
      await store.blob(base.hash, base.bytes)
    })
    return base
  }

  /** Brings it up to date, and the first time compares the base. */
  function openShared(): Later<void> {
    if (hasJoined) return openQueue(queue)
    joining ??= join().finally(() => {
      joining = undefined
    })
    return joining
  }

  async function join(): Promise<void> {
    const { hash } = await keepBase()
    await openQueue(queue)
    const known = await queue.attempt(() => {
      const other = table.get('base', '')
      if (other === undefined || store.isExclusive) table.put('base', '', hash)
      return table.get('base', '')
    })
    if (known !== hash) throw new SandboxError('STORE_UNAVAILABLE', otherBase)
    hasJoined = true
  }

  function useTable<T>(run: (put: PutShared) => T): Later<T> {
    const attempt = () => queue.attempt(() => run(table.put))
    const waiting = openShared()
    return waiting ? waiting.then(attempt) : attempt()
  }

  return { keepBase, openShared, useTable }
}

function openQueue(queue: CommitQueue): Later<void> {
  const fail = (error: unknown): never => {
    throw unavailable('open the world', error)
  }
  try {
    return queue.open()?.catch(fail)
  } catch (error) {
    return fail(error)
  }
}

const otherBase =
  'The store has the worlds of another document or of other data: use the same ones, or another place in the store'

/** How many commits of other worlds a new one waits for, if each world in memory is in use. */
const maxWaits = 10

/** A store keeps hashes of keys. */
async function toHash(id: WorldId): Promise<string> {
  return hashIn(id) ?? hashText(id)
}

/** Other keys are secret. */
function toLabel(id: WorldId, hash: string): string {
  return ownKey.test(id) ? id : hash.slice(0, 16)
}
