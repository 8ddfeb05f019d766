/** The starting data for another version of a document: the records of the present one that still fit. */
import type { Contract } from '../contract/contract.js'
import type { Sandbox } from '../sandbox/facade/sandbox.js'
import { problemOfRecord, type Scenario } from '../state/scenario.js'
import { carryWorld, type SetAside } from '../state/snapshots/carry-world.js'
import type { Values } from '../state/stored-record.js'
import { createWorldFactory } from '../state/stored-world.js'
import { noWorld } from '../state/world-id.js'

/**
 * Carries the records of new worlds over, as `watch` carries changes. A record that does not fit is replaced by one of the other
 * version with its key, if there is one. Collections that only the other version has keep its records.
 * @param own the data that the other version would start with
 */
export async function carryScenario(present: Sandbox, contract: Contract, own: Scenario): Promise<Scenario> {
  const worldOf = (of: typeof present.contract, records: Scenario) =>
    createWorldFactory(of, records, { now: Date.now }).create(noWorld)
  const from = worldOf(present.contract, {})
  const base: Record<string, readonly Values[]> = { ...own }
  for (const { name, key } of present.contract.collections) {
    const records = await present.world().collection(name).list()
    for (const record of records.reverse()) from.collection(name).add(record)
    const keys = new Set(records.map((record) => String(record[key])))
    const other = contract.collections.find((each) => each.name === name)?.key ?? key
    base[name] = (own[name] ?? []).filter((record) => keys.has(String(record[other])))
  }
  const to = worldOf(contract, base)
  const problemOf = (name: string, record: Values) => problemOfRecord(contract, name, record)
  let { aside } = carryWorld(from, to, [], { contract, problemOf })
  // A record fits once its owner is there.
  for (let before: readonly SetAside[] = []; aside.length !== before.length; ) {
    before = aside
    aside = carryWorld(worldOf(present.contract, {}), to, before, { contract, problemOf }).aside
  }
  const toRecords = (name: string) => to.collection(name).select([]).reverse()
  return Object.fromEntries(contract.collections.map(({ name }) => [name, toRecords(name).map(({ values }) => values)]))
}
