/**
 * Makes the values in request bodies unique, because a service may accept a name, an address or a key only once. The same
 * seed gives the same values.
 */

import { randomUUID } from 'node:crypto'
import type { CollectionModel, Contract, Operation } from '../../../contract/contract.js'
import { getOrInsert } from '../../../json/own-value.js'
import type { ParsedResponse } from '../judges/judge-response.js'
import { type RecordValues, recordOf } from '../provider-collection.js'
import { brokenRulesOf, isValid } from '../values/judge-draft.js'
import { type Leaf, leavesOf, valueAt, withValueAt } from '../values/leaves.js'
import {
  isText,
  noDates,
  nothing,
  othersOf,
  otherWays,
  type Purpose,
  saltOf,
  type Way,
} from '../values/other-values.js'
import type { Subject } from './checked-operation.js'
import { bodyValue, type Draft, withParameter } from './request-draft.js'
import { createValueHistory, type ValueHistory } from './value-history.js'

/** A request as it is sent. */
export interface VariedDraft {
  draft: Draft
  /** A record already has one of its values, and the schema allows no other. */
  isRepeated: boolean
  way: Way
}

export interface UniqueValues {
  /**
   * A copy with other values where the schema allows it, and with a new key.
   * @param isExact only the key changes
   */
  vary(draft: Draft, isExact?: boolean): VariedDraft
  /** Further copies, for a request that was refused or answered as a duplicate. */
  alternatives(draft: Draft): Iterable<VariedDraft>
  /** Whether the response to a valid request may mean that a record already has its values. */
  isDuplicate(varied: VariedDraft, response: ParsedResponse): boolean
  /** Like `isDuplicate`, but excludes all other reasons. */
  isCertainDuplicate(varied: VariedDraft, response: ParsedResponse): boolean
  /** Whether the response to an invalid request says that a record already has its values. */
  isConflict(varied: VariedDraft, response: ParsedResponse): boolean
  /** Learns that a creation was answered with an existing record, which may have changed it. */
  learnAnswered(varied: VariedDraft, response: ParsedResponse): void
  /** Whether a creation was answered with this existing record. */
  wasAnswered(model: CollectionModel, key: unknown): boolean
  /** Learns from a request that succeeded. */
  accept(varied: VariedDraft, response: ParsedResponse): void
  /** Learns from a creation with the values of an existing record. */
  learnRefusal(varied: VariedDraft, response: ParsedResponse): void
  /** Learns which records exist. */
  learnRecords(model: CollectionModel, records: readonly RecordValues[]): void
  /** Sentences without a full stop: differences from the values of the seed. */
  readonly notes: string[]
}

/** Statuses of a duplicate, and of a value that a service refuses for its own reasons, such as an unknown id. */
const refusals = [400, 404, 409, 412, 422]
/** Maximum searches through all ways after a request was accepted. Before that, one. */
const maxSearches = 3
/** Maximum values to try for one place. */
const maxTries = 30
/** After this many searches in a row without an allowed value, only one value of each kind is tried. */
const maxFailures = 3

