/** Operations on all records of a world: exports, imports, snapshots and differences. */
import type { CollectionModel, Contract } from '../../contract/contract.js'
import { SandboxError, unknownName } from '../../contract/sandbox-error.js'
import { ownValue } from '../../json/own-value.js'
import { reachedMark } from '../../json/path-property.js'
import { isSameJson } from '../../json/same-json.js'
import { createPause, finishInSlices } from '../../json/steps.js'
import { useShared } from '../../sandbox/worlds.js'
import { atTime } from '../../sandbox/writes/progress.js'
import { isRemoved } from '../../sandbox/writes/sampled-record.js'
import { withinOf } from '../../state/identity.js'
import { bytesOf } from '../../state/memory-budget.js'
import { checkInSteps, type Scenario } from '../../state/scenario.js'
import {
  type Capture,
  captureWorld,
  fillCollection,
  restoreCapture,
  shareChanges,
} from '../../state/snapshots/capture-world.js'
import { snapshotExtras } from '../../state/snapshots/snapshot-world.js'
import type { StoredCollection } from '../../state/stored-collection.js'
import { StoredRecord, type Values } from '../../state/stored-record.js'
import type { StoredWorld } from '../../state/stored-world.js'
import { createCollection, openedCollections, replaceAll } from '../../state/world-content.js'
import type { WorldId } from '../../state/world-id.js'
import { type ControlHandlers, NotFound } from '../control-api.js'
import type { ControlOptions } from '../control-options.js'
import { type Snapshot, toSnapshotState } from '../kept.js'
import { describeWorld, type WorldsOfControl } from './world-routes.js'

/** The memory of a record in a snapshot, in addition to its values. */
const bytesPerChange = 100

export function snapshotRoutes(
  contract: Contract,
  control: WorldsOfControl,
  { kept, memory }: Pick<ControlOptions, 'kept' | 'memory'>,
): ControlHandlers {
  const { engine, find, findOrOpen, use, replace } = control
  const { worlds, factory } = engine
  const { snapshots, setSnapshot } = kept

  async function findSnapshot(name: unknown): Promise<Snapshot> {
    await worlds.refresh?.()
    const found = snapshots.get(String(name))
    if (!found) throw new NotFound(`There is no snapshot "${name}"`)
    return found
  }

  return {
    exportWorld: async ({ path, query }) => [
      200,
      await use(find(path['key']), (world) => toScenario(contract, world, query['environment'] as string | undefined)),
    ],
    importWorld: async ({ path, query, body }) => [
      200,
      await importScenario(contract, control, await find(path['key']), {
        scenario: body.value as Scenario,
        environment: query['environment'] as string | undefined,
      }),
    ],
    async diffWorld({ path, query }) {
      const { environment, snapshot, world } = query as { environment?: string; snapshot?: string; world?: string }
      const taken = world === undefined && snapshot !== undefined ? await findSnapshot(snapshot) : undefined
      const base =
        world === undefined
          ? taken && { at: taken.at, ...taken.capture }
          : await use(find(world), (other) => ({ at: other.clock.now(), ...captureWorld(other) }))
      const pairs = await use(find(path['key']), (world) => pairCollections(contract, world, environment, base))
      const pause = createPause()
      const differences: object[] = []
      for (const { name, before, after } of pairs) {
        const model = engine.contract.collections.find((each) => each.name === name) as CollectionModel
        const difference = await compare(model, before, after, pause)
        if (difference) differences.push({ collection: name, ...difference })
      }
      return [200, differences]
    },
    async listSnapshots() {
      await worlds.refresh?.()
      return [200, [...snapshots.values()].map(describeSnapshot)]
    },
    async saveSnapshot({ path, body }) {
      const { world: id } = body.value as { world: string }
      const name = String(path['snapshot'])
      const snapshot = await use(find(id), (world) => takeSnapshot(name, world))
      await countRecords(snapshot)
      await useShared(worlds, (put) => {
        const before = snapshots.get(name)?.bytes ?? 0
        if (!memory.has(snapshot.bytes - before))
          throw new SandboxError('NO_ROOM', memory.refusal(`the snapshot "${name}"`))
        setSnapshot(name, snapshot)
        if (worlds.list) put('snapshot', name, toSnapshotState(snapshot, factory))
      })
      return [200, describeSnapshot(snapshot)]
    },
    async deleteSnapshot({ path }) {
      const { name } = await findSnapshot(path['snapshot'])
      await useShared(worlds, (put) => {
        setSnapshot(name, undefined)
        put('snapshot', name, undefined)
      })
      return [204]
    },
    async restoreSnapshot({ path, body }) {
      const { capture } = await findSnapshot(path['snapshot'])
      const { to } = body.value as { to: string }
      const id = await findOrOpen(to)
      await replace(id, (world) => restoreCapture(world, capture))
      return [200, await use(id, describeWorld)]
    },
  }
}

