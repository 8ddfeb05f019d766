/** Sends the callbacks and webhooks of a sandbox. Separate from the engine, so that bundles can drop it. */
import type { Operation } from '../../contract/contract.js'
import type { Webhook } from '../../contract/webhook.js'
import { valueAt } from '../../json/nested.js'
import { getOrInsert, isObject } from '../../json/own-value.js'
import type { Clock } from '../../state/clock.js'
import type { Entry, Exchange } from '../../state/journal.js'
import type { WebhookRequest } from '../../state/kept-webhooks.js'
import { bytesOf, type MemoryBudget } from '../../state/memory-budget.js'
import type { Values } from '../../state/stored-record.js'
import type { StoredWorld } from '../../state/stored-world.js'
import type { WorldId } from '../../state/world-id.js'
import type { Engine } from '../create-engine.js'
import type { Progress } from '../finish.js'
import { Refusal, type WrittenOutcome } from '../outcome.js'
import type { Sampler } from '../writes/sampler.js'
import { createDeliveryQueue } from './delivery-queue.js'
import { headerOf } from './evaluate.js'
import type { KeepWebhooks } from './kept-webhooks.js'
import { deliveryOf, forgetMade, isPending, type Made } from './make-in-commit.js'
import { type MadeRequest, makeRequests } from './make-requests.js'
import { createSchedule, type Deliveries, type PendingWebhook, type TimedWebhook } from './schedule.js'
import type { Sign } from './sign.js'
import { type Attempted, type SentExchange, type Transmit, toSentEntry, tryOnce } from './transmit.js'

export interface WebhookOptions {
  sampler: Sampler
  /** Undefined: nothing is sent, and the journal says so. */
  transmit: Transmit | undefined
  /** The URL for webhooks that have none, and the base of relative URLs. */
  webhookUrl?: string | undefined
  /** Signs each attempt. @default nothing is signed */
  sign?: Sign | undefined
  /** The memory for pending requests. @default not counted */
  memory?: MemoryBudget | undefined
  /** Called after each attempt. */
  onSent?: ((attempt: SentAttempt) => void) | undefined
  onUnexpectedError: (error: unknown) => void
  /** Keeps pending requests in a store. @default in memory */
  keep?: KeepWebhooks | undefined
}

/** An attempt, for logs. */
export interface SentAttempt {
  entry: Entry
  /** Milliseconds until the answer. */
  ms: number
}

/** Identifies a delivery. */
type WebhookOfOperation = Pick<PendingWebhook, 'world' | 'name' | 'operation' | 'exchange'>

/** Bytes of the memory for all worlds, and for each. */
interface Reserved {
  bytes: number
  ofWorlds: Map<WorldId, number>
}

/** The context of an exchange that webhooks may follow. */
interface Ended {
  world: StoredWorld
  progress: Progress
  outcome: WrittenOutcome
}

/** The header that marks a request as sent by a sandbox. */
const deliveryHeader = 'Sandbox-Delivery'
/** Result for a callback or webhook that would follow another one. */
const ofDelivery: MadeRequest = { why: 'the request before it is a callback or webhook itself' }
/** Bytes of a pending request in addition to its content, and bytes of its connection. */
const ownBytes = 2 * 1024
const connectionBytes = 128 * 1024
const noMemory =
  'there is no memory left for it: callbacks and webhooks take at most half of it, and a quarter for one world (--max-memory)'
/** Milliseconds before each further attempt. */
const usualRetries: readonly number[] = [1_000, 10_000, 60_000]

