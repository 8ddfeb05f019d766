/** Makes the requests of a callback or webhook after an exchange. */
import type { Operation, RequestContract } from '../../contract/contract.js'
import type { Webhook } from '../../contract/webhook.js'
import { ownValue } from '../../json/own-value.js'
import type { Exchange } from '../../state/journal.js'
import type { WebhookRequest } from '../../state/kept-webhooks.js'
import type { Values } from '../../state/stored-record.js'
import type { StoredWorld } from '../../state/stored-world.js'
import { isToken } from '../responses/sendable-response.js'
import { fillTemplate, headerOf } from './evaluate.js'
import { makeBody } from './make-body.js'

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
