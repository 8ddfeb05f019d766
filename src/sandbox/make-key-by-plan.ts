/** Makes keys whose schema allows only some texts or integers. */
import type { CollectionModel, RequestContract } from '../contract/contract.js'
import { isAllowed } from '../json/complete-value.js'
import { makeValue } from '../json/make-value.js'
import { createRandom, toSeed } from '../json/random.js'
import { makeKey } from '../state/make-record-key.js'
import type { Key } from '../state/stored-record.js'
import type { Records } from './records.js'

/** Tries for a key that no record has. */
const maxTries = 200

/** Numbers come first, as long as the schema allows them. @returns undefined if no unused key is found */
export function makeKeyByPlan(
  { plans }: RequestContract,
  { name, keyKind, keyPlan }: CollectionModel,
  records: Records,
): Key | undefined {
  const next = makeKey(records, keyKind)
  if (keyPlan === undefined || (next !== undefined && isAllowed(plans, keyPlan, next))) return next
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const seed = toSeed(`${name} ${records.nextKey} ${records.size} ${attempt}`)
    const key = records.toKey(makeValue(plans, keyPlan, createRandom(seed)))
    if (key === undefined || records.get(key)) continue
    return key
  }
  return undefined
}
