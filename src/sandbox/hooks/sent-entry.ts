/** The entry of the journal for an attempt to send a callback or webhook. */
import type { Entry, SentHook } from '../../state/journal.js'
import type { HookAnswer, HookRequest } from './transmit.js'

export interface SentExchange {
  /** The key of the world. */
  key: string
  /** Milliseconds since 1970, by its clock. */
  at: number
  request: HookRequest
  answer: HookAnswer
  notes: readonly string[]
  sent: Omit<SentHook, 'url'>
}

/** Credentials in a URL are not shown. */
export function toSentEntry({ key, at, request, answer, notes, sent }: SentExchange): Entry {
  const { method, headers, body } = request
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined
  if (url) url.username = url.password = ''
  return {
    id: 0,
    at,
    key,
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
    sent: { ...sent, url: url?.href ?? '' },
  }
}
