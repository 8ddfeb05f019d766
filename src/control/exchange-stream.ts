/** Sends exchanges as they come, and what else changes, as server-sent events (HTML Living Standard, section 9.2). */
import type { OpenStream } from '../sandbox/request.js'
import type { Exchange, Journal } from '../state/journal.js'
import type { DescribeExchange } from './describe-exchange.js'
import type { Feed, Told } from './feed.js'
import { toWorldId } from './world-ids.js'

/** Comments keep the connection open through proxies, and find out that a client has left. */
const heartbeatMs = 15_000
/** Exchanges are described between requests, not in them; and so many at a time that none waits for long. */
const batch = 20
/** Under load, clients get the latest ones. */
const maxWaiting = 1000

/** An answer whose body is a stream of events. */
export class EventStream {
  readonly open: OpenStream

  constructor(open: OpenStream) {
    this.open = open
  }
}

export interface StreamOptions {
  /** The id of the last exchange that the client has. One that the journal never gave is of another sandbox: then it gets all. */
  after: number
  /** The instance that gave that id. @default this one */
  instance?: string | undefined
  /** The key of the world whose exchanges and changes it gets. @default those of all worlds */
  key?: string | undefined
  feed: Feed
  describe: DescribeExchange
  /** Ends the stream. */
  ended: AbortSignal
}

export function streamExchanges(journal: Journal, options: StreamOptions): EventStream {
  const { after, instance, key, feed, describe, ended } = options
  const isMeant = (exchange: Exchange) => key === undefined || exchange.key === key
  const world = key === undefined ? undefined : toWorldId(key)
  return new EventStream((send, end) => {
    const known = journal.list()
    const isSame = (instance ?? feed.served.instance) === feed.served.instance
    const isKnown = isSame && after <= (known.at(-1)?.id ?? after)
    const waiting = known.filter((each) => isMeant(each) && (!isKnown || each.id > after))
    let timer: NodeJS.Immediate | undefined
    const flush = () => {
      timer = undefined
      for (const exchange of waiting.splice(0, batch))
        send(`id: ${exchange.id}\ndata: ${JSON.stringify(describe(exchange))}\n\n`)
      if (waiting.length > 0) timer = setImmediate(flush)
    }
    const unsubscribe = journal.subscribe((exchange) => {
      if (!isMeant(exchange)) return
      waiting.push(exchange)
      // The journal does not keep more either.
      if (waiting.length > 2 * maxWaiting) waiting.splice(0, maxWaiting)
      timer ??= setImmediate(flush)
    })
    const tell = (told: Told) => {
      if ('served' in told) send(`event: served\ndata: ${JSON.stringify(told.served)}\n\n`)
      else if ((told.change.key ?? world) === (world ?? told.change.key))
        send(`event: change\ndata: ${JSON.stringify(told.change)}\n\n`)
    }
    const ignore = feed.subscribe(tell)
    const heartbeat = setInterval(() => send(':\n\n'), heartbeatMs)
    heartbeat.unref()
    ended.addEventListener('abort', end)
    if (ended.aborted) end()
    tell({ served: feed.served })
    flush()
    return () => {
      unsubscribe()
      ignore()
      ended.removeEventListener('abort', end)
      clearInterval(heartbeat)
      clearImmediate(timer)
    }
  })
}
