/** One request: every step in its order, each in a file of its own. */
import type { Operation } from '../contract/contract.js'
import type { Faults } from '../state/faults.js'
import type { Apply } from './apply.js'
import type { Authenticate } from './authenticate.js'
import type { AnswerTokens } from './credentials/token-endpoint.js'
import type { Finish, Progress } from './finish.js'
import type { InjectFaults } from './inject-faults.js'
import { Refusal, type WrittenOutcome } from './outcome.js'
import type { ApplyOverrides } from './overrides/apply-overrides.js'
import type { Prefer, ReadPrismQuery } from './prefer.js'
import type { Leniency } from './request/leniency.js'
import { keepBody, type SandboxRequest, type SandboxResponse } from './request/request.js'
import type { Corrections } from './responses/corrections.js'
import { refuseRemoved } from './responses/lifecycle.js'
import type { Negotiation } from './responses/negotiate.js'
import { isRoute, type Router } from './route.js'
import type { Validate } from './validate.js'
import type { Webhooks } from './webhooks/webhooks.js'
import type { Worlds } from './worlds.js'

/** Answers a request. Never rejects. */
export type Handle = (request: SandboxRequest) => Promise<SandboxResponse>

/** The steps of a sandbox. One that its contract and options do not need is undefined. */
export interface Steps extends Router, Pick<Worlds, 'refresh' | 'refuseFailure'> {
  answerTokens: AnswerTokens | undefined
  readPrismQuery: ReadPrismQuery | undefined
  leniency: Leniency | undefined
  authenticate: Authenticate
  faults: Faults
  injectFaults: InjectFaults
  prefer: Prefer
  corrections: Corrections | undefined
  validate: Validate
  negotiation: Negotiation | undefined
  prepare: Prepare | undefined
  /** The team's own code. May be added while the sandbox runs. */
  overrides?: ApplyOverrides
  apply: Apply
  webhooks: Webhooks | undefined
  finish: Finish
}

/** Generates the data of an operation if it is missing. */
export type Prepare = (operation: Operation) => Promise<void> | undefined

/** Shared by all requests without notes or preferences. */
const none: readonly string[] = []

/** @param onUnexpectedError called with unexpected errors, for which the request gets 500 */
export function createHandle(steps: Steps, onUnexpectedError: (error: unknown) => void): Handle {
  const { answerTokens, readPrismQuery, route, leniency, refresh, authenticate, faults, injectFaults, prefer } = steps
  const { corrections, validate, negotiation, prepare, apply, webhooks, finish, refuseFailure } = steps

  return async function handle(sent) {
    const progress: Progress = { notes: none, preferences: none }
    let request = sent
    // Steps return a promise only if they wait for a body or a store. `await` on other results would cost time.
    try {
      const issued = answerTokens?.(sent)
      if (issued) return await issued

      if (readPrismQuery) request = readPrismQuery(sent)
      const found = findRoute(request)
      if (!isRoute(found)) return end(request, progress, found)
      const { operation } = found
      progress.operation = operation

      const refreshing = refresh?.()
      if (refreshing) await refreshing
      const opened = authenticate(request, operation)
      const world = opened instanceof Promise ? await opened : opened
      if (world instanceof Refusal) return end(request, progress, world)
      progress.world = world
      const context = { now: world.clock.now(), seed: ++world.requests, progress }
      progress.now = context.now

      const removed = refuseRemoved(operation, request.mount, context.now)
      if (removed) return end(request, progress, removed)

      const struck = faults.size === 0 ? undefined : injectFaults(request, operation, world, progress)
      const failed = struck instanceof Promise ? await struck : struck
      if (webhooks && !failed) progress.followed = webhooks.begin(operation, world)
      const forced = failed ?? prefer(request, operation, progress)

      const reread = leniency && operation.forgiven ? keepBody(request) : request
      const asked = corrections && operation.corrected?.isForm ? await corrections.joinForm(reread) : reread
      if (asked instanceof Refusal) return end(request, progress, forced ?? asked)
      const validated = validate(asked, found)
      const strict = validated instanceof Promise ? await validated : validated
      const valid = leniency && strict instanceof Refusal ? await leniency.accept(asked, found, strict) : strict
      // The journal also keeps the body of a request with a forced answer, so that it can be sent again.
      progress.text = valid instanceof Refusal ? valid.text : valid.body.text
      if (forced) return end(request, progress, forced)
      if (valid instanceof Refusal) return end(request, progress, valid)
      addNotes(progress, valid.notes, found.note)

      const { representations } = operation
      const type = representations && negotiation?.choose(asked, operation, representations, valid, progress)
      if (type instanceof Refusal) return end(request, progress, type)

      const preparing = prepare?.(operation)
      if (preparing) await preparing
      const named =
        leniency && operation.keyWords ? leniency.nameRecords(asked, operation, world, valid, progress) : valid
      const input = { request: asked, operation, world, valid: named, context }
      const inCommit = progress.followed && makeInCommit(request, progress, type)
      const applied = steps.overrides?.(input, apply, inCommit) ?? apply(input, inCommit)
      const outcome = applied instanceof Promise ? await applied : applied
      if (inCommit && progress.followed) progress.followed.isCommitted = true
      return end(request, progress, outcome, type)
    } catch (error) {
      const failure = toFailure(error)
      try {
        return end(request, progress, failure)
      } catch {
        return answerBare(failure)
      }
    }
  }

  function toFailure(error: unknown): Refusal {
    return refuseFailure?.(error) ?? refuseBug(error, onUnexpectedError)
  }

  function findRoute(request: SandboxRequest): ReturnType<typeof route> {
    const found = route(request)
    return isRoute(found) ? found : (leniency?.route(request) ?? found)
  }

  /** @param type position of the media type of the answer. Undefined if the operation has only one */
  function end(request: SandboxRequest, progress: Progress, outcome: WrittenOutcome, type?: number): SandboxResponse {
    return finish.send(request, progress, answer(request, progress, outcome, type))
  }

  function answer(request: SandboxRequest, progress: Progress, outcome: WrittenOutcome, type?: number): WrittenOutcome {
    const { operation } = progress
    if (!operation) return outcome
    const represented = type === undefined || !negotiation ? outcome : negotiation.represent(operation, outcome, type)
    return corrections && operation.corrected ? corrections.correct(request, progress, represented) : represented
  }

  /** What makes the webhooks of a request when its effect is applied, so that a store gets both in one commit. */
  function makeInCommit(request: SandboxRequest, progress: Progress, type: number | undefined) {
    const { followed } = progress
    if (!followed || !webhooks?.make) return undefined
    const { make } = webhooks
    return (outcome: WrittenOutcome): void => {
      const answered = answer(request, progress, outcome, type)
      make(followed, finish.write(request, progress, answered).entry, answered)
    }
  }
}

function refuseBug(error: unknown, onUnexpectedError: (error: unknown) => void): Refusal {
  onUnexpectedError(error)
  return new Refusal('internal_error', 'An unexpected failure inside the sandbox')
}

/** The answer if even the last step fails, for example because a user's clock throws. */
function answerBare({ reason: code, message }: Refusal): SandboxResponse {
  const body = JSON.stringify({ code, message, status: 500 })
  return { status: 500, headers: { 'Content-Type': 'application/json' }, body, refused: message }
}

/** @param own the note of the route */
function addNotes(progress: Progress, notes: readonly string[], own: string | undefined): void {
  if (notes.length > 0) progress.notes = [...progress.notes, ...notes]
  if (own !== undefined) progress.notes = [...progress.notes, own]
}
