/** Changes answers as corrections say: headers of a success; status, code or body of an error. Separate, so that bundles drop it. */
import type { BodyTemplate, CorrectedAnswers, Operation, RequestContract } from '../../contract/contract.js'
import { documentedResponse } from '../../contract/documented-status.js'
import { writeByShape } from '../../json/write-by-shape.js'
import type { Progress } from '../finish.js'
import type { Steps } from '../handle.js'
import { Refusal, type WrittenOutcome } from '../outcome.js'
import { change } from '../request/lenient-steps.js'
import type { SandboxRequest } from '../request/request.js'
import { type ExpressionSource, evaluate } from '../webhooks/evaluate.js'
import type { Sampler } from '../writes/sampler.js'
import { statusOf } from './render-refusal.js'

const isForm = /^application\/x-www-form-urlencoded\b/i
/** Maximum bytes of a form that is read as a query. */
const maxForm = 64 * 1024

/** The steps, with what corrections say of each answer, and of forms. */
export function withCorrections(steps: Steps, contract: RequestContract, sampler: Sampler): Steps {
  if (!contract.operations.some(({ corrected }) => corrected)) return steps
  return {
    ...steps,
    validate(request, found) {
      const isSent = isForm.test(request.header('content-type') ?? '')
      if (!found.operation.corrected?.isForm || !isSent) return steps.validate(request, found)
      return request.body(maxForm).then((bytes) => {
        if (!bytes) return new Refusal('payload_too_large', `A form must have at most ${maxForm} bytes`)
        const form = new TextDecoder().decode(bytes)
        const query = [request.query, form].filter((each) => each !== '').join('&')
        const body = () => Promise.resolve(bytes)
        return steps.validate(change(request, { query, body }), found)
      })
    },
    apply(input) {
      const { operation, request, valid } = input
      if (!operation.corrected?.isForm) return steps.apply(input)
      // Lists are cached by their query.
      const pairs = Object.entries(valid.query).map(([name, value]) => [name, String(value)])
      const query = new URLSearchParams(Object.fromEntries(pairs)).toString()
      return steps.apply({ ...input, request: change(request, { query }) })
    },
    finish(request, progress, outcome) {
      const { operation } = progress
      const { corrected } = operation ?? {}
      if (!operation || !corrected) return steps.finish(request, progress, outcome)
      const changed =
        outcome instanceof Refusal
          ? correctError(contract, sampler, outcome, { operation, corrected, request, progress })
          : withHeaders(outcome, { operation, corrected, request, progress })
      return steps.finish(request, progress, changed)
    },
  }
}

interface Corrected {
  operation: Operation
  corrected: CorrectedAnswers
  request: SandboxRequest
  progress: Progress
}

function correctError(contract: RequestContract, sampler: Sampler, refusal: Refusal, given: Corrected): Refusal {
  const { operation, corrected, request, progress } = given
  const { reason, message, violations, headers, text, cause } = refusal
  const chosen = corrected.errors?.[reason]
  if (!chosen || refusal.rendered) return refusal
  const status = chosen.status ?? statusOf(refusal, operation)
  const details = { violations, headers, text, cause, status }
  const { code = reason, body } = chosen
  const error = documentedResponse(operation, status)?.error ?? contract.errorBody
  const facts = { code, message, status, violations, path: request.path, now: progress.now ?? 0 }
  const documented = sampler.writeError(contract, error, facts, operation.id)
  const written = body
    ? fillBody(body, sourceOf(given, { status, headers: headers ?? {}, body: documented }))
    : documented
  const mediaType = body === undefined ? error.mediaType : 'application/json'
  return new Refusal(reason, message, { ...details, rendered: { status, code, mediaType, headers, body: written } })
}

/** @param source has the answer without this correction as its response */
function fillBody(template: BodyTemplate, source: ExpressionSource): string {
  const parts = template.map((part) => {
    if (typeof part === 'string') return part
    const value = evaluate(part.expression, source)
    return part.isInText ? JSON.stringify(String(value ?? '')).slice(1, -1) : writeByShape(value ?? null, [], 0)
  })
  return parts.join('')
}

function withHeaders(outcome: WrittenOutcome, given: Corrected): WrittenOutcome {
  const { corrected } = given
  if (outcome instanceof Refusal) return outcome
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
