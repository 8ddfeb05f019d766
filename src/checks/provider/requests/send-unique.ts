/** Sends requests with unique values, because a service may accept a name, an address or a key only once. */
import { randomUUID } from 'node:crypto'
import type { Contract } from '../../../contract/contract.js'
import { valueAt } from '../../../json/nested.js'
import { isObject } from '../../../json/own-value.js'
import type { NoResponse } from '../client.js'
import type { Expected, ParsedResponse } from '../rules/answer.js'
import {
  isText,
  type Leaf,
  leavesOf,
  noDates,
  othersOf,
  otherWays,
  type Purpose,
  saltOf,
  type Way,
  withValueAt,
} from '../values/other-values.js'
import {
  bodyValue,
  brokenRulesOf,
  type Draft,
  isSameCase,
  type ProviderRequest,
  violationsOf,
  withParameter,
} from './request-draft.js'
import {
  accept,
  isCertainDuplicate,
  isConflict,
  isDuplicate,
  isRepeated,
  keyOf,
  learnAnswered,
  scopeOf,
  type UniqueValues,
  type VariedDraft,
} from './unique-values.js'

/** A sent request with its response. */
export interface Exchange {
  request: ProviderRequest
  response: ParsedResponse | NoResponse
}

export interface UniqueExchange extends Exchange {
  varied: VariedDraft
  /** The response is only about values that another record already has. */
  isDuplicate: boolean
  /** Status of the response to the first request, if another request replaced it. */
  replacedStatus?: number
}

/** @param send sends a request unchanged @param isExact only the key of a new record is changed */
export async function sendUnique(
  unique: UniqueValues,
  send: (draft: Draft) => Promise<Exchange>,
  { draft, expected, isExact }: { draft: Draft; expected: Expected; isExact: boolean },
): Promise<UniqueExchange> {
  const varied = vary(unique, draft, isExact)
  const first = { ...(await send(varied.draft)), varied, isDuplicate: false }
  const { response } = first
  if ('why' in response) return first
  if (expected !== 'success') {
    const isSuccess = response.status < 300
    if (isSuccess && expected === 'invalid') accept(unique, varied, response)
    return { ...first, isDuplicate: expected === 'invalid' && isConflict(unique, varied, response) }
  }
  if (!isDuplicate(unique, varied, response)) {
    if (response.status < 300) accept(unique, varied, response)
    return first
  }
  if (response.status < 300) learnAnswered(unique, varied, response)
  for (const other of isExact ? [] : alternatives(unique, draft)) {
    const again = { ...(await send(other.draft)), varied: other, isDuplicate: false }
    if ('why' in again.response || again.response.status >= 500) return again
    if (again.response.status >= 300 || isDuplicate(unique, other, again.response)) continue
    accept(unique, other, again.response)
    return { ...again, replacedStatus: response.status }
  }
  return { ...first, isDuplicate: isCertainDuplicate(unique, varied, response) }
}

/** Maximum searches through all ways after a request was accepted. Before that, one. */
const maxSearches = 3
/** Maximum values to try for one place. */
const maxTries = 30
/** After this many searches in a row without an allowed value, only one value of each kind is tried. */
const maxFailures = 3

/** A copy with other values where the schema allows it, and with a new key. @param isExact only the key changes */
function vary(unique: UniqueValues, draft: Draft, isExact = false): VariedDraft {
  return varyBy(unique, scopeOf(unique, draft.operation).way, draft, { isExact })
}

/** Further copies, for a request that was refused or answered as a duplicate. */
function* alternatives(unique: UniqueValues, draft: Draft): Generator<VariedDraft> {
  const scope = scopeOf(unique, draft.operation)
  if (scope.hasAccepted) yield varyBy(unique, scope.way, draft, { isForced: true })
  if (scope.searches++ >= (scope.hasAccepted ? maxSearches : 1)) return
  for (const way of otherWays(scope.way, bodyValue(draft))) yield varyBy(unique, way, draft, { isForced: true })
}

/** A request whose values vary. */
interface Variation {
  unique: UniqueValues
  way: Way
  /** With the values before. */
  original: Draft
  /** Whether another request is invalid in the same ways as the original. */
  breaksTheSame(draft: Draft): boolean
}

