/** Makes the entries of the request log, without credentials. */
import { createHideCredentials, type ExchangeTexts, type HideCredentials } from '../contract/hiding/hide-credentials.js'
import type { SentAttempt } from '../sandbox/hooks/send-hooks.js'
import type { Sandbox } from '../sandbox/sandbox.js'

/** An entry of the request log: a request that the server got, or one that it sent. */
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
  /** What was ignored without a refusal, e.g. unknown parameters. Undefined if nothing was. */
  notes?: readonly string[] | undefined
  /** Whether the server itself refused it, e.g. for its host, so that the journal does not have it. */
  isRefusedByServer?: boolean
  /** The name of the callback or webhook, if the sandbox sent the request. Then the target is a URL, and the status may be 0. */
  sent?: string
}

/** Hides the credentials of a request in its entry. */
export type HideInEntry = (entry: LogEntry, request: Partial<ExchangeTexts['request']>, key?: string) => LogEntry

/** @param serving returns the sandbox that is served now */
export function createHideInEntry(serving: () => Sandbox): HideInEntry {
  let known: { sandbox: Sandbox; hideCredentials: HideCredentials } | undefined
  return (entry, request, key) => {
    const sandbox = serving()
    const { contract, apiKeys = [] } = sandbox
    if (known?.sandbox !== sandbox)
      known = { sandbox, hideCredentials: createHideCredentials(contract, apiKeys, '[hidden]') }
    const texts = { path: entry.target, query: '', headers: [], body: undefined, ...request }
    const { hide } = known.hideCredentials({
      key,
      request: texts,
      response: { headers: {}, body: undefined },
      notes: [],
    })
    return {
      ...entry,
      target: hide(entry.target),
      refused: entry.refused && hide(entry.refused),
      notes: entry.notes?.map(hide),
    }
  }
}

/** The log has a line for each callback and webhook. */
export function toSentLogEntry({ entry, ms }: SentAttempt, hideIn: HideInEntry): LogEntry {
  const { method, status, notes, sent, requestHeaders: headers, requestBody: body } = entry
  const { name = '', url = '' } = sent ?? {}
  const logged = { at: Date.now(), method, target: url, status, ms, refused: undefined, notes, sent: name }
  return hideIn(logged, { headers, body }, entry.key)
}