/** Replaces all records of a world. @returns its description */
async function importScenario(
  contract: Contract,
  { use }: WorldsOfControl,
  id: WorldId,
  { scenario, environment }: { scenario: Scenario; environment: string | undefined },
): Promise<object> {
  const pause = createPause()
  await finishInSlices(checkInSteps(contract, scenario), pause)
  const places = placesOf(contract, environment)
  const foreign = Object.keys(scenario).find((name) => !places.some((place) => place.name === name))
  if (foreign !== undefined)
    throw new SandboxError('INVALID_SCENARIO', `The environment "${environment}" has no "${foreign}"`)
  // Filled before they become part of the world, so that no request sees only a part of the records.
  const filled = await use(id, (world) =>
    places.map(({ name, server }) => ({ name, server, collection: createCollection(world, name, server) })),
  )
  for (const { name, collection } of filled) {
    const { records } = collection.context.base
    for (const position of records.keys()) {
      collection.put(position, undefined)
      await pause()
    }
    for (const [index, values] of (ownValue(scenario, name) ?? []).entries()) {
      collection.put(records.length + index, new StoredRecord(values))
      const key = values[collection.context.key]
      if (Number.isSafeInteger(key)) collection.nextKey = Math.max(collection.nextKey, Number(key) + 1)
      await pause()
    }
  }
  return await use(id, (world) => {
    const others = openedCollections(world).filter((each) => !filled.some((one) => isSamePlace(one, each)))
    for (const { name, server, collection } of filled)
      collection.nextKey = Math.max(collection.nextKey, world.collection(name, server).nextKey)
    replaceAll(world, [...others, ...filled], world.extras)
    return describeWorld(world)
  })
}

/** The collections of a world that may differ from those that it is compared with. @param base @default the starting data */
function pairCollections(
  contract: Contract,
  world: StoredWorld,
  environment: string | undefined,
  base: (Pick<Snapshot, 'at'> & Capture) | undefined,
): { name: string; before: Moment; after: Moment }[] {
  const now = world.clock.now()
  const captured = base?.collections ?? []
  // A collection that was never opened has no changes.
  const touched = [...openedCollections(world), ...captured]
  return placesOf(contract, environment).flatMap((place) => {
    if (!touched.some((each) => isSamePlace(each, place))) return []
    const known = captured.find((each) => isSamePlace(each, place))
    const before = known ? fillCollection(world, known) : createCollection(world, place.name, place.server)
    // Other requests may change the records during the comparison.
    const collection = world.collection(place.name, place.server)
    const { nextKey, size } = collection
    const after = fillCollection(world, { ...place, nextKey, size, changes: shareChanges(collection) })
    return {
      name: place.name,
      before: { collection: before, now: base?.at ?? now },
      after: { collection: after, now },
    }
  })
}

function takeSnapshot(name: string, world: StoredWorld): Snapshot {
  const bytes = bytesOf(snapshotExtras(world.extras))
  return { name, at: world.clock.now(), capture: captureWorld(world), bytes }
}

/** Adds the memory of its records to a snapshot. */
async function countRecords(snapshot: Snapshot): Promise<void> {
  const pause = createPause()
  for (const { changes } of snapshot.capture.collections) {
    for (const record of [...(changes?.changed.values() ?? []), ...(changes?.added ?? [])]) {
      snapshot.bytes += bytesOf(record?.values) + bytesPerChange
      await pause()
    }
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

function isSamePlace(one: Place, other: Place): boolean {
  return one.name === other.name && one.server === other.server
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

/** All records as a scenario, oldest first. */
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

/** A collection at a time in milliseconds since 1970. */
interface Moment {
  collection: StoredCollection
  now: number
}

/** Both have the same base and do not change during the comparison. @returns undefined without a difference */
async function compare(
  model: CollectionModel,
  before: Moment,
  after: Moment,
  pause: () => Promise<void> | undefined,
): Promise<object | undefined> {
  const positions = new Set<number>()
  for (const { changes, context } of [before.collection, after.collection]) {
    for (const position of changes?.changed.keys() ?? []) positions.add(position)
    for (const index of changes?.added.keys() ?? []) positions.add(context.base.records.length + index)
    await pause()
  }
  const { key, scope = [] } = after.collection.context
  /** The values as a request would show them. */
  const valuesAt = ({ collection, now }: Moment, position: number): Values | undefined => {
    const record = collection.at(position)
    if (!record || !model.progress) return record?.values
    const { [reachedMark]: _, ...values } = atTime(model, record, now).values
    return values
  }
  const identify = (values: Values) =>
    scope.length === 0 ? String(values[key]) : JSON.stringify([values[key], withinOf(values, scope)].map(String))
  // A record that was removed and added again counts as the same one, and two worlds add different ones in one position.
  const isSame = (one: Values | undefined, other: Values) =>
    one !== undefined && (one === other || identify(one) === identify(other))
  const old = new Map<string, Values>()
  for (const position of positions) {
    const one = valuesAt(before, position)
    const other = valuesAt(after, position)
    if (one && !(other && isSame(one, other))) old.set(identify(one), one)
    await pause()
  }
  const added: Values[] = []
  const changed: { before: Values; after: Values }[] = []
  for (const position of positions) {
    await pause()
    const one = valuesAt(before, position)
    const other = valuesAt(after, position)
    if (!other) continue
    const isInPlace = isSame(one, other)
    const known = isInPlace ? one : old.get(identify(other))
    if (!known) added.push(other)
    else if (!isSameJson(known, other)) changed.push({ before: known, after: other })
    if (!isInPlace) old.delete(identify(other))
  }
  const removed = [...old.values()]
  return added.length + removed.length + changed.length === 0 ? undefined : { added, changed, removed }
}
