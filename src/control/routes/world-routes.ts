/** Operations on worlds and clocks. */
import type { RequestContract } from '../../contract/contract.js'
import { ownKey } from '../../contract/credentials.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import { quote } from '../../contract/violations.js'
import { getOrInsert } from '../../json/own-value.js'
import { createPause } from '../../json/steps.js'
import type { Engine } from '../../sandbox/create-engine.js'
import type { Sandbox } from '../../sandbox/facade/sandbox.js'
import { createWorld, findWorld, type World } from '../../sandbox/facade/world.js'
import { Refusal } from '../../sandbox/outcome.js'
import type { ValidRequest } from '../../sandbox/validate.js'
import { stepsOf } from '../../sandbox/writes/progress.js'
import { type Clock, freezeClock, moveClockTo, resumeClock, toTime } from '../../state/clock.js'
import type { Later } from '../../state/commits/store.js'
import type { Exchange } from '../../state/journal.js'
import { captureWorld, restoreCapture } from '../../state/snapshots/capture-world.js'
import { isChanged } from '../../state/snapshots/snapshot-world.js'
import type { StoredWorld } from '../../state/stored-world.js'
import { createCollection, openedCollections, resetWorld } from '../../state/world-content.js'
import { joinNames, type WorldId } from '../../state/world-id.js'
import { type ControlHandlers, NotFound } from '../control-api.js'
import type { ControlOptions } from '../control-options.js'
import { identityOf } from '../describe-exchange.js'
import { toShownId } from '../kept.js'

export interface WorldsOfControl {
  engine: Engine
  sandbox: Sandbox
  /** The world that is shown by an id. @throws NotFound */
  find(shown: unknown): Promise<WorldId>
  /** The same, or the world of a key that is not written like an id. @throws SandboxError `INVALID_OPTION` */
  findOrOpen(given: string): Promise<WorldId>
  /** A world as the public API has it. */
  toWorld(id: WorldId): World
  /** Whether an exchange is one of the world that is shown by an id. @throws NotFound */
  isOf(shown: unknown): Promise<(exchange: Exchange) => boolean>
  /** Runs a function on a world, and commits its changes. */
  use<T>(id: Later<WorldId>, work: (world: StoredWorld) => T): Promise<T>
  /** Puts a world into another state. */
  replace(id: WorldId, work: (world: StoredWorld) => void): Promise<void>
}

export function openWorlds({ engine, sandbox, kept: { revoked } }: ControlOptions): WorldsOfControl {
  const { worlds, keys, apiKeys = [] } = engine
  const source = { ...engine, captures: new WeakMap() }
  /** Hashing each of them for each look-up would take long. */
  const shownIds = new Map<WorldId, string>()

  async function findKnown(shown: string): Promise<WorldId | undefined> {
    await worlds.refresh?.()
    if (revoked.has(shown) || !(isHash.test(shown) || ownKey.test(shown))) return undefined
    const named = (ownKey.test(shown) ? [shown] : apiKeys).flatMap((key) => keys.idOf(key) ?? [])
    if (shownIds.size > 200_000) shownIds.clear()
    const pause = createPause()
    for (const ids of [named, worlds.ids()])
      for (const id of ids) {
        if (getOrInsert(shownIds, id, () => toShownId(id)) === shown) return id
        await pause()
      }
    return worlds.find?.(shown)
  }

  async function find(shown: unknown): Promise<WorldId> {
    const known = await findKnown(String(shown))
    if (known === undefined) throw new NotFound(`There is no world ${quote(shown)}; GET /_sandbox/worlds lists them`)
    return known
  }

  async function use<T>(given: Later<WorldId>, work: (world: StoredWorld) => T): Promise<T> {
    const id = await given
    await worlds.refresh?.()
    if (revoked.size > 0 && revoked.has(toShownId(id))) throw new NotFound(`The key "${toShownId(id)}" was revoked`)
    const world = await worlds.open(id)
    if (world instanceof Refusal) throw new SandboxError('STORE_UNAVAILABLE', world.message)
    return worlds.attempt(world, () => work(world))
  }

  return {
    engine,
    sandbox,
    find,
    // A key that is written like the id of another world must not be taken for it, nor such an id for a key.
    findOrOpen: (given) =>
      isHash.test(given) && !apiKeys.includes(given)
        ? find(given)
        : findKnown(given).then((known) => known ?? findWorld(keys, given)),
    toWorld: (id) => createWorld(source, id),
    async isOf(shown) {
      const wanted = toShownId(await find(shown))
      return ({ key, apiKey }) => key !== undefined && toShownId(joinNames({ key, apiKey })) === wanted
    },
    use,
    async replace(id, work) {
      await use(id, work)
      engine.deliveries?.cancel(id)
    },
  }
}

function noneIfNotFound(error: unknown): never[] {
  if (error instanceof NotFound) return []
  throw error
}

/** How the ids of keys that may be secret are written: see `toShownId`. */
const isHash = /^[0-9a-f]{16}$/

