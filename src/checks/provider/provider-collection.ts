/** A collection of the provider, as its operations show it, comparisons of its records, and those that a check has created. */
import type { CollectionModel, Contract, Operation } from '../../contract/contract.js'
import type { Effect, EffectKind, KeyedEffect, ListEffect } from '../../contract/effects/effect.js'
import { equalFilters, limitNameOf, type PageFact } from '../../contract/effects/list-query.js'
import type { Parameter } from '../../contract/request-model.js'
import { toExactNumber } from '../../json/exact-json.js'
import { valueAt } from '../../json/nested.js'
import { isObject } from '../../json/own-value.js'
import { isSameJson } from '../../json/same-json.js'
import type { Subject } from './requests/checked-operation.js'
import { type Draft, givenShape, isValid, withParameter } from './requests/request-draft.js'
import type { ParsedResponse } from './rules/answer.js'

export type RecordValues = Record<string, unknown>

type EffectOf<Kind extends EffectKind> = Kind extends KeyedEffect['kind']
  ? KeyedEffect
  : Extract<Effect, { kind: Kind }>

/** A subject with an effect of a certain kind and a valid request. */
export type SubjectOf<Kind extends EffectKind> = Subject & { operation: { effect: EffectOf<Kind> }; draft: Draft }

export interface ProviderCollection {
  model: CollectionModel
  /** The key, and the properties that callers send on creation. All others may change at any time. */
  written: readonly string[]
  list: SubjectOf<'list'> | undefined
  create: SubjectOf<'create'> | undefined
  read: SubjectOf<'read'> | undefined
  replace: SubjectOf<'replace'> | undefined
  update: SubjectOf<'update'> | undefined
  remove: SubjectOf<'remove'> | undefined
  /** What the service wrote for properties that a creation left out. */
  standards: Map<string, unknown>
  /** The collections whose keys an accepted creation has in these properties. */
  settled?: readonly { property: string; collection: string }[]
  /** The list below another owner than that of all other requests. */
  elsewhere?: Draft | undefined
}

/** The collections that at least one of the subjects works on. */
export function findCollections(contract: Contract, subjects: readonly Subject[]): ProviderCollection[] {
  return contract.collections.flatMap((model) => {
    const of = <Kind extends EffectKind>(kind: Kind) =>
      subjects.find(
        (subject): subject is SubjectOf<Kind> =>
          subject.draft !== undefined &&
          subject.operation.effect.kind === kind &&
          'collection' in subject.operation.effect &&
          subject.operation.effect.collection === model.name,
      )
    if (!subjects.some(({ operation: { effect } }) => 'collection' in effect && effect.collection === model.name))
      return []
    const create = of('create')
    return {
      model,
      written: [model.key, ...namesOf(contract, create && givenShape(contract, create.operation))],
      standards: new Map(),
      list: of('list'),
      create,
      read: of('read'),
      replace: of('replace'),
      update: of('update'),
      remove: of('remove'),
    }
  })
}

/** The subject of an operation on a single record; undefined for other operations. */
export function keyedIn(
  { read, replace, update, remove }: ProviderCollection,
  operation: Operation,
): SubjectOf<KeyedEffect['kind']> | undefined {
  return [read, replace, update, remove].find((each) => each?.operation === operation)
}

/** The property with the key of the records of a list. */
export function keyNameOf({ collections }: Contract, { operation: { effect } }: SubjectOf<'list'>): string {
  return collections.find(({ name }) => name === effect.collection)?.key ?? 'id'
}

/** Names of the properties of a shape. */
export function namesOf({ shapes }: Contract, shape: number | undefined): string[] {
  return shapes[shape ?? 0]?.properties?.map(([name]) => name) ?? []
}

/** A request for the record with this key. */
export function withKey({ draft, operation }: SubjectOf<KeyedEffect['kind']>, key: unknown): Draft {
  return withPathKey(draft, operation.effect.parameter, key)
}

/** A request with a key in a parameter of its path. */
export function withPathKey(draft: Draft, name: string, key: unknown): Draft {
  const types = draft.operation.parameters.find((each) => each.in === 'path' && each.name === name)?.types ?? []
  // A record may have a number where its path has a text, or vice versa.
  const isText = types.length > 0 && types.every((type) => type === 'string')
  const isNumber = types.every((type) => type === 'integer' || type === 'number')
  const asNumber = isNumber && typeof key === 'string' && /^\d{1,15}$/.test(key) ? Number(key) : key
  return withParameter(draft, 'path', name, isText && typeof key !== 'object' ? String(key) : asNumber)
}

