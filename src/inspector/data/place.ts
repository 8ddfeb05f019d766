/** Where the records of a collection are in the control API. */
import { encode } from '../api.js'
import type { Collection } from '../api-types.js'
import { environment, world } from '../store.js'

/** The environment in which a collection is looked at. */
export function environmentOf({ environments }: Collection): string {
  return environments.includes(environment.value) ? environment.value : (environments[0] ?? '')
}

/** The path of the records of a collection, in the world and environment that are looked at. */
export function toPath(collection: Collection, rest = '', query = ''): string {
  const base = `/worlds/${encode(world.value)}/collections/${encode(collection.name)}/records`
  return `${base}${rest}?environment=${encode(environmentOf(collection))}${query}`
}
