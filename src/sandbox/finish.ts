/** Last step: turns the outcome into a response that can be sent, and adds the exchange to the journal. */
import type { Operation, RequestContract } from '../contract/contract.js'
import type { Clock } from '../state/clock.js'
import type { Entry, UnknownReference, WritableJournal } from '../state/journal.js'
import type { StoredWorld } from '../state/stored-world.js'
import { Refusal, type Written, type WrittenOutcome } from './outcome.js'
import type { Delivery, SandboxRequest, SandboxResponse } from './request/request.js'
import { corsHeaders } from './responses/cors.js'
import { lifecycleHeaders } from './responses/lifecycle.js'
import type { RenderRefusal } from './responses/render-refusal.js'
import { isolateContent, toSendable, toSendableHeaders } from './responses/sendable-response.js'
import type { Followed, Webhooks } from './webhooks/webhooks.js'

/** The results of the steps of a request so far. */
export interface Progress {
  operation?: Operation
  world?: StoredWorld
  /** Milliseconds since 1970, by the clock of the world. */
  now?: number
  /** The text of the body, if it was read. */
  text?: string | undefined
  notes: readonly string[]
  /** The preferences that were applied. */
  preferences: readonly string[]
  /** Further headers of the response. */
  headers?: Readonly<Record<string, string>> | undefined
  delivery?: Delivery
  /** What the request refers to that does not exist. */
  unknownReferences?: readonly UnknownReference[]
  /** The callbacks and webhooks that follow the request. Absent if none do. */
  followed?: Followed | undefined
}

export interface Finish {
  /** Writes the response and its exchange. Changes nothing. */
  write(request: SandboxRequest, progress: Progress, outcome: WrittenOutcome): Finished
  /** Does the same, adds the exchange to the journal, and begins to send what follows it. */
  send(request: SandboxRequest, progress: Progress, outcome: WrittenOutcome): SandboxResponse
}

interface Finished {
  response: SandboxResponse
  entry: Entry
}

export interface FinishOptions {
  contract: RequestContract
  /** The clock of the sandbox, for requests that opened no world. */
  clock: Clock
  journal: WritableJournal
  cors: boolean
  render: RenderRefusal
  webhooks: Webhooks | undefined
}

export function createFinish(options: FinishOptions): Finish {
  const { contract, clock, journal, cors, render, webhooks } = options
  const headersOf = createHeadersOf(contract.operations)

  function write(request: SandboxRequest, progress: Progress, outcome: WrittenOutcome): Finished {
    const {
      operation,
      world,
      notes,
      preferences,
      delivery,
      unknownReferences,
      now = (world?.clock ?? clock).now(),
    } = progress
    const refusal = outcome instanceof Refusal ? outcome : undefined
    const prepared = refusal?.rendered
    const rendered = prepared ?? (refusal && render(refusal, operation, { path: request.path, now }))
    const { status, mediaType, body, bytes, headers: own } = rendered ?? (outcome as Written)
    const origin = cors ? request.header('origin') : undefined
    const shared = headersOf(operation, request.mount, body === undefined ? body : mediaType, prepared && own)
    // Two spreads into one object take several times as long.
    let headers = own && !prepared ? Object.assign({}, shared, own) : shared
    if (body !== undefined) headers = isolateContent(headers, mediaType)
    if (progress.headers) headers = { ...headers, ...progress.headers }
    if (preferences.length > 0) headers = { ...headers, 'Preference-Applied': preferences.join(', ') }
    if (origin !== undefined) headers = { ...headers, ...corsHeaders(origin, headers['Vary'], contract.exposed) }

    const response = toSendable({ status, headers, body, bytes }, shared)
    if (request.method === 'HEAD' && response.body !== undefined) removeBody(response)
    if (delivery) response.delivery = delivery
    if (refusal) response.refused = refusal.message
    if (notes.length > 0) response.notes = notes
    const entry: Entry = {
      id: 0,
      at: now,
      key: world?.key,
      apiKey: world?.apiKey,
      server: request.server,
      operation: operation?.id,
      method: request.method,
      path: request.path,
      query: request.query,
      requestHeaders: journal.shareHeaders(request.headers()),
      requestBody: progress.text,
      status: response.status,
      headers: response.headers,
      body: response.body,
      refused: rendered?.code,
      violations: refusal?.violations,
      notes,
      cause: outcome.cause,
      unknownReferences,
      source: request.source,
    }
    return { response, entry }
  }

  return {
    write,
    send(request, progress, outcome) {
      const { response, entry } = write(request, progress, outcome)
      journal.add(entry, outcome)
      if (progress.followed) webhooks?.follow(progress.followed, entry, progress.delivery?.delayMs, outcome)
      return response
    },
  }
}

/** A response to HEAD has the headers of one to GET (RFC 9110, section 9.3.2). */
function removeBody(response: SandboxResponse): void {
  const { body = '', headers } = response
  const length = typeof body === 'string' ? new TextEncoder().encode(body).length : body.length
  response.headers = { ...headers, 'Content-Length': String(length) }
  response.body = response.bytes = undefined
}

type Headers = SandboxResponse['headers']

/**
 * @param base the path of the base that was called
 * @param mediaType the media type of the body, if there is one
 * @param prepared further headers: the same object for each call of an operation
 */
type HeadersOf = (
  operation: Operation | undefined,
  base: string,
  mediaType: string | undefined,
  prepared: Headers | undefined,
) => Headers

/** Enough, because an operation has few bases (from adapters) and few media types (from the document). */
const maxKept = 16

interface Kept {
  base: string
  mediaType: string | undefined
  prepared: Headers | undefined
  headers: Headers
}

/** Shares header objects, because the journal keeps those of a thousand exchanges. They are checked and ready to send. */
function createHeadersOf(operations: readonly Operation[]): HeadersOf {
  const keptOf = new Map(operations.map((operation): [Operation, Kept[]] => [operation, []]))

  return (operation, base, mediaType, prepared) => {
    const kept = operation && keptOf.get(operation)
    for (const each of kept ?? []) {
      if (each.base === base && each.mediaType === mediaType && each.prepared === prepared) return each.headers
    }
    const headers = toSendableHeaders({
      ...(mediaType !== undefined && { 'Content-Type': mediaType }),
      ...(operation && lifecycleHeaders(operation, base)),
      ...prepared,
    })
    if (kept && kept.length < maxKept) kept.push({ base, mediaType, prepared, headers })
    return headers
  }
}
