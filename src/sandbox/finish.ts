/** Fifth step: what was decided becomes a response, and the journal has the exchange. */
import type { Operation, RequestContract } from '../contract/contract.js'
import { getOrInsert, newMap } from '../contract/get-or-insert.js'
import type { Clock } from '../state/clock.js'
import type { WritableJournal } from '../state/journal.js'
import type { World } from '../state/world.js'
import type { Answer } from './applied.js'
import { corsHeaders } from './cors.js'
import { lifecycleHeaders } from './lifecycle.js'
import { isRefusal, type Refusal } from './refusal.js'
import { createRenderRefusal } from './render-refusal.js'
import type { SandboxRequest, SandboxResponse } from './request.js'

/** What became known of a request on its way through the steps. */
export interface Progress {
  operation?: Operation
  world?: World
  /** The text of the body, where it was read. */
  text?: string | undefined
  notes: readonly string[]
  /** What a preference asked for and was obeyed. */
  applied: readonly string[]
  delayMs?: number
}

export type Finish = (request: SandboxRequest, progress: Progress, outcome: Answer | Refusal) => SandboxResponse

export interface FinishOptions {
  contract: RequestContract
  clock: Clock
  journal: WritableJournal
  cors: boolean
}

export function createFinish({ contract, clock, journal, cors }: FinishOptions): Finish {
  const headersOf = createHeaders()
  const render = createRenderRefusal(contract)

  return function finish(request, progress, outcome) {
    const { operation, world, notes, applied, delayMs } = progress
    const refusal = isRefusal(outcome) ? outcome : undefined
    const rendered = refusal && render(refusal, operation)
    const answer = rendered ?? (outcome as Answer)
    const { status, body } = answer
    const origin = cors ? request.header('origin') : undefined
    let headers = headersOf(operation, request.mount, body === undefined ? undefined : answer.mediaType)
    // Two spreads in one object cost several times as much.
    if (answer.headers) headers = Object.assign({}, headers, answer.headers)
    if (applied.length > 0) headers = { ...headers, 'Preference-Applied': applied.join(', ') }
    if (origin !== undefined) headers = { ...headers, ...corsHeaders(origin) }

    const response: SandboxResponse = { status, headers, body, bytes: answer.bytes }
    if (request.method === 'HEAD' && body !== undefined) {
      response.headers = { ...headers, 'Content-Length': String(new TextEncoder().encode(body).length) }
      response.body = response.bytes = undefined
    }
    if (delayMs !== undefined) response.delivery = { delayMs }
    if (refusal) response.refused = refusal.message
    journal.add({
      id: 0,
      at: (world?.clock ?? clock).now(),
      key: world?.key,
      server: request.server,
      operation: operation?.id,
      method: request.method,
      path: request.path,
      query: request.query,
      requestHeaders: request.headers(),
      requestBody: progress.text,
      status,
      headers: response.headers,
      body: response.body,
      refused: rendered?.code,
      violations: refusal?.violations,
      notes,
    })
    return response
  }
}

type Headers = SandboxResponse['headers']

/** Headers that depend on nothing but the operation, its base and the type of the body: made once, and shared. */
function createHeaders(): (operation: Operation | undefined, base: string, mediaType: string | undefined) => Headers {
  // Bases come from adapters and types from the document, so they are few.
  const made = new Map<Operation | undefined, Map<string, Map<string | undefined, Headers>>>()
  return (operation, base, mediaType) =>
    getOrInsert(getOrInsert(getOrInsert(made, operation, newMap), base, newMap), mediaType, () => ({
      ...(mediaType !== undefined && { 'Content-Type': mediaType }),
      ...(operation && lifecycleHeaders(operation, base)),
    }))
}
