/** Sends requests to the provider: bounded in time, in size and in rate; follows no redirects, keeps no cookies. */
import { Agent, errors, request as send } from 'undici'
import type { HttpRequest } from './draft.js'

/** What came back. */
export interface Answer {
  status: number
  /** Names in lower case; several values of a name stand between commas. */
  headers: Record<string, string>
  text: string
}

/** Why nothing did that could be read. */
export interface NoAnswer {
  why: 'refused' | 'timeout' | 'dropped' | 'not-http' | 'too-large' | 'rate-limited'
  message: string
}

export interface ClientOptions {
  /** For one request with its answer, in milliseconds. */
  timeoutMs: number
  /** Of one answer. */
  maxBytes: number
  /** Requests per second at most; none for as fast as they are answered. */
  rate: number | undefined
  /** Called with the number of requests sent until now. */
  onSent?: (sent: number) => void
}

export interface Client {
  send(request: HttpRequest): Promise<Answer | NoAnswer>
  /** Requests sent until now. */
  readonly sent: number
  close(): Promise<void>
}

/** A provider that asks to wait is obeyed so often, and never longer than this. */
const maxWaits = 3
const maxWaitMs = 10_000

export function createClient({ timeoutMs, maxBytes, rate, onSent }: ClientOptions): Client {
  const agent = new Agent({
    connections: 8,
    connectTimeout: timeoutMs,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: maxBytes,
  })
  const pause = rate === undefined ? undefined : createPacer(1000 / rate)
  let sent = 0

  async function sendOnce({ url, method, headers, body }: HttpRequest): Promise<Answer | NoAnswer> {
    await pause?.()
    sent++
    onSent?.(sent)
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const response = await send(url, {
        dispatcher: agent,
        method: method as 'GET',
        headers: headers.flat(),
        body: body ?? null,
        signal,
      })
      const text = await response.body.text()
      return { status: response.statusCode, headers: joinHeaders(response.headers), text }
    } catch (error) {
      return toNoAnswer(error as NodeJS.ErrnoException, { timeoutMs, maxBytes })
    }
  }

  return {
    get sent() {
      return sent
    },
    async send(request) {
      for (let waits = 0; ; waits++) {
        const answer = await sendOnce(request)
        if ('why' in answer || answer.status !== 429) return answer
        if (waits === maxWaits) return { why: 'rate-limited', message: `answered 429 after ${maxWaits} waits as well` }
        const seconds = Number(answer.headers['retry-after'] ?? 1)
        await wait(Math.min(Number.isFinite(seconds) ? seconds * 1000 : 1000, maxWaitMs))
      }
    },
    close: () => agent.destroy(),
  }
}

/** One request after another, at least so many milliseconds apart. */
function createPacer(intervalMs: number): () => Promise<void> {
  let next = 0
  return async () => {
    const now = performance.now()
    const start = Math.max(now, next)
    next = start + intervalMs
    if (start > now) await wait(start - now)
  }
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

function joinHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]))
}

function toNoAnswer(
  error: NodeJS.ErrnoException,
  { timeoutMs, maxBytes }: Pick<ClientOptions, 'timeoutMs' | 'maxBytes'>,
): NoAnswer {
  const isTimeout =
    error.name === 'TimeoutError' ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError ||
    error instanceof errors.ConnectTimeoutError
  if (isTimeout) return { why: 'timeout', message: `gave no whole answer in ${timeoutMs / 1000} s` }
  if (error instanceof errors.ResponseExceededMaxSizeError) {
    return { why: 'too-large', message: `answered with more than ${maxBytes} bytes` }
  }
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) {
    return { why: 'not-http', message: `answered with what is not HTTP (${error.message})` }
  }
  const refusals = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']
  if (refusals.includes(error.code ?? '')) return { why: 'refused', message: `cannot be reached (${error.message})` }
  return { why: 'dropped', message: `ended the connection without a whole answer (${error.message})` }
}
