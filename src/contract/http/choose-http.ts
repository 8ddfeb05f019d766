/** Chooses the HTTP semantics of operations from their contract. */
import type { CollectionModel, Operation, RequestContract } from '../contract.js'
import type { CreateEffect, KeyedEffect } from '../effects/effect.js'
import { parsePathTemplate } from '../path-template.js'
import type { HttpSemantics, ItemPath, RecordLocation, VersionUse } from './http-semantics.js'

/** What is asked for, or what a document says about an operation. */
export interface HttpEvidence {
  /** Whether it has entity tags or conditions. */
  hasVersions: boolean
  /** Whether a change needs a condition. */
  isRequired?: boolean
  /** The header with the idempotency key, in lower case. */
  idempotencyKey?: string | undefined
  /** The property of the body with the idempotency key. */
  idempotencyProperty?: string | undefined
  /** The header with the address of a new record. */
  location?: Pick<RecordLocation, 'header' | 'isAbsolute'> | undefined
}

type Model = Pick<RequestContract, 'operations' | 'collections' | 'shapes'>

/** @returns undefined for an operation that takes no care of HTTP */
export function chooseHttp(operation: Operation, contract: Model, evidence: HttpEvidence): HttpSemantics | undefined {
  const { extras } = operation
  const own = extras?.kind === 'http' ? extras.extras : extras
  const { idempotencyKey, idempotencyProperty } = evidence
  const versions = evidence.hasVersions ? versionsOf(operation, contract, evidence) : undefined
  const location = own?.kind === 'bulk' ? undefined : locationOf(operation, contract, evidence)
  if (!versions && !location && idempotencyKey === undefined && idempotencyProperty === undefined) return undefined
  return {
    kind: 'http',
    ...(own && { extras: own }),
    ...(versions && { versions }),
    ...(location && { location }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(idempotencyProperty !== undefined && { idempotencyProperty }),
  }
}

export function isReading({ method }: Pick<Operation, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** The effect of an operation on one record, with its key in the path. */
function keyedEffect({ effect }: Operation): KeyedEffect | undefined {
  return 'parameter' in effect && effect.kind !== 'create' && !effect.keyIn ? effect : undefined
}

function versionsOf(operation: Operation, contract: Model, { isRequired }: HttpEvidence): VersionUse | undefined {
  const { effect } = operation
  if (effect.kind === 'undescribed') return undefined
  const collection = 'collection' in effect && effect.kind !== 'list' ? effect.collection : undefined
  const model = contract.collections.find(({ name }) => name === collection)
  const tag = model?.tag?.property
  const modified = model && modifiedOf(model, contract)
  return { ...(tag && { tag }), ...(modified && { modified }), ...(isRequired && { isRequired }) }
}

/** The property that the service writes with each change. */
function modifiedOf({ name }: CollectionModel, { operations }: Model): string | undefined {
  const serviceWritten = operations.flatMap(({ effect }) =>
    'serviceWritten' in effect && effect.collection === name ? effect.serviceWritten : [],
  )
  return serviceWritten.find(({ with: kind, again }) => kind === 'now' && again)?.property
}

/** Where a new record is: at the address of the request, or at that of an operation on one record. */
function locationOf(operation: Operation, contract: Model, { location }: HttpEvidence): RecordLocation | undefined {
  if (!location) return undefined
  const { effect } = operation
  const isOwn = effect.kind === 'create' ? effect.parameter !== undefined : keyedEffect(operation)?.creates === 201
  if (isOwn) return location
  const item = effect.kind === 'create' ? findItem(operation, effect, contract) : undefined
  return item && { ...location, item }
}

/** The path of one record whose other parameters also occur in the path of the creation, or are properties of the record. */
function findItem(
  operation: Operation,
  { collection, shape }: CreateEffect,
  { operations, shapes }: Model,
): ItemPath | undefined {
  const own = (shapes[shape]?.properties ?? []).map(([name]) => name)
  const found = operations
    .flatMap((each) => {
      const keyed = keyedEffect(each)
      if (keyed?.collection !== collection || keyed.parameter === '' || keyed.kind === 'action') return []
      const others = matchParameters(each, keyed.parameter, operation, own)
      const isServed = operation.servers.every((name) => each.servers.includes(name))
      return others && isServed ? [{ each, item: { path: each.path, parameter: keyed.parameter, others } }] : []
    })
    .toSorted((a, b) => rank(a.each, operation) - rank(b.each, operation))[0]
  return found?.item
}

/** Pairs the parameters of two paths: those of the same name, or at the same position after the same literals. */
function matchParameters(
  item: Operation,
  key: string,
  { path }: Operation,
  own: readonly string[],
): [string, string][] | undefined {
  const given = parsePathTemplate(path).segments
  const names = new Set(given.flatMap((segment) => segment.names))
  const pairs: [string, string][] = []
  const segments = parsePathTemplate(item.path).segments
  for (const [index, segment] of segments.entries()) {
    for (const [place, name] of segment.names.entries()) {
      if (name === key) continue
      const isBelowSame = segments.slice(0, index + 1).every(({ texts }, at) => sameTexts(texts, given[at]?.texts))
      const same = names.has(name) ? name : isBelowSame ? given[index]?.names[place] : undefined
      if (same === undefined && !own.includes(name)) return undefined
      if (same !== undefined) pairs.push([name, same])
    }
  }
  return pairs
}

function sameTexts(one: readonly string[], other: readonly string[] | undefined): boolean {
  return one.length === other?.length && one.every((text, index) => text === other[index])
}

/** Lowest for a path below that of the collection, then for one that is read. */
function rank(item: Operation, { path }: Operation): number {
  const isBelow = item.path.startsWith(`${path.replace(/\/$/, '')}/`)
  return (isBelow ? 0 : 2) + (isReading(item) ? 0 : 1)
}
