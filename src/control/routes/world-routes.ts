/** Operations on worlds and clocks. */

import type { RequestContract } from '../../contract/contract.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import type { Engine } from '../../sandbox/create-engine.js'
import { stepsOf } from '../../sandbox/effects/progress.js'
import type { Sandbox } from '../../sandbox/facade/sandbox.js'
import { Refusal } from '../../sandbox/outcome.js'
import type { ValidRequest } from '../../sandbox/validate.js'
import { type Clock, freezeClock, moveClockTo, resumeClock, toTime } from '../../state/clock.js'
import { isChanged } from '../../state/snapshots/snapshot-world.js'
import type { StoredWorld } from '../../state/stored-world.js'
import { createCollection, openedCollections } from '../../state/world-content.js'
import { type ControlHandlers, NotFound } from '../control-api.js'
import { identityOf } from '../describe-exchange.js'
import { isOwnKey, toWorldId } from '../kept.js'

export interface WorldsOfControl {
  engine: Engine
  sandbox: Sandbox
  /** The key of the world with an id. @throws NotFound */
  keyOf(id: unknown): string
  /** The key in a request, or the key of the given id. @throws SandboxError `INVALID_OPTION` */
  toKey(given: string): string
  /** Runs a function on the world of a key, and commits its changes. */
  use<T>(key: string, work: (world: StoredWorld) => T): Promise<T>
}

export function openWorlds(engine: Engine, sandbox: Sandbox): WorldsOfControl {
  const { worlds, keys } = engine
  const knownKeys = () => [...new Set([...worlds.keys(), ...(engine.apiKeys ?? [])])]
  return {
    engine,
    sandbox,
    keyOf(id) {
      const text = String(id)
      if (isOwnKey(text) && keys.isValid(text)) return text
      const known = knownKeys().find((key) => toWorldId(key) === text)
      if (known === undefined) throw new NotFound(`There is no world "${text}"; GET /_sandbox/worlds lists them`)
      return known
    },
    toKey(given) {
      const known = knownKeys().find((key) => toWorldId(key) === given)
      if (known !== undefined || keys.isValid(given)) return known ?? given
      throw new SandboxError('INVALID_OPTION', `Invalid key "${given}"`)
    },
    async use(key, work) {
      await worlds.refresh?.()
      const world = await worlds.open(key)
      if (world instanceof Refusal) throw new SandboxError('STORE_UNAVAILABLE', world.message)
      return worlds.attempt(world, () => work(world))
    },
  }
}

export function worldRoutes(control: WorldsOfControl): ControlHandlers {
  const { engine, sandbox, keyOf, use } = control
  const { worlds, interceptors } = engine
  const describe = (key: string) => use(key, describeWorld)
  const worldOf = ({ path }: ValidRequest) => keyOf(path['key'])
  return {
    async listWorlds({ query }) {
      const { limit = 100, offset = 0 } = query as { limit?: number; offset?: number }
      const all = [...worlds.keys()]
      const { total, keys } = (await worlds.list?.(offset, limit)) ?? {
        total: all.length,
        keys: all.slice(offset, offset + limit),
      }
      // At once, so that a store is asked for all of them together.
      return [200, { total, worlds: await Promise.all(keys.map(describe)) }]
    },
    getWorld: async (request) => [200, await use(worldOf(request), (world) => describeWhole(world, sandbox.contract))],
    async deleteWorld(request) {
      const key = worldOf(request)
      await worlds.remove(key)
      interceptors.deliveries?.cancel(key)
      return [204]
    },
    async resetWorld(request) {
      const key = worldOf(request)
      await sandbox.world(key).reset()
      return [200, await describe(key)]
    },
    async forkWorld(request) {
      const { to } = request.body.value as { to: string }
      await sandbox.world(worldOf(request)).fork(to)
      return [201, await describe(to)]
    },
    getWorldClock: async (request) => [200, await use(worldOf(request), ({ clock }) => describeClock(clock))],
    async moveWorldClock(request) {
      const key = worldOf(request)
      const moved = await use(key, ({ clock }) => moveBy(clock, request.body.value as ClockChange))
      interceptors.deliveries?.check(key)
      return [200, moved]
    },
    async listWorldEvents(request) {
      const key = worldOf(request)
      const [now, steps] = await use(
        key,
        (world) => [world.clock.now(), stepsOfWorld(world, sandbox.contract)] as const,
      )
      const webhooks = (interceptors.deliveries?.pending(key) ?? []).map(
        ({ due, name, operation, exchange, request }) => ({
          ...{ due, kind: 'webhook', name, operation, url: withoutSecrets(request.url) },
          ...(exchange !== undefined && { exchange }),
        }),
      )
      const events = [...steps, ...webhooks].filter(({ due }) => due > now).sort((one, other) => one.due - other.due)
      return [
        200,
        events.slice(0, maxEvents).map(({ due, ...event }) => ({ at: new Date(due).toISOString(), ...event })),
      ]
    },
    getClock: async () => [200, await worlds.useClock(describeClock)],
    async moveClock({ body }) {
      const moved = await worlds.useClock((clock) => moveBy(clock, body.value as ClockChange))
      interceptors.deliveries?.check()
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
  return { id: toWorldId(world.key), ...describeClock(world.clock), collections }
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
