/** Sends pending requests when they are due, again if they fail, and writes each attempt into the journal. */
import type { Entry } from '../../state/journal.js'
import type { WebhookRequest } from '../../state/kept-webhooks.js'
import type { MemoryBudget } from '../../state/memory-budget.js'
import {
  createDeliveryMemory,
  createDeliveryQueue,
  type DeliveryMemory,
  type DeliveryQueue,
  noMemory,
} from './delivery-queue.js'
import type { KeepWebhooks, KeptWebhooks } from './kept-webhooks.js'
import {
  createSchedule,
  deliveryOf,
  type PendingWebhook,
  type Schedule,
  type TimedWebhook,
  type WebhookEngine,
} from './schedule.js'
import type { Sign } from './sign.js'
import { type Attempted, type SentExchange, type Transmit, toSentEntry, tryOnce } from './transmit.js'

export interface SenderOptions {
  /** Identifies this program. */
  prefix: string
  /** Undefined: nothing is sent, and the journal says so. */
  transmit: Transmit | undefined
  /** Signs each attempt. @default nothing is signed */
  sign?: Sign | undefined
  /** The memory for pending requests. @default not counted */
  memory?: MemoryBudget | undefined
  /** Called after each attempt. */
  onSent?: ((attempt: SentAttempt) => void) | undefined
  /** Keeps pending requests in a store. @default in memory */
  keep?: KeepWebhooks | undefined
}

/** An attempt, for logs. */
export interface SentAttempt {
  entry: Entry
  /** Milliseconds until the answer. */
  ms: number
}

/** The state of sending. */
export interface Sender extends Pick<SenderOptions, 'transmit' | 'sign' | 'onSent'> {
  engine: WebhookEngine
  memory: DeliveryMemory
  schedule: Schedule<TimedWebhook>
  /** Requests of a world to one origin arrive in order. */
  queue: DeliveryQueue<TimedWebhook>
  kept: KeptWebhooks | undefined
  isClosed: boolean
}

export function createSender(
  engine: WebhookEngine,
  { prefix, transmit, sign, memory, onSent, keep }: SenderOptions,
): Sender {
  const queue = createDeliveryQueue<TimedWebhook>({
    placeOf: ({ request }) => new URL(request.url).origin,
    work: (item, signal) => attempt(sender, item, signal),
    onError: engine.onUnexpectedError,
  })
  const schedule = createSchedule<TimedWebhook>(queue.add)
  const sender: Sender = {
    ...{ engine, transmit, sign, onSent, queue, schedule, isClosed: false, kept: undefined },
    memory: createDeliveryMemory(memory),
  }
  sender.kept = keep?.(engine, prefix, {
    add: (timed, holdMs) => sendKept(sender, timed, holdMs),
    free: (timed) => free(sender, timed),
    clear: (id) => clearWaiting(sender, id),
    check: schedule.check,
  })
  return sender
}

/** Sends a request when it is due, if there is memory for it. @param holdMs minimum delay in milliseconds of real time */
export function send(sender: Sender, timed: TimedWebhook, holdMs?: number): void {
  const { memory, kept, schedule, engine } = sender
  if (memory.hold(timed)) {
    kept?.known.add(deliveryOf(timed))
    schedule.add(timed, holdMs)
    return
  }
  noteUnsent(sender, timed, timed.request, timed.clock.now(), noMemory)
  kept?.settle(timed).catch(engine.onUnexpectedError)
}

/** Sends a request of a store, where it stays until there is memory for it. */
function sendKept(sender: Sender, timed: TimedWebhook, holdMs: number): void {
  const { memory, kept, schedule } = sender
  if (kept?.known.has(deliveryOf(timed))) return
  if (memory.hold(timed)) {
    kept?.known.add(deliveryOf(timed))
    schedule.add(timed, holdMs)
  } else void kept?.pause().then(() => !sender.isClosed && sendKept(sender, timed, holdMs))
}

export function free({ memory, kept }: Sender, pending: PendingWebhook): void {
  memory.free(pending)
  kept?.known.delete(deliveryOf(pending))
}

