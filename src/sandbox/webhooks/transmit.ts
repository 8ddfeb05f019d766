/** Sends the requests of callbacks and webhooks. */
import { encodeBytes } from '../../json/base64.js'
import type { Entry, SentHook } from '../../state/journal.js'
import type { WebhookRequest } from '../../state/kept-webhooks.js'
import { namesOf, type WorldId } from '../../state/world-id.js'
import type { SandboxResponse } from '../request/request.js'

/** The notes are about parts of the answer that were left out. */
export type WebhookAnswer = Pick<SandboxResponse, 'status' | 'headers' | 'body' | 'notes'>

/** Sends a request. @throws `NotAllowed` for an address that may not be called, and other errors if there is no answer */
export type Transmit = (request: WebhookRequest, signal: AbortSignal) => Promise<WebhookAnswer>

/** An address that may not be called. The message says why and what allows it. */
export class NotAllowed extends Error {}

/** Maximum bytes of an answer that the journal keeps. */
export const maxAnswerBytes: number = 64 * 1024

/** A function like the global `fetch`. */
export type SendingFetch = (url: string, init: RequestInit) => Promise<Response>

/**
 * Moves the user name and password of a URL to a header (RFC 7617), because `fetch` refuses them in a URL.
 * @throws NotAllowed if they are not percent-encoded
 */
export function withoutUser({ url: text, headers }: WebhookRequest): { url: URL; headers: readonly string[] } {
  const url = new URL(text)
  if (url.username === '' && url.password === '') return { url, headers }
  let user: string
  try {
    user = decodeURIComponent(`${url.username}:${url.password}`)
  } catch {
    throw new NotAllowed('the user name and the password in its URL must be percent-encoded UTF-8')
  }
  url.username = url.password = ''
  const bytes = new TextEncoder().encode(user)
  return { url, headers: [...headers, 'Authorization', `Basic ${encodeBytes(bytes)}`] }
}

const forbidden = ['CONNECT', 'TRACE', 'TRACK']

/** Sends requests by a function like the global `fetch`, to any address. Redirects are not followed. */
export function transmitByFetch(fetch: SendingFetch): Transmit {
  return async function transmit(request, signal) {
    const { method, body } = request
    // Checked here to report the method as the reason, not the receiver (WHATWG Fetch, "forbidden method").
    if (forbidden.includes(method.toUpperCase())) throw new NotAllowed(`fetch sends no ${method}`)
    const { url, headers } = withoutUser(request)
    const pairs = headers.flatMap((name, index): [string, string][] =>
      index % 2 === 0 ? [[name, headers[index + 1] ?? '']] : [],
    )
    const response = await fetch(url.href, {
      method,
      headers: pairs,
      ...(body !== undefined && { body: body as BodyInit }),
      redirect: 'manual',
      credentials: 'omit',
      signal,
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { status: response.status, headers: Object.fromEntries(response.headers), ...toKept([bytes]) }
  }
}

/** The first bytes of an answer, as text if they are valid UTF-8. */
export function toKept(chunks: readonly Uint8Array[]): Pick<WebhookAnswer, 'body' | 'notes'> {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  if (length === 0) return { body: undefined }
  const bytes = new Uint8Array(Math.min(length, maxAnswerBytes))
  let end = 0
  for (const chunk of chunks) {
    const part = chunk.subarray(0, bytes.length - end)
    bytes.set(part, end)
    end += part.length
  }
  const isCut = length > maxAnswerBytes
  const notes = isCut ? [`the answer was cut after ${maxAnswerBytes} bytes`] : undefined
  return { body: decodeAnswer(bytes, isCut), ...(notes && { notes }) }
}

function decodeAnswer(bytes: Uint8Array, isCut: boolean): string | Uint8Array {
  try {
    // The last character may be incomplete.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
  } catch {
    return bytes
  }
}

export interface SentExchange {
  world: WorldId
  /** Milliseconds since 1970, by its clock. */
  at: number
  request: WebhookRequest
  answer: WebhookAnswer
  notes: readonly string[]
  sent: Omit<SentHook, 'url'>
}

/** Credentials in a URL are not shown. */
export function toSentEntry({ world, at, request, answer, notes, sent }: SentExchange): Entry {
  const { method, headers, body } = request
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined
  if (url) url.username = url.password = ''
  return {
    id: 0,
    at,
    ...namesOf(world),
    server: undefined,
    operation: undefined,
    method,
    path: url?.pathname ?? '',
    query: url?.search.slice(1) ?? '',
    requestHeaders: headers,
    requestBody: typeof body === 'string' || body === undefined ? body : `${body.length} bytes`,
    status: answer.status,
    headers: answer.headers,
    body: answer.body,
    refused: undefined,
    violations: undefined,
    notes,
    cause: undefined,
    sent: { ...sent, url: url?.href ?? '' },
  }
}

/** In Node.js a timer is an object with methods. */
export type Timer = ReturnType<typeof setTimeout> & { unref?(): void }

/** Milliseconds of real time until an attempt without an answer fails. */
export const timeoutMs: number = 5_000

/** `isFinal`: another attempt would not help. */
export type Attempted = WebhookAnswer & { notes: readonly string[]; isFinal: boolean }

/** Never rejects, and always ends after `timeoutMs`. 408, 429 and 5xx allow another attempt (RFC 9110, section 15; RFC 6585). */
export async function tryOnce(transmit: Transmit, request: WebhookRequest, ended: AbortSignal): Promise<Attempted> {
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

/** The reason of a failed `fetch` is in its cause. */
function describeError(error: unknown): string {
  const { message, cause, errors } = error as Error & { errors?: unknown[] }
  const inner = cause ?? (message === '' ? errors?.[0] : undefined)
  return inner instanceof Error && inner.message !== '' ? inner.message : message
}