export function worldRoutes(control: WorldsOfControl): ControlHandlers {
  const { engine, sandbox, find, findOrOpen, use, replace } = control
  const { worlds, deliveries } = engine
  const describe = (id: WorldId) => use(id, describeWorld)
  const worldOf = ({ path }: ValidRequest) => find(path['key'])
  return {
    async listWorlds({ query }) {
      const { limit = 100, offset = 0 } = query as { limit?: number; offset?: number }
      const all = [...worlds.ids()]
      const { total, ids } = (await worlds.list?.(offset, limit)) ?? {
        total: all.length,
        ids: all.slice(offset, offset + limit),
      }
      // Some at once, so that a store is asked for them together. Requests of a revoked key may have left its world.
      const shown: unknown[] = []
      const pause = createPause()
      for (let at = 0; at < ids.length; at += 100) {
        const some = ids.slice(at, at + 100).map((id) => describe(id).catch(noneIfNotFound))
        shown.push(...(await Promise.all(some)).flat())
        await pause()
      }
      return [200, { total: total - ids.length + shown.length, worlds: shown }]
    },
    getWorld: async (request) => [200, await use(worldOf(request), (world) => describeWhole(world, sandbox.contract))],
    async deleteWorld(request) {
      const id = await worldOf(request)
      await worlds.remove(id)
      deliveries?.cancel(id)
      return [204]
    },
    async resetWorld(request) {
      const id = await worldOf(request)
      await replace(id, resetWorld)
      return [200, await describe(id)]
    },
    async forkWorld(request) {
      const { to } = request.body.value as { to: string }
      const [from, id] = [await worldOf(request), await findOrOpen(to)]
      const capture = await use(from, captureWorld)
      if (id !== from) await replace(id, (world) => restoreCapture(world, capture))
      return [201, await describe(id)]
    },
    getWorldClock: async (request) => [200, await use(worldOf(request), ({ clock }) => describeClock(clock))],
    async moveWorldClock(request) {
      const id = await worldOf(request)
      const moved = await use(id, ({ clock }) => moveBy(clock, request.body.value as ClockChange))
      deliveries?.check(id)
      return [200, moved]
    },
    async listWorldEvents(request) {
      const id = await worldOf(request)
      const [now, steps] = await use(id, (world) => [world.clock.now(), stepsOfWorld(world, sandbox.contract)] as const)
      const webhooks = (deliveries?.pending(id) ?? []).map(({ due, name, operation, exchange, request }) => ({
        ...{ due, kind: 'webhook', name, operation, url: withoutSecrets(request.url) },
        ...(exchange !== undefined && { exchange }),
      }))
      const events = [...steps, ...webhooks].filter(({ due }) => due > now).sort((one, other) => one.due - other.due)
      return [
        200,
        events.slice(0, maxEvents).map(({ due, ...event }) => ({ at: new Date(due).toISOString(), ...event })),
      ]
    },
    getClock: async () => [200, await worlds.useClock(describeClock)],
    async moveClock({ body }) {
      const moved = await worlds.useClock((clock) => moveBy(clock, body.value as ClockChange))
      deliveries?.check()
      return [200, moved]
    },
  }
}

type ClockChange = Partial<{ travelTo: string; advance: number; frozen: boolean; reset: true }>

/** Applies all changes or none: an impossible time changes nothing. */
function moveBy(clock: Clock, { travelTo, advance, frozen, reset }: ClockChange): ReturnType<typeof describeClock> {
  const { offset, frozenAt } = clock
  try {
    if (reset) clock.setOffset(0)
    // A frozen clock shows exactly the time that it is set to.
    if (frozen === true) freezeClock(clock)
    if (travelTo !== undefined) moveClockTo(clock, toTime(travelTo))
    if (advance !== undefined) moveClockTo(clock, clock.now() + advance)
    if (frozen === false) resumeClock(clock)
  } catch (error) {
    clock.setOffset(offset, frozenAt)
    throw error
  }
  return describeClock(clock)
}

function describeClock(clock: Clock): { now: string; frozen: boolean } {
  return { now: new Date(clock.now()).toISOString(), frozen: clock.frozenAt !== undefined }
}

/** Of worlds with more, the first ones are listed. */
const maxEvents = 200

/** The states that the jobs of a world reach. */
function stepsOfWorld(world: StoredWorld, { collections }: RequestContract): { due: number; kind: string }[] {
  return openedCollections(world).flatMap(({ name, server, collection }) => {
    const model = collections.find((each) => each.name === name)
    if (!model?.progress) return []
    return [...collection.entries([])].flatMap(([, record]) =>
      stepsOf(model, record).map(({ at, state }) => {
        const identity = identityOf(model, record.values)
        return { due: at, kind: 'step', collection: name, environment: server, identity, state: String(state) }
      }),
    )
  })
}

/** A URL without its user and query. */
function withoutSecrets(url: string): string {
  return url.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//')
}

interface Described {
  id: string
  now: string
  frozen: boolean
  collections: { name: string; environment: string; size: number; changed: boolean }[]
}

export function describeWorld(world: StoredWorld): Described {
  const collections = openedCollections(world).map(({ name, server, collection }) => ({
    name,
    environment: server,
    size: collection.size,
    changed: isChanged(collection),
  }))
  return { id: toShownId(world.id), ...describeClock(world.clock), collections }
}

/** Includes unopened collections, without opening them. */
function describeWhole(world: StoredWorld, { collections }: RequestContract): Described {
  const described = describeWorld(world)
  const opened = (name: string, server: string) =>
    described.collections.find((each) => each.name === name && each.environment === server)
  const others = collections.flatMap(({ name, servers }) =>
    servers
      .filter((server) => !opened(name, server))
      .map((server) => {
        const shared = opened(name, world.places.find(name, server).server)
        const { size, changed } = shared ?? { size: createCollection(world, name, server).size, changed: false }
        return { name, environment: server, size, changed }
      }),
  )
  return { ...described, collections: [...described.collections, ...others] }
}