/** Forgets the requests of a world that wait. @default of all worlds */
export function clearWaiting(sender: Sender, id?: PendingWebhook['world']): void {
  for (const each of sender.schedule.remove(id)) free(sender, each)
}

async function attempt(sender: Sender, scheduled: TimedWebhook, signal: AbortSignal): Promise<void> {
  const { kept, transmit, sign } = sender
  const pending = kept ? await kept.claim(scheduled, signal) : scheduled
  if (!pending) return
  const { clock, attempt: number } = pending
  const at = clock.now()
  if (!transmit) {
    const why = 'this sandbox sends nothing: create it with the option "fetch"'
    noteUnsent(sender, pending, pending.request, at, why)
    end(sender, pending, signal)
    return
  }
  const request = sign ? await sign(pending, deliveryOf(pending), Date.now()) : pending.request
  const startedAt = performance.now()
  const { isFinal, notes, ...answer } = await tryInMemory(sender.memory, transmit, { ...pending, request }, signal)
  // The world was replaced in the meantime.
  if (signal.aborted) return
  const ms = performance.now() - startedAt
  const wait = isFinal ? undefined : pending.retries[number - 1]
  const next = wait === undefined ? 'it is not sent again' : `it is sent again ${wait} ms later`
  noteAttempt(sender, pending, { at, request, answer, notes: isFinal ? notes : [...notes, next] }, number, ms)
  if (wait === undefined) {
    end(sender, pending, signal)
    return
  }
  // The time that passed in the world during the attempt: none if its clock is frozen.
  const passed = Math.min(Math.max(clock.now() - at, 0), ms)
  const again = { ...pending, due: pending.due + passed + wait, attempt: number + 1, claim: undefined }
  await sendAgain(sender, pending, again, signal)
}

async function sendAgain(
  sender: Sender,
  pending: TimedWebhook,
  again: TimedWebhook,
  signal: AbortSignal,
): Promise<void> {
  const { kept, schedule, queue } = sender
  if (kept) {
    const isLeft = await kept.settle(pending, again, signal)
    // The world was replaced in the meantime.
    if (signal.aborted) return
    if (!isLeft) {
      free(sender, pending)
      return
    }
  }
  if (again.due > again.clock.now()) schedule.add(again)
  else queue.addByTime(again)
}

/** The next one to the same origin does not wait for the store, so that one commit has the ends of several. */
function end(sender: Sender, pending: TimedWebhook, signal: AbortSignal): void {
  const { kept, engine } = sender
  if (kept) kept.settle(pending, undefined, signal).then(() => free(sender, pending), engine.onUnexpectedError)
  else free(sender, pending)
}

async function tryInMemory(
  memory: DeliveryMemory,
  transmit: Transmit,
  { world, request }: TimedWebhook,
  signal: AbortSignal,
): Promise<Attempted> {
  if (!memory.connect(world))
    return { status: 0, headers: {}, body: undefined, notes: [`not sent: ${noMemory}`], isFinal: false }
  return tryOnce(transmit, request, signal).finally(() => memory.disconnect(world))
}

/** Identifies a delivery. */
type WebhookOfOperation = Pick<PendingWebhook, 'world' | 'name' | 'operation' | 'exchange'>

export function noteUnsent(
  sender: Sender,
  sent: WebhookOfOperation,
  request: WebhookRequest,
  at: number,
  why: string,
): void {
  const answer = { status: 0, headers: {}, body: undefined }
  noteAttempt(sender, sent, { at, request, answer, notes: [`not sent: ${why}`] }, 0, 0)
}

/** Adds an attempt to the journal. @param ms until the answer */
export function noteAttempt(
  { engine, onSent }: Sender,
  { world, name, operation, exchange: caused }: WebhookOfOperation,
  exchange: Omit<SentExchange, 'world' | 'sent'>,
  attempt: number,
  ms: number,
): void {
  const sent = { name, operation, attempt, ...(caused !== undefined && { exchange: caused }) }
  const entry = toSentEntry({ ...exchange, world, sent })
  engine.journal.add(entry)
  onSent?.({ entry, ms })
}
