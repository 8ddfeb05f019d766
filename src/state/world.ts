/** A world: what one key sees. A clock, and collections for each server, begun as the scenario has them. */
import type { CollectionModel, RequestContract } from '../contract/contract.js'
import { getOrInsert, newMap } from '../contract/get-or-insert.js'
import { unknownName } from '../contract/sandbox-error.js'
import { type Base, createBase } from './base.js'
import { type Clock, createClock } from './clock.js'
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

export function createWorldFactory(contract: RequestContract, scenario: Scenario, clock: Clock): WorldFactory {
  const bases = new Map<string, Base>()
  const baseOf = (name: string, key: string) => getOrInsert(bases, name, () => createBase(scenario[name] ?? [], key))
  return {
    create(key) {
      const collections = new Map<string, Map<string | undefined, Collection>>()
      const own = createClock(clock.now)
      return {
        key,
        clock: own,
        collection(name, server) {
          const byServer = getOrInsert(collections, name, newMap)
          return getOrInsert(byServer, server, () => {
            const model = findCollection(contract, name, server)
            const standard = server ?? model.servers[0]
            return getOrInsert(byServer, standard, () => new Collection(baseOf(name, model.key), model.key))
          })
        },
        reset() {
          collections.clear()
          own.reset()
        },
      }
    },
  }
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
