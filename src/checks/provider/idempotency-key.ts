/** Gives each request an idempotency key of its own, if a header is for one. */
import { randomUUID } from 'node:crypto'
import type { Contract } from '../../contract/contract.js'
import { type Draft, withParameter } from './request-draft.js'
import { violationsOf } from './values/judge-draft.js'

/**
 * IETF draft "The Idempotency-Key HTTP Header Field": requests with the same key are the same request. It is random, as
 * a service may remember the key of an earlier check.
 */
export function withUniqueIdempotencyKey(contract: Contract, draft: Draft): Draft {
  const name = Object.keys(draft.parameters.header).find((each) => /idempotency-?key$/i.test(each))
  if (name === undefined) return draft
  const marked = withParameter(draft, 'header', name, randomUUID())
  return violationsOf(contract, marked).length === 0 ? marked : draft
}
