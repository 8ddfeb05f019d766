/** Looks at and changes the records of a world without a request. The only place in the tests that knows how. */
import type { Collection, Values, World } from 'petstore-sandbox'

type Key = Parameters<Collection['get']>[0]

/** Which collection of a world is meant. */
export interface Place {
  /** @default pets */
  collection?: string
  /** @default the first server that has the collection */
  server?: string
}

/** How many records there are. */
export async function sizeOf(world: World, place: Place = {}): Promise<number> {
  return collectionOf(world, place).size
}

/** The values of each record, newest first. */
export async function recordsOf(world: World, place: Place = {}): Promise<Values[]> {
  return collectionOf(world, place)
    .select([])
    .map(({ values }) => values)
}

/** How many records have this value; `undefined` counts those without the property. */
export async function countOf(world: World, property: string, value: unknown): Promise<number> {
  return collectionOf(world, {}).count([{ property, values: [value] }])
}

/** Everything that a collection keeps: its records and the number of its next key. */
export async function stateOf(world: World, place: Place): Promise<{ records: Values[]; size: number; next: number }> {
  const { size, nextKey } = collectionOf(world, place)
  return { records: await recordsOf(world, place), size, next: nextKey }
}

/** The values of the record with this key. */
export async function recordOf(world: World, key: Key, place: Place = {}): Promise<Values | undefined> {
  return collectionOf(world, place).get(key)?.values
}

/** Removes the record with this key. @returns its values */
export async function removeRecord(world: World, key: Key, place: Place = {}): Promise<Values | undefined> {
  return collectionOf(world, place).remove(key)?.values
}

/** Makes a method of a collection throw this error, until the world is reset. */
export async function breakCollection(world: World, method: 'add' | 'select', error: Error): Promise<void> {
  Object.assign(collectionOf(world, { server: 'production' }), {
    [method]() {
      throw error
    },
  })
}

function collectionOf(world: World, { collection = 'pets', server }: Place): Collection {
  return world.collection(collection, server)
}
