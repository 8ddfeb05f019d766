/** Carries the changes of a world over to a world of another contract, as far as they fit. */
import type { CollectionModel, RequestContract } from '../../contract/contract.js'
import { toExactInteger } from '../../json/exact-json.js'
import { withinOf } from '../identity.js'
import type { Key, Values } from '../stored-record.js'
import type { StoredWorld, WorldFactory } from '../stored-world.js'
import { openedCollections } from '../world-content.js'
import { noWorld } from '../world-id.js'
import { type Capture, captureWorld, restoreCapture } from './capture-world.js'
import { snapshotCollection } from './snapshot-world.js'

/** A record that a caller added, changed or removed. */
interface Change {
  collection: string
  /** Name of the server that the collection belongs to. */
  server: string
  /** The values of the record. For a removed record, those before. */
  values: Values
  isRemoved: boolean
}

/** A change that does not fit the other contract. */
export interface SetAside extends Change {
  /** A sentence without a full stop. */
  why: string
}

/** The changes of a world to its scenario, the oldest first. */
function changesOf(world: StoredWorld): Change[] {
  return openedCollections(world).flatMap(({ name, server, collection }) => {
    const { changed = [], added = [] } = snapshotCollection(collection) ?? {}
    const { records } = collection.context.base
    const toChange = (values: Values | null | undefined, isRemoved: boolean): Change[] =>
      values ? [{ collection: name, server, values, isRemoved }] : []
    return [
      ...changed.flatMap(([position, values]) => toChange(values ?? records[position]?.values, values === null)),
      ...added.flatMap((values) => toChange(values, false)),
    ]
  })
}

export interface CarryOptions {
  contract: RequestContract
  /** Returns the problem of a record of a collection. */
  problemOf(collection: string, values: Values): string | undefined
}

/** Carries all content of a world. @param aside changes that did not fit before @returns changes that do not fit now */
export function carryWorld(
  from: StoredWorld,
  to: StoredWorld,
  aside: readonly SetAside[],
  options: CarryOptions,
): { kept: number; aside: SetAside[] } {
  const changes = [...aside, ...changesOf(from)]
  to.clock.setOffset(from.clock.offset, from.clock.frozenAt)
  to.extras = from.extras
  const left = carryChanges(changes, to, options)
  carryNextKeys(from, to, options.contract)
  return { kept: changes.length - left.length, aside: left }
}

/** The same for a capture. */
export function carryCapture(
  capture: Capture,
  { from, to }: { from: WorldFactory; to: WorldFactory },
  aside: readonly SetAside[],
  options: CarryOptions,
): { capture: Capture; aside: SetAside[] } {
  const before = from.create(noWorld)
  restoreCapture(before, capture)
  const after = to.create(noWorld)
  const left = carryWorld(before, after, aside, options).aside
  return { capture: captureWorld(after), aside: left }
}

/** Ensures that new records do not get keys that were already used. */
function carryNextKeys(from: StoredWorld, to: StoredWorld, { collections }: RequestContract): void {
  for (const { name, server, collection } of openedCollections(from)) {
    const model = collections.find((each) => each.name === name)
    if (!model) continue
    const next = to.collection(name, model.servers.includes(server) ? server : undefined)
    next.nextKey = Math.max(next.nextKey, collection.nextKey)
  }
}

/** Applies changes to a world. @returns those that do not fit */
function carryChanges(
  changes: readonly Change[],
  world: StoredWorld,
  { contract, problemOf }: CarryOptions,
): SetAside[] {
  return changes.flatMap((change) => {
    const why = apply(change)
    return why === undefined ? [] : [{ ...change, why }]
  })

  function apply({ collection: name, server, values, isRemoved }: Change): string | undefined {
    const model = contract.collections.find((each) => each.name === name)
    if (!model) return `there is no collection "${name}" any more`
    const collection = world.collection(name, model.servers.includes(server) ? server : undefined)
    const key = collection.toKey(values[model.key])
    if (key === undefined) return `it has no valid ${model.key}`
    const { scope } = collection.context
    const within = scope && withinOf(values, scope)
    if (isRemoved) {
      collection.remove(key, within)
      return undefined
    }
    const why = problemOf(name, values) ?? ownerProblem(name, values, world, server)
    if (why !== undefined) return why
    if (!collection.replace(key, values, within)) collection.add({ ...values, [model.key]: key })
    return undefined
  }

  /** Checks the owner, because a record without it could not be found. */
  function ownerProblem(name: string, values: Values, world: StoredWorld, server: string): string | undefined {
    const model = contract.collections.find((each) => each.name === name)
    const missing = model && missingOwner(contract, model, values, world, server)
    return missing && `the record of "${missing.collection}" that it belongs to does not exist any more`
  }
}

type Link = NonNullable<CollectionModel['links']>[number]

/** @param server the server of the record. If it does not have the owners, they are on the first one. */
export function missingOwner(
  { collections }: Pick<RequestContract, 'collections'>,
  { links = [] }: CollectionModel,
  values: Values,
  world: StoredWorld,
  server: string | undefined,
): Link | undefined {
  return links.find(({ collection: name, values: pairs, isOwner }) => {
    if (!isOwner || pairs.some(([own]) => values[own] === undefined)) return false
    const isThere = collections.some((each) => each.name === name && each.servers.includes(server ?? ''))
    const filters = pairs.map(([own, other]) => ({ property: other, values: keysLike(values[own]) }))
    return world.collection(name, isThere ? server : undefined).count(filters) === 0
  })
}

/** The keys that a value can mean: a text may be a number. */
export function keysLike(value: unknown): Key[] {
  if (typeof value !== 'string') return [value as Key, String(value)]
  return [value, ...(/^(0|-?[1-9]\d{0,30})$/.test(value) ? [toExactInteger(value)] : [])]
}
