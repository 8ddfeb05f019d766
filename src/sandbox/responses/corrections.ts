/** Changes answers as corrections say: headers of a success; status, code or body of an error. Reads forms as queries. */
import type { BodyTemplate, CorrectedAnswers, Operation, RequestContract } from '../../contract/contract.js'
import { documentedResponse } from '../../contract/documented-status.js'
import { reasonsOf } from '../../contract/violations.js'
import { toSeed } from '../../json/random.js'
import { writeByShape } from '../../json/write-by-shape.js'
import type { Progress } from '../finish.js'
import { Refusal, type Written, type WrittenOutcome } from '../outcome.js'
import { change, type SandboxRequest } from '../request/request.js'
import { type ExpressionSource, evaluate } from '../webhooks/evaluate.js'
import { writeError } from '../writes/sampler.js'
import { statusOf } from './render-refusal.js'

const isForm = /^application\/x-www-form-urlencoded\b/i
/** Maximum bytes of a form that is read as a query. */
const maxForm = 64 * 1024

export interface Corrections {
  /** The request with a form as a part of its query. */
  joinForm(request: SandboxRequest): Promise<SandboxRequest | Refusal>
  /** The outcome of an operation as corrections say. */
  correct(request: SandboxRequest, progress: Progress, outcome: WrittenOutcome): WrittenOutcome
}

/** @returns undefined if the contract has no corrections of answers */
export type CreateCorrections = (contract: RequestContract) => Corrections | undefined

export const createCorrections: CreateCorrections = (contract) => {
  if (!contract.operations.some(({ corrected }) => corrected)) return undefined
  return {
    joinForm,
    correct(request, progress, outcome) {
      const { operation } = progress
      const { corrected } = operation ?? {}
      if (!operation || !corrected) return outcome
      const given = { operation, corrected, request, progress }
      return outcome instanceof Refusal ? correctError(contract, outcome, given) : withHeaders(outcome, given)
    },
  }
}

async function joinForm(request: SandboxRequest): Promise<SandboxRequest | Refusal> {
  if (!isForm.test(request.header('content-type') ?? '')) return request
  const bytes = await request.body(maxForm)
  if (!bytes) return new Refusal('payload_too_large', `A form must have at most ${maxForm} bytes`)
  const form = new TextDecoder().decode(bytes)
  const query = [request.query, form].filter((each) => each !== '').join('&')
  return change(request, { query, body: () => Promise.resolve(bytes) })
}

interface Corrected {
  operation: Operation
  corrected: CorrectedAnswers
  request: SandboxRequest
  progress: Progress
}

function correctError(contract: RequestContract, refusal: Refusal, given: Corrected): Refusal {
  const { operation, corrected, request, progress } = given
  const { reason, message, violations, headers, text, cause } = refusal
  const said = reasonsOf(reason, violations).find((each) => corrected.errors?.[each])
  const chosen = said === undefined ? undefined : corrected.errors?.[said]
  if (!chosen || refusal.rendered) return refusal
  const status = chosen.status ?? statusOf(refusal, operation)
  const details = { violations, headers, text, cause, status }
  const { code = reason, body } = chosen
  const error = documentedResponse(operation, status)?.error ?? contract.errorBody
  const facts = { code, message, status, violations, path: request.path, now: progress.now ?? 0 }
  const documented = writeError(contract, error, facts, operation.id)
  const written = body
    ? fillBody(
        body,
        sourceOf(given, { status, headers: headers ?? {}, body: documented }),
        new Date(progress.now ?? 0).toISOString(),
      )
    : documented
  const mediaType = body === undefined ? error.mediaType : 'application/json'
  return new Refusal(reason, message, { ...details, rendered: { status, code, mediaType, headers, body: written } })
}

/** @param source has the answer without this correction as its response. @param now the time, as RFC 3339 has it */
function fillBody(template: BodyTemplate, source: ExpressionSource, now: string): string {
  const parts = template.map((part) => {
    if (typeof part === 'string') return part
    const { expression } = part
    const value = expression === 'now' ? now : expression === 'random' ? toUuid(source) : evaluate(expression, source)
    return part.isInText ? JSON.stringify(String(value ?? '')).slice(1, -1) : writeByShape(value ?? null, [], 0)
  })
  return parts.join('')
}

/** A UUID (RFC 9562), the same one for the same answer. */
function toUuid({ url, exchange: { request, response } }: ExpressionSource): string {
  const toHex = (part: number) =>
    toSeed(`${part} ${request.method} ${url} ${response.body}`).toString(16).padStart(8, '0')
  return [0, 1, 2, 3]
    .map(toHex)
    .join('')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-4$3-8$4-$5')
}

function withHeaders(outcome: Written, given: Corrected): Written {
  const { corrected } = given
  const isRepeated = outcome.cause?.kind === 'repetition'
  const chosen = [...(corrected.headers ?? []), ...((isRepeated && corrected.repeated) || [])]
  if (chosen.length === 0) return outcome
  const { status, headers = {}, body } = outcome
  const source = sourceOf(given, { status, headers, body: typeof body === 'string' ? body : undefined })
  const added = chosen.flatMap(([name, parts]): [string, string][] => {
    const values = parts.map((part) => (typeof part === 'string' ? part : evaluate(part, source)))
    return values.includes(undefined) ? [] : [[name, values.join('')]]
  })
  return { ...outcome, headers: { ...headers, ...Object.fromEntries(added) } }
}

/** The values that expressions refer to. */
function sourceOf({ operation, request, progress }: Corrected, response: object): ExpressionSource {
  const { method, path, query } = request
  const sent = { method, path, query, headers: request.headers(), body: progress.text }
  const exchange = { request: sent, response } as unknown as ExpressionSource['exchange']
  return { exchange, operation, url: request.mount + path }
}
