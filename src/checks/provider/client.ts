/** Sends requests to the provider with limits on time, size and rate. It follows no redirects and keeps no cookies. */
import { setTimeout as wait } from 'node:timers/promises'
import { Agent, errors, request as send } from 'undici'
import { CodingError, decodeContent, decodeText } from './judges/decode-body.js'
import { checkSendable, type ProviderRequest, UnsendableError } from './requests/request-draft.js'

/** A response that was received completely. */
export interface ProviderResponse {
  status: number
  /** Names in lower case; several values of one name are joined by commas. */
  headers: Record<string, string>
  text: string
  /** Whether the bytes of the body are UTF-8. In the text, U+FFFD replaces those that are not. @default true */
  isUtf8?: boolean
}

/** The reason why there is no readable response. */
export interface NoResponse {
  why:
    | 'refused'
    | 'timeout'
    | 'dropped'
    | 'not-http'
    | 'too-large'
    | 'rate-limited'
    | 'not-decodable'
    | 'unsendable'
    | 'interrupted'
  /** Continues a sentence whose subject is the provider, without a full stop. */
  message: string
}

/**
 * Sends one request and receives its response. Rejects if there is no complete response.
 * @param signal aborted when the time for the request is over
 */
export type SendRequest = (request: ProviderRequest, signal: AbortSignal) => Promise<ProviderResponse>

export interface ClientOptions {
  /** Limit for one request with its response, in milliseconds. */
  timeoutMs: number
  /** Limit for one response body, in bytes. */
  maxBytes: number
  /** Maximum number of requests per second. Undefined means no limit. */
  rate: number | undefined
  /** @default over HTTP */
  sendRequest?: SendRequest | undefined
  /** Waits before a retry, at most until the signal is aborted. @default a timer */
  sleep?: typeof sleep
  /** After it is aborted, only requests with a deadline are sent. Running requests are awaited. */
  signal?: AbortSignal | undefined
  /** Called with the number of requests sent so far. */
  onSent?: (sent: number) => void
}

export interface Client {
  /**
   * Sends a request. A response of 429 is retried up to three times, after its `Retry-After`. If that is more than 10 s,
   * or if all requests have waited for a minute, it is not retried.
   * @param deadline time by `performance.now()` after which nothing is awaited, even if the check is not interrupted.
   * @default none
   */
  send(request: ProviderRequest, deadline?: number): Promise<ProviderResponse | NoResponse>
  /** Number of requests sent so far. */
  readonly sent: number
  close(): Promise<void>
}

/** Maximum retries of a 429, maximum wait before a retry, and maximum total wait of all retries. */
const maxRetries = 3
const maxWaitMs = 10_000
const maxTotalWaitMs = 60_000