/** Follows the exchanges of an engine whose contract has webhooks: an exchange is in the journal when its effect is committed. */
export function sendWebhooks(engine: Engine, options: WebhookOptions): Deliveries {
  const { contract, journal, worlds, interceptors } = engine
  const { transmit, sign, onSent, memory, onUnexpectedError, keep: keeping, ...making } = options
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]))
  const byOperation = new Map<string, Webhook[]>()
  for (const webhook of contract.webhooks ?? [])
    for (const id of webhook.on) getOrInsert(byOperation, id, () => []).push(webhook)
  // Receivers identify a delivery by it, so it differs after a restart and between programs that share a store.
  const prefix = Math.random().toString(36).slice(2, 10)
  /** The request whose exchange is added next. */
  let ended: Ended | undefined
  // Requests of a world to one origin arrive in order.
  const queue = createDeliveryQueue<TimedWebhook>({
    placeOf: ({ request }) => new URL(request.url).origin,
    work: attempt,
    onError: onUnexpectedError,
  })
  /** Bytes of pending requests. */
  const taken = new Map<WebhookRequest, number>()
  // Counted separately, so that pending requests leave room for the connections that send them.
  const waiting: Reserved = { bytes: 0, ofWorlds: new Map() }
  const connected: Reserved = { bytes: 0, ofWorlds: new Map() }
  const schedule = createSchedule<TimedWebhook>(queue.add)
  let isClosed = false
  const kept = keeping?.start(engine, prefix, {
    add: (timed, holdMs) => keep(timed, (each) => schedule.add(each, holdMs), true),
    free,
    clear,
    check: schedule.check,
  })

  const { intercept } = interceptors
  interceptors.intercept = (request, operation, world, progress) => {
    if (byOperation.has(operation.id)) {
      kept?.makings.set(progress, { progress, make: (exchange, ended) => make(operation, exchange, world, ended) })
      progress.onEnd = (outcome) => {
        ended = { world, progress, outcome }
      }
    }
    return intercept(request, operation, world, progress)
  }

  const unsubscribe = journal.subscribe((exchange) => {
    const known = ended
    ended = undefined
    const operation = operations.get(exchange.operation ?? '')
    if (known && operation) follow(operation, exchange, known)
  })

  function follow(operation: Operation, exchange: Exchange, { world, progress, outcome }: Ended): void {
    // The world was removed while the request was in flight. A store refuses its changes.
    if (!kept && worlds.open(world.id) !== world) return
    const own = kept?.makings.get(progress)
    if (kept && own && !own.isCommitted) forgetMade(own, kept.known)
    const committed = own?.isCommitted ? own.made : undefined
    const made = committed ?? make(operation, kept?.withNumber(exchange) ?? exchange, world, outcome)
    const add = () => {
      for (const each of made) {
        // A fault may delay the answer, so the webhook waits as well.
        if (isPending(each)) keep(each, (timed) => schedule.add(timed, progress.delivery?.delayMs))
        else
          noteUnsent(each, { method: each.method, url: '', headers: [], body: undefined }, world.clock.now(), each.why)
      }
    }
    if (!kept || committed || !made.some(isPending)) add()
    else kept.put(world.id, made.filter(isPending), add).catch(onUnexpectedError)
  }

  function make(operation: Operation, exchange: Exchange, world: StoredWorld, outcome: WrittenOutcome): Made[] {
    const followers = exchange.cause ? [] : (byOperation.get(operation.id) ?? [])
    const due = followers.filter((webhook) => isMeant(webhook, exchange))
    if (due.length === 0) return []
    const { id, clock } = world
    const record = recordOf(operation, outcome)
    // Prevents an endless loop of callbacks.
    const isDelivery = headerOf(exchange.request.headers, deliveryHeader.toLowerCase()) !== undefined
    let count = 0
    return due.flatMap((webhook) => {
      const { name, method, delayMs = 0, retries = usualRetries } = webhook
      const shared = { world: id, name, operation: operation.id, ...(!kept && { exchange: exchange.id }) }
      return (isDelivery ? [ofDelivery] : makeAll(webhook)).map((made): Made => {
        if ('why' in made) return { ...shared, method, why: made.why }
        const headers = [...made.request.headers, deliveryHeader, `${prefix}-${exchange.id}-${++count}`]
        const request = { ...made.request, headers }
        return { ...shared, request, due: clock.now() + delayMs, attempt: 1, retries, clock }
      })
    })

    /** An error in one webhook does not affect the others. */
    function makeAll(webhook: Webhook): MadeRequest[] {
      try {
        return makeRequests({ contract, ...making, webhook, operation, exchange, world, record })
      } catch (error) {
        onUnexpectedError(error)
        return [{ why: `an unexpected failure inside the sandbox: ${(error as Error).message}` }]
      }
    }
  }

  async function attempt(scheduled: TimedWebhook, signal: AbortSignal): Promise<void> {
    const pending = kept ? await kept.claim(scheduled, signal) : scheduled
    if (!pending) return
    const { clock, attempt: number } = pending
    const at = clock.now()
    if (!transmit) {
      noteUnsent(pending, pending.request, at, 'this sandbox sends nothing: create it with the option "fetch"')
      end(pending, signal)
      return
    }
    const request = sign ? await sign(pending, deliveryOf(pending), Date.now()) : pending.request
    const startedAt = performance.now()
    const { isFinal, notes: own, ...answer } = await tryInMemory(transmit, { ...pending, request }, signal)
    // The world was replaced in the meantime.
    if (signal.aborted) return
    const ms = performance.now() - startedAt
    const wait = isFinal ? undefined : pending.retries[number - 1]
    const next = wait === undefined ? 'it is not sent again' : `it is sent again ${wait} ms later`
    add(pending, { at, request, answer, notes: isFinal ? own : [...own, next] }, number, ms)
    if (wait === undefined) {
      end(pending, signal)
      return
    }
    // The time that passed in the world during the attempt: none if its clock is frozen.
    const passed = Math.min(Math.max(clock.now() - at, 0), ms)
    const again = { ...pending, due: pending.due + passed + wait, attempt: number + 1, claim: undefined }
    if (kept) {
      const isLeft = await kept.settle(pending, again, signal)
      // The world was replaced in the meantime.
      if (signal.aborted) return
      if (!isLeft) {
        free(pending)
        return
      }
    }
    if (again.due > clock.now()) schedule.add(again)
    else queue.addByTime(again)
  }

  /** The next one to the same origin does not wait for the store, so that one commit has the ends of several. */
  function end(pending: TimedWebhook, signal: AbortSignal): void {
    if (kept) kept.settle(pending, undefined, signal).then(() => free(pending), onUnexpectedError)
    else free(pending)
  }

  async function tryInMemory(
    transmit: Transmit,
    { world, request }: TimedWebhook,
    signal: AbortSignal,
  ): Promise<Attempted> {
    if (!memory) return tryOnce(transmit, request, signal)
    if (!reserve(connected, world, connectionBytes))
      return { status: 0, headers: {}, body: undefined, notes: [`not sent: ${noMemory}`], isFinal: false }
    return tryOnce(transmit, request, signal).finally(() => release(connected, world, connectionBytes))
  }

  /** Limits the memory of each world, and of all worlds together. @returns whether there is room */
  function reserve(reserved: Reserved, id: WorldId, bytes: number): boolean {
    if (!memory) return true
    const { maxBytes } = memory
    const ofWorld = (reserved.ofWorlds.get(id) ?? 0) + bytes
    if (ofWorld > maxBytes / 8 || reserved.bytes + bytes > maxBytes / 4 || !memory.take(bytes)) return false
    reserved.bytes += bytes
    reserved.ofWorlds.set(id, ofWorld)
    return true
  }

  function release(reserved: Reserved, id: WorldId, bytes: number): void {
    memory?.free(bytes)
    reserved.bytes -= bytes
    const left = (reserved.ofWorlds.get(id) ?? 0) - bytes
    if (left > 0) reserved.ofWorlds.set(id, left)
    else reserved.ofWorlds.delete(id)
  }

  /**
   * Counts the memory of a pending request until `free`.
   * @param isRead whether it is in a store, where it stays until there is memory for it. @default it is not sent without memory
   */
  function keep(timed: TimedWebhook, add: (timed: TimedWebhook) => void, isRead = false): void {
    if (isRead && kept?.known.has(deliveryOf(timed))) return
    const { request } = timed
    const bytes = ownBytes + bytesOf(request.url) + bytesOf(request.headers) + 2 * (request.body?.length ?? 0)
    if (!reserve(waiting, timed.world, bytes)) {
      if (isRead) {
        void kept?.pause().then(() => !isClosed && keep(timed, add, true))
        return
      }
      noteUnsent(timed, request, timed.clock.now(), noMemory)
      kept?.settle(timed).catch(onUnexpectedError)
    } else {
      if (memory) taken.set(request, bytes)
      kept?.known.add(deliveryOf(timed))
      add(timed)
    }
  }

  function free(pending: PendingWebhook): void {
    const { world, request } = pending
    release(waiting, world, taken.get(request) ?? 0)
    taken.delete(request)
    kept?.known.delete(deliveryOf(pending))
  }

  function noteUnsent(sent: WebhookOfOperation, request: WebhookRequest, at: number, why: string): void {
    const answer = { status: 0, headers: {}, body: undefined }
    add(sent, { at, request, answer, notes: [`not sent: ${why}`] }, 0, 0)
  }

  /** @param ms until the answer */
  function add(
    { world, name, operation, exchange: caused }: WebhookOfOperation,
    exchange: Omit<SentExchange, 'world' | 'sent'>,
    attempt: number,
    ms: number,
  ): void {
    const entry = toSentEntry({
      ...exchange,
      world,
      sent: { name, operation, attempt, ...(caused !== undefined && { exchange: caused }) },
    })
    journal.add(entry)
    onSent?.({ entry, ms })
  }

  /** @param use gets undefined if the world cannot be opened */
  function withWorld(id: WorldId, use: (world: StoredWorld | undefined) => void): void {
    const opened = worlds.open(id)
    const toWorld = (world: StoredWorld | Refusal) => (world instanceof Refusal ? undefined : world)
    if (opened instanceof Promise)
      void opened
        .then(toWorld)
        .catch(onUnexpectedError)
        .then((world) => use(world ?? undefined))
    else use(toWorld(opened))
  }

  function clear(id?: WorldId): void {
    for (const each of schedule.remove(id)) free(each)
  }

  const deliveries: Deliveries = {
    pending: (id) => schedule.list(id),
    check(id) {
      if (!kept || id === undefined) schedule.check(id)
      else withWorld(id, () => schedule.check(id))
    },
    cancel(id) {
      clear(id)
      for (const { item } of queue.stop(id)) free(item)
      if (!kept) return
      // Requests that came after the replacement.
      for (const each of id === undefined ? worlds.ids() : [id])
        withWorld(each, (world) => world && kept.restart(world))
    },
    close() {
      isClosed = true
      kept?.close()
      unsubscribe()
      const begun = queue.stop().map(({ item, isBegun }) => ({ ...item, ...(isBegun && { isBegun }) }))
      return [...begun, ...schedule.remove()].map(({ clock: _, exchange: __, ...pending }) => {
        free(pending)
        return pending
      })
    },
    add(pending) {
      for (const each of pending) {
        withWorld(each.world, (world) => {
          if (!kept) resume(each, world?.clock ?? engine.clock)
        })
      }
    },
  }
  interceptors.deliveries = deliveries
  return deliveries

  function resume({ isBegun, ...pending }: PendingWebhook, clock: Clock): void {
    if (!isBegun) {
      keep({ ...pending, clock }, schedule.add)
      return
    }
    const answer = { status: 0, headers: {}, body: undefined }
    const notes = ['no answer: the document was read again', 'it is sent again at once']
    add(pending, { at: clock.now(), request: pending.request, answer, notes }, pending.attempt, 0)
    keep({ ...pending, attempt: pending.attempt + 1, clock }, schedule.add)
  }
}

/** The record that an operation created, changed or removed, with what the answer shows of it. */
function recordOf({ effect }: Operation, outcome: WrittenOutcome): Values | undefined {
  if (!('collection' in effect) || outcome instanceof Refusal) return undefined
  const { changes = [], content } = outcome
  const change = changes.findLast((each) => each.kind === 'record' && each.collection === effect.collection)
  const { before, after } = change?.kind === 'record' ? change : {}
  if (effect.kind === 'remove') return before ?? after
  if (!content?.record) return after
  const shown = valueAt(content.value?.(), effect.envelope?.pointer ?? [])
  return isObject(shown) ? { ...(effect.kind !== 'create' && (after ?? content.record)), ...shown } : after
}

function isMeant({ statuses }: Webhook, { response, refused }: Exchange): boolean {
  const status = String(response.status)
  if (!statuses) return refused === undefined && /^[23]/.test(status)
  return statuses.some((each) => each === status || each === `${status.slice(0, 1)}XX`)
}
