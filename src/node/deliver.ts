/** Sends the responses of a server: at once, after their delay, or as a stream. */
import type { ControlResponse, SandboxResponse } from '../sandbox/request/request.js'
import type { MemoryBudget } from '../state/memory-budget.js'
import type { Call, CallLog } from './call-log.js'
import { toFailure } from './failure.js'
import { breakOff, isBroken, send } from './http-request.js'
import { createStreams, createWaitingResponses } from './waiting-responses.js'

export interface Delivery {
  /** Sends a response, after its delay. Never throws. */
  deliver(call: Call, response: ControlResponse): void
  /** Sends a response at once. */
  respond(call: Call, response: ControlResponse): void
  /** Answers an unexpected error, if the response has not started, and logs it. */
  fail(call: Call, error: unknown): void
  /** Sends all delayed responses at once, ends all streams, and delays no further response. */
  end(): void
}

export interface DeliveryOptions {
  memory: MemoryBudget
  log: CallLog
  /** Whether a call is the last one of its connection. */
  isLast: (call: Call) => boolean
  onUnexpectedError: (error: unknown) => void
}

export function createDelivery({ memory, log, isLast, onUnexpectedError }: DeliveryOptions): Delivery {
  let isClosing = false
  /** Sends each delayed response at once. */
  const delayed = new Set<() => void>()
  const waiting = createWaitingResponses(memory)
  const streams = createStreams(waiting)

  /** Whether a client has ended its side while further requests wait. Only sending answers shows whether it is gone. */
  function mayHaveLeft(call: Call): boolean {
    return call.incoming.socket.readableEnded && !isLast(call)
  }

  function delay(call: Call, given: SandboxResponse, ms: number): void {
    const { outgoing } = call
    // Keeping the text in addition to its bytes would double the memory.
    const response = given.bytes ? { ...given, body: given.bytes, bytes: undefined } : given
    const respondNow = (sent: SandboxResponse = response) => {
      stop()
      respond(call, sent)
    }
    const refuseDelay = () => respondNow(toFailure([503, memory.refusal('a response that waits for its delay')]))
    const hurry = () => {
      if (mayHaveLeft(call)) respondNow()
    }
    const stop = () => {
      clearTimeout(timer)
      call.incoming.socket.off('end', hurry)
      waiting.remove(outgoing)
      delayed.delete(respondNow)
    }
    const timer = setTimeout(respondNow, ms)
    // Otherwise an unread body would stay in memory.
    call.incoming.resume()
    delayed.add(respondNow)
    outgoing.once('close', stop)
    call.incoming.socket.once('end', hurry)
    waiting.add(outgoing, response.body?.length ?? 0, refuseDelay)
  }

  function respond(call: Call, given: ControlResponse): void {
    const { outgoing, failure } = call
    const response: ControlResponse = waiting.hasRoom(given) ? given : toFailure([503, memory.refusal('the response')])
    try {
      if (response.stream) streams.send(outgoing, response, response.stream)
      else if (response.delivery && isBroken(response)) breakOff(outgoing, response)
      else send(outgoing, response, isClosing || failure !== undefined, waiting.end)
      if (!response.isUnlogged) log.add(call, response.status, response.refused, response.notes)
    } catch (error) {
      fail(call, error)
    }
  }

  function fail(call: Call, error: unknown): void {
    const { outgoing } = call
    log.freeBody(call)
    const response = toFailure([500, 'An unexpected failure inside the sandbox'])
    try {
      onUnexpectedError(error)
      if (outgoing.headersSent) outgoing.destroy()
      else send(outgoing, response, true, waiting.end)
    } catch {
      outgoing.destroy()
    }
    log.add(call, response.status, response.refused)
  }

  return {
    deliver(call, response) {
      const { failure, request } = call
      log.freeBody(call, response)
      const delayMs = response.delivery?.delayMs
      if (failure && request?.isCut) respond(call, toFailure(failure))
      else if (delayMs === undefined || isClosing || call.outgoing.closed || mayHaveLeft(call)) respond(call, response)
      else delay(call, response, delayMs)
    },
    respond,
    fail,
    end() {
      isClosing = true
      for (const respondNow of delayed) respondNow()
      streams.end()
    },
  }
}
