/** Makes the requests of a callback or webhook after an exchange. */
import type { Operation, RequestContract } from '../../contract/contract.js'
import type { Ensure } from '../../contract/effects/ensure.js'
import type { Webhook, WebhookBody } from '../../contract/webhook.js'
import { decodeBytes } from '../../json/base64.js'
import { copyValue } from '../../json/copy.js'
import { parseExactJson } from '../../json/exact-json.js'
import type { ExactValue } from '../../json/exact-value.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { isPathProperty } from '../../json/path-property.js'
import { pruneByShape } from '../../json/prune-by-shape.js'
import { createRandom, toSeed } from '../../json/random.js'
import { makeValue } from '../../json/sampler/make-value.js'
import { writeByShape } from '../../json/write-by-shape.js'
import type { Exchange } from '../../state/journal.js'
import type { WebhookRequest } from '../../state/kept-webhooks.js'
import type { Values } from '../../state/stored-record.js'
import type { StoredWorld } from '../../state/stored-world.js'
import { isToken } from '../responses/sendable-response.js'
import { ensureValue } from '../writes/sampler.js'
import { fillTemplate, headerOf } from './evaluate.js'

export interface WebhookSource {
  contract: RequestContract
  webhook: Webhook
  operation: Operation
  exchange: Exchange
  world: StoredWorld
  record: Values | undefined
  /** The URL for webhooks that have none, and the base of relative URLs. */
  webhookUrl?: string | undefined
}

/** A request, or a sentence that says why it is not sent. */
export type MadeRequest = { request: WebhookRequest } | { why: string }

/** Makes one request for each URL. */
export function makeRequests(source: WebhookSource): MadeRequest[] {
  return findUrls(source).map((found) => ('why' in found ? found : makeRequest(source, found.url)))
}

type FoundUrl = { url: URL } | { why: string }

function findUrls({ contract, webhook, operation, exchange, world, webhookUrl }: WebhookSource): FoundUrl[] {
  const { url } = webhook
  if (url.kind === 'option') {
    if (url.isInferred && webhookUrl === undefined) return []
    const way = 'give its rule in x-sandbox-webhooks a "url", or start with --webhook-url'
    return [webhookUrl === undefined ? { why: `no URL is known for it: ${way}` } : toUrl(webhookUrl)]
  }
  if (url.kind === 'records') {
    const { collection, property } = url
    const model = contract.collections.find(({ name }) => name === collection)
    const server =
      exchange.server !== undefined && model?.servers.includes(exchange.server) ? exchange.server : undefined
    const found = world.collection(collection, server).select([]).toReversed()
    return found.flatMap(({ values }) => {
      const text = ownValue(values, property)
      return typeof text === 'string' && text !== '' ? [toUrl(text)] : []
    })
  }
  const filled = fillTemplate(url.parts, { exchange, operation, url: calledUrl(contract, exchange) })
  return [
    'missing' in filled ? { why: `${filled.missing} has no value in this exchange` } : toUrl(filled.url, webhookUrl),
  ]
}

function toUrl(text: string, base?: string): FoundUrl {
  if (!URL.canParse(text, base)) {
    const way = base === undefined && /^[/.]/.test(text) ? '; start with --webhook-url to give its base' : ''
    return { why: `"${text}" is not an absolute URL${way}` }
  }
  const url = new URL(text, base)
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:'
  return isHttp ? { url } : { why: `a request can only be sent to http and https (got "${url.protocol}")` }
}

/** The URL of a request: with the host that its caller named, else the documented address. */
function calledUrl({ servers }: RequestContract, { server, request }: Exchange): string {
  const { path, query, headers } = request
  const known = servers.find(({ name }) => name === server)
  const host = headerOf(headers, 'host')
  const base = host === undefined ? (known?.url ?? '') : `http://${host}${known?.mount ?? ''}`
  return `${base}${path}${query === '' ? '' : `?${query}`}`
}

