/** Reads the values of a request: those that the service accepted, for coverage, and integers beyond ±(2^53−1). */
import type { Operation } from '../../contract/contract.js'
import { itemTypesOf, separatorOf } from '../../contract/item-types.js'
import { decodeText } from '../../contract/path-template.js'
import type { Parameter } from '../../contract/request-model.js'
import { isObject } from '../../json/own-value.js'
import { collectFields, decodeFields, parsePairs } from '../../media/fields.js'
import { decodeFromPairs, decodeFromText, type NamedValue } from '../../media/value-styles.js'
import type { Exchange } from '../../state/journal.js'
import type { Call } from './consumer-rule.js'
import { readJson, requestCookies, requestHeader } from './exchange-values.js'
import { generalizePlace, pathValues } from './places.js'

/** Values by place and name, e.g. `query limit` or `body status`. Parameters are texts, or objects; lists are split into items. */
export type SentValues = ReadonlyMap<string, readonly unknown[]>

const nothing: SentValues = new Map()

/** Empty if the request was refused before its values were validated. */
export function toSentValues(call: Call, operation: Operation): SentValues {
  const { exchange, isForced } = call
  const { violations = [], request } = exchange
  if (isForced || !isValidated(exchange)) return nothing
  const values = new Map<string, readonly unknown[]>()
  const isRefused = (place: string, name: string) =>
    violations.some((each) => each.in === place && (rootOf(each.at) === name || each.rule === 'unlisted'))
  // A malformed path is refused before anything else is validated.
  const isPathRefused = violations.some((violation) => violation.in === 'path')
  const structured = [...structuredValues(call, operation)].map(
    ([parameter, { value }]) => [parameter, [value]] as const,
  )
  for (const [{ name, in: place }, texts] of [...parameterTexts(exchange, operation), ...structured]) {
    if (!isRefused(place, name) && (!isPathRefused || place === 'path')) values.set(`${place} ${name}`, texts)
  }
  if (!operation.body || isPathRefused) return values
  const body = readJson(request.body)
  for (const [name, value] of isObject(body) ? Object.entries(body) : []) {
    if (!isRefused('body', name)) values.set(`body ${name}`, [value].flat())
  }
  return values
}

/** Whether the values of a request were validated, also if they were refused for it. */
export function isValidated({ refused, violations = [] }: Exchange): boolean {
  return refused === undefined || violations.length > 0 || !unvalidated.includes(refused)
}

/** Reasons to refuse a request without validating it. */
const unvalidated = [
  'unauthorized',
  'removed',
  'unavailable',
  'rate_limited',
  'internal_error',
  'invalid_request',
  'unsupported_media_type',
  'payload_too_large',
]

/** `publisher` of `publisher.names[0]` */
function rootOf(at: string): string {
  return /^[^.[]*/.exec(at)?.[0] ?? at
}

/** Each parameter that was sent, with its texts: one, or one per item of a list. */
function* parameterTexts(exchange: Exchange, operation: Operation): Generator<[parameter: Parameter, texts: string[]]> {
  const path = pathValues(operation.path, exchange.request.path)
  const query = new URLSearchParams(exchange.request.query)
  for (const parameter of operation.parameters) {
    const given = textsOf(parameter)
    if (given.length === 0) continue
    const separator = separatorOf(parameter)
    yield [parameter, separator === undefined ? given : given.flatMap((text) => text.split(separator))]
  }

  function textsOf({ name, in: place }: Parameter): string[] {
    if (place === 'path') return [path[name] ?? []].flat()
    if (place === 'query') return query.getAll(name)
    if (place === 'header') return [requestHeader(exchange, name) ?? []].flat()
    return requestCookies(exchange, name)
  }
}

/** Parameters that are objects or JSON, with the names in the query that belong to them (OpenAPI 3.2, section 4.12.2.3). */
export function* structuredValues(
  { exchange, contract }: Pick<Call, 'exchange' | 'contract'>,
  operation: Operation,
): Generator<[parameter: Parameter, sent: NonNullable<NamedValue>]> {
  const { path, query } = exchange.request
  const cookies = (requestHeader(exchange, 'cookie') ?? '').replaceAll(/; */g, '&')
  for (const parameter of operation.parameters) {
    const { name, in: place, types, style } = parameter
    if (!style || !(types.includes('object') || /json|urlencoded|^query/.test(style.name))) continue
    const pairs = parsePairs(place === 'cookie' ? cookies : query)
    const names = pairs.map((pair) => pair.name)
    const taken = operation.parameters.filter((each) => each !== parameter && each.in === place)
    const text = place === 'path' ? pathValues(operation.path, path)[name] : requestHeader(exchange, name)
    if (style.name.startsWith('query')) {
      const fields = collectFields(pairs, () => false)
      const value =
        style.name === 'query-json'
          ? readJson(decodeText(query))
          : decodeFields(fields, contract.textTypes[style.type], contract)
      if (query !== '') yield [parameter, { value, names }]
    } else if (place === 'query' || place === 'cookie') {
      const sent = decodeFromPairs(pairs, name, style, contract, new Set(taken.map((each) => each.name)))
      if (sent) yield [parameter, sent]
    } else if (text !== undefined) yield [parameter, { value: decodeFromText(text, name, style, contract), names: [] }]
  }
}

/** One such integer and its place. */
interface SentInteger {
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
