/** Finds integers beyond ±(2^53−1) in requests and JSON texts. */
import { itemTypesOf } from '../../contract/item-types.js'
import type { Call } from './consumer-rule.js'
import { readJson } from './exchange-values.js'
import { parameterTexts, structuredValues } from './sent-values.js'
import { generalizePlace } from './violated-places.js'

/** One such integer and its place. */
export interface SentInteger {
  /** E.g. `path id`, `query id`, `body items[].id`. */
  at: string
  value: bigint
}

/** Yields such integers in integer parameters and in the body. None if the operation is unknown. */
export function* sentIntegers(call: Call): Generator<SentInteger> {
  const { exchange, operation, contract } = call
  if (!operation) return
  for (const [parameter, texts] of parameterTexts(exchange, operation)) {
    const { name, in: place } = parameter
    if (!itemTypesOf(contract, parameter).includes('integer')) continue
    for (const text of texts) {
      const value = toUnsafeInteger(text)
      if (value !== undefined) yield { at: `${place} ${name}`, value }
    }
  }
  for (const [{ name, in: place }, { value }] of structuredValues(call, operation)) yield* walk(value, place, name)
  if (exchange.request.body !== undefined) yield* unsafeIntegers(exchange.request.body, 'body')
}

/** Yields such integers in a JSON text; none if it is not JSON. */
export function* unsafeIntegers(text: string, place: string): Generator<SentInteger> {
  // Most texts contain none and need not be parsed.
  if (!/\d{16}|\d[eE]/.test(text)) return
  yield* walk(readJson(text), place, '')
}

function* walk(value: unknown, place: string, path: string): Generator<SentInteger> {
  if (typeof value === 'bigint') yield { at: generalizePlace(place, path), value }
  if (typeof value !== 'object' || value === null) return
  for (const [name, item] of Object.entries(value)) {
    const below = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`
    yield* walk(item, place, below)
  }
}

function toUnsafeInteger(text: string): bigint | undefined {
  // A text of more than 20 characters is not a 64-bit integer, and BigInt is slow on long texts.
  if (!/^-?\d{16,20}$/.test(text)) return undefined
  return Number.isSafeInteger(Number(text)) ? undefined : BigInt(text)
}
