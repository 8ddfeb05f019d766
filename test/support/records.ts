/** Reads and changes the records of a world without requests. All tests use these functions. */
import type { Collection, Key, SandboxOptions, Values, World } from 'petstore-sandbox'

/** Selects a collection of a world. */
export interface Place {
  /** @default pets */
  collection?: string
  /** @default the first server that has the collection */
  server?: string
}

/** The number of records. */
export function sizeOf(world: World, place: Place = {}): Promise<number> {
  return collectionOf(world, place).size()
}

/** The values of each record, newest first. */
export function recordsOf(world: World, place: Place = {}): Promise<Values[]> {
  return collectionOf(world, place).list()
}

/** The number of records with this value. `undefined` counts those without the property. */
export async function countOf(world: World, property: string, value: unknown): Promise<number> {
  return (await collectionOf(world, {}).list({ filter: { [property]: value } })).length
}

/** The state of a collection: its records and its next key. */
export async function stateOf(
  world: World,
  place: Place,
): Promise<{ records: Values[]; size: number; next: number | undefined }> {
  const { collections } = await world.snapshot()
  const { collection = 'pets', server } = place
  const state = collections.find((each) => each.name === collection && (server ?? each.server) === each.server)
  return { records: await recordsOf(world, place), size: await sizeOf(world, place), next: state?.nextKey }
}

/** The values of the record with this key. */
export function recordOf(world: World, key: Key, place: Place = {}): Promise<Values | undefined> {
  return collectionOf(world, place).get(key)
}

/** Removes the record with this key. @returns its values */
export function removeRecord(world: World, key: Key, place: Place = {}): Promise<Values | undefined> {
  return collectionOf(world, place).remove(key)
}

/** A scenario with a record that fails to be read while it is broken, to cause an unexpected failure. */
export function createTrap(error: Error): {
  scenario: NonNullable<SandboxOptions['scenario']>
  setBroken(isBroken: boolean): void
} {
  let isBroken = false
  const trapped = {
    id: 1,
    get name() {
      if (isBroken) throw error
      return 'Ada'
    },
    categoryId: 1,
  }
  return {
    scenario: { pets: [trapped, { id: 2, name: 'Bo', categoryId: 2 }] },
    setBroken(value) {
      isBroken = value
    },
  }
}

function collectionOf(world: World, { collection = 'pets', server }: Place): Collection {
  return world.collection(collection, server)
}
