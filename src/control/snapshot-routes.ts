/** Operations on all records of a world: exports, imports, snapshots and differences. */
import type { Contract } from '../contract/contract.js'
import { ownValue } from '../json/own-value.js'
import { checkScenario, type Scenario } from '../state/scenario.js'
import { restoreCollection, restoreWorld, snapshotCollection, snapshotWorld } from '../state/snapshot-world.js'
import type { StoredCollection } from '../state/stored-collection.js'
import type { StoredWorld } from '../state/stored-world.js'
import type { WorldState } from '../state/world-state.js'
import { type ControlHandlers, NotFound } from './control-api.js'
import { isMark } from './record-routes.js'
import { describeWorld, type WorldsOfControl } from './world-routes.js'

/** The state of a world under a name. */
interface Snapshot {
  name: string
  /** The time of the world when it was taken: milliseconds since 1970. */
  at: number
  state: WorldState
}

export function snapshotRoutes(contract: Contract, { keyOf, use }: WorldsOfControl): ControlHandlers {
  const snapshots = new Map<string, Snapshot>()

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
        for (const { name, server } of placesOf(contract, query['environment'] as string | undefined)) {
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
        const state = snapshot === undefined ? undefined : findSnapshot(snapshot).state
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
      const snapshot = await use(keyOf(id), (world) => ({ name, at: world.clock.now(), state: snapshotWorld(world) }))
      snapshots.set(name, snapshot)
      return [200, describeSnapshot(snapshot)]
    },
    deleteSnapshot({ path }) {
      const { name } = findSnapshot(path['snapshot'])
      snapshots.delete(name)
      return [204]
    },
    async restoreSnapshot({ path, body }) {
      const { state } = findSnapshot(path['snapshot'])
      const { to } = body.value as { to: string }
      return [
        200,
        await use(keyOf(to), (world) => {
          restoreWorld(world, state)
          return describeWorld(world)
        }),
      ]
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
function placesOf({ collections }: Contract, environment: string | undefined): Place[] {
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
      .filter((record) => !isMark(record))
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
  const pairs = [...positions].map((position) => [before.at(position)?.values, after.at(position)?.values] as const)
  const added = pairs.flatMap(([one, other]) => (!one && other ? [other] : []))
  const removed = pairs.flatMap(([one, other]) => (one && !other ? [one] : []))
  const changed = pairs.flatMap(([one, other]) =>
    one && other && one !== other ? [{ before: one, after: other }] : [],
  )
  return added.length + removed.length + changed.length === 0 ? undefined : { added, changed, removed }
}
