/** Finds which open facts decided a status, a value, an order or a presence in the answer of an exchange. */
import type { CollectionModel, Operation, RequestContract } from '../../contract/contract.js'
import type { OpenFact } from '../../contract/open-fact.js'
import { getOrInsert, isObject } from '../../json/own-value.js'
import type { Exchange } from '../../state/journal.js'

/** The open facts that decided something in an answer. Exchanges of one world are given in their order. */
export type FindRelied = (exchange: Exchange) => OpenFact[]

/** Maximum number of requests that are known as sent before. Beyond it, they are forgotten. */
const mostKnown = 10_000

export function createFindRelied(contract: RequestContract, facts: readonly OpenFact[]): FindRelied {
  const byId = new Map(contract.operations.map((each) => [each.id, each]))
  const models = new Map(contract.collections.map((each) => [each.name, each]))
  const seen = createSeen(models)

  return (exchange) => {
    const operation = byId.get(exchange.operation ?? '')
    const earlier = seen.add(exchange)
    if (!operation || exchange.cause?.kind === 'preference' || exchange.cause?.kind === 'fault') return []
    const { effect } = operation
    const collection = 'collection' in effect ? effect.collection : undefined
    const own = facts.filter((fact) =>
      fact.operation === undefined
        ? fact.collection === undefined || fact.collection === collection
        : fact.operation === operation.id,
    )
    return own.filter((fact) => decides(fact, { exchange, operation, earlier, key: models.get(collection ?? '')?.key }))
  }
}

/** What earlier requests of the same world did. */
interface Earlier {
  /** Whether the same request succeeded before. */
  isRepeated: boolean
  /** The collections in which it added records, and their keys. */
  added: ReadonlyMap<string, ReadonlySet<string>>
}

interface Deciding {
  exchange: Exchange
  operation: Operation
  earlier: Earlier
  /** The property with the key of its records. */
  key: string | undefined
}

function createSeen(models: ReadonlyMap<string, CollectionModel>): { add(exchange: Exchange): Earlier } {
  const sent = new Set<string>()
  const worlds = new Map<string, Map<string, Set<string>>>()
  return {
    add({ key: world = '', request, response, changes = [] }) {
      const added = getOrInsert(worlds, world, () => new Map<string, Set<string>>())
      const name = JSON.stringify([world, request.method, request.path, request.query, request.body])
      const isRepeated = sent.has(name)
      if (sent.size >= mostKnown) sent.clear()
      if (response.status < 400 && request.method !== 'GET') sent.add(name)
      for (const { collection, before, after } of changes) {
        const own = after?.[models.get(collection)?.key ?? '']
        if (!before && own !== undefined) getOrInsert(added, collection, () => new Set<string>()).add(String(own))
      }
      return { isRepeated, added }
    },
  }
}

function decides({ kind, about }: OpenFact, { exchange, operation, earlier, key }: Deciding): boolean {
  const { request, response, refused, changes = [] } = exchange
  const { effect } = operation
  const isSuccess = response.status < 400
  const [record] = changes
  switch (kind) {
    case 'effect':
      // A replacement and an update differ in what is not sent.
      return isSuccess && (effect.kind !== 'replace' || isLacking(record, namesIn(tryJson(request.body))))
    case 'changes':
      return isSuccess
    case 'refusal':
      return refused === 'conflict'
    case 'status':
      return isSuccess && earlier.isRepeated
    case 'left':
      return isSuccess && about.some((name) => earlier.added.has(name))
    case 'errors':
      return !isSuccess && response.body !== undefined && !hasErrorBody(operation, response.status)
    case 'parameter':
      return isSuccess && new URLSearchParams(request.query).has(about[0] ?? '')
    case 'order': {
      const own = 'collection' in effect && earlier.added.get(effect.collection ?? '')
      if (!isSuccess || effect.kind !== 'list' || !own || isSorted(operation, request.query)) return false
      return itemsIn(response.body).filter((item) => own.has(String(isObject(item) ? item[key ?? ''] : item))).length > 1
    }
    case 'first': {
      const added = changes.find(({ before, collection }) => !before && 'collection' in effect && collection === effect.collection)
      if (!isSuccess || !added?.after) return false
      const given = namesIn(tryJson(request.body))
      const shown = namesIn(tryJson(response.body))
      return about.some((name) => !given.has(name) && shown.has(name) && !isNothing(added.after?.[name]))
    }
  }
}

/** Whether a record had something that the request does not have. */
function isLacking(change: NonNullable<Exchange['changes']>[number] | undefined, given: ReadonlySet<string>): boolean {
  const { before = {}, after = {} } = change ?? {}
  return Object.keys(before).some((name) => !given.has(name) && !isNothing(before[name]) && isNothing(after[name]))
}

/** Whether the document has the body of an error. */
function hasErrorBody({ responses }: Operation, status: number): boolean {
  const found = responses.find((each) => each.status === String(status) || each.status === `${String(status)[0]}XX`)
  return found?.error !== undefined
}

function isSorted({ effect }: Operation, query: string): boolean {
  if (effect.kind !== 'list') return false
  const { standard, order } = effect.query
  const names = [...new URLSearchParams(query).keys()]
  return (
    standard !== undefined ||
    (order !== undefined && names.some((name) => JSON.stringify(order).includes(JSON.stringify(name))))
  )
}

/** The items of the lists that a body is, or has in an object. */
function itemsIn(body: unknown): unknown[] {
  const whole = tryJson(body)
  return (isObject(whole) ? Object.values(whole) : [whole]).filter(Array.isArray).flat()
}

function tryJson(body: unknown): unknown {
  if (typeof body !== 'string') return undefined
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** The names of the properties of a value, at any depth. */
function namesIn(value: unknown, names: Set<string> = new Set()): Set<string> {
  if (typeof value !== 'object' || value === null) return names
  for (const [name, each] of Object.entries(value)) {
    if (!Array.isArray(value)) names.add(name)
    namesIn(each, names)
  }
  return names
}

function isNothing(value: unknown): boolean {
  return !value || (Array.isArray(value) && value.length === 0)
}
