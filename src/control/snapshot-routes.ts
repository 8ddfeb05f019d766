/** Operations on all records of a world: exports, imports, snapshots and differences. */
import type { Contract } from '../contract/contract.js'
import { SandboxError, unknownName } from '../contract/sandbox-error.js'
import { ownValue } from '../json/own-value.js'
import { isSameJson } from '../json/same-json.js'
import { isRemoved } from '../sandbox/effects/sampled-record.js'
import { captureWorld, restoreCapture } from '../state/capture-world.js'
import { withinOf } from '../state/identity.js'
import { bytesOf } from '../state/memory-budget.js'
import { checkScenario, type Scenario } from '../state/scenario.js'
import { restoreCollection, snapshotCollection } from '../state/snapshot-world.js'
import type { StoredCollection } from '../state/stored-collection.js'
import type { Values } from '../state/stored-record.js'
import type { StoredWorld } from '../state/stored-world.js'
import { type ControlHandlers, NotFound } from './control-api.js'
import type { ControlOptions } from './control-options.js'
import type { Snapshot } from './kept.js'
import { describeWorld, type WorldsOfControl } from './world-routes.js'

export function snapshotRoutes(
  contract: Contract,
  { engine, keyOf, toKey, use }: WorldsOfControl,
  { kept: { snapshots }, memory }: Pick<ControlOptions, 'kept' | 'memory'>,
): ControlHandlers {
  function findSnapshot(name: unknown): Snapshot {
    const found = snapshots.get(String(name))
    if (!found) throw new NotFound(`There is no snapshot "${name}"`)
    return found
  }

  return {
    exportWorld: async ({ path, query }) => [
      200,
      await use(keyOf(path['key']), (world) => toScenario(contract, world, query['environment'] as string | undefined)),
    ],
    importWorld: async ({ path, query, body }) => [
      200,
      await use(keyOf(path['key']), (world) => {
        const scenario = checkScenario(contract, body.value as Scenario)
        const places = placesOf(contract, query['environment'] as string | undefined)
        const foreign = Object.keys(scenario).find((name) => !places.some((place) => place.name === name))
        if (foreign !== undefined)
          throw new SandboxError('INVALID_SCENARIO', `The environment "${query['environment']}" has no "${foreign}"`)
        for (const { name, server } of places) {
          const collection = world.collection(name, server)
          collection.clear()
          for (const values of ownValue(scenario, name) ?? []) collection.add(values)
        }
        return describeWorld(world)
      }),
    ],
    diffWorld: async ({ path, query }) => [
      200,
      await use(keyOf(path['key']), (world) => {
        const { environment, snapshot } = query as { environment?: string; snapshot?: string }
        const state = snapshot === undefined ? undefined : findSnapshot(snapshot).capture.state
        // What was never opened is as it was.
        const touched = [...world.opened(), ...(state?.collections ?? [])]
        const isTouched = ({ name, server }: Place) =>
          touched.some((each) => each.name === name && each.server === server)
        return placesOf(contract, environment).flatMap((place) => {
          if (!isTouched(place)) return []
          const { name, server } = place
          const collection = world.collection(name, server)
          const before = world.createCollection(name, server)
          const known = state?.collections.find((each) => each.name === name && each.server === server)
          if (known) restoreCollection(before, known)
          const difference = compare(before, collection)
          return difference ? [{ collection: name, ...difference }] : []
        })
      }),
    ],
    listSnapshots: () => [200, [...snapshots.values()].map(describeSnapshot)],
    async saveSnapshot({ path, body }) {
      const { world: id } = body.value as { world: string }
      const name = String(path['snapshot'])
      const snapshot = await use(keyOf(id), (world) => {
        const capture = captureWorld(world)
        return { name, at: world.clock.now(), capture, bytes: bytesOf(capture.state) }
      })
      const before = snapshots.get(name)?.bytes ?? 0
      if (!memory.take(snapshot.bytes - before))
        throw new SandboxError('NO_ROOM', memory.refusal(`the snapshot "${name}"`))
      snapshots.set(name, snapshot)
      return [200, describeSnapshot(snapshot)]
    },
    deleteSnapshot({ path }) {
      const { name, bytes } = findSnapshot(path['snapshot'])
      snapshots.delete(name)
      memory.free(bytes)
      return [204]
    },
    async restoreSnapshot({ path, body }) {
      const { capture } = findSnapshot(path['snapshot'])
      const { to } = body.value as { to: string }
      const key = toKey(to)
      const restored = await use(key, (world) => {
        restoreCapture(world, capture)
        return describeWorld(world)
      })
      engine.hooks.deliveries?.cancel(key)
      return [200, restored]
    },
  }
}

function describeSnapshot({ name, at }: Snapshot): object {
  return { name, at: new Date(at).toISOString() }
}

/** A collection of one server. */
interface Place {
  name: string
  server: string
}

/** @param environment @default the first one that has each collection */
function placesOf({ collections, servers: all }: Contract, environment: string | undefined): Place[] {
  const names = all.map(({ name }) => name)
  if (environment !== undefined && !names.includes(environment)) throw unknownName('environment', environment, names)
  return collections.flatMap(({ name, servers }) => {
    if (environment !== undefined && !servers.includes(environment)) return []
    return [{ name, server: environment ?? servers[0] ?? '' }]
  })
}

/** Oldest first, as scenarios have them. */
function toScenario(contract: Contract, world: StoredWorld, environment: string | undefined): Scenario {
  const all = placesOf(contract, environment).map(({ name, server }) => {
    const records = world
      .collection(name, server)
      .select([])
      .filter((record) => !isRemoved(record))
    return [name, records.map(({ values }) => values).reverse()] as const
  })
  return Object.fromEntries(all.filter(([, records]) => records.length > 0))
}

/** Both have the same base. @returns undefined without a difference */
function compare(before: StoredCollection, after: StoredCollection): object | undefined {
  const positions = new Set<number>()
  for (const each of [before, after]) {
    const { changed = [], added = [] } = snapshotCollection(each) ?? {}
    for (const [position] of changed) positions.add(position)
    for (const index of added.keys()) positions.add(each.context.base.records.length + index)
  }
  const { key, scope = [] } = after.context
  const identify = (values: Values) => JSON.stringify([values[key], withinOf(values, scope)].map(String))
  // A record that was added again is the one before.
  const old = new Map<string, Values>()
  const pairs = [...positions].map((position) => [before.at(position)?.values, after.at(position)?.values] as const)
  for (const [one, other] of pairs) if (one && !other) old.set(identify(one), one)
  const added: Values[] = []
  const changed: { before: Values; after: Values }[] = []
  for (const [one, other] of pairs) {
    if (!other) continue
    const known = one ?? old.get(identify(other))
    if (!known) added.push(other)
    else if (!isSameJson(known, other)) changed.push({ before: known, after: other })
    if (!one) old.delete(identify(other))
  }
  const removed = [...old.values()]
  return added.length + removed.length + changed.length === 0 ? undefined : { added, changed, removed }
}
