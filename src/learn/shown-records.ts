/** Finds the records that answers show, each with what requests gave it before. */
import type { Operation } from '../contract/contract.js'
import { getOrInsert, isObject } from '../json/own-value.js'
import type { Observed, Values } from './observed.js'

/** A record as an answer of the real service shows it. */
export interface ShownRecord {
  exchange: Observed
  collection: string
  key: string
  /** The names that lead to it in the body. */
  at: readonly string[]
  /** What the sandbox shows in its place. Undefined if it shows none. */
  own: Values | undefined
  real: Values
  /** The properties that requests gave it so far. */
  sent: ReadonlySet<string>
  /** Whether nothing but its creation has changed it. */
  isNew: boolean
  /** What answers showed of it before its last change. */
  before: Values | undefined
}

/** What is known of a record of the real service. */
interface Known {
  sent: Set<string>
  isNew: boolean
  shown: Values
}

/** @param keyOf the property with the key of a collection */
export function shownRecords(all: readonly Observed[], keyOf: (collection: string) => string): ShownRecord[] {
  const known = new Map<string, Known>()
  const find = (collection: string, key: unknown): Known => {
    const id = JSON.stringify([collection, String(key)])
    const found = known.get(id) ?? { sent: new Set(), isNew: false, shown: {} }
    known.set(id, found)
    return found
  }
  return all.flatMap((exchange) => {
    const { operation, request, real, own } = exchange
    const { effect } = operation
    if (!('collection' in effect) || real.status >= 300) return []
    const collection = effect.collection ?? ''
    const key = keyOf(collection)
    const given = recordIn(operation, request.body)
    const isWrite = effect.kind !== 'list' && effect.kind !== 'read'
    if (isWrite && effect.kind !== 'create' && 'parameter' in effect) {
      const record = find(collection, request.path[effect.parameter ?? ''])
      record.isNew = false
      for (const name of Object.keys(given ?? {})) record.sent.add(name)
    }
    const owns = recordsIn(operation, own.body)
    return recordsIn(operation, real.body)
      .filter((each) => isRecord(each, key))
      .map((values, index): ShownRecord => {
        const record = find(collection, values[key])
        if (effect.kind === 'create') {
          record.isNew = true
          for (const name of Object.keys(given ?? {})) record.sent.add(name)
        }
        const before = record.shown
        record.shown = { ...before, ...values }
        const shown = own.status === real.status ? owns[index] : undefined
        const at = [
          ...placeIn(operation),
          ...(effect.kind === 'list' ? [String(index), ...[effect.wrapper ?? []].flat()] : []),
        ]
        return {
          exchange,
          at,
          collection,
          key: String(values[key]),
          own: shown,
          real: values,
          sent: new Set(record.sent),
          isNew: record.isNew,
          before,
        }
      })
  })
}

/**
 * The records that existed before the first exchange: those that answers show, and no request made. With what their paths say of them.
 * @returns records by the names of their collections
 */
export function recordsBefore(
  all: readonly Observed[],
  shown: readonly ShownRecord[],
  keyOf: (collection: string) => string,
): Map<string, Values[]> {
  // Keys that answers to writes had, and texts that requests gave.
  const made = new Map<string, number>()
  for (const { number, request, real } of all) {
    if (request.method === 'GET' || real.status >= 300) continue
    for (const value of [...scalarsIn(real.body), ...scalarsIn(request.body)])
      if (!made.has(value)) made.set(value, number)
  }
  const found = new Map<string, Map<string, Values>>()
  for (const { collection, exchange, real } of shown) {
    const { effect } = exchange.operation
    const key = real[keyOf(collection)]
    if (key === undefined) continue
    const id = String(key)
    if ((made.get(id) ?? Number.POSITIVE_INFINITY) < exchange.number) continue
    if (effect.kind !== 'list' && effect.kind !== 'read') continue
    const place = ('place' in effect ? effect.place?.values : undefined) ?? []
    const owners = place.flatMap(({ parameter, property }) => {
      const value = exchange.request.path[parameter]
      return value === undefined || property in real ? [] : [[property, value] as const]
    })
    const own = getOrInsert(found, collection, () => new Map<string, Values>())
    // The first answer shows it as it was; later ones may show more of it.
    own.set(id, { ...real, ...Object.fromEntries(owners), ...own.get(id) })
  }
  return new Map([...found].map(([name, records]) => [name, [...records.values()]]))
}

function scalarsIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(scalarsIn)
  return value === undefined ? [] : [String(value)]
}

/** Whether an object of an answer is a record: it has the key, if records show theirs. */
export function isRecord(values: unknown, key: string): boolean {
  return isObject(values) && (key.startsWith('{') || key in values)
}

/** The records that the body of an answer has. */
function recordsIn(operation: Operation, body: unknown): Values[] {
  const { effect } = operation
  const found = valueAt(body, placeIn(operation))
  if (effect.kind !== 'list') return isObject(found) ? [found] : []
  const items: unknown[] = Array.isArray(found) ? found : []
  return items.map((each) => (effect.wrapper && isObject(each) ? each[effect.wrapper] : each)).filter(isObject)
}

/** The names that lead to the record or the list in the body of an answer. */
export function placeIn({ effect }: Operation): readonly string[] {
  return ('envelope' in effect ? effect.envelope?.pointer : undefined) ?? []
}

/** The record that the body of a request has. */
export function recordIn({ effect }: Operation, body: unknown): Values | undefined {
  const found = valueAt(body, ('given' in effect ? effect.given : undefined) ?? [])
  return isObject(found) ? found : undefined
}

export function valueAt(value: unknown, at: readonly string[]): unknown {
  return at.reduce<unknown>(
    (part, name) => (Array.isArray(part) ? part[Number(name)] : isObject(part) ? part[name] : undefined),
    value,
  )
}
