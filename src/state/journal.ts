/** The journal of a sandbox: the exchanges kept, newest last, bounded by count and by bytes. */
import type { Violation } from '../contract/contract.js'

/** A request with its response. */
export interface Exchange {
  /** Counts from 1; never given twice in a sandbox. */
  id: number
  /** Milliseconds since 1970, by the clock of the world, or of the sandbox where no world was opened. */
  at: number
  /** The key that opened a world, or none. */
  key: string | undefined
  /** Name of the server that was called, or none where no server has that path. */
  server: string | undefined
  /** Id of the operation, or none where no operation has that path and method. */
  operation: string | undefined
  request: ExchangedRequest
  response: ExchangedResponse
  /** Why the request was refused: the code of the error; none for a success. */
  refused: string | undefined
  /** Every way in which the request broke the contract, where that is why it was refused. */
  violations: readonly Violation[] | undefined
  /** What was done or left aside without a refusal: unknown parameters, dropped properties, ignored preferences. */
  notes: readonly string[]
}

export interface ExchangedRequest {
  method: string
  /** Below the base of the server. */
  path: string
  /** Without the question mark. */
  query: string
  /** Names and values in turn, as they came. */
  headers: readonly string[]
  /** The text that was read; none where none was asked for. */
  body: string | undefined
}

export interface ExchangedResponse {
  status: number
  headers: Readonly<Record<string, string>>
  body: string | Uint8Array | undefined
}

export interface Journal {
  /** The exchanges kept, oldest first; of one world where a key is given. */
  list(key?: string): Exchange[]
  /** How many exchanges are kept. */
  readonly size: number
  /** Calls back with each exchange from now on. @returns a function that ends it */
  subscribe(listener: (exchange: Exchange) => void): () => void
  /** Forgets all exchanges, or those of one world. */
  clear(key?: string): void
}

/** An exchange as it is kept: flat, as each object that stays alive is work for the collector of garbage. */
export interface Entry extends Omit<Exchange, 'request' | 'response'>, Omit<ExchangedRequest, 'headers' | 'body'> {
  requestHeaders: readonly string[]
  requestBody: string | undefined
  status: number
  headers: ExchangedResponse['headers']
  body: ExchangedResponse['body']
}

export interface WritableJournal extends Journal {
  /** Keeps an exchange, and gives it its id. */
  add(entry: Entry): void
}

export interface JournalOptions {
  /** Exchanges kept at most; 0 keeps none. @default 1000 */
  maxExchanges?: number
  /** Bytes of text kept at most, roughly. @default 33554432 (32 MiB) */
  maxBytes?: number
}

/** @param onListenerError called with what a listener throws; a request is answered all the same */
export function createJournal(
  { maxExchanges = 1000, maxBytes = 32 * 1024 * 1024 }: JournalOptions,
  onListenerError: (error: unknown) => void,
): WritableJournal {
  // A ring: the oldest stands at `start`, the others after it and then from the beginning.
  let ring: (Entry | undefined)[] = []
  let sizes: number[] = []
  let start = 0
  let count = 0
  let bytes = 0
  let lastId = 0
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
      const left = kept().filter((entry) => entry.key !== (key ?? entry.key))
      ring = []
      sizes = []
      start = count = bytes = 0
      left.forEach(keep)
    },
    add(entry) {
      entry.id = ++lastId
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

function toExchange(entry: Entry): Exchange {
  const { method, path, query, requestHeaders, requestBody, status, headers, body, ...rest } = entry
  const request = { method, path, query, headers: requestHeaders, body: requestBody }
  return { ...rest, request, response: { status, headers, body } }
}

/** Bytes of what an entry holds, as Latin-1 text would take, with an allowance for the rest. */
function sizeOf({ path, query, requestHeaders, requestBody, body, notes }: Entry): number {
  let size = 200 + path.length + query.length + (requestBody?.length ?? 0) + (body?.length ?? 0)
  for (const text of requestHeaders) size += text.length
  for (const note of notes) size += note.length + 50
  return size
}
