/** One request, in five steps: route, authenticate, validate, apply, finish. */

import type { Operation } from '../contract/contract.js'
import type { Later } from '../state/commits/store.js'
import type { StoredWorld } from '../state/stored-world.js'
import type { Apply } from './apply.js'
import type { Authenticate } from './authenticate.js'
import type { Finish, Progress } from './finish.js'
import { Refusal, type WrittenOutcome } from './outcome.js'
import type { SandboxRequest, SandboxResponse } from './request/request.js'
import { refuseRemoved } from './responses/lifecycle.js'
import type { Negotiate } from './responses/negotiate.js'
import { isRoute, type Router } from './route.js'
import type { Validate } from './validate.js'
import type { Deliveries } from './webhooks/schedule.js'
import type { Worlds } from './worlds.js'

/** Answers a request. Never rejects. */
export type Handle = (request: SandboxRequest) => Promise<SandboxResponse>

export interface Steps {
  route: Router['route']
  authenticate: Authenticate
  validate: Validate
  apply: Apply
  /** Undefined if each answer of the contract has only one media type. */
  negotiate: Negotiate | undefined
  finish: Finish
  refuseFailure: Worlds['refuseFailure']
  interceptors: Interceptors
}

/** Functions that can be added to a running engine. */
export interface Interceptors {
  /**
   * Called with each request whose world is open. Returns a promise only if a store waits.
   * @returns an answer that replaces that of the operation, if any
   */
  intercept(
    request: SandboxRequest,
    operation: Operation,
    world: StoredWorld,
    progress: Progress,
  ): Later<WrittenOutcome | undefined>
  /** Generates the data of an operation if it is missing. */
  prepare?(operation: Operation): Promise<void> | undefined
  /** Sends callbacks and webhooks. Called when something other than a request changed a world or a clock. */
  deliveries?: Deliveries
}

/** Shared by all requests without notes or preferences. */
const none: readonly string[] = []

/** @param onUnexpectedError called with unexpected errors, for which the request gets 500 */
export function createHandle(steps: Steps, onUnexpectedError: (error: unknown) => void): Handle {
  const { route, authenticate, validate, apply, negotiate, finish, refuseFailure, interceptors } = steps

  return async function handle(request) {
    const progress: Progress = { notes: none, preferences: none }
    const end = (outcome: WrittenOutcome) => finish(request, progress, outcome)
    try {
      const found = route(request)
      if (!isRoute(found)) return end(found)
      const { operation } = found
      progress.operation = operation

      // Steps return a promise only if they wait for a body or a store. `await` on other results would cost time.
      const opened = authenticate(request, operation)
      const world = opened instanceof Promise ? await opened : opened
      if (world instanceof Refusal) return end(world)
      progress.world = world
      const context = { now: world.clock.now(), seed: ++world.requests, progress }
      progress.now = context.now

      const removed = refuseRemoved(operation, request.mount, context.now)
      if (removed) return end(removed)
      const intercepted = interceptors.intercept(request, operation, world, progress)
      const forced = intercepted instanceof Promise ? await intercepted : intercepted

      const validated = validate(request, found)
      const valid = validated instanceof Promise ? await validated : validated
      // The journal also keeps the body of a request with a forced answer, so that it can be sent again.
      progress.text = valid instanceof Refusal ? valid.text : valid.body.text
      if (forced) return end(forced)
      if (valid instanceof Refusal) return end(valid)
      if (valid.notes.length > 0) progress.notes = [...progress.notes, ...valid.notes]

      const { representations } = operation
      const represent = representations && negotiate?.(request, operation, representations)
      if (represent instanceof Refusal) return end(represent)

      const preparing = interceptors.prepare?.(operation)
      if (preparing) await preparing
      const applied = apply({ request, operation, world, valid, context })
      const outcome = applied instanceof Promise ? await applied : applied
      return end(represent ? represent(outcome) : outcome)
    } catch (error) {
      return finishFailure(request, progress, toRefusal(error))
    }
  }

  function toRefusal(error: unknown): Refusal {
    const known = refuseFailure?.(error)
    if (known) return known
    onUnexpectedError(error)
    return new Refusal('internal_error', 'An unexpected failure inside the sandbox')
  }

  /** Answers even if `finish` fails, for example because a user's clock throws. */
  function finishFailure(request: SandboxRequest, progress: Progress, failure: Refusal): Later<SandboxResponse> {
    try {
      return finish(request, progress, failure)
    } catch {
      const { reason: code, message } = failure
      const body = JSON.stringify({ code, message, status: 500 })
      return { status: 500, headers: { 'Content-Type': 'application/json' }, body, refused: message }
    }
  }
}
