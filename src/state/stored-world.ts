/** A world is what one key sees: a clock, and collections for each server, which start with the scenario. */
import type { CollectionModel, RequestContract } from '../contract/contract.js'
import { unknownName } from '../contract/sandbox-error.js'
import { getOrInsert, ownValue } from '../json/own-value.js'
import { type Base, createBase } from './base-records.js'
import type { Change } from './change.js'
import { type Clock, RunningClock } from './clock.js'
import type { CreateIdentity } from './identity.js'
import type { Scenario } from './scenario.js'
import type { Besides } from './stored-answers.js'
import { type CollectionContext, StoredCollection } from './stored-collection.js'

export interface OpenedCollection {
  name: string
  server: string
  collection: StoredCollection
}

export interface StoredWorld {
  /** The key that opens the world. */
  readonly key: string
  readonly clock: RunningClock
  /** What happened since it was committed, the oldest first. In memory, what the request that runs has changed. */
  readonly log: Change[]
  /** What is kept besides records. Absent until there is something. Another object replaces it with each change. */
  besides: Besides | undefined
  /** Counts a request. @returns its number in this world, from 1 */
  countRequest(): number
  /**
   * Returns the records of a collection.
   * @param server name of a server of the document. @default the first server that has the collection
   * @throws SandboxError `INVALID_OPTION` for an unknown collection or server
   */
  collection(name: string, server?: string): StoredCollection
  /** Returns the collections that were used. */
  opened(): OpenedCollection[]
  /** Creates a collection with the records of the scenario, for `replaceAll`. @throws SandboxError like `collection` */
  createCollection(name: string, server: string): StoredCollection
  /** Takes back the newest changes of its log until `length` of them are left. */
  undoTo(length: number): void
  /** Replaces all that is kept. Collections that are not given begin with the scenario again. */
  replaceAll(collections: OpenedCollection[], besides?: Besides): void
  /** Resets the data to the scenario, and the clock to its source. */
  reset(): void
}

/** What a world keeps, except its clock. */
export interface WorldContent {
  collections: (StoredCollection | undefined)[]
  besides: Besides | undefined
}

/** Creates worlds over one shared base. */
export interface WorldFactory {
  /** @param log of a world that shares it with others. @default its own */
  create(key: string, log?: Change[]): StoredWorld
}

/** A collection of one server, and its index in all worlds. */
interface Place {
  index: number
  name: string
  server: string
  context: CollectionContext
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
  createIdentity?: CreateIdentity,
): WorldFactory {
  const bases = new Map<string, Base>()
  // Names are looked up once for all worlds.
  const places = new Map<string, Map<string, Place>>()
  const allPlaces: Place[] = []
  let lastStateId = 0
  const newStateId = () => ++lastStateId

  const find = (name: string, server = findCollection(contract, name, undefined).servers[0] ?? '') =>
    places.get(name)?.get(server) ?? makePlace(name, server)

  function makePlace(name: string, server: string): Place {
    const { key, keyKind, scope } = findCollection(contract, name, server)
    const identity = scope && createIdentity?.(key, scope)
    const base = getOrInsert(bases, name, () => createBase(ownValue(scenario, name) ?? [], key, newStateId(), identity))
    const context = { name, server, base, key, scope, identity, keyTypes: keyTypes[keyKind], newStateId }
    const place = { index: allPlaces.length, name, server, context }
    allPlaces.push(place)
    getOrInsert(places, name, () => new Map<string, Place>()).set(server, place)
    return place
  }

  const now = () => clock.now()

  /** There may be a hundred thousand worlds: shared values are kept outside, and each world is small. */
  class World implements StoredWorld {
    readonly key: string
    readonly log: Change[]
    readonly clock: RunningClock
    besides: Besides | undefined
    #requests = 0
    /** By `Place.index`. */
    #collections: WorldContent['collections'] = []

    constructor(key: string, log: Change[]) {
      this.key = key
      this.log = log
      this.clock = new RunningClock(now, log)
    }

    countRequest(): number {
      return ++this.#requests
    }

    collection(name: string, server?: string): StoredCollection {
      const { index, context } = find(name, server)
      this.#collections[index] ??= new StoredCollection(context, this.log)
      return this.#collections[index]
    }

    opened(): OpenedCollection[] {
      return allPlaces.flatMap(({ index, name, server }) => {
        const collection = this.#collections[index]
        return collection ? [{ name, server, collection }] : []
      })
    }

    createCollection(name: string, server: string): StoredCollection {
      return new StoredCollection(find(name, server).context, this.log)
    }

    replaceAll(collections: OpenedCollection[], besides?: Besides): void {
      const before = this.#content()
      this.#collections = []
      this.besides = besides
      for (const { name, server, collection } of collections) this.#collections[find(name, server).index] = collection
      this.log.push({ kind: 'all', before, after: this.#content() })
    }

    #content(): WorldContent {
      return { collections: this.#collections, besides: this.besides }
    }

    undoTo(length: number): void {
      for (const change of this.log.splice(length).reverse()) this.#undo(change)
    }

    #undo(change: Change): void {
      const { kind } = change
      if ('collection' in change) this.collection(change.collection, change.server).undo(change)
      else if (kind === 'clock') this.clock.put(change.before)
      else if (kind === 'all') {
        // Only `replaceAll` makes it.
        const { collections, besides } = change.before as WorldContent
        this.#collections = collections
        this.besides = besides
      } else this.besides = undoKept(this.besides, change)
    }

    reset(): void {
      this.replaceAll([])
      this.clock.setOffset(0)
    }
  }

  return { create: (key, log = []) => new World(key, log) }
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

/** What was kept before a change of a file or an answer. */
function undoKept(kept: Besides = {}, change: Extract<Change, { kind: 'file' | 'answer' }>): Besides {
  if (change.kind === 'answer') {
    if (change.before) kept.answers?.set(change.before)
    else kept.answers?.delete(change.id)
    return kept
  }
  const files = new Map(kept.files)
  if (change.before === undefined) files.delete(change.path)
  else files.set(change.path, change.before)
  return { ...kept, files }
}