/** Starts without knowledge of the provider. */
export function createUniqueValues(contract: Contract, subjects: readonly Subject[], seed: number): UniqueValues {
  const bases = new Map(subjects.map(({ operation, draft }) => [operation, draft && bodyValue(draft)]))
  const scopes = new Map<string, Scope>()
  const notes = new Set<string>()
  /** Number of consecutive failures to find another value, by place and value. Enum values are never replaced. */
  const failures = new Map<string, number>()

  function scopeOf({ effect, id }: Operation): Scope {
    // An operation without a collection is e.g. a login with the user of the example.
    return 'collection' in effect ? scopeOfCollection(effect.collection) : scopeNamed(`operation ${id}`, nothing)
  }

  function scopeOfCollection(name: string): Scope {
    return scopeNamed(`collection ${name}`, isText)
  }

  function scopeNamed(name: string, varies: Way['varies']): Scope {
    return getOrInsert(scopes, name, () => ({
      way: { salt: saltOf(seed, name), varies },
      history: createValueHistory(),
      records: new Map(),
      answered: new Set(),
      hasAccepted: false,
      searches: 0,
    }))
  }

  /** @param isForced also changes values that were not sent yet */
  function varyBy(way: Way, draft: Draft, { isExact = false, isForced = false } = {}): VariedDraft {
    const marked = withUniqueIdempotencyKey(contract, draft)
    if (!marked.body || 'text' in marked.body) return { draft: marked, isRepeated: false, way }
    const { operation } = marked
    const { history } = scopeOf(operation)
    let rules: string | undefined
    const breaksTheSame = (each: Draft) => {
      rules ??= brokenRulesOf(contract, marked)
      return brokenRulesOf(contract, each) === rules
    }
    // A pattern that a date fits is about a code, which varies, too.
    const isCode = ({ path, value }: Leaf) => {
      const allows = (text: string) =>
        breaksTheSame({ ...marked, body: { value: withValueAt(bodyValue(marked), path, text) } })
      return typeof value === 'string' && noDates.map(allows).join() === 'true,false'
    }
    const key = keyOf(operation)
    const base = bases.get(operation)
    let varied = marked
    for (const leaf of leavesOf(marked.body.value)) {
      // A key that callers must not choose is part of the test.
      const isKey = leaf.name === key && valueAt(base, leaf.path) !== undefined
      if (isKey && operation.effect.kind !== 'create') continue
      if (!isKey && (isExact || !(way.varies(leaf) || (way.varies === isText && isCode(leaf))))) continue
      const isOrdinary = isKey || valueAt(base, leaf.path) === leaf.value
      if (!isOrdinary && !isForced && !history.isTaken(leaf)) continue
      varied = withOther(varied, leaf, { isKey, isOrdinary }) ?? varied
    }
    const body = bodyValue(varied)
    const isRepeated = leavesOf(body).some(history.isTaken)
    history.addSent(body)
    return { draft: varied, isRepeated, way }

    function withOther(from: Draft, leaf: Leaf, { isKey, isOrdinary }: Omit<Purpose, 'isAllowed'>): Draft | undefined {
      const withValue = (value: unknown) => ({
        ...from,
        body: { value: withValueAt(bodyValue(from), leaf.path, value) },
      })
      const isAllowed = (value: unknown) => breaksTheSame(withValue(value))
      const salt = (way.salt + saltOf(leaf.name)) % 2 ** 32
      const place = JSON.stringify([operation.id, leaf.path, String(leaf.value), isKey, isOrdinary])
      for (let tries = 0; tries < maxTries; tries++) {
        const variation = { salt, number: history.next(leaf.name) }
        let isAnyAllowed = false
        for (const value of othersOf(leaf.value, variation, { isKey, isOrdinary, isAllowed })) {
          if (value === leaf.value || !isAllowed(value)) continue
          isAnyAllowed = true
          if (!history.isSent(leaf.name, value)) {
            failures.delete(place)
            return withValue(value)
          }
        }
        const failed = failures.get(place) ?? 0
        if (isAnyAllowed || (tries <= 2 && failed < maxFailures)) continue
        failures.set(place, failed + 1)
        return undefined
      }
      return undefined
    }
  }

  /** The property in which a record of the operation has its key. */
  function keyOf({ effect }: Operation): string | undefined {
    return 'collection' in effect ? contract.collections.find(({ name }) => name === effect.collection)?.key : undefined
  }

  /** The record in the answer to a creation, if it existed before. */
  function existingRecord({ operation }: Draft, response: ParsedResponse): RecordValues | undefined {
    const key = keyOf(operation)
    if (operation.effect.kind !== 'create' || key === undefined) return undefined
    return scopeOf(operation).records.get(recordOf(response, operation.effect)?.[key])
  }

  function isDuplicate(varied: VariedDraft, response: ParsedResponse): boolean {
    const { body, operation } = varied.draft
    const { status } = response
    const { hasAccepted, refusal, answersExisting, acceptsDuplicates, hasLeftovers, history } = scopeOf(operation)
    if (!body) return false
    const { kind } = operation.effect
    const mayRefuse = refusals.includes(status)
    if (status >= 400 && !hasAccepted && kind === 'create') return mayRefuse
    if (status >= 400) {
      if (status === 409 && !acceptsDuplicates) return true
      if (hasLeftovers && (refusal ? status === refusal.status : answersExisting && mayRefuse)) return true
      const isUnique = refusal !== undefined || answersExisting || kind === 'example'
      return varied.isRepeated && (status === 409 || status === refusal?.status || (mayRefuse && isUnique))
    }
    const existing = existingRecord(varied.draft, response)
    if (existing === undefined || (hasAccepted && !answersExisting)) return false
    return history.sharesValue(bodyValue(varied.draft), existing)
  }

  function accept({ draft, way }: VariedDraft, response: ParsedResponse): void {
    const { operation, body } = draft
    if (!body || 'text' in body) return
    const scope = scopeOf(operation)
    if (scope.way.salt !== way.salt) {
      scope.hasLeftovers = true
      notes.add(`${operation.id} already has values of seed ${seed}, so random ones were sent`)
    }
    scope.way = way
    scope.hasAccepted ||= isCreation(operation)
    scope.history.addHeld(body.value, isCreation(operation))
    const key = keyOf(operation)
    const record = recordOf(response, operation.effect)
    if (isCreation(operation) && key !== undefined && record) {
      scope.records.set(record[key], { ...(body.value as object), ...record })
    }
  }

  return {
    vary: (draft, isExact = false) => varyBy(scopeOf(draft.operation).way, draft, { isExact }),
    *alternatives(draft) {
      const scope = scopeOf(draft.operation)
      if (scope.hasAccepted) yield varyBy(scope.way, draft, { isForced: true })
      if (scope.searches++ >= (scope.hasAccepted ? maxSearches : 1)) return
      for (const way of otherWays(scope.way, bodyValue(draft))) yield varyBy(way, draft, { isForced: true })
    },
    isDuplicate,
    isCertainDuplicate(varied, response) {
      const { hasAccepted, refusal, answersExisting = false } = scopeOf(varied.draft.operation)
      const { status, text } = response
      if (!hasAccepted || !isDuplicate(varied, response)) return false
      if (status < 400 || varied.isRepeated) return true
      if (!refusal) return answersExisting
      return status === refusal.status && (status === 409 || text === refusal.text)
    },
    isConflict: ({ draft, isRepeated }, { status }) =>
      status === 409 && (isRepeated || scopeOf(draft.operation).refusal?.status === 409),
    learnAnswered({ draft: { operation } }, response) {
      const key = keyOf(operation)
      if (key !== undefined) scopeOf(operation).answered.add(recordOf(response, operation.effect)?.[key])
    },
    wasAnswered: ({ name }, key) => scopeOfCollection(name).answered.has(key),
    accept,
    learnRefusal(varied, response) {
      const scope = scopeOf(varied.draft.operation)
      if (response.status >= 400) scope.refusal = response
      else if (existingRecord(varied.draft, response)) scope.answersExisting = true
      else {
        scope.acceptsDuplicates = true
        accept(varied, response)
      }
    },
    learnRecords({ name, key }, records) {
      const scope = scopeOfCollection(name)
      for (const record of records) {
        if (scope.records.has(record[key])) continue
        scope.records.set(record[key], record)
        scope.history.addHeld(record, true)
      }
    },
    get notes() {
      return [...notes]
    },
  }
}

