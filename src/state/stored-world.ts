/** A world is what one key sees: a clock, and collections for each environment, which start with the scenario. */
import type { CollectionModel, RequestContract } from '../contract/contract.js'
import { unknownName } from '../contract/sandbox-error.js'
import { getOrInsert, ownValue } from '../json/own-value.js'
import { type Base, createBase } from './base-records.js'
import type { Change } from './change.js'
import { type Clock, RunningClock } from './clock.js'
import { createIdentity } from './identity.js'
import type { KeptWebhook } from './kept-webhooks.js'
import type { Scenario } from './scenario.js'
import type { Extras } from './stored-answers.js'
import { type CollectionContext, StoredCollection } from './stored-collection.js'
import { namesOf, type WorldId, type WorldNames } from './world-id.js'

export interface StoredWorld extends Readonly<WorldNames> {
  readonly id: WorldId
  readonly clock: RunningClock
  /** Changes that are not yet committed, oldest first. Without a store: the changes of the current request. */
  readonly log: Change[]
  /** Data in addition to records. Absent if there is none. Each change replaces the object. */
  extras: Extras | undefined
  /** The callbacks and webhooks that are still to be sent, by the id of the delivery. Only with a store. Each read of the store replaces the map. */
  webhooks?: Map<string, KeptWebhook> | undefined
  requests: number
  /**
   * Returns the records of a collection.
   * @param server name of a server of the document. @default the first server that has the collection
   * @throws SandboxError `INVALID_OPTION` for an unknown collection or server
   */
  collection(name: string, server?: string): StoredCollection
  /** The collections that were used, by `CollectionSlot.index`. */
  collections: (StoredCollection | undefined)[]
  /** All collections that worlds of the same sandbox may have. */
  readonly places: Places
}

/** The collections of all environments. */
export interface Places {
  /** Those that a world has used. */
  readonly known: readonly CollectionSlot[]
  /** @throws SandboxError like `StoredWorld.collection` */
  find(name: string, server?: string): CollectionSlot
}

/** A collection of an environment, and its index in all worlds. */
export interface CollectionSlot {
  index: number
  name: string
  /** The first one that has it, of servers that share their data. */
  server: string
  context: CollectionContext
}

/** Creates worlds over one shared base. */
export interface WorldFactory {
  /** @param log a log that the world shares with others. @default its own */
  create(id: WorldId, log?: Change[]): StoredWorld
}

const keyTypes: Record<CollectionModel['keyKind'], readonly string[]> = {
  integer: ['integer'],
  uuid: ['string'],
  string: ['string'],
}

export function createWorldFactory(
  contract: RequestContract,
  scenario: Scenario,
  clock: Pick<Clock, 'now'>,
): WorldFactory {
  const bases = new Map<string, Base>()
  // Names are looked up once for all worlds.
  const byName = new Map<string, Map<string, CollectionSlot>>()
  const known: CollectionSlot[] = []
  let lastStateId = 0
  const newStateId = () => ++lastStateId

  const shared = new Map(contract.sharedServers)
  const find = (name: string, called = findCollection(contract, name, undefined).servers[0] ?? '') => {
    const server = shared.get(called) ?? called
    return byName.get(name)?.get(server) ?? makeSlot(name, server)
  }

  function makeSlot(name: string, server: string): CollectionSlot {
    const { key, keyKind, scope } = findCollection(contract, name, server)
    const identity = scope && createIdentity(key, scope)
    const base = getOrInsert(bases, name, () => createBase(ownValue(scenario, name) ?? [], key, newStateId(), identity))
    const context = { name, server, base, key, scope, identity, keyTypes: keyTypes[keyKind], newStateId }
    const place = { index: known.length, name, server, context }
    known.push(place)
    getOrInsert(byName, name, () => new Map<string, CollectionSlot>()).set(server, place)
    return place
  }

  const places: Places = { known, find }
  const now = () => clock.now()

  /** There may be a hundred thousand worlds: shared values are kept outside, and each world is small. */
  class World implements StoredWorld {
    declare readonly id: WorldId
    declare readonly key: string
    declare readonly apiKey: string | undefined
    declare readonly log: Change[]
    declare readonly clock: RunningClock
    extras: Extras | undefined
    requests = 0
    readonly places = places
    collections: StoredWorld['collections'] = []

    constructor(id: WorldId, log: Change[]) {
      this.id = id
      Object.assign(this, namesOf(id))
      this.log = log
      this.clock = new RunningClock(now, log)
    }

    collection(name: string, server?: string): StoredCollection {
      const { index, context } = find(name, server)
      this.collections[index] ??= new StoredCollection(context, this.log)
      return this.collections[index]
    }
  }

  return { create: (id, log = []) => new World(id, log) }
}

/** @throws SandboxError `INVALID_OPTION` for an unknown collection, or a server that does not have the collection */
export function findCollection(
  { collections }: RequestContract,
  name: string,
  server: string | undefined,
): CollectionModel {
  const model = collections.find((each) => each.name === name)
  const names = collections.map((each) => each.name)
  if (!model) throw unknownName('collection', name, names)
  const { servers } = model
  if (server === undefined || servers.includes(server)) return model
  throw unknownName(`environment of "${name}"`, server, servers)
}
