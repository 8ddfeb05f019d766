/** Operations on all records of a world: exports, imports, snapshots and differences. */
import type { CollectionModel, Contract } from '../../contract/contract.js'
import { SandboxError } from '../../contract/sandbox-error.js'
import { ownValue } from '../../json/own-value.js'
import { createPause, finishInSlices } from '../../json/steps.js'
import {
  compareCollection,
  isSamePlace,
  pairCollections,
  placesOf,
  type WorldChange,
} from '../../sandbox/world-changes.js'
import { useShared } from '../../sandbox/worlds.js'
import { isRemoved } from '../../sandbox/writes/sampled-record.js'
import { bytesOf } from '../../state/memory-budget.js'
import { checkInSteps, type Scenario } from '../../state/scenario.js'
import { captureWorld, restoreCapture } from '../../state/snapshots/capture-world.js'
import { snapshotExtras } from '../../state/snapshots/snapshot-world.js'
import { StoredRecord } from '../../state/stored-record.js'
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
  { kept, memory, judge, journal }: Pick<ControlOptions, 'kept' | 'memory' | 'judge' | 'journal'>,
): ControlHandlers {
  const { engine, find, findOrOpen, use, replace, toWorld, isOf } = control
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
      const pairs = await use(find(path['key']), (world) =>
        pairCollections(world, placesOf(contract, environment), base),
      )
      const pause = createPause()
      const differences: object[] = []
      for (const pair of pairs) {
        const model = engine.contract.collections.find(({ name }) => name === pair.place.name) as CollectionModel
        const found = await compareCollection(model, pair, pause)
        if (found.length > 0) differences.push({ collection: model.name, ...byKind(found) })
      }
      return [200, differences]
    },
    async judgeWorld({ path, query, body }) {
      const { snapshot } = query as { snapshot?: string }
      const taken = snapshot === undefined ? undefined : await findSnapshot(snapshot)
      const exchanges = journal.list().filter(await isOf(path['key']))
      const since = taken && toSnapshotState(taken, factory).state
      const findings = await judge(body.value, { world: toWorld(await find(path['key'])), exchanges, since })
      return [200, { passed: findings.length === 0, findings }]
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

/** The values by what happened to them. */
function byKind(found: readonly WorldChange[]): object {
  const of = (kind: WorldChange['kind']) => found.filter((each) => each.kind === kind)
  const changed = of('changed').map(({ before, after }) => ({ before, after }))
  return { added: of('added').map(({ after }) => after), changed, removed: of('removed').map(({ before }) => before) }
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
