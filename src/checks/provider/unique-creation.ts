/** Makes a request to create a record unique, as a service accepts a key or an idempotency key only once. */
import { randomInt, randomUUID } from 'node:crypto'
import type { CollectionModel, Contract } from '../../contract/contract.js'
import { type Draft, withBody, withParameter } from './request-draft.js'
import { violationsOf } from './values/judge-draft.js'

/** A copy with a new record key, if the body has one, and a new idempotency key, if a header is for one. */
export function toUniqueCreation(contract: Contract, draft: Draft, model: CollectionModel): Draft {
  return withUniqueIdempotencyKey(contract, withUniqueKey(contract, draft, model))
}

/** Only if the body has the key property, that is, if callers choose the key. */
function withUniqueKey(contract: Contract, draft: Draft, { key, keyKind }: CollectionModel): Draft {
  const value = draft.body && 'value' in draft.body ? draft.body.value : undefined
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return draft
  const keys = keyKind === 'integer' ? [randomInt(1e6, 2 ** 31)] : [randomUUID(), randomUUID().slice(0, 8)]
  const { contentType } = draft
  const candidates = keys.map((each) => ({ ...withBody(draft, { ...value, [key]: each }), contentType }) as Draft)
  return candidates.find((each) => violationsOf(contract, each).length === 0) ?? draft
}

/** IETF draft "The Idempotency-Key HTTP Header Field": requests with the same key are the same request. */
function withUniqueIdempotencyKey(contract: Contract, draft: Draft): Draft {
  const name = Object.keys(draft.parameters.header).find((each) => /idempotency-?key$/i.test(each))
  if (name === undefined) return draft
  const marked = withParameter(draft, 'header', name, randomUUID())
  return violationsOf(contract, marked).length === 0 ? marked : draft
}
