/** Makes keys whose schema allows only some texts or integers. */
import type { CollectionModel } from '../../contract/contract.js'
import type { CreateEffect } from '../../contract/effect.js'
import { toSeed } from '../../json/random.js'
import { makeKey } from '../../state/make-record-key.js'
import type { Key } from '../../state/stored-record.js'
import type { Records } from '../records.js'
import type { EffectInput } from './effect.js'

/** Tries for a key that no record has. */
const maxTries = 200

/** Numbers come first, as long as the schema allows them. @returns undefined if no unused key is found */
export function makeKeyByPlan(
  { contract, effect, filler }: EffectInput<CreateEffect>,
  collection: Records,
  plan: number,
  kind: CollectionModel['keyKind'],
): Key | undefined {
  const next = makeKey(collection, kind)
  if (!filler || (next !== undefined && filler.allows(contract, plan, next))) return next
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const seed = toSeed(`${effect.collection} ${collection.nextKey} ${collection.size} ${attempt}`)
    const key = collection.toKey(filler.make(contract, plan, seed))
    if (key === undefined || collection.get(key)) continue
    return key
  }
  return undefined
}