/** The records of a list response; undefined if the body is not a list. */
export function recordsOf({ envelope, wrapper }: ListEffect, { json }: ParsedResponse): RecordValues[] | undefined {
  const listed = valueAt(json?.exact, envelope?.pointer ?? [])
  if (!Array.isArray(listed)) return undefined
  const records: unknown[] = wrapper === undefined ? listed : listed.map((item) => valueAt(item, [wrapper]))
  return records.filter((record): record is RecordValues => typeof record === 'object' && record !== null)
}

/** The record in a response to an operation; undefined if there is no object where it should be. */
export function recordOf({ json }: ParsedResponse, effect: Effect): RecordValues | undefined {
  const envelope = 'collection' in effect ? effect.envelope : undefined
  const record = valueAt(json?.exact, envelope?.pointer ?? [])
  return isObject(record) ? record : undefined
}

/** The record in a successful response; undefined without one. */
export function answeredRecord(
  response: (ParsedResponse & { sent: { draft: Draft } }) | undefined,
): RecordValues | undefined {
  return response && response.status < 300 ? recordOf(response, response.sent.draft.operation.effect) : undefined
}

/** The key of a record; undefined if no request for a record can have it. */
export function usableKey(contract: Contract, { model, read }: ProviderCollection, record?: RecordValues): unknown {
  const key = record?.[model.key]
  return key === '' || (read && key !== undefined && !isValid(contract, withKey(read, key))) ? undefined : key
}

/** The limit of a list request: as sent, else its default, else `Infinity`. */
export function limitOf(list: SubjectOf<'list'>, { parameters }: Draft): number {
  const limit = limitNameOf(list.operation.effect.query)
  if (limit === undefined) return Number.POSITIVE_INFINITY
  const fallback = parameterOf(list, limit)?.default
  return Number(parameters.query[limit] ?? fallback ?? Number.POSITIVE_INFINITY)
}

/** Valid values of the limit parameter, ascending; empty if the list has no such parameter. */
export function limitsOf(contract: Contract, list: SubjectOf<'list'>): number[] {
  const limit = limitNameOf(list.operation.effect.query)
  const parameter = list.operation.parameters.find(({ name }) => name === limit)
  if (limit === undefined || !parameter) return []
  const isLimit = (value: unknown): value is number =>
    Number.isInteger(value) && Number(value) > 0 && isValid(contract, withParameter(list.draft, 'query', limit, value))
  return list
    .valuesOf(parameter)
    .filter(isLimit)
    .sort((a, b) => a - b)
}

/** Used if the limit has no documented maximum, as few providers return more. */
const usualLimit = 100

/** A list request with the highest limit. */
export function longestList(contract: Contract, list: SubjectOf<'list'>): Draft {
  const limit = limitNameOf(list.operation.effect.query)
  if (limit === undefined) return list.draft
  const withLimit = (value: number) => withParameter(list.draft, 'query', limit, value)
  const usual = withLimit(usualLimit)
  if (!isBounded(contract, list) && isValid(contract, usual)) return usual
  const most = limitsOf(contract, list).at(-1)
  return most === undefined ? list.draft : withLimit(most)
}

/** Whether the limit parameter has a documented maximum. */
export function isBounded(
  contract: Contract,
  list: SubjectOf<'list'>,
  limit: string = limitNameOf(list.operation.effect.query) ?? '',
): boolean {
  return !isValid(contract, withParameter(list.draft, 'query', limit, 2 ** 31 - 1))
}

const pagingName = /page|cursor|offset|after|before|token|size|first|skip|start|top|^max|count|from/i
const orderingName = /sort|order|direction|fields|include|expand/i

/** Whether a list response has every matching record, as far as the document and the response show. */
export function isComplete(
  contract: Contract,
  list: SubjectOf<'list'>,
  draft: Draft,
  response: ParsedResponse,
): boolean {
  const { effect, parameters } = list.operation
  const limit = limitNameOf(effect.query)
  const records = recordsOf(effect, response)
  // A search in a body may have limits and cursors of its own.
  if (!records || draft.body || records.length >= limitOf(list, draft)) return false
  if (linkIn(response) !== undefined) return false
  const others = parameters.filter(
    ({ in: place, name }) =>
      place === 'query' && name !== limit && !equalFilters(effect.query).some((filter) => filter.name === name),
  )
  const isNarrowed = others.some(
    ({ name, required, default: fallback }) =>
      (required || fallback !== undefined) && !pagingName.test(name) && !orderingName.test(name),
  )
  if (isNarrowed) return false
  const body = response.json?.exact as RecordValues
  const isPlain = effect.envelope === undefined || effect.envelope.pointer.length !== 1
  if (!isPlain) {
    const [total, more] = [factOf(list, response, 'total'), factOf(list, response, 'hasNext')]
    if (typeof total === 'number') return records.length >= total
    if (typeof more === 'boolean') return !more
    if (Object.entries(body).some(([name, value]) => /next|cursor/i.test(name) && Boolean(value))) return false
  }
  const isPaged = others.some(({ name }) => pagingName.test(name))
  const isCapped =
    limit === undefined ? isPaged || (!isPlain && Object.keys(body).length > 1) : !isBounded(contract, list)
  // An undocumented maximum is usually a round number, so a page of another size is not cut off.
  return !isCapped || (!isPaged && records.length % 5 !== 0)
}

