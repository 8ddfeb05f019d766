/** Completes a record that is added without a request: missing values are made by its schema. */
import type { CollectionModel, Contract } from '../../contract/contract.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { createRandom, toSeed } from '../../json/random.js'
import { completeValue } from '../../json/sampler/complete-value.js'
import type { Values } from '../../state/stored-record.js'

/** The collections that own the records of a collection. */
export function ownersOf({ links = [] }: CollectionModel): string[] {
  return links.flatMap(({ collection, isOwner }) => (isOwner ? collection : []))
}

/**
 * The same values always give the same record. It belongs to the newest owners, unless the values name others.
 * @param size the number of records in the collection
 * @param newest the newest record of each owner, by the name of its collection
 * @returns a record with a key, even if the values have none; undefined if no record can have such values
 */
export function completeRecord(
  { plans, recordPlans }: Pick<Contract, 'plans' | 'recordPlans'>,
  { name, links = [] }: CollectionModel,
  values: Values,
  { size, newest }: { size: number; newest: ReadonlyMap<string, Values | undefined> },
): Values | undefined {
  const plan = recordPlans?.[name]
  const owned = links.flatMap(({ collection, values: pairs, isOwner }) =>
    isOwner ? pairs.map(([own, other]) => [own, newest.get(collection)?.[other]]) : [],
  )
  const all = [...owned, ...Object.entries(values)]
  const given: Values = Object.fromEntries(all.filter(([, value]) => value !== undefined))
  const made =
    plan === undefined ? given : completeValue(plans, plan, given, { random: createRandom(toSeed(`${name} ${size}`)) })
  return isObject(made) ? (merge(made, given) as Values) : undefined
}

/** Merges the given values over the made values, at every depth. */
function merge(made: unknown, given: unknown): unknown {
  if (Array.isArray(made) && Array.isArray(given)) return given.map((item, index) => merge(made[index], item))
  if (!isObject(made) || !isObject(given)) return given
  const merged = Object.entries(given).map(([name, value]) => [name, merge(ownValue(made, name), value)])
  return { ...made, ...Object.fromEntries(merged) }
}
