/** Makes one attempt to send a callback or webhook. */
import { type HookAnswer, type HookRequest, NotAllowed, type Transmit } from './transmit.js'

/** Milliseconds of real time until an attempt without an answer fails. */
const timeoutMs = 5_000

/** Whether it is final: another attempt is of no use. */
export type Attempted = HookAnswer & { notes: readonly string[]; isFinal: boolean }

/** Never rejects. A status from 500 on, 408 and 429 say that another attempt may succeed (RFC 9110, section 15; RFC 6585). */
export async function tryOnce(transmit: Transmit, request: HookRequest, ended: AbortSignal): Promise<Attempted> {
  const signal = AbortSignal.any([ended, AbortSignal.timeout(timeoutMs)])
  try {
    const answer = await transmit(request, signal)
    const isBusy = answer.status >= 500 || answer.status === 408 || answer.status === 429
    return { ...answer, notes: answer.notes ?? [], isFinal: !isBusy }
  } catch (error) {
    const isRefused = error instanceof NotAllowed
    const why = signal.aborted ? `none came in ${timeoutMs} ms` : describeError(error)
    const note = isRefused ? `not sent: ${error.message}` : `no answer: ${why}`
    return { status: 0, headers: {}, body: undefined, notes: [note], isFinal: isRefused }
  }
}

/** The reason behind a `fetch` that failed is its cause. */
function describeError(error: unknown): string {
  const { message, cause, errors } = error as Error & { errors?: unknown[] }
  const inner = cause ?? (message === '' ? errors?.[0] : undefined)
  return inner instanceof Error && inner.message !== '' ? inner.message : message
}
