/** Generated records refer to generated records. */
import type { CollectionModel, Link } from '../contract/contract.js'
import { ownValue } from '../json/own-value.js'
import type { Scenario } from '../state/scenario.js'
import type { Values } from '../state/stored-record.js'

/** Up to this number of records, each owner has two. */
const fewRecords = 100

export interface References {
  /** Values of the properties that refer to other records, by the number of the record. */
  references: (index: number) => Values
  /** The number of records, so that every owner has one. */
  count: number
}

/** @param records the wanted number of records */
export function createReferences(links: readonly Link[], scenario: Scenario, records: number): References {
  const known = links.flatMap((link) => {
    const others = ownValue(scenario, link.collection) ?? []
    return others.length > 0 ? [{ ...link, others }] : []
  })
  const owners = Math.max(0, ...known.map(({ isOwner, others }) => (isOwner ? others.length : 0)))
  const count = records === 0 ? 0 : Math.max(records, owners * 2 <= fewRecords ? owners * 2 : owners)
  return {
    count,
    references: (index) => {
      const values: Record<string, unknown> = {}
      for (const { others, values: pairs } of known) {
        const other = others[index % others.length] ?? {}
        for (const [own, name] of pairs) {
          const value = ownValue(other, name)
          if (value !== undefined) values[own] = value
        }
      }
      return values
    },
  }
}

/** Puts each collection behind those to which it refers. Of collections that refer to each other one is the first. */
export function sortByReferences(models: readonly CollectionModel[]): CollectionModel[] {
  const byName = new Map(models.map((model) => [model.name, model]))
  const sorted = new Set<CollectionModel>()
  const visit = (model: CollectionModel, above: readonly CollectionModel[]): void => {
    if (sorted.has(model) || above.includes(model)) return
    for (const { collection } of model.links ?? []) {
      const other = byName.get(collection)
      if (other) visit(other, [...above, model])
    }
    sorted.add(model)
  }
  for (const model of models) visit(model, [])
  return [...sorted]
}
