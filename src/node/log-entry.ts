/** Makes the entries of the request log, without credentials. */
import type { HideCredentials } from '../contract/hiding/hide-credentials.js'
import type { SentAttempt } from '../sandbox/webhooks/send-webhooks.js'
import { toExchange } from '../state/journal.js'

/** An entry of the request log: a request that the server received or sent. */
export interface LogEntry {
  /** Milliseconds since 1970. */
  at: number
  method: string
  /** The path with its query, as it was requested, without credentials. Like the method, `-` for bytes that are not HTTP. */
  target: string
  status: number
  /** Milliseconds from the arrival of the request headers to the response. */
  ms: number
  /** Why the request was refused. Undefined for a success. */
  refused: string | undefined
  /** Ignored parts of the request, e.g. unknown parameters. Undefined if there are none. */
  notes?: readonly string[] | undefined
  /** Whether the server itself refused it, e.g. for its host, so it is not in the journal. */
  isRefusedByServer?: boolean
  /** The name of the callback or webhook, if the sandbox sent the request. Then the target is a URL, and the status may be 0. */
  sent?: string
}

/** The log entry of a callback or webhook. */
export function toSentEntry({ entry, ms }: SentAttempt, hideCredentials: HideCredentials): LogEntry {
  const { request, response, notes, sent } = hideCredentials(toExchange(entry)).exchange
  const { name = '', url = '' } = sent ?? {}
  const { status } = response
  return { at: Date.now(), method: request.method, target: url, status, ms, refused: undefined, notes, sent: name }
}
