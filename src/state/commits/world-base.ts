/** What the worlds of a sandbox are differences from, as bytes for a store, and how worlds of another base are carried over. */
import type { CollectionModel, Contract } from '../../contract/contract.js'
import { parseExactJson } from '../../json/exact-json.js'
import type { ExactValue } from '../../json/exact-value.js'
import { writeByShape } from '../../json/write-by-shape.js'
import { problemOfRecord, type Scenario } from '../scenario.js'
import { carryWorld } from '../snapshots/carry-world.js'
import { createWorldFactory } from '../stored-world.js'
import { hashBytes } from '../world-id.js'
import type { OnAside, WorldBase } from './world-table.js'

/** The parts of a contract and a scenario on which the meaning of entries depends. */
interface BaseContent {
  /** A hash of all plain data of the contract that never changes: with other schemas, records may not fit any more. */
  document: string
  collections: CollectionModel[]
  sharedServers?: [string, string][]
  scenario: Scenario
}

/** A base, and its bytes for a store. */
export interface KeptBase extends WorldBase {
  bytes: Uint8Array
}

/** @param onAside called once for each world of another base with changes that do not fit */
export async function describeBase(contract: Contract, scenario: Scenario, onAside?: OnAside): Promise<KeptBase> {
  const { collections, sharedServers } = contract
  // Plans are made from the schemas when they are first needed.
  const { plans, ...lasting } = contract
  const document = await hashBytes(toBytes(lasting))
  const bytes = toBytes({ document, collections, ...(sharedServers && { sharedServers }), scenario })
  const told = new Set<string>()
  return {
    onAside(label, aside) {
      if (told.has(label) || aside.every(({ isRemoved }) => isRemoved)) return
      told.add(label)
      onAside?.(label, aside)
    },
    hash: await hashBytes(bytes),
    bytes,
    carry(other, read, to, aside) {
      const known = parseExactJson(new TextDecoder().decode(other)).exact as unknown as BaseContent
      const { scenario: records, document: _, ...models } = known
      const factory = createWorldFactory({ ...contract, ...models }, records, to.clock)
      const from = factory.create(to.id)
      read(from)
      const problemOf = (collection: string, values: Readonly<Record<string, unknown>>) =>
        problemOfRecord(contract, collection, values)
      return carryWorld(from, to, aside, { contract, problemOf }).aside
    },
  }
}

function toBytes(value: object): Uint8Array {
  return new TextEncoder().encode(writeByShape(value as ExactValue, [], 0))
}
