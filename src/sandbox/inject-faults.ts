/** Applies the faults of a sandbox to requests. */
import type { Operation, RequestContract } from '../contract/contract.js'
import type { Later } from '../state/commits/store.js'
import type { AppliedFaults, Faults } from '../state/faults.js'
import type { Cause } from '../state/journal.js'
import type { StoredWorld } from '../state/stored-world.js'
import { ofHash } from '../state/world-id.js'
import type { Progress } from './finish.js'
import { Refusal, type WrittenOutcome } from './outcome.js'
import { type ForceAnswer, needsRetryAfter } from './prefer.js'
import type { Delivery, SandboxRequest } from './request/request.js'
import { useShared, type Worlds } from './worlds.js'

/**
 * Counts a request once, whatever happens to it later. Not called if there are no faults.
 * @returns the answer of a fault. Undefined if the request goes on
 */
export type InjectFaults = (
  request: SandboxRequest,
  operation: Operation,
  world: StoredWorld,
  progress: Progress,
) => Later<WrittenOutcome | undefined>

export interface InjectFaultsOptions {
  contract: RequestContract
  faults: Faults
  forceAnswer: ForceAnswer
  worlds: Worlds
}

export function createInjectFaults({ contract, faults, forceAnswer, worlds }: InjectFaultsOptions): InjectFaults {
  return ({ method, path }, operation, world, progress) => {
    const { id: key, clock } = world
    const caller = worlds.hashOf && ofHash(worlds.hashOf(world))
    const call = { operation: operation.id, method, path, key, caller, now: clock.now() }
    if (!faults.isMeant(call)) return undefined
    const applied = useShared(worlds, (put) => faults.apply(call, put))
    const use = (each: AppliedFaults | undefined) => each && applyFaults(operation, progress, each)
    return applied instanceof Promise ? applied.then(use) : use(applied)
  }

  function applyFaults(operation: Operation, progress: Progress, applied: AppliedFaults): WrittenOutcome | undefined {
    const { ids, headers } = applied
    const isLater = contract.hasHttpSemantics && needsRetryAfter(operation, applied.status)
    if (headers || isLater) progress.headers = { ...(isLater && { 'Retry-After': '1' }), ...headers }
    if (ids.length === 0) return undefined
    const what = describeFaults(applied)
    progress.notes = [...progress.notes, `fault ${ids.join(', ')}: ${what}`]
    const delivery = toDelivery(applied)
    if (delivery) progress.delivery = delivery
    return answer(operation, applied, { kind: 'fault', ids, what })
  }

  /** @returns undefined if the request goes on */
  function answer(
    operation: Operation,
    { status, message, drop, ids }: AppliedFaults,
    cause: Cause,
  ): WrittenOutcome | undefined {
    const why = message ?? `Fault ${ids.join(', ')} of this sandbox`
    // This answer never arrives: only the journal shows it.
    if (drop) return new Refusal('forced', why, { status: 503, cause })
    if (status === undefined) return undefined
    if (status >= 400) return new Refusal('forced', why, { status, cause })
    return forceAnswer(operation, status, cause) ?? { status, cause }
  }
}

function toDelivery({ delayMs, drop, truncate }: AppliedFaults): Delivery | undefined {
  const isBroken = drop === true || truncate !== undefined
  if (delayMs === undefined && !isBroken) return undefined
  return {
    ...(delayMs !== undefined && { delayMs }),
    ...(drop && { drop }),
    ...(truncate !== undefined && { truncate }),
    ...(isBroken && { toBroken: (response: Response) => breakOff(response, drop ? undefined : truncate) }),
  }
}

function describeFaults({ status, delayMs, drop, truncate }: AppliedFaults): string {
  const what = [
    status !== undefined && `status ${status}`,
    delayMs !== undefined && `${delayMs} ms later`,
    drop && 'the connection was closed',
    truncate !== undefined && `cut off after ${truncate} bytes`,
  ]
  return what.filter((each) => each !== false && each !== undefined).join(', ')
}

/** @param bytes number of bytes of the body that arrive. Undefined: nothing arrives, and `fetch` rejects */
function breakOff(response: Response, bytes: number | undefined): Response {
  if (bytes === undefined) return Response.error()
  if (!response.body) return response
  const reader = response.body.getReader()
  let left = bytes
  let isCut = false
  const body = new ReadableStream<Uint8Array>({
    /** Called again when the enqueued part was read. */
    async pull(controller) {
      if (isCut) {
        // An error discards what a tee of the stream has not read yet, so wait.
        await new Promise((resolve) => setTimeout(resolve, 10))
        return controller.error(new TypeError('terminated'))
      }
      const { done, value = new Uint8Array() } = await reader.read()
      if (done) return controller.close()
      const part = value.subarray(0, left)
      left -= part.length
      isCut = part.length < value.length
      if (isCut) void reader.cancel().catch(() => {})
      if (part.length > 0) controller.enqueue(part)
      else controller.error(new TypeError('terminated'))
    },
  })
  const { status, headers } = response
  return new Response(body, { status, headers })
}
