/** A world: what one key sees. A clock, and collections for each server, begun as the scenario has them. */
import type { CollectionModel, RequestContract } from '../contract/contract.js'
import { getOrInsert, newMap } from '../contract/get-or-insert.js'
import { unknownName } from '../contract/sandbox-error.js'
import { type Base, createBase } from './base.js'
import { type Clock, RunningClock } from './clock.js'
import { Collection } from './collection.js'
import type { Scenario } from './scenario.js'

export interface World {
  /** The key that opens it. */
  readonly key: string
  readonly clock: Clock
  /**
   * The records of a collection, to look at or to change without a request.
   * @param server name of a server of the document. @default the first that has the collection
   * @throws SandboxError `INVALID_OPTION` for a collection or server that the document does not have
   */
  collection(name: string, server?: string): Collection
  /** Puts data and clock back to the beginning. */
  reset(): void
}

/** Opens worlds over one shared base. */
export interface WorldFactory {
  create(key: string): World
}

/** Where worlds keep a collection, and what it begins with. */
interface Place {
  index: number
  base: Base
  /** Name of the property that is the key. */
  key: string
}

export function createWorldFactory(contract: RequestContract, scenario: Scenario, clock: Clock): WorldFactory {
  const bases = new Map<string, Base>()
  // What is looked up by name is looked up once for all worlds.
  const places = new Map<string, Map<string | undefined, Place>>()
  let count = 0

  function find(name: string, server: string | undefined): Place {
    return getOrInsert(getOrInsert(places, name, newMap), server, () => {
      const { key, servers } = findCollection(contract, name, server)
      const standard = server ?? servers[0]
      if (standard !== server) return find(name, standard)
      return { index: count++, base: getOrInsert(bases, name, () => createBase(scenario[name] ?? [], key)), key }
    })
  }

  const now = () => clock.now()

  /** There may be a hundred thousand of them: what they share stands around them, and each holds little. */
  class OwnWorld implements World {
    readonly key: string
    readonly clock: Clock = new RunningClock(now)
    #collections: Collection[] = []

    constructor(key: string) {
      this.key = key
    }

    collection(name: string, server?: string): Collection {
      const { index, base, key } = find(name, server)
      this.#collections[index] ??= new Collection(base, key)
      return this.#collections[index]
    }

    reset(): void {
      this.#collections = []
      this.clock.reset()
    }
  }

  return { create: (key) => new OwnWorld(key) }
}

function findCollection({ collections }: RequestContract, name: string, server: string | undefined): CollectionModel {
  const model = collections.find((each) => each.name === name)
  if (!model)
    throw unknownName(
      'collection',
      name,
      collections.map((each) => each.name),
    )
  if (server !== undefined && !model.servers.includes(server))
    throw unknownName(`server of "${name}"`, server, model.servers)
  return model
}