/** Creates a client without opening a connection. */
export function createClient(options: ClientOptions): Client {
  const { timeoutMs, maxBytes, rate, onSent, signal } = options
  const agent = createAgent(options)
  const sendRequest = options.sendRequest ?? sendOverHttp(agent, maxBytes)
  const pause = rate === undefined ? undefined : createPacer(1000 / rate)
  let sent = 0
  let waitedMs = 0

  async function sendOnce(request: ProviderRequest, deadline: number): Promise<ProviderResponse | NoResponse> {
    const interruption = deadline === Number.POSITIVE_INFINITY ? signal : undefined
    await pause?.(interruption)
    if (interruption?.aborted) return { why: 'interrupted', message: 'got no further requests' }
    sent++
    onSent?.(sent)
    // Timers of Node.js require an integer of at least 1.
    const limitMs = Math.max(1, Math.ceil(Math.min(timeoutMs, deadline - performance.now())))
    const limit = new AbortController()
    // Unlike the timer of a signal, this one keeps the process alive. An idle connection does not.
    const timer = setTimeout(() => limit.abort(new DOMException('The time is over', 'TimeoutError')), limitMs)
    try {
      return await sendRequest(request, limit.signal)
    } catch (error) {
      const response = toNoResponse(error as NodeJS.ErrnoException, { timeoutMs: limitMs, maxBytes })
      if (response.why === 'unsendable') sent--
      return response
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    get sent() {
      return sent
    },
    async send(request, deadline = Number.POSITIVE_INFINITY) {
      for (let retries = 0; ; retries++) {
        const response = await sendOnce(request, deadline)
        if ('why' in response || response.status !== 429) return response
        if (retries === maxRetries) {
          return { why: 'rate-limited', message: `still answered 429 after ${maxRetries} retries` }
        }
        const waitMs = toWaitMs(response.headers['retry-after'])
        const busy = describeBusy(waitMs, waitedMs)
        if (busy !== undefined) return { why: 'rate-limited', message: busy }
        if (performance.now() + waitMs > deadline)
          return { why: 'timeout', message: 'answered 429 until the time limit' }
        waitedMs += waitMs
        await (options.sleep ?? sleep)(waitMs, deadline === Number.POSITIVE_INFINITY ? signal : undefined)
      }
    },
    close: () => agent.destroy(),
  }
}

/** How long `Retry-After` asks to wait: seconds or a date (RFC 9110, section 10.2.3). @returns 1000 for anything else */
function toWaitMs(field = '1'): number {
  const isDate = /[a-z]/i.test(field)
  const waitMs = isDate ? Date.parse(field) - Date.now() : Number(field) * 1000
  return Number.isNaN(waitMs) ? 1000 : Math.max(waitMs, 0)
}

/** @returns why a 429 is not retried, or undefined */
function describeBusy(waitMs: number, waitedMs: number): string | undefined {
  if (waitMs > maxWaitMs) return `answered 429 with a Retry-After of more than ${maxWaitMs / 1000} s, which is too long`
  if (waitedMs + waitMs <= maxTotalWaitMs) return undefined
  return `answered 429, and the requests before it have waited for almost ${maxTotalWaitMs / 1000} s`
}

function createAgent({ timeoutMs, maxBytes }: ClientOptions): Agent {
  return new Agent({
    connections: 8,
    connectTimeout: timeoutMs,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: maxBytes,
  })
}

function sendOverHttp(agent: Agent, maxBytes: number): SendRequest {
  return async (request, signal) => {
    checkSendable(request)
    const { url, method, headers, body } = request
    const isEncodingGiven = headers.some(([name]) => name.toLowerCase() === 'accept-encoding')
    const response = await send(url, {
      dispatcher: agent,
      method: method as 'GET',
      headers: [...headers.flat(), ...(isEncodingGiven ? [] : ['Accept-Encoding', 'identity'])],
      body: body ?? null,
      signal,
    })
    const bytes = new Uint8Array(await response.body.arrayBuffer())
    const answered = joinHeaders(response.headers)
    const decoded = await decodeContent(bytes, answered['content-encoding'], maxBytes)
    if (!decoded) throw new errors.ResponseExceededMaxSizeError()
    return { status: response.statusCode, headers: answered, ...decodeText(decoded) }
  }
}

/** Delays calls so that at least this many milliseconds pass between them. */
function createPacer(intervalMs: number): (signal?: AbortSignal) => Promise<void> {
  let next = 0
  return async (signal) => {
    const now = performance.now()
    const start = Math.max(now, next)
    next = start + intervalMs
    if (start > now) await sleep(start - now, signal)
  }
}

/** Ends early when the signal is aborted. */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return wait(ms, undefined, { ...(signal && { signal }) }).catch(() => {})
}

function joinHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]))
}

function toNoResponse(
  error: NodeJS.ErrnoException,
  { timeoutMs, maxBytes }: Pick<ClientOptions, 'timeoutMs' | 'maxBytes'>,
): NoResponse {
  if (error instanceof CodingError) return { why: 'not-decodable', message: `answered with ${error.message}` }
  if (error instanceof UnsendableError) {
    return { why: 'unsendable', message: `cannot be sent such a request (${error.message})` }
  }
  const isTimeout =
    error.name === 'TimeoutError' ||
    error instanceof errors.HeadersTimeoutError ||
    error instanceof errors.BodyTimeoutError ||
    error instanceof errors.ConnectTimeoutError
  if (isTimeout) return { why: 'timeout', message: `gave no complete answer within ${timeoutMs / 1000} s` }
  if (error instanceof errors.ResponseExceededMaxSizeError) {
    return { why: 'too-large', message: `answered with more than ${maxBytes} bytes` }
  }
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) {
    return { why: 'not-http', message: `answered with something that is not HTTP (${error.message})` }
  }
  const refusals = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']
  if (refusals.includes(error.code ?? '')) return { why: 'refused', message: `cannot be reached (${error.message})` }
  return { why: 'dropped', message: `closed the connection before the answer was complete (${error.message})` }
}

/** @param times how often in a row the provider gave no answer */
export function describeSilence(times: number, { message }: NoResponse): string {
  return `the provider gave no answer ${times} times in a row; the last time it ${message}`
}
