/** One request: route, authenticate, validate, apply, finish. */
import type { Operation, RequestContract } from '../contract/contract.js'
import type { World } from '../state/world.js'
import type { Answer } from './applied.js'
import { apply } from './apply.js'
import type { Authenticate } from './authenticate.js'
import { isPreflight, preflightHeaders } from './cors.js'
import type { Finish, Progress } from './finish.js'
import { forceAnswer } from './forced.js'
import { refuseRemoved } from './lifecycle.js'
import { parsePrefer } from './prefer.js'
import { noBody, type ReadBody, readBody } from './read-body.js'
import { isRefusal, type Refusal } from './refusal.js'
import type { SandboxRequest, SandboxResponse } from './request.js'
import type { Route, Router } from './route.js'
import { createReadParameters, type Parameters, validate } from './validate.js'

/** Most requests have none, and share it. */
const none: readonly string[] = []

function note(progress: Progress, notes: readonly string[]): void {
  if (notes.length > 0) progress.notes = [...progress.notes, ...notes]
}

export type Handle = (request: SandboxRequest) => Promise<SandboxResponse>

/** A request that may be answered, as soon as its body is there. */
interface Asked {
  operation: Operation
  world: World
  parameters: Parameters
}

export interface HandleParts {
  contract: RequestContract
  router: Router
  authenticate: Authenticate
  finish: Finish
  cors: boolean
  maxBodyBytes: number
  onUnexpectedError: (error: unknown) => void
}

export function createHandle({
  contract,
  router,
  authenticate,
  finish,
  cors,
  maxBodyBytes,
  onUnexpectedError,
}: HandleParts): Handle {
  const readParameters = createReadParameters(contract)

  return async function handle(request) {
    const progress: Progress = { notes: none, applied: none }
    try {
      const asked = ask(request, progress)
      if (!('world' in asked)) return finish(request, progress, asked)
      // Only a body is waited for: all the rest happens at once.
      const { body } = asked.operation
      const read = body ? await readBody(contract, body, request, maxBodyBytes) : noBody
      progress.text = read.text
      return finish(request, progress, isRefusal(read) ? read : obey(request, progress, asked, read))
    } catch (error) {
      onUnexpectedError(error)
      return fail(request, progress)
    }
  }

  /** Answers even where what failed is what every answer needs, such as a clock that somebody brought. */
  function fail(request: SandboxRequest, progress: Progress): SandboxResponse {
    const failure: Refusal = { reason: 'internal_error', message: 'An unexpected failure inside the sandbox' }
    try {
      return finish(request, progress, failure)
    } catch {
      const body = JSON.stringify({ code: failure.reason, message: failure.message, status: 500 })
      return { status: 500, headers: { 'Content-Type': 'application/json' }, body, refused: failure.message }
    }
  }

  /** Everything up to the body: which operation, whose world, what parameters; or the outcome already. */
  function ask(request: SandboxRequest, progress: Progress): Asked | Answer | Refusal {
    const options = request.method === 'OPTIONS' ? answerOptions(request) : undefined
    if (options) return options

    const route = router.find(request)
    if (isRefusal(route)) return route
    const { operation } = route
    progress.operation = operation

    const world = authenticate(request, operation)
    if (isRefusal(world)) return world
    progress.world = world

    const removed = refuseRemoved(operation, request.mount, world.clock)
    if (removed) return removed

    const forced = obeyPreferences(request, route, progress)
    if (forced) return forced

    const parameters = readParameters(route, request)
    return isRefusal(parameters) ? parameters : { operation, world, parameters }
  }

  function obey(
    request: SandboxRequest,
    progress: Progress,
    { operation, world, parameters }: Asked,
    body: ReadBody,
  ): Answer | Refusal {
    const valid = validate(parameters, body)
    if (isRefusal(valid)) return valid
    note(progress, parameters.notes)
    note(progress, body.notes)
    const { server = '', query } = request
    return apply({ contract, operation, effect: operation.effect, world, server, query, request: valid })
  }

  /** A preflight, or the question which methods there are; nothing where the document has an operation for it. */
  function answerOptions(request: SandboxRequest): Answer | undefined {
    const methods = router.methodsAt(request)
    if (cors && isPreflight(request)) return { status: 204, headers: preflightHeaders(request, methods) }
    const isOperation = !isRefusal(router.find(request))
    return methods.length === 0 || isOperation ? undefined : { status: 204, headers: { Allow: methods.join(', ') } }
  }

  function obeyPreferences(
    request: SandboxRequest,
    { operation }: Route,
    progress: Progress,
  ): Answer | Refusal | undefined {
    const header = request.header('prefer')
    if (header === undefined) return undefined
    const { code, delayMs, ignored } = parsePrefer(header)
    const forced = code === undefined ? undefined : forceAnswer(operation, code)
    const applied: string[] = []
    progress.applied = applied
    if (forced) applied.push(`code=${code}`)
    else if (code !== undefined) ignored.push(`code=${code}`)
    if (delayMs !== undefined) {
      progress.delayMs = delayMs
      applied.push(`delay=${delayMs}`)
    }
    note(
      progress,
      ignored.map((preference) => `preference "${preference}" was ignored`),
    )
    return forced
  }
}
