/** Makes one attempt to send a callback or webhook. */
import { type HookAnswer, type HookRequest, NotAllowed, type Transmit } from './transmit.js'

/** Of Node.js, which has more than a number. */
type Timer = ReturnType<typeof setTimeout> & { unref?(): void }

/** Milliseconds of real time until an attempt without an answer fails. */
const timeoutMs = 5_000

/** Whether it is final: another attempt is of no use. */
export type Attempted = HookAnswer & { notes: readonly string[]; isFinal: boolean }

/** Never rejects, and waits no longer than that, whatever the signal does to what sends. A status from 500 on, 408 and 429 say that another attempt may succeed (RFC 9110, section 15; RFC 6585). */
export async function tryOnce(transmit: Transmit, request: HookRequest, ended: AbortSignal): Promise<Attempted> {
  const controller = new AbortController()
  const { signal } = controller
  const end = () => controller.abort()
  const timer: Timer = setTimeout(end, timeoutMs)
  timer.unref?.()
  ended.addEventListener('abort', end)
  try {
    const answer = await Promise.race([transmit(request, signal), untilAborted(signal)])
    const isBusy = answer.status >= 500 || answer.status === 408 || answer.status === 429
    return { ...answer, notes: answer.notes ?? [], isFinal: !isBusy }
  } catch (error) {
    const isRefused = error instanceof NotAllowed
    const why = signal.aborted ? `none came in ${timeoutMs} ms` : describeError(error)
    const note = isRefused ? `not sent: ${error.message}` : `no answer: ${why}`
    return { status: 0, headers: {}, body: undefined, notes: [note], isFinal: isRefused }
  } finally {
    clearTimeout(timer)
    ended.removeEventListener('abort', end)
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

/** The reason behind a `fetch` that failed is its cause. */
function describeError(error: unknown): string {
  const { message, cause, errors } = error as Error & { errors?: unknown[] }
  const inner = cause ?? (message === '' ? errors?.[0] : undefined)
  return inner instanceof Error && inner.message !== '' ? inner.message : message
}
