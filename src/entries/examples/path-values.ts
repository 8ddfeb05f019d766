/** Finds values for the parameters of a path that lead to existing records. */

import type { Operation, RequestContract } from '../../contract/contract.js'
import type { KeyedEffect } from '../../contract/effects/effect.js'
import { type PathSegment, parsePathTemplate } from '../../contract/path-template.js'
import { oncePer } from '../../document/once.js'
import type { ExactValue } from '../../json/exact-value.js'
import { getOrInsert } from '../../json/own-value.js'
import { isSameJson } from '../../json/same-json.js'
import type { Sandbox } from '../../sandbox/facade/sandbox.js'
import type { World } from '../../sandbox/facade/world.js'

/** Values by the names of parameters. */
export type PathValues = ReadonlyMap<string, unknown>

/** Maximum records to try, because the path may not allow some keys. */
const maxRecords = 10

/** Maximum records among which those are found that have what the operation needs. */
const maxSearched = 50

/** An operation with a record in its path or in the beginning of its path. */
interface Naming {
  operation: Operation
  collection: string
  /** The parameters and the properties of the record with their values. */
  values: { parameter: string; property: string }[]
}

/**
 * The values of the path parameters with keys, for one record after another. A part of the path is enough: that of the
 * owner of the operation.
 * @param world @default that of the default key
 */
export async function findPathValues(
  sandbox: Sandbox,
  operation: Operation,
  server: string,
  world: World = sandbox.world(),
): Promise<PathValues[]> {
  const { contract } = sandbox
  const { effect } = operation
  for (const naming of namingsOf(contract, operation, server)) {
    const needs = 'needs' in effect && effect.collection === naming.collection ? (effect.needs ?? []) : []
    const limit = needs.length > 0 ? maxSearched : maxRecords
    const newest = await world.collection(naming.collection, server).list({ limit })
    if (newest.length === 0) continue
    const isFit = (record: Readonly<Record<string, unknown>>) =>
      needs.every(({ property, values }) =>
        values.some((each) => isSameJson(each as ExactValue, record[property] as ExactValue)),
      )
    const fitting = newest.toSorted((one, other) => Number(isFit(other)) - Number(isFit(one)))
    const records = fitting.slice(0, maxRecords)
    const names = namesByPlace(naming.operation, operation)
    return records.map((record) => {
      const found = naming.values.map(({ parameter, property }) => [names.get(parameter), record[property]] as const)
      const isKnown = (pair: readonly [string | undefined, unknown]): pair is [string, unknown] =>
        pair[0] !== undefined && pair[1] !== undefined && pair[1] !== null
      return new Map(found.filter(isKnown))
    })
  }
  return []
}

/** The records in the path of an operation, with its own names of parameters. */
export function namingsInPath(
  contract: RequestContract,
  operation: Operation,
  server: string,
): Pick<Naming, 'collection' | 'values'>[] {
  return namingsOf(contract, operation, server).map(({ operation: from, collection, values }) => {
    const names = namesByPlace(from, operation)
    return {
      collection,
      values: values.map(({ parameter, property }) => ({ parameter: names.get(parameter) ?? parameter, property })),
    }
  })
}

/** Records in the path by the operation itself, by its owners, and by operations whose paths are a prefix. */
function namingsOf(contract: RequestContract, operation: Operation, server: string): Naming[] {
  const forms = formsOf(operation).slice(0, -1).reverse()
  const beginnings = forms.flatMap((form) => keyedByForm(contract).get(form) ?? [])
  const all = [operation, ...beginnings].flatMap((each) => [ownNaming(contract, each), ...ownerNamings(contract, each)])
  const isOf = (name: string) =>
    contract.collections.some((each) => each.name === name && each.servers.includes(server))
  return all.filter((each): each is Naming => each !== undefined && each.values.length > 0 && isOf(each.collection))
}

function ownNaming(contract: RequestContract, operation: Operation): Naming | undefined {
  const { effect } = operation
  if (!('collection' in effect) || effect.collection === undefined) return undefined
  const { collection } = effect
  // A new record needs an unused key.
  const own = isKeyed(operation) ? [keyValue(contract, collection, operation.effect.parameter)] : []
  return { operation, collection, values: [...(effect.place?.values ?? []), ...own] }
}

/** The owners in the path, innermost first. */
function ownerNamings(contract: RequestContract, operation: Operation): Naming[] {
  const { effect } = operation
  const owners = 'place' in effect ? (effect.place?.owners ?? []) : []
  return owners.toReversed().map(({ collection, parameter, values }) => ({
    ...{ operation, collection },
    values: [...values, keyValue(contract, collection, parameter)],
  }))
}

function keyValue({ collections }: RequestContract, collection: string, parameter: string): Naming['values'][number] {
  return { parameter, property: collections.find(({ name }) => name === collection)?.key ?? '' }
}

function isKeyed(operation: Operation): operation is Operation & { effect: KeyedEffect } {
  const { effect } = operation
  return 'parameter' in effect && effect.kind !== 'create' && Boolean(effect.parameter)
}

function segmentsOf({ path }: Operation): PathSegment[] {
  return parsePathTemplate(path).segments
}

/** A path and its beginnings, shortest first, without the names of parameters, which do not matter. */
const formsOf = oncePer((operation: Operation): string[] => {
  const parts = segmentsOf(operation).map(({ texts }) => texts.join('{}'))
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
})

const keyedByForm = oncePer(({ operations }: RequestContract): ReadonlyMap<string, Operation[]> => {
  const byForm = new Map<string, Operation[]>()
  for (const each of operations.filter(isKeyed)) getOrInsert(byForm, formsOf(each).at(-1) ?? '', () => []).push(each)
  return byForm
})

/** The names of the parameters of a path, by those of its prefix. */
function namesByPlace(beginning: Operation, whole: Operation): Map<string, string> {
  const names = segmentsOf(whole).flatMap((each) => each.names)
  const known = segmentsOf(beginning).flatMap((each) => each.names)
  return new Map(known.map((name, index) => [name, names[index] ?? name]))
}
