/** Gives a request that creates a record a key that no record has. */
import { type Draft, withBody } from '../checks/provider/request-draft.js'
import { violationsOf } from '../checks/provider/values/judge-draft.js'
import type { RequestContract } from '../contract/contract.js'
import { isObject } from '../json/is-object.js'
import type { World } from '../sandbox/world.js'

/** The newest records, among which a key may be taken. */
const maxRecords = 1000
const maxTried = 50

/** @returns the request itself, if its key is free or not its own to choose */
export async function withNewKey(contract: RequestContract, draft: Draft, world: World): Promise<Draft> {
  const { effect } = draft.operation
  const value = draft.body && 'value' in draft.body ? draft.body.value : undefined
  if (effect.kind !== 'create' || !isObject(value)) return draft
  const model = contract.collections.find(({ name }) => name === effect.collection)
  if (!model || !Object.hasOwn(value, model.key)) return draft
  const records = await world.collection(model.name).list({ limit: maxRecords })
  const taken = new Set(records.map((record) => String(record[model.key])))
  const { [model.key]: first } = value
  for (let tried = 0; tried < maxTried; tried++) {
    const key = tried === 0 ? first : nextKey(first, tried, records.length)
    const other = withBody(draft, { ...value, [model.key]: key })
    if (!taken.has(String(key)) && violationsOf(contract, other).length === 0) return other
  }
  return draft
}

/** Numbers go on, texts get another end. */
function nextKey(first: unknown, tried: number, count: number): unknown {
  if (typeof first === 'number' || typeof first === 'bigint') return Number(first) + count + tried - 1
  const text = String(first)
  const end = String(count + tried)
  return tried % 2 === 1 ? `${text}-${end}` : text.slice(0, Math.max(0, text.length - end.length)) + end
}
