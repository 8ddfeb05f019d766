/** Carries the state of a served document over to the next one, as far as it fits. */
import type { Kept, Snapshot } from '../control/kept.js'
import type { PendingWebhook } from '../sandbox/webhooks/schedule.js'
import type { Faults } from '../state/faults.js'
import { problemOfRecord } from '../state/scenario.js'
import { type CarryOptions, carryCapture, carryWorld, type SetAside } from '../state/snapshots/carry-world.js'
import type { StoredWorld, WorldFactory } from '../state/stored-world.js'
import { namesOf, type WorldId } from '../state/world-id.js'
import { type ServedDocument, type SetAsideRecord, toRecords } from './serve-document.js'

/** The worlds of a document, and their factory. */
export interface OpenWorlds {
  byId: Map<WorldId, StoredWorld>
  factory?: WorldFactory
}

/** A document with its worlds. */
interface Opened {
  document: ServedDocument
  worlds: OpenWorlds
}

export interface CarriedOver {
  /** The number of changes of callers that were kept, in all worlds. */
  kept: number
  /** The changes that do not fit. They are tried again each time. */
  setAside: readonly SetAsideRecord[]
}

export type CarryOver = (from: Opened, to: Opened) => CarriedOver

interface State {
  kept: Kept
  faults: Faults
  hasStore: boolean
}

export function createCarryOver({ kept, faults, hasStore }: State): CarryOver {
  let unsent: PendingWebhook[] = []
  let asideByWorld = new Map<WorldId, SetAside[]>()
  let asideBySnapshot = new Map<Snapshot, SetAside[]>()

  return (from, to) => {
    const { contract, engine, sandbox } = to.document
    const problemOf = (collection: string, values: Readonly<Record<string, unknown>>) =>
      problemOfRecord(contract, collection, values)
    const carrying = { contract, problemOf }
    const before = from.document.engine
    let count = 0
    const aside = new Map<WorldId, SetAside[]>()
    if (!hasStore) engine.clock.setOffset(before.clock.offset, before.clock.frozenAt)
    for (const [id, world] of from.worlds.byId) {
      const opened = engine.worlds.open(id) as StoredWorld
      const carried = carryWorld(world, opened, asideByWorld.get(id) ?? [], carrying)
      count += carried.kept
      if (carried.aside.length > 0) aside.set(id, carried.aside)
    }
    asideByWorld = aside
    carrySnapshots(from.worlds, to.worlds, carrying)
    const operations = new Set<string | undefined>(contract.operations.map(({ id }) => id)).add(undefined)
    for (const { id, operation } of hasStore ? [] : faults.list())
      if (!operations.has(operation)) void sandbox.faults.remove(id)
    unsent = [...unsent, ...(before.deliveries?.close() ?? [])]
    // A document without callbacks keeps pending requests for the next document.
    if (engine.deliveries) engine.deliveries.add(unsent.splice(0))
    return { kept: count, setAside: [...aside].flatMap(([id, all]) => toRecords(namesOf(id).key, all)) }
  }

  /** Carries snapshots over. Changes that do not fit are restored once they fit again, as in worlds. */
  function carrySnapshots({ factory: from }: OpenWorlds, { factory: to }: OpenWorlds, options: CarryOptions): void {
    const aside = new Map<Snapshot, SetAside[]>()
    if (!from || !to) return
    for (const [name, snapshot] of kept.snapshots) {
      const carried = carryCapture(snapshot.capture, { from, to }, asideBySnapshot.get(snapshot) ?? [], options)
      const next = { ...snapshot, capture: carried.capture }
      kept.setSnapshot(name, next)
      aside.set(next, carried.aside)
    }
    asideBySnapshot = aside
  }
}