/** The address of the next page in a header. */
export function linkIn({ headers }: ParsedResponse): string | undefined {
  return /<([^<>]*)>[^<]*\bnext\b/.exec(headers['link'] ?? '')?.[1]
}

/** A fact about the page in the body or a header of a response. @param place only there. @default the body first */
export function factOf(
  { operation }: SubjectOf<'list'>,
  { json, headers }: ParsedResponse,
  fact: PageFact,
  place?: 'header',
): unknown {
  const { query } = operation.effect
  const isFact = ({ from }: { from: string }) => from === fact
  const pointer = query.facts.find(isFact)?.pointer
  const inHeader = headers[query.headers.find(isFact)?.name.toLowerCase() ?? '']
  const inBody = pointer && valueAt(json?.exact, pointer)
  return place === 'header' ? inHeader : (inBody ?? inHeader)
}

/** The query parameter of a list. */
export function parameterOf({ operation }: SubjectOf<'list'>, name: string): Parameter | undefined {
  return operation.parameters.find((each) => each.in === 'query' && each.name === name)
}

/** Whether a record matches the filters of a list request, including defaults. */
export function matchesFilters(list: SubjectOf<'list'>, { parameters }: Draft, record: RecordValues): boolean {
  return equalFilters(list.operation.effect.query).every(({ name, properties: [property = ''] }) => {
    const value = parameters.query[name] ?? parameterOf(list, name)?.default
    return value === undefined || isMatch(record[property], value)
  })
}

/** Whether a property matches a filter. With several values, one match is enough. */
export function isMatch(held: unknown, value: unknown): boolean {
  const isOne = (one: unknown) =>
    [held].flat().some((item) => isSameValue(item, one) || (item !== undefined && String(item) === String(one)))
  return Array.isArray(value) ? value.some(isOne) : isOne(value)
}

/** Whether two values mean the same: times in different notations, fractions rounded to 32-bit floats, doubles as written. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (isSameJson(one, other) || (typeof one === 'number' && toExactNumber(String(one), one) === other)) return true
  if (typeof one === 'number' && typeof other === 'number') {
    return !(Number.isInteger(one) && Number.isInteger(other)) && Math.fround(one) === Math.fround(other)
  }
  if (typeof one !== 'string' || typeof other !== 'string') return false
  return isTime(one) && isTime(other) && Date.parse(one) === Date.parse(other)
}

/** Whether a text begins like an RFC 3339 time. */
export function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)
}

export interface CreatedRecord {
  key: unknown
  /** The record in the answer; absent if it was created to be changed. */
  record?: RecordValues
  /** This check has removed it already. */
  isRemoved?: boolean
}

export interface CreatedRecords {
  add(collection: ProviderCollection, created: CreatedRecord): void
  /** The records of a collection that this check has not removed, oldest first. */
  remaining(collection: ProviderCollection): CreatedRecord[]
  /** Sets the keys that existed before the check, so that the clean-up never removes these records. */
  keep(collection: ProviderCollection, keys: Iterable<unknown>): void
  /** Adds the key in any answer to a creation, even for an invalid body. No probe uses these records. */
  note(collection: ProviderCollection, key: unknown): void
  /** Keys of all records that this check has created and not removed. */
  keys(collection: ProviderCollection): unknown[]
}

/** Starts without records. */
export function trackCreatedRecords(): CreatedRecords {
  const all = new Map<ProviderCollection, CreatedRecord[]>()
  const kept = new Map<ProviderCollection, Set<unknown>>()
  const noted = new Map<ProviderCollection, Set<unknown>>()
  const remaining = (collection: ProviderCollection) =>
    (all.get(collection) ?? []).filter(({ isRemoved }) => !isRemoved)
  return {
    add(collection, created) {
      all.set(collection, [...(all.get(collection) ?? []), created])
      noted.get(collection)?.delete(created.key)
    },
    remaining,
    keep: (collection, keys) => void kept.set(collection, new Set(keys)),
    note: (collection, key) => void noted.set(collection, (noted.get(collection) ?? new Set()).add(key)),
    keys(collection) {
      const keys = new Set([...remaining(collection).map(({ key }) => key), ...(noted.get(collection) ?? [])])
      return [...keys].filter((key) => !kept.get(collection)?.has(key))
    },
  }
}
