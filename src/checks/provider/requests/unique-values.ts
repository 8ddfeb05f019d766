/**
 * What a check knows about values that a service accepts only once, such as a name, an address or a key. The same seed gives the
 * same values.
 */
import type { CollectionModel, Contract, Operation } from '../../../contract/contract.js'
import { valueAt } from '../../../json/nested.js'
import { getOrInsert } from '../../../json/own-value.js'
import { type RecordValues, recordOf } from '../provider-collection.js'
import type { ParsedResponse } from '../rules/answer.js'
import { isText, type Leaf, leavesOf, normalize, nothing, saltOf, type Way } from '../values/other-values.js'
import type { Subject } from './checked-operation.js'
import { bodyValue, type Draft } from './request-draft.js'

/** A request as it is sent. */
export interface VariedDraft {
  draft: Draft
  /** A record already has one of its values, and the schema allows no other. */
  isRepeated: boolean
  way: Way
}

export interface UniqueValues {
  contract: Contract
  seed: number
  /** The body of the valid request of each operation. */
  bases: Map<Operation, unknown>
  scopes: Map<string, Scope>
  /** Places whose values never vary, by operation and place: keys of other records. */
  kept: Set<string>
  /** Number of consecutive failures to find another value, by place and value. Enum values are never replaced. */
  failures: Map<string, number>
  /** Sentences without a full stop: differences from the values of the seed. */
  notes: Set<string>
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

/** Statuses of a duplicate, and of a value that a service refuses for its own reasons, such as an unknown id. */
const refusals = [400, 404, 409, 412, 422]

/** Starts without knowledge of the provider. */
export function createUniqueValues(contract: Contract, subjects: readonly Subject[], seed: number): UniqueValues {
  const bases = new Map(subjects.map(({ operation, draft }) => [operation, draft && bodyValue(draft)]))
  return { contract, seed, bases, scopes: new Map(), kept: new Set(), failures: new Map(), notes: new Set() }
}

export function scopeOf(unique: UniqueValues, { effect, id }: Operation): Scope {
  // An operation without a collection is e.g. a login with the user of the example.
  return 'collection' in effect
    ? scopeOfCollection(unique, effect.collection)
    : scopeNamed(unique, `operation ${id}`, nothing)
}

function scopeOfCollection(unique: UniqueValues, name: string): Scope {
  return scopeNamed(unique, `collection ${name}`, isText)
}

function scopeNamed({ scopes, seed }: UniqueValues, name: string, varies: Way['varies']): Scope {
  return getOrInsert(scopes, name, () => ({
    way: { salt: saltOf(seed, name), varies },
    history: createValueHistory(),
    records: new Map(),
    answered: new Set(),
    hasAccepted: false,
    searches: 0,
  }))
}

/** The property in which a record of the operation has its key. */
export function keyOf({ contract }: UniqueValues, { effect }: Operation): string | undefined {
  return 'collection' in effect ? contract.collections.find(({ name }) => name === effect.collection)?.key : undefined
}

/** The record in the answer to a creation, if it existed before. */
function existingRecord(
  unique: UniqueValues,
  { operation }: Draft,
  response: ParsedResponse,
): RecordValues | undefined {
  const key = keyOf(unique, operation)
  if (operation.effect.kind !== 'create' || key === undefined) return undefined
  return scopeOf(unique, operation).records.get(recordOf(response, operation.effect)?.[key])
}

/** Whether the response to a valid request may mean that a record already has its values. */
export function isDuplicate(unique: UniqueValues, varied: VariedDraft, response: ParsedResponse): boolean {
  const { body, operation } = varied.draft
  const { status } = response
  const { hasAccepted, refusal, answersExisting, acceptsDuplicates, hasLeftovers, history } = scopeOf(unique, operation)
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
  const existing = existingRecord(unique, varied.draft, response)
  if (existing === undefined || (hasAccepted && !answersExisting)) return false
  return history.sharesValue(bodyValue(varied.draft), existing)
}

/** Like `isDuplicate`, but excludes all other reasons. */
export function isCertainDuplicate(unique: UniqueValues, varied: VariedDraft, response: ParsedResponse): boolean {
  const { hasAccepted, refusal, answersExisting = false } = scopeOf(unique, varied.draft.operation)
  const { status, text } = response
  if (!hasAccepted || !isDuplicate(unique, varied, response)) return false
  if (status < 400 || varied.isRepeated) return true
  if (!refusal) return answersExisting
  return status === refusal.status && (status === 409 || text === refusal.text)
}

/** Whether the response to an invalid request says that a record already has its values. */
export function isConflict(
  unique: UniqueValues,
  { draft, isRepeated }: VariedDraft,
  { status }: ParsedResponse,
): boolean {
  return status === 409 && (isRepeated || scopeOf(unique, draft.operation).refusal?.status === 409)
}

/** Whether a record already has one of the values of a body. */
export function isRepeated({ history }: Scope, body: unknown): boolean {
  return leavesOf(body).some(history.isTaken)
}

/** Learns from a request that succeeded. */
export function accept(unique: UniqueValues, { draft, way }: VariedDraft, response: ParsedResponse): void {
  const { operation, body } = draft
  if (!body || 'text' in body) return
  const scope = scopeOf(unique, operation)
  if (scope.way.salt !== way.salt) {
    scope.hasLeftovers = true
    unique.notes.add(`${operation.id} already has values of seed ${unique.seed}, so random ones were sent`)
  }
  scope.way = way
  scope.hasAccepted ||= isCreation(operation)
  scope.history.addHeld(body.value, isCreation(operation))
  const key = keyOf(unique, operation)
  const record = recordOf(response, operation.effect)
  if (isCreation(operation) && key !== undefined && record) {
    scope.records.set(record[key], { ...(body.value as object), ...record })
  }
}

function isCreation({ effect }: Operation): boolean {
  return effect.kind === 'create' || effect.kind === 'example'
}

/** Learns from a creation with the values of an existing record. */
export function learnRefusal(unique: UniqueValues, varied: VariedDraft, response: ParsedResponse): void {
  const scope = scopeOf(unique, varied.draft.operation)
  if (response.status >= 400) scope.refusal = response
  else if (existingRecord(unique, varied.draft, response)) scope.answersExisting = true
  else {
    scope.acceptsDuplicates = true
    accept(unique, varied, response)
  }
}

/** Learns that a creation was answered with an existing record, which may have changed it. */
export function learnAnswered(
  unique: UniqueValues,
  { draft: { operation } }: VariedDraft,
  response: ParsedResponse,
): void {
  const key = keyOf(unique, operation)
  if (key !== undefined) scopeOf(unique, operation).answered.add(recordOf(response, operation.effect)?.[key])
}

/** Whether a creation was answered with this existing record. */
export function wasAnswered(unique: UniqueValues, { name }: CollectionModel, key: unknown): boolean {
  return scopeOfCollection(unique, name).answered.has(key)
}

/** Learns which records exist. */
export function learnRecords(
  unique: UniqueValues,
  { name, key }: CollectionModel,
  records: readonly RecordValues[],
): void {
  const scope = scopeOfCollection(unique, name)
  for (const record of records) {
    if (scope.records.has(record[key])) continue
    scope.records.set(record[key], record)
    scope.history.addHeld(record, true)
  }
}

interface ValueHistory {
  /** A number that no earlier call returned for this place. Counts up from 0. */
  next(name: string): number
  /** Whether a request already had the value in this place. */
  isSent(name: string, value: unknown): boolean
  addSent(body: unknown): void
  /** A record has the values of this body. @param isNew the record is in addition to all others */
  addHeld(body: unknown, isNew: boolean): void
  /** Whether a record already has the value in this place, and no two records had equal values there. */
  isTaken(leaf: Leaf): boolean
  /** Whether a body and a record have the same value in a place where no two records had equal values. */
  sharesValue(body: unknown, record: unknown): boolean
}

/** Starts empty. Compares texts without case and surrounding spaces, as some services do. */
function createValueHistory(): ValueHistory {
  const sent = new Map<string, Set<string>>()
  const held = new Map<string, Set<string>>()
  /** The same values, compared exactly. */
  const written = new Map<string, Set<string>>()
  /** Places in which two records have the same value. */
  const common = new Set<string>()
  const counts = new Map<string, number>()

  const add = (values: typeof sent, name: string, text: string) => getOrInsert(values, name, () => new Set()).add(text)
  const has = (values: typeof sent, name: string, text: string) => values.get(name)?.has(text) === true
  const mayBeUnique = ({ name, value }: Leaf) => typeof value !== 'boolean' && value !== null && !common.has(name)

  return {
    next(name) {
      const count = counts.get(name) ?? 0
      counts.set(name, count + 1)
      return count
    },
    isSent: (name, value) => has(sent, name, normalize(value)),
    addSent(body) {
      for (const { name, value } of leavesOf(body)) add(sent, name, normalize(value))
    },
    addHeld(body, isNew) {
      for (const { name, value } of leavesOf(body)) {
        const text = `${typeof value} ${value}`
        // A service may distinguish texts that differ in case or spaces.
        if (isNew && has(written, name, text)) common.add(name)
        add(written, name, text)
        add(held, name, normalize(value))
      }
    },
    isTaken: (leaf) => mayBeUnique(leaf) && has(held, leaf.name, normalize(leaf.value)),
    sharesValue: (body, record) =>
      leavesOf(body).some(
        (leaf) => mayBeUnique(leaf) && normalize(valueAt(record, leaf.path.map(String))) === normalize(leaf.value),
      ),
  }
}
