/** Fifth step: what was decided becomes a response, and the journal has the exchange. */
import type { ErrorField, Operation, RequestContract } from '../contract/contract.js'
import { documentedResponse } from '../contract/documented-status.js'
import type { Clock } from '../state/clock.js'
import type { WritableJournal } from '../state/journal.js'
import type { World } from '../state/world.js'
import type { Answer } from './applied.js'
import { corsHeaders } from './cors.js'
import { createLifecycleHeaders } from './lifecycle.js'
import { codeOf, isRefusal, type Refusal, statusOf } from './refusal.js'
import type { SandboxRequest, SandboxResponse } from './request.js'

/** What became known of a request on its way through the steps. */
export interface Progress {
  operation?: Operation
  world?: World
  /** The text of the body, where it was read. */
  text?: string | undefined
  notes: string[]
  /** What a preference asked for and was obeyed. */
  applied: string[]
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
  const lifecycleHeaders = createLifecycleHeaders(contract)

  return function finish(request, progress, outcome) {
    const { operation, world, notes, applied, delayMs } = progress
    const refusal = isRefusal(outcome) ? outcome : undefined
    const answer = isRefusal(outcome) ? render(outcome, operation) : outcome
    const { status, body } = answer
    const headers: Record<string, string> = {}
    if (body !== undefined && answer.mediaType !== undefined) headers['Content-Type'] = answer.mediaType
    if (answer.headers) Object.assign(headers, answer.headers)
    if (operation) Object.assign(headers, lifecycleHeaders(operation, request.mount))
    if (applied.length > 0) headers['Preference-Applied'] = applied.join(', ')
    const origin = cors ? request.header('origin') : undefined
    if (origin !== undefined) Object.assign(headers, corsHeaders(origin))

    const response: SandboxResponse = { status, headers, body }
    if (request.method === 'HEAD' && body !== undefined) {
      headers['Content-Length'] = String(new TextEncoder().encode(body).length)
      response.body = undefined
    }
    if (delayMs !== undefined) response.delivery = { delayMs }
    if (refusal) response.refused = refusal.message
    journal.add({
      id: 0,
      at: (world?.clock ?? clock).now(),
      key: world?.key,
      server: request.server,
      operation: operation?.id,
      request: {
        method: request.method,
        path: request.path,
        query: request.query,
        headers: request.headers(),
        body: refusal ? refusal.text : progress.text,
      },
      response: { status, headers, body: response.body },
      refused: refusal && codeOf(refusal.reason, status),
      violations: refusal?.violations,
      notes,
    })
    return response
  }

  /** The body that the operation documents for the status, else the one that is common in the document. */
  function render(refusal: Refusal, operation: Operation | undefined): Answer {
    const status = statusOf(refusal, operation)
    const { mediaType, fields } = (operation && documentedResponse(operation, status)?.error) ?? contract.errorBody
    const words: ErrorWords = { code: codeOf(refusal.reason, status), message: refusal.message, status }
    const answer: Answer = { status, mediaType, body: JSON.stringify(fillFields(fields, words)) }
    if (refusal.headers) answer.headers = refusal.headers
    return answer
  }
}

interface ErrorWords {
  code: string
  message: string
  status: number
}

function fillFields(fields: readonly ErrorField[], words: ErrorWords): Record<string, unknown> {
  const filled: Record<string, unknown> = {}
  for (const field of fields) {
    if (field.from === 'fields') filled[field.name] = fillFields(field.fields, words)
    else filled[field.name] = field.from === 'constant' ? field.value : words[field.from]
  }
  return filled
}
