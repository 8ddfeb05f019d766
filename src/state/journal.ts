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

export interface WritableJournal extends Journal {
  /** Keeps an exchange, and gives it its id. */
  add(exchange: Exchange): void
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
  // A queue whose start moves on; what was dropped is let go of at once, the places are cut off now and then.
  let exchanges: (Exchange | undefined)[] = []
  let start = 0
  let bytes = 0
  let lastId = 0
  const listeners = new Set<(exchange: Exchange) => void>()

  function dropOldest(): void {
    const oldest = exchanges[start]
    if (oldest) bytes -= sizeOf(oldest)
    exchanges[start++] = undefined
    if (start > 1024 && start * 2 > exchanges.length) {
      exchanges = exchanges.slice(start)
      start = 0
    }
  }

  const kept = (key?: string) =>
    exchanges
      .slice(start)
      .filter((exchange): exchange is Exchange => exchange !== undefined && (key === undefined || exchange.key === key))

  return {
    get size() {
      return exchanges.length - start
    },
    list: kept,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    clear(key) {
      const left = key === undefined ? [] : kept().filter((exchange) => exchange.key !== key)
      bytes = left.reduce((sum, exchange) => sum + sizeOf(exchange), 0)
      exchanges = left
      start = 0
    },
    add(exchange) {
      exchange.id = ++lastId
      exchanges.push(exchange)
      bytes += sizeOf(exchange)
      while (exchanges.length - start > maxExchanges || (bytes > maxBytes && exchanges.length > start)) dropOldest()
      for (const listener of listeners) {
        try {
          listener(exchange)
        } catch (error) {
          onListenerError(error)
        }
      }
    },
  }
}

/** Bytes of what an exchange holds, as Latin-1 text would take, with an allowance for the rest. */
function sizeOf({ request, response, notes }: Exchange): number {
  let size =
    200 + request.path.length + request.query.length + (request.body?.length ?? 0) + (response.body?.length ?? 0)
  for (const text of request.headers) size += text.length
  for (const note of notes) size += note.length + 50
  return size
}