/** @param isForced also changes values that were not sent yet */
function varyBy(unique: UniqueValues, way: Way, draft: Draft, { isExact = false, isForced = false }): VariedDraft {
  const { contract, bases } = unique
  const original = withUniqueIdempotencyKey(contract, draft)
  if (!original.body || 'text' in original.body) return { draft: original, isRepeated: false, way }
  const { operation } = original
  const scope = scopeOf(unique, operation)
  let rules: string | undefined
  const breaksTheSame = (each: Draft) => {
    rules ??= brokenRulesOf(contract, original)
    return brokenRulesOf(contract, each) === rules
  }
  const variation: Variation = { unique, way, original, breaksTheSame }
  const key = keyOf(unique, operation)
  const base = bases.get(operation)
  let varied = original
  for (const leaf of leavesOf(original.body.value)) {
    if (unique.kept.has(`${operation.id} ${leaf.name}`)) continue
    const usual = valueAt(base, leaf.path.map(String))
    // A key that callers must not choose is part of the test.
    const isKey = leaf.name === key && usual !== undefined
    if (isKey && operation.effect.kind !== 'create') continue
    if (!isKey && (isExact || !varies(variation, leaf))) continue
    const isOrdinary = isKey || usual === leaf.value
    if (!isOrdinary && !isForced && !scope.history.isTaken(leaf)) continue
    varied = withOther(variation, varied, leaf, { isKey, isOrdinary }) ?? varied
  }
  const body = bodyValue(varied)
  const result = { draft: varied, isRepeated: isRepeated(scope, body), way }
  scope.history.addSent(body)
  return result
}

/** A pattern that a date fits is about a code, which varies as well as the values that the way selects. */
function varies({ way, original, breaksTheSame }: Variation, leaf: Leaf): boolean {
  if (way.varies(leaf)) return true
  if (way.varies !== isText || typeof leaf.value !== 'string') return false
  const allows = (text: string) => breaksTheSame(withLeaf(original, leaf, text))
  return noDates.map(allows).join() === 'true,false'
}

function withLeaf(draft: Draft, { path }: Leaf, value: unknown): Draft {
  return { ...draft, body: { value: withValueAt(bodyValue(draft), path, value) } }
}

/** The request with another value in one place; undefined if none is found that the schema allows. */
function withOther(
  { unique, way, original: { operation }, breaksTheSame }: Variation,
  from: Draft,
  leaf: Leaf,
  { isKey, isOrdinary }: Omit<Purpose, 'isAllowed'>,
): Draft | undefined {
  const { failures } = unique
  const { history } = scopeOf(unique, operation)
  const isAllowed = (value: unknown) => breaksTheSame(withLeaf(from, leaf, value))
  const salt = (way.salt + saltOf(leaf.name)) % 2 ** 32
  const place = JSON.stringify([operation.id, leaf.path, String(leaf.value), isKey, isOrdinary])
  for (let tries = 0; tries < maxTries; tries++) {
    const choice = { salt, number: history.next(leaf.name) }
    let isAnyAllowed = false
    for (const value of othersOf(leaf.value, choice, { isKey, isOrdinary, isAllowed })) {
      if (value === leaf.value || !isAllowed(value)) continue
      isAnyAllowed = true
      if (!history.isSent(leaf.name, value)) {
        failures.delete(place)
        return withLeaf(from, leaf, value)
      }
    }
    const failed = failures.get(place) ?? 0
    if (isAnyAllowed || (tries <= 2 && failed < maxFailures)) continue
    failures.set(place, failed + 1)
    return undefined
  }
  return undefined
}

/**
 * IETF draft "The Idempotency-Key HTTP Header Field": requests with the same key are the same request. It is random, as
 * a service may remember the key of an earlier check.
 */
function withUniqueIdempotencyKey(contract: Contract, draft: Draft): Draft {
  const { extras } = draft.operation
  const property = extras?.kind === 'http' ? extras.idempotencyProperty : undefined
  const name = Object.keys(draft.parameters.header).find((each) => /idempotency-?key$/i.test(each))
  const body = bodyValue(draft)
  const isInBody = property !== undefined && isObject(body) && Object.hasOwn(body, property)
  if (name === undefined && !isInBody) return draft
  const key = randomUUID()
  const marked = isInBody
    ? { ...draft, body: { value: { ...body, [property]: key } } }
    : withParameter(draft, 'header', name ?? '', key)
  return isSameCase(violationsOf(contract, draft), violationsOf(contract, marked)) ? marked : draft
}