function isCreation({ effect }: Operation): boolean {
  return effect.kind === 'create' || effect.kind === 'example'
}

/**
 * IETF draft "The Idempotency-Key HTTP Header Field": requests with the same key are the same request. It is random, as
 * a service may remember the key of an earlier check.
 */
function withUniqueIdempotencyKey(contract: Contract, draft: Draft): Draft {
  const name = Object.keys(draft.parameters.header).find((each) => /idempotency-?key$/i.test(each))
  if (name === undefined) return draft
  const marked = withParameter(draft, 'header', name, randomUUID())
  return isValid(contract, marked) ? marked : draft
}

/** Knowledge about one collection, or about one operation without a collection. */
interface Scope {
  way: Way
  history: ValueHistory
  /** Records by key. */
  records: Map<unknown, RecordValues>
  /** Keys of existing records that a later creation returned. */
  answered: Set<unknown>
  /** Whether a request was accepted. */
  hasAccepted: boolean
  /** The response to a creation with the values of an existing record, if that was refused. */
  refusal?: ParsedResponse
  /** Records of an earlier check have the values of the seed. */
  hasLeftovers?: boolean
  /** A creation with the values of an existing record returns that record. */
  answersExisting?: boolean
  /** A creation with the values of an existing record creates another one. */
  acceptsDuplicates?: boolean
  /** How often all ways were tried. */
  searches: number
}
