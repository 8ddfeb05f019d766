/** Finds the owner that a record names and that does not exist, so that no path would lead to the record. */
import type { CollectionModel, RequestContract } from '../contract/contract.js'
import { toExactInteger } from '../json/exact-json.js'
import type { Key, Values } from './stored-record.js'
import type { StoredWorld } from './stored-world.js'

type Link = NonNullable<CollectionModel['links']>[number]

/** @param server of the record. Owners that it does not have are those of the first one. */
export function missingOwner(
  { collections }: Pick<RequestContract, 'collections'>,
  { links = [] }: CollectionModel,
  values: Values,
  world: StoredWorld,
  server: string | undefined,
): Link | undefined {
  return links.find(({ collection: name, values: pairs, isOwner }) => {
    if (!isOwner || pairs.some(([own]) => values[own] === undefined)) return false
    const isThere = collections.some((each) => each.name === name && each.servers.includes(server ?? ''))
    const filters = pairs.map(([own, other]) => ({ property: other, values: keysLike(values[own]) }))
    return world.collection(name, isThere ? server : undefined).count(filters) === 0
  })
}

/** The keys that a value can be: a text may be that of a number. */
export function keysLike(value: unknown): Key[] {
  if (typeof value !== 'string') return [value as Key, String(value)]
  return [value, ...(/^(0|-?[1-9]\d{0,30})$/.test(value) ? [toExactInteger(value)] : [])]
}
