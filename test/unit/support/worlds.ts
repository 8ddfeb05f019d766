/** A contract with two servers and three collections, and worlds of it. */
import type { CollectionModel, RequestContract, Server } from '../../../src/contract/contract.js'
import { createWorldFactory, type WorldFactory } from '../../../src/state/stored-world.js'

const servers: Server[] = ['production', 'staging'].map((name) => ({
  name,
  url: `https://${name}.service.example/v1`,
  basePath: '/v1',
  mount: `/${name}/v1`,
}))

const collections: CollectionModel[] = [
  { name: 'counters', key: 'id', keyKind: 'integer', servers: ['production', 'staging'], record: 0 },
  { name: 'notes', key: 'id', keyKind: 'string', servers: ['staging'], record: 0 },
  { name: '__proto__', key: 'id', keyKind: 'uuid', servers: ['production'], record: 0 },
]

export const contract: RequestContract = {
  title: 'Counters',
  version: '1.0.0',
  servers,
  operations: [],
  collections,
  schemes: {},
  shapes: [{}],
  textTypes: [],
  errorBody: { mediaType: 'application/json', fields: [] },
  validators: [],
  plans: [],
}

export const places: readonly (readonly [collection: string, server: string])[] = collections.flatMap(
  ({ name, servers }) => servers.map((server) => [name, server] as const),
)

/** @param now milliseconds since 1970 */
export function createFactory(now: () => number): WorldFactory {
  return createWorldFactory(
    contract,
    {
      counters: [
        { id: 1, value: 0 },
        { id: 2, value: 0 },
      ],
    },
    { now },
  )
}
