/** The journal of a sandbox: its latest exchanges, limited by count and by bytes. */
import type { Violation } from '../contract/violations.js'
import type { RecordChange } from './change.js'

/** A request with its response. @typeParam Operation the ids of the operations of the document */
export interface Exchange<Operation extends string = string> {
  /** Counts from 1. Unique in a sandbox. */
  id: number
  /** Milliseconds since 1970, by the clock of the world, or of the sandbox if no world was opened. */
  at: number
  /** The key that opened the world, or the user. Undefined if no world was opened. */
  key: string | undefined
  /** With listed keys, the one with which the user opened the world. */
  apiKey?: string | undefined
  /** Name of the server that was called. Undefined if no server has that path. */
  server: string | undefined
  /** Id of the operation. Undefined if no operation has that path and method. */
  operation: Operation | undefined
  request: ExchangedRequest
  response: ExchangedResponse
  /** The error code, such as `not_found`, if the request was refused. Undefined for a success. */
  refused: string | undefined
  /** Every violation of the contract, if the request was refused for them. */
  violations: readonly Violation[] | undefined
  /** Ignored parts of the request: unknown parameters, dropped properties, ignored preferences. */
  notes: readonly string[]
  /** Why the answer does not come from the operation. Undefined if it does. */
  cause: Cause | undefined
  /** The records that it added, changed and removed, in order. Undefined if there are none, and for exchanges of a shared store. */
  changes?: readonly RecordChange[] | undefined
  /** Keys in its body that no record has, although the collection is known. Undefined if there are none. */
  unknownReferences?: readonly UnknownReference[] | undefined
  /**
   * Where the consumer's code made the request, if it said so in `Sandbox-Source`: frames such as `src/client.ts:12:5`, the
   * innermost first, with commas between them.
   */
  source?: string | undefined
  /** Only for a callback or webhook, which the sandbox sent. It has no `server` and no `operation`. */
  sent?: SentHook
}

/** Why a request was not answered by its operation alone. */
export type Cause =
  /** Faults chose the answer: their ids and effects, such as `status 503, 100 ms later`. */
  | { kind: 'fault'; ids: readonly string[]; what: string }
  /** It got the answer to the first request with its idempotency key. */
  | { kind: 'repetition'; key: string }
  /** It requested the answer with `Prefer`. */
  | { kind: 'preference' }
  /** An override changed the answer or the world: its name, such as `POST /books`, and where its code is. */
  | { kind: 'override'; name: string; at?: string; broken?: readonly string[] }

/** A key in a request that no record has. It is without the key, which may be secret. */
export interface UnknownReference {
  /** The place in the body, such as `items[].price`. */
  at: string
  /** The name of the collection. */
  collection: string
}

/** Facts about a request that the sandbox sent. */
export interface SentHook {
  /** The name of the callback or webhook. */
  name: string
  /** Id of the operation whose answer it follows. */
  operation: string
  /** The whole URL. Empty if it is not known. */
  url: string
  /** Counts from 1. 0 if nothing was sent: a note says why. */
  attempt: number
  /** Id of the exchange that caused it. Absent with a store, and after the document was read again. */
  exchange?: number | undefined
}

export interface ExchangedRequest {
  method: string
  /** Path below the base of the server, still percent-encoded. */
  path: string
  /** Query without the question mark. */
  query: string
  /** Names and values alternately, as they were received. */
  headers: readonly string[]
  /** The body as text. Undefined if no body was read. */
  body: string | undefined
}

export interface ExchangedResponse {
  /** 0 if the sandbox sent the request and got no response. */
  status: number
  headers: Readonly<Record<string, string>>
  body: string | Uint8Array | undefined
}

export interface Journal<Operation extends string = string> {
  /** The exchanges, oldest first. @param key only exchanges of this world. @default all exchanges */
  list(key?: string): Exchange<Operation>[]
  /** The number of exchanges kept. */
  readonly size: number
  /**
   * Calls the listener with each new exchange.
   * @returns a function that unsubscribes
   * @example
   * const unsubscribe = sandbox.journal.subscribe(({ request, response }) => {
   *   console.log(request.method, request.path, response.status)
   * })
   */
  subscribe(listener: (exchange: Exchange<Operation>) => void): () => void
  /** Removes exchanges. @param key only exchanges of this world. @default all exchanges */
  clear(key?: string): void
}

