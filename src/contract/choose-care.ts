/** Chooses what operations do for HTTP, by what their contract says. */
import type { CollectionModel, Operation, RequestContract } from './contract.js'
import type { KeyedEffect } from './effect.js'
import type { HttpCare, RecordLocation, VersionUse } from './http-care.js'
import { parsePathTemplate } from './path-template.js'

/** What is asked for, or what a document says about an operation. */
export interface CareEvidence {
  /** Whether it has entity tags or conditions. */
  hasVersions: boolean
  /** Whether a change needs a condition. */
  isRequired?: boolean
  /** The header with the key of a request, in lower case. */
  idempotencyKey?: string | undefined
  /** The header with the address of a new record. */
  location?: Pick<RecordLocation, 'header' | 'isAbsolute'> | undefined
}

type Model = Pick<RequestContract, 'operations' | 'collections'>

/** @returns undefined for an operation that takes no care of HTTP */
export function chooseCare(operation: Operation, contract: Model, evidence: CareEvidence): HttpCare | undefined {
  const { besides } = operation
  const own = besides?.kind === 'care' ? besides.besides : besides
  const { idempotencyKey } = evidence
  const versions = own?.kind === 'bulk' || !evidence.hasVersions ? undefined : versionsOf(operation, contract, evidence)
  const location = own?.kind === 'bulk' ? undefined : locationOf(operation, contract, evidence)
  if (!versions && !location && idempotencyKey === undefined) return undefined
  return {
    kind: 'care',
    ...(own && { besides: own }),
    ...(versions && { versions }),
    ...(location && { location }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  }
}

export function isReading({ method }: Pick<Operation, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** The effect of an operation on one record, with its key in the path. */
function keyedEffect({ effect }: Operation): KeyedEffect | undefined {
  return 'parameter' in effect && effect.kind !== 'create' && !effect.keyIn ? effect : undefined
}

function versionsOf(operation: Operation, contract: Model, { isRequired }: CareEvidence): VersionUse | undefined {
  const { effect } = operation
  if (effect.kind === 'undescribed') return undefined
  const isRecord = effect.kind === 'create' || keyedEffect(operation) !== undefined
  if (!isRecord) return isReading(operation) ? {} : undefined
  const collection = 'collection' in effect ? effect.collection : undefined
  const model = contract.collections.find(({ name }) => name === collection)
  const tag = model?.tag
  const modified = model && modifiedOf(model, contract)
  return { ...(tag && { tag }), ...(modified && { modified }), ...(isRequired && { isRequired }) }
}

/** The property that the service writes with each change. */
function modifiedOf({ name }: CollectionModel, { operations }: Model): string | undefined {
  const fills = operations.flatMap(({ effect }) =>
    'fills' in effect && effect.collection === name ? effect.fills : [],
  )
  return fills.find(({ with: kind, again }) => kind === 'now' && again)?.property
}

/** The operation that knows the address of a new record: one whose other parameters the creation has, too. */
function locationOf(
  operation: Operation,
  { operations }: Model,
  { location }: CareEvidence,
): RecordLocation | undefined {
  const { effect } = operation
  if (!location || effect.kind !== 'create' || effect.parameter !== undefined) return undefined
  const names = new Set(namesOf(operation))
  const found = operations
    .flatMap((each) => {
      const keyed = keyedEffect(each)
      const isItem = keyed?.collection === effect.collection && isPlainKey(keyed)
      const others = namesOf(each).filter((name) => name !== keyed?.parameter)
      const isServed = operation.servers.every((name) => each.servers.includes(name))
      return keyed && isItem && isServed && others.every((name) => names.has(name)) ? [{ each, keyed }] : []
    })
    .toSorted((a, b) => rank(a.each, operation) - rank(b.each, operation))[0]
  return found && { ...location, path: found.each.path, parameter: found.keyed.parameter }
}

function isPlainKey({ parameter, kind }: KeyedEffect): boolean {
  return parameter !== '' && kind !== 'action'
}

/** The least for the address below that of the collection, of several the one that is read. */
function rank(item: Operation, { path }: Operation): number {
  const isBelow = item.path.startsWith(`${path.replace(/\/$/, '')}/`)
  return (isBelow ? 0 : 2) + (isReading(item) ? 0 : 1)
}

function namesOf({ path }: Operation): string[] {
  return parsePathTemplate(path).segments.flatMap(({ names }) => [...names])
}
