/** The public API of the exchanges of a sandbox: finds those in the journal, and waits for the next one. */
import { SandboxError } from '../../contract/sandbox-error.js'
import { toTime } from '../../state/clock.js'
import type { Exchange, Journal } from '../../state/journal.js'
import { aBoolean, aFunction, aString, checkOptions, type OptionCheck, type OptionChecks } from './check-options.js'

/** Selects exchanges. An empty filter selects all. */
export interface ExchangeFilter<Operation extends string = string> {
  /** The key of their world. */
  key?: string
  operation?: Operation
  method?: string
  status?: number
  /** Whether they were refused. */
  refused?: boolean
  /** Whether the sandbox sent them as callbacks or webhooks, or the name of the callback or webhook. @default both kinds */
  sent?: boolean | string
  /** Only from this time on, by the clock of their world: a `Date`, RFC 3339 text or milliseconds since 1970. */
  since?: Date | string | number
  /** Only before this time. */
  until?: Date | string | number
  /** Only those after the exchange with this id. */
  after?: number
  /** Only those for which it returns true. */
  where?: (exchange: Exchange) => boolean
}

export interface WaitOptions {
  /** Milliseconds, at most 60000. @default 5000 */
  timeoutMs?: number
  /** Ends the wait with `TIMED_OUT` when it is aborted. */
  signal?: AbortSignal | undefined
}

/** @typeParam Operation the ids of the operations of the document */
export interface Exchanges<Operation extends string = string> {
  /** Resolves to the matching exchanges that the journal keeps, oldest first. */
  list(filter?: ExchangeFilter<Operation>): Promise<Exchange<Operation>[]>
  /**
   * Resolves to the first matching exchange: one that the journal keeps, or the next one.
   * @throws SandboxError `TIMED_OUT` if there is none in time, `INVALID_OPTION` for a wrong filter
   * @example
   * const { response } = await sandbox.exchanges.wait({ operation: 'createBook' })
   */
  wait(filter?: ExchangeFilter<Operation>, options?: WaitOptions): Promise<Exchange<Operation>>
}

const maxTimeoutMs = 60_000
const usualTimeoutMs = 5_000

const aNumber: OptionCheck = (value) => (Number.isSafeInteger(value) ? undefined : 'a whole number')
const aTime: OptionCheck = (value) => {
  toTime(value as string)
  return undefined
}

const checks: OptionChecks<ExchangeFilter> = {
  ...{ key: aString, operation: aString, method: aString, status: aNumber, refused: aBoolean },
  sent: (value) => (typeof value === 'boolean' || typeof value === 'string' ? undefined : 'true, false or a name'),
  ...{ since: aTime, until: aTime, after: aNumber, where: aFunction },
}

export function createExchanges(journal: Journal): Exchanges {
  return {
    list: async (filter = {}) => journal.list(filter.key).filter(toTest(filter)),
    async wait(filter = {}, { timeoutMs = usualTimeoutMs, signal } = {}) {
      const isMeant = toTest(filter)
      if (!(timeoutMs >= 0 && timeoutMs <= maxTimeoutMs))
        throw new SandboxError('INVALID_OPTION', `timeoutMs must be 0 to ${maxTimeoutMs} (got ${timeoutMs})`)
      const known = journal.list(filter.key).find(isMeant)
      if (known) return known
      return new Promise((resolve, reject) => {
        const end = () => {
          clearTimeout(timer)
          unsubscribe()
          signal?.removeEventListener('abort', fail)
        }
        const unsubscribe = journal.subscribe((exchange) => {
          if (!isMeant(exchange)) return
          end()
          resolve(exchange)
        })
        // The key of the world is left out, as it may be a real credential.
        const { key: _, ...shown } = filter
        const message = `No exchange with ${JSON.stringify(shown)} came in ${timeoutMs} ms`
        const fail = () => {
          end()
          reject(new SandboxError('TIMED_OUT', message))
        }
        const timer = setTimeout(fail, timeoutMs)
        signal?.addEventListener('abort', fail)
      })
    },
  }
}

/** @throws SandboxError `INVALID_OPTION` for an unknown member, RangeError for an invalid time */
function toTest(filter: ExchangeFilter): (exchange: Exchange) => boolean {
  checkOptions<ExchangeFilter>(filter, checks)
  const { key, operation, method, status, refused, sent, since, until, after = 0, where } = filter
  const first = since === undefined ? Number.NEGATIVE_INFINITY : toTime(since)
  const end = until === undefined ? Number.POSITIVE_INFINITY : toTime(until)
  return (exchange) =>
    exchange.id > after &&
    exchange.at >= first &&
    exchange.at < end &&
    (key ?? exchange.key) === exchange.key &&
    (operation ?? exchange.operation) === exchange.operation &&
    (method ?? exchange.request.method) === exchange.request.method &&
    (status ?? exchange.response.status) === exchange.response.status &&
    (refused === undefined || refused === (exchange.refused !== undefined)) &&
    (where === undefined || where(exchange)) &&
    (sent === undefined || sent === (typeof sent === 'string' ? exchange.sent?.name : exchange.sent !== undefined))
}