function makeRequest({ contract, webhook, operation, exchange, world, record }: WebhookSource, url: URL): MadeRequest {
  const headers = ['User-Agent', 'petstore-sandbox', 'Accept', '*/*']
  for (const { in: place, name, value } of webhook.parameters ?? []) {
    if (place === 'query') {
      if (!url.searchParams.has(name)) url.searchParams.append(name, value)
    } else if (isToken(name)) headers.push(name, value.replace(/[^\t\x20-\x7e]+/g, ' ').trim())
  }
  if (!webhook.body) return { request: { method: webhook.method, url: url.href, headers, body: undefined } }
  const body = makeBody(contract, webhook.body, {
    collection: 'collection' in operation.effect ? operation.effect.collection : undefined,
    record,
    now: world.clock.now(),
    seed: `${webhook.name} ${exchange.id}`,
  })
  if (body === undefined) return { why: 'no value satisfies the schema of its body' }
  headers.push('Content-Type', webhook.body.mediaType)
  return { request: { method: webhook.method, url: url.href, headers, body } }
}

export interface BodyValues {
  /** The collection of the operation, and its record. */
  collection: string | undefined
  record: Values | undefined
  /** Milliseconds since 1970. */
  now: number
  /** The same seed makes the same body. */
  seed: string
}

/** @returns undefined if no valid body is found */
export function makeBody(
  contract: RequestContract,
  { codec, example, base64, ensure, records, events, ids, times }: WebhookBody,
  { collection, record, now, seed }: BodyValues,
): string | Uint8Array | undefined {
  if (codec === undefined) return base64 === undefined ? example : decodeBytes(base64)
  // biome-ignore lint/plugin: an example of the document
  let value: unknown = parseExactJson(example).exact
  for (const pointer of times ?? []) value = withValue(value, pointer, new Date(now).toISOString())
  for (const [pointer, text] of events ?? []) value = withValue(value, pointer, text)
  for (const [pointer, plan] of ids ?? []) {
    const random = createRandom(toSeed(`${seed} ${pointer.join()}`))
    value = withValue(value, pointer, makeValue(contract.plans, plan, { random }))
  }
  const known = record && collection !== undefined ? ownValue(records ?? {}, collection) : undefined
  const shown = known && record && withoutHidden(contract, record, known.shape)
  for (const { pointer, values } of (shown && known.places) ?? []) {
    if (!values) value = withValue(value, pointer, shown)
    for (const [name, own] of values ?? []) {
      const each = shown && ownValue(shown, own)
      if (each !== undefined) value = withValue(value, [...pointer, name], each)
    }
  }
  const valid = ensure ? makeValid(contract, ensure, value as ExactValue, seed) : (value as ExactValue)
  if (valid === undefined) return undefined
  return codec === 'json' ? writeByShape(valid, contract.shapes, 0) : writeForm(valid)
}

/** Makes the body valid. Keeps values that were set even if no schema names them. */
function makeValid(contract: RequestContract, ensure: Ensure, value: ExactValue, seed: string): ExactValue | undefined {
  const { shapes } = contract
  const named = copyValue(value)
  pruneByShape(named, shapes, ensure.shape, () => {})
  const valid = ensureValue(contract, ensure, named, toSeed(seed))
  if (valid === named) return named
  // The schema may require properties that it does not name, for example by `minProperties`.
  const whole = copyValue(value)
  const open = shapes.map((shape) => ({ ...shape, open: true }))
  pruneByShape(whole, open, ensure.shape, () => {})
  return ensureValue(contract, ensure, whole, toSeed(seed)) === whole ? whole : valid
}

/** The part of a record that answers show. Names in braces are properties that no body shows. */
function withoutHidden({ shapes }: RequestContract, record: Values, shape: number): Values {
  const shown = Object.fromEntries(Object.entries(record).filter(([name]) => !isPathProperty(name)))
  const copy = copyValue(shown)
  pruneByShape(copy, shapes, shape, () => {})
  return copy
}

/** A copy with a value at a pointer. Creates missing objects on the way. */
function withValue(root: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  if (Array.isArray(root)) return [withValue(root[0], rest, value)]
  const known = isObject(root) ? root : {}
  return { ...known, [name]: withValue(ownValue(known, name), rest, value) }
}

/** Writes objects and lists as JSON. */
function writeForm(value: ExactValue): string {
  const fields = new URLSearchParams()
  for (const [name, each] of Object.entries(isObject(value) ? value : {})) {
    for (const item of Array.isArray(each) ? each : [each]) {
      fields.append(name, typeof item === 'object' ? writeByShape(item as ExactValue, [], 0) : String(item))
    }
  }
  return String(fields)
}
