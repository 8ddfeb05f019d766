/** A collection of the provider as its operations show it. */
import { isDeepStrictEqual } from 'node:util'
import type { CollectionModel, Contract, Effect, EffectKind, KeyedEffect, ListEffect } from '../../contract/contract.js'
import { type Draft, withParameter } from './draft.js'
import type { ReadAnswer } from './judge-answer.js'
import type { Subject } from './subject.js'
import { violationsOf } from './values/judge-draft.js'

export type Values = Record<string, unknown>

type EffectOf<Kind extends EffectKind> = Kind extends KeyedEffect['kind']
  ? KeyedEffect
  : Extract<Effect, { kind: Kind }>

/** A subject whose effect is known. */
export type SubjectOf<Kind extends EffectKind> = Subject & { operation: { effect: EffectOf<Kind> }; draft: Draft }

export interface ProviderCollection {
  model: CollectionModel
  /** Properties that the document has for its records. */
  known: readonly string[]
  list: SubjectOf<'list'> | undefined
  create: SubjectOf<'create'> | undefined
  read: SubjectOf<'read'> | undefined
  replace: SubjectOf<'replace'> | undefined
  update: SubjectOf<'update'> | undefined
  remove: SubjectOf<'remove'> | undefined
}

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
    const collection = {
      model,
      list: of('list'),
      create: of('create'),
      read: of('read'),
      replace: of('replace'),
      update: of('update'),
      remove: of('remove'),
    }
    const shape = (collection.create ?? collection.read ?? collection.list)?.operation.effect.shape ?? 0
    const known = contract.shapes[shape]?.properties?.map(([name]) => name) ?? []
    return subjects.some(({ operation: { effect } }) => 'collection' in effect && effect.collection === model.name)
      ? [{ ...collection, known }]
      : []
  })
}

/** The request for one record. */
export function withKey({ draft, operation }: SubjectOf<KeyedEffect['kind']>, key: unknown): Draft {
  return withParameter(draft, 'path', operation.effect.parameter, key)
}

/** The records of a list, or none where the answer is not one. */
export function recordsOf({ envelope }: ListEffect, { json }: ReadAnswer): Values[] | undefined {
  const around = envelope?.find(({ from }) => from === 'records')?.name
  const exact = json?.exact as Values | undefined
  const records = around === undefined ? exact : exact?.[around]
  return Array.isArray(records) ? records.filter((record) => typeof record === 'object' && record !== null) : undefined
}

export function recordOf({ json }: ReadAnswer): Values | undefined {
  const record = json?.exact
  return typeof record === 'object' && record !== null && !Array.isArray(record) ? (record as Values) : undefined
}

/** How many records a list request asks for at most. */
export function limitOf({ operation }: SubjectOf<'list'>, { parameters }: Draft): number {
  const { limit } = operation.effect
  if (limit === undefined) return Number.POSITIVE_INFINITY
  const fallback = operation.parameters.find(({ name }) => name === limit)?.default
  return Number(parameters.query[limit] ?? fallback ?? Number.POSITIVE_INFINITY)
}

/** Valid values of the limit, ascending; empty where the list has none. */
export function limitsOf(contract: Contract, list: SubjectOf<'list'>): number[] {
  const { limit } = list.operation.effect
  const parameter = list.operation.parameters.find(({ name }) => name === limit)
  if (limit === undefined || !parameter) return []
  const isValid = (value: unknown) =>
    violationsOf(contract, withParameter(list.draft, 'query', limit, value)).length === 0
  const values = list.valuesOf(parameter).filter((value) => typeof value === 'number' && isValid(value)) as number[]
  return values.filter((value) => value > 0).sort((a, b) => a - b)
}

/** The list with as many records as can be asked for. */
export function longestList(contract: Contract, list: SubjectOf<'list'>): Draft {
  const most = limitsOf(contract, list).at(-1)
  const { limit } = list.operation.effect
  return most === undefined || limit === undefined ? list.draft : withParameter(list.draft, 'query', limit, most)
}

/** Whether two values are the same for a caller: times may be written in another way. */
export function isSame(one: unknown, other: unknown): boolean {
  if (isDeepStrictEqual(one, other)) return true
  if (typeof one !== 'string' || typeof other !== 'string') return false
  return isTime(one) && isTime(other) && Date.parse(one) === Date.parse(other)
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)
}
