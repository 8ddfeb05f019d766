/** Sends exchanges and other changes as server-sent events (HTML Living Standard, section 9.2). */
import type { OpenStream } from '../sandbox/request/request.js'
import type { Exchange } from '../state/journal.js'
import { joinNames, type WorldId } from '../state/world-id.js'
import type { ControlOptions } from './control-options.js'
import type { DescribeExchange } from './describe-exchange.js'
import type { News } from './feed.js'
import { toShownId } from './kept.js'

/** Interval of comments that keep the connection open through proxies and detect disconnected clients. */
const heartbeatMs = 15_000
/** Exchanges are described between requests, in batches that delay no request for long. */
const batch = 20
/** Milliseconds after which other requests are handled before the next exchange. */
const turnMs = 20
/** Maximum bytes of cached event texts for all clients. The latest event is always kept. */
const maxTextBytes = 4 * 1024 * 1024
/** Maximum number of changes that are kept for a client that does not read. */
const maxMissed = 1000
const heartbeat = Buffer.from(':\n\n')

/** An answer whose body is a stream of events. */
export class EventStream {
  readonly open: OpenStream

  constructor(open: OpenStream) {
    this.open = open
  }
}

export interface StreamOptions {
  /** The id of the last exchange that the client has. An unknown id comes from another sandbox: then it gets all exchanges. */
  after: number
  /** The instance that the id comes from. @default this one */
  instance?: string | undefined
  /** The world whose exchanges and changes are sent. @default all worlds */
  world?: WorldId | undefined
}

export interface StreamSource extends Pick<ControlOptions, 'journal' | 'feed' | 'ended'> {
  describe: DescribeExchange
}

/** The reactions of a stream to events. */
interface Listener {
  wake(): void
  end(): void
}

/** All streams use the journal as their buffer: each only knows how far its client has read. They share event texts. */
export function createStreamExchanges({
  journal,
  feed,
  describe,
  ended,
}: StreamSource): (options: StreamOptions) => EventStream {
  const listeners = new Set<Listener>()
  const texts = createTexts(describe)
  /** The latest exchanges. */
  let known: Exchange[] = []
  let unsubscribe = () => {}
  ended.addEventListener('abort', () => {
    for (const { end } of listeners) end()
  })

  function add(exchange: Exchange): void {
    known.push(exchange)
    // Keeps the same exchanges as the journal. Copying the journal for each exchange would take long.
    const gone = known.length - journal.size
    if (gone === 1) known.shift()
    else if (gone > 1) known = journal.list()
    for (const { wake } of listeners) wake()
  }

  const latest: Latest = {
    feed,
    ended,
    textOf: texts.of,
    known: () => known,
    refresh() {
      known = journal.list()
    },
    follow(listener) {
      if (listeners.size === 0) unsubscribe = journal.subscribe(add)
      listeners.add(listener)
      known = journal.list()
    },
    unfollow(listener) {
      listeners.delete(listener)
      if (listeners.size > 0) return
      unsubscribe()
      known = []
      texts.clear()
    },
  }
  return (options) => new EventStream((send, end) => openEvents(latest, options, send, end))
}

/** What all streams share. */
interface Latest extends Pick<StreamSource, 'feed' | 'ended'> {
  textOf(exchange: Exchange): Buffer
  /** The latest exchanges, oldest first. */
  known(): readonly Exchange[]
  /** Reads them again. */
  refresh(): void
  follow(listener: Listener): void
  unfollow(listener: Listener): void
}

/** Caches the texts of events. */
function createTexts(describe: DescribeExchange): { of(exchange: Exchange): Buffer; clear(): void } {
  const texts = new Map<number, Buffer>()
  let bytes = 0
  return {
    of(exchange) {
      const { id } = exchange
      const before = texts.get(id)
      if (before) return before
      const text = Buffer.from(`id: ${id}\ndata: ${JSON.stringify(describe(exchange))}\n\n`)
      bytes += text.length
      texts.set(id, text)
      for (const [oldest, { length }] of texts) {
        if (bytes <= maxTextBytes || oldest === id) break
        texts.delete(oldest)
        bytes -= length
      }
      return text
    },
    clear() {
      texts.clear()
      bytes = 0
    },
  }
}

type Send = Parameters<OpenStream>[0]

function openEvents(
  latest: Latest,
  { after, instance, world: id }: StreamOptions,
  send: Send,
  end: () => void,
): ReturnType<OpenStream> {
  const { feed, ended } = latest
  const world = id && toShownId(id)
  const listener = { wake, end }
  latest.follow(listener)
  const isSame = (instance ?? feed.served.instance) === feed.served.instance
  /** The id of the last exchange that was sent. */
  let last = isSame && after <= (latest.known().at(-1)?.id ?? after) ? after : 0
  let isBlocked = false
  let timer: NodeJS.Immediate | undefined
  /** Events for a client that currently does not read. */
  const missed = new Set<string>()

  function sendExchanges(): void {
    timer = undefined
    let count = 0
    const start = performance.now()
    for (let index = latest.known().findLastIndex(({ id }) => id <= last) + 1; ; index++) {
      const exchange = latest.known()[index]
      if (!exchange) return
      const isOver = count === batch || (count > 0 && performance.now() - start > turnMs)
      if (isOver) wake()
      if (isBlocked || isOver) return
      last = exchange.id
      const { key, apiKey } = exchange
      if (world !== undefined && (key === undefined || toShownId(joinNames({ key, apiKey })) !== world)) continue
      count++
      isBlocked = !send(latest.textOf(exchange))
    }
  }

  function wake(): void {
    if (!isBlocked) timer ??= setImmediate(sendExchanges)
  }

  function sendNews(news: News): void {
    if ('served' in news) sendEvent(`event: served\ndata: ${JSON.stringify(news.served)}\n\n`)
    else if ((news.change.key ?? world) === (world ?? news.change.key))
      sendEvent(`event: change\ndata: ${JSON.stringify(news.change)}\n\n`)
  }

  function sendEvent(text: string): void {
    if (!isBlocked) isBlocked = !send(Buffer.from(text))
    else if (missed.size < maxMissed) missed.add(text)
    // The client reloads everything when it reconnects.
    else end()
  }

  const ignore = feed.subscribe(sendNews)
  const timing = setInterval(() => {
    if (!isBlocked) isBlocked = !send(heartbeat)
  }, heartbeatMs)
  timing.unref()
  if (ended.aborted) end()
  sendNews({ served: feed.served })
  sendExchanges()
  return {
    resume() {
      isBlocked = false
      // The journal may have been cleared since then.
      latest.refresh()
      const later = [...missed]
      missed.clear()
      for (const text of later) sendEvent(text)
      wake()
    },
    stop() {
      latest.unfollow(listener)
      ignore()
      clearInterval(timing)
      clearImmediate(timer)
    },
  }
}
