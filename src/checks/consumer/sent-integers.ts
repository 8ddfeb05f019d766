/** The integers beyond ±(2^53−1) that a request holds. */
import type { Operation } from '../../contract/contract.js'
import { parseExactJson } from '../../contract/exact-json.js'
import type { Exchange } from '../../state/journal.js'
import type { Call } from './consumer-rule.js'
import { pathValues } from './path-values.js'
import { placeOf } from './violated-places.js'

export interface SentInteger {
  /** `path id`, `query id`, `body items[].id` */
  at: string
  value: bigint
}

export function* sentIntegers({ exchange, operation }: Call): Generator<SentInteger> {
  if (!operation) return
  for (const [at, text] of parameterTexts(exchange, operation)) {
    const value = toUnsafeInteger(text)
    if (value !== undefined) yield { at, value }
  }
  if (exchange.request.body !== undefined) yield* unsafeIntegers(exchange.request.body, 'body')
}

/** Those in a JSON text with their places; none where it is not JSON. */
export function* unsafeIntegers(text: string, place: string): Generator<SentInteger> {
  // Most texts hold none, and are not worth parsing.
  if (!/\d{16}|\d[eE]/.test(text)) return
  let value: unknown
  try {
    value = parseExactJson(text).exact
  } catch {
    return
  }
  yield* walk(value, place, '')
}

function* walk(value: unknown, place: string, path: string): Generator<SentInteger> {
  if (typeof value === 'bigint') yield { at: placeOf(place, path), value }
  if (typeof value !== 'object' || value === null) return
  for (const [name, item] of Object.entries(value)) {
    const below = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`
    yield* walk(item, place, below)
  }
}

/** Texts of the parameters in the path and the query that may be integers. */
function* parameterTexts({ request }: Exchange, operation: Operation): Generator<[at: string, text: string]> {
  const path = pathValues(operation.path, request.path)
  const query = new URLSearchParams(request.query)
  for (const { name, in: place, types, list } of operation.parameters) {
    if (!(list?.itemTypes ?? types).includes('integer')) continue
    const given = place === 'path' ? [path[name] ?? []].flat() : place === 'query' ? query.getAll(name) : []
    const texts = list && list.separator !== 'repeat' ? given.flatMap((text) => text.split(list.separator)) : given
    for (const text of texts) yield [`${place} ${name}`, text]
  }
}

function toUnsafeInteger(text: string): bigint | undefined {
  // Longer than any 64-bit integer, and not worth a BigInt.
  if (!/^-?\d{16,20}$/.test(text)) return undefined
  return Number.isSafeInteger(Number(text)) ? undefined : BigInt(text)
}
