/** Makes a creation one of its own: a key, or a mark against repetition, is taken once only. */
import { randomInt, randomUUID } from 'node:crypto'
import type { CollectionModel, Contract } from '../../contract/contract.js'
import { type Draft, withBody, withParameter } from './draft.js'
import { violationsOf } from './values/judge-draft.js'

export function fresh(contract: Contract, draft: Draft, model: CollectionModel): Draft {
  return withFreshMark(contract, withFreshKey(contract, draft, model))
}

/** Where callers choose the key. */
function withFreshKey(contract: Contract, draft: Draft, { key, keyKind }: CollectionModel): Draft {
  const value = draft.body && 'value' in draft.body ? draft.body.value : undefined
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return draft
  const keys = keyKind === 'integer' ? [randomInt(1e6, 2 ** 31)] : [randomUUID(), randomUUID().slice(0, 8)]
  const { contentType } = draft
  const candidates = keys.map((each) => ({ ...withBody(draft, { ...value, [key]: each }), contentType }) as Draft)
  return candidates.find((each) => violationsOf(contract, each).length === 0) ?? draft
}

/** The IETF's draft "The Idempotency-Key HTTP Header Field": the same key means the same request. */
function withFreshMark(contract: Contract, draft: Draft): Draft {
  const name = Object.keys(draft.parameters.header).find((each) => /idempotency-?key$/i.test(each))
  if (name === undefined) return draft
  const marked = withParameter(draft, 'header', name, randomUUID())
  return violationsOf(contract, marked).length === 0 ? marked : draft
}