/** An exchange as it is stored: flat, because each live object costs the garbage collector time. */
export interface Entry extends Omit<Exchange, 'request' | 'response'>, Omit<ExchangedRequest, 'headers' | 'body'> {
  requestHeaders: readonly string[]
  requestBody: string | undefined
  status: number
  headers: ExchangedResponse['headers']
  body: ExchangedResponse['body']
}

export interface WritableJournal extends Journal {
  /** Stores an exchange. Sets its id if it is 0. @param outcome what the exchange did: see `keepChanges` */
  add(entry: Entry, outcome?: object): void
  /** Returns a shared copy of request headers. Clients repeat the same headers, so this saves memory. */
  shareHeaders(headers: readonly string[]): readonly string[]
}

export interface JournalOptions {
  /** The maximum number of exchanges to keep, 0 or more. 0 keeps none. @default 1000 */
  maxExchanges?: number
  /** The approximate maximum size of all exchanges in bytes, 0 or more. @default 33554432 (32 MiB) */
  maxBytes?: number
}

/** @param onListenerError called with errors of listeners, which do not affect the response */
export function createJournal(
  { maxExchanges = 1000, maxBytes = 32 * 1024 * 1024 }: JournalOptions,
  onListenerError: (error: unknown) => void,
): WritableJournal {
  // A ring buffer: the oldest entry is at `start`.
  let ring: (Entry | undefined)[] = []
  let sizes: number[] = []
  let start = 0
  let count = 0
  let bytes = 0
  let lastId = 0
  let lastHeaders: readonly string[] = []
  const listeners = new Set<(exchange: Exchange) => void>()

  function keep(entry: Entry): void {
    const size = sizeOf(entry)
    bytes += size
    while (count > 0 && (count >= maxExchanges || bytes > maxBytes)) {
      bytes -= sizes[start] ?? 0
      ring[start] = undefined
      start = (start + 1) % maxExchanges
      count--
    }
    if (bytes > maxBytes || maxExchanges === 0) {
      bytes = 0
      return
    }
    const place = (start + count++) % maxExchanges
    ring[place] = entry
    sizes[place] = size
  }

  const kept = (key?: string) =>
    [...ring.slice(start), ...ring.slice(0, start)].filter(
      (entry): entry is Entry => entry !== undefined && entry.key === (key ?? entry.key),
    )

  return {
    get size() {
      return count
    },
    list: (key) => kept(key).map(toExchange),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    clear(key) {
      const remaining = kept().filter((entry) => entry.key !== (key ?? entry.key))
      ring = []
      sizes = []
      start = count = bytes = 0
      remaining.forEach(keep)
    },
    shareHeaders(headers) {
      const isSame =
        headers.length === lastHeaders.length && headers.every((text, index) => text === lastHeaders[index])
      if (!isSame) lastHeaders = headers
      return lastHeaders
    },
    add(entry) {
      entry.id ||= ++lastId
      keep(entry)
      for (const listener of listeners) {
        try {
          listener(toExchange(entry))
        } catch (error) {
          onListenerError(error)
        }
      }
    },
  }
}

export function toExchange(entry: Entry): Exchange {
  const { method, path, query, requestHeaders, requestBody, status, headers, body, ...rest } = entry
  const request = { method, path, query, headers: requestHeaders, body: requestBody }
  return { ...rest, request, response: { status, headers, body } }
}

/** Estimates the bytes of an entry: one per character, plus an allowance for objects. */
function sizeOf({ path, query, requestHeaders, requestBody, body, notes }: Entry): number {
  let size = 200 + path.length + query.length + (requestBody?.length ?? 0) + (body?.length ?? 0)
  for (const text of requestHeaders) size += text.length
  for (const note of notes) size += note.length + 50
  return size
}
