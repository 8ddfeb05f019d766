/** The step that follows exchanges with the callbacks and webhooks of the contract. */
import type { Operation, RequestContract } from '../../contract/contract.js'
import type { Webhook } from '../../contract/webhook.js'
import { valueAt } from '../../json/nested.js'
import { getOrInsert, isObject } from '../../json/own-value.js'
import type { Clock } from '../../state/clock.js'
import { type Entry, type Exchange, toExchange } from '../../state/journal.js'
import type { Values } from '../../state/stored-record.js'
import type { StoredWorld } from '../../state/stored-world.js'
import type { WorldId } from '../../state/world-id.js'
import { Refusal, type WrittenOutcome } from '../outcome.js'
import { headerOf } from './evaluate.js'
import { type MadeRequest, makeRequests } from './make-requests.js'
import { type Deliveries, isPending, type Made, type PendingWebhook, type WebhookEngine } from './schedule.js'
import {
  clearWaiting,
  createSender,
  free,
  noteAttempt,
  noteUnsent,
  type Sender,
  type SenderOptions,
  send,
} from './sender.js'
import { createSign } from './sign.js'

export interface Webhooks {
  /** @returns undefined if nothing follows the operation */
  begin(operation: Operation, world: StoredWorld): Followed | undefined
  /**
   * Makes what follows a request within the commit of its effect, which may be tried more than once. Absent without a store.
   * @param entry the exchange as it will be in the journal
   */
  make?(followed: Followed, entry: Entry, outcome: WrittenOutcome): void
  /** Sends what follows an exchange. @param delayMs milliseconds until its answer arrives */
  follow(followed: Followed, entry: Entry, delayMs: number | undefined, outcome: WrittenOutcome): void
  deliveries: Deliveries
}

/** A request that callbacks or webhooks may follow. */
export interface Followed {
  operation: Operation
  world: StoredWorld
  /** What was made in the commit of its effect. */
  made?: readonly Made[]
  /** Whether that commit has succeeded. */
  isCommitted?: boolean
}

export type CreateWebhooks = (engine: WebhookEngine) => Webhooks

export interface WebhookOptions extends Omit<SenderOptions, 'sign' | 'prefix'> {
  /** The URL for webhooks that have none, and the base of relative URLs. */
  webhookUrl?: string | undefined
  /** The secret that signs what is sent. @default nothing is signed */
  webhookSecret?: string | undefined
}

/** The header that marks a request as sent by a sandbox. */
const deliveryHeader = 'Sandbox-Delivery'
/** Result for a callback or webhook that would follow another one. */
const ofDelivery: MadeRequest = { why: 'the request before it is a callback or webhook itself' }
/** Milliseconds before each further attempt. */
const usualRetries: readonly number[] = [1_000, 10_000, 60_000]

/** @returns undefined if the contract has none @throws SandboxError `INVALID_OPTION` for an invalid secret */
export function webhooksOf(
  contract: RequestContract,
  { webhookUrl, webhookSecret, ...sending }: WebhookOptions,
): CreateWebhooks | undefined {
  const sign = webhookSecret === undefined ? undefined : createSign(webhookSecret, contract)
  if (!contract.webhooks) return undefined
  return (engine) => createWebhooks(engine, { ...sending, sign }, webhookUrl)
}

function createWebhooks(
  engine: WebhookEngine,
  options: Omit<SenderOptions, 'prefix'>,
  webhookUrl: string | undefined,
): Webhooks {
  const { contract, worlds, onUnexpectedError } = engine
  const byOperation = new Map<string, Webhook[]>()
  for (const webhook of contract.webhooks ?? [])
    for (const id of webhook.on) getOrInsert(byOperation, id, () => []).push(webhook)
  // Receivers identify a delivery by it, so it differs after a restart and between programs that share a store.
  const prefix = Math.random().toString(36).slice(2, 10)
  const sender = createSender(engine, { ...options, prefix })
  const { kept } = sender
  const toMade = ({ operation, world }: Followed, exchange: Exchange, outcome: WrittenOutcome): Made[] =>
    makeAll({ engine, sender, webhookUrl, prefix, webhooks: byOperation.get(operation.id) ?? [] }, exchange, {
      operation,
      world,
      outcome,
    })

  return {
    begin: (operation, world) => (byOperation.has(operation.id) ? { operation, world } : undefined),
    ...(kept && {
      make(followed, entry, outcome) {
        kept.forget(followed.made)
        followed.made = toMade(followed, kept.withNumber(toExchange(entry)), outcome)
        kept.putMade(followed.world, followed.made.filter(isPending))
      },
    }),
    follow(followed, entry, delayMs, outcome) {
      const { world, made, isCommitted } = followed
      try {
        // The world was removed while the request was in flight. A store refuses its changes.
        if (!kept && worlds.open(world.id) !== world) return
        if (!isCommitted) kept?.forget(made)
        const exchange = toExchange(entry)
        const all = (isCommitted && made) || toMade(followed, kept?.withNumber(exchange) ?? exchange, outcome)
        const add = () => sendAll(sender, all, world, delayMs)
        if (!kept || isCommitted || !all.some(isPending)) add()
        else kept.put(world.id, all.filter(isPending), add).catch(onUnexpectedError)
      } catch (error) {
        onUnexpectedError(error)
      }
    },
    deliveries: createDeliveries(sender),
  }
}

function sendAll(sender: Sender, made: readonly Made[], world: StoredWorld, delayMs: number | undefined): void {
  for (const each of made) {
    // A fault may delay the answer, so the webhook waits as well.
    if (isPending(each)) send(sender, each, delayMs)
    else {
      const request = { method: each.method, url: '', headers: [], body: undefined }
      noteUnsent(sender, each, request, world.clock.now(), each.why)
    }
  }
}

interface Making {
  engine: WebhookEngine
  sender: Sender
  webhookUrl: string | undefined
  prefix: string
  /** Those of the operation. */
  webhooks: readonly Webhook[]
}

/** Makes the requests that follow an exchange. */
function makeAll(
  { engine, sender, webhookUrl, prefix, webhooks }: Making,
  exchange: Exchange,
  { operation, world, outcome }: { operation: Operation; world: StoredWorld; outcome: WrittenOutcome },
): Made[] {
  const due =
    exchange.cause && exchange.cause.kind !== 'override' ? [] : webhooks.filter((webhook) => isMeant(webhook, exchange))
  if (due.length === 0) return []
  const { contract, onUnexpectedError } = engine
  const { id, clock } = world
  const record = recordOf(operation, outcome)
  // Prevents an endless loop of callbacks.
  const isDelivery = headerOf(exchange.request.headers, deliveryHeader.toLowerCase()) !== undefined
  let count = 0
  return due.flatMap((webhook) => {
    const { name, method, delayMs = 0, retries = usualRetries } = webhook
    const shared = { world: id, name, operation: operation.id, ...(!sender.kept && { exchange: exchange.id }) }
    return (isDelivery ? [ofDelivery] : tryRequests(webhook)).map((made): Made => {
      if ('why' in made) return { ...shared, method, why: made.why }
      const headers = [...made.request.headers, deliveryHeader, `${prefix}-${exchange.id}-${++count}`]
      const request = { ...made.request, headers }
      return { ...shared, request, due: clock.now() + delayMs, attempt: 1, retries, clock }
    })
  })

  /** An error in one webhook does not affect the others. */
  function tryRequests(webhook: Webhook): MadeRequest[] {
    try {
      return makeRequests({ contract, webhookUrl, webhook, operation, exchange, world, record })
    } catch (error) {
      onUnexpectedError(error)
      return [{ why: `an unexpected failure inside the sandbox: ${(error as Error).message}` }]
    }
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

export function createDeliveries(sender: Sender): Deliveries {
  const { schedule, queue, kept, engine } = sender
  return {
    pending: (id) => schedule.list(id),
    check(id) {
      if (!kept || id === undefined) schedule.check(id)
      else withWorld(sender, id, () => schedule.check(id))
    },
    cancel(id) {
      clearWaiting(sender, id)
      for (const { item } of queue.stop(id)) free(sender, item)
      if (!kept) return
      // Requests that came after the replacement.
      for (const each of id === undefined ? engine.worlds.ids() : [id])
        withWorld(sender, each, (world) => world && kept.restart(world))
    },
    close() {
      sender.isClosed = true
      kept?.close()
      const begun = queue.stop().map(({ item, isBegun }) => ({ ...item, ...(isBegun && { isBegun }) }))
      return [...begun, ...schedule.remove()].map(({ clock: _, exchange: __, ...pending }) => {
        free(sender, pending)
        return pending
      })
    },
    add(pending) {
      // A world of a store schedules what it keeps when it is opened.
      for (const each of pending)
        withWorld(sender, each.world, (world) => {
          if (!kept) resume(sender, each, world?.clock ?? engine.clock)
        })
    },
  }
}

function resume(sender: Sender, { isBegun, ...pending }: PendingWebhook, clock: Clock): void {
  if (!isBegun) {
    send(sender, { ...pending, clock })
    return
  }
  const answer = { status: 0, headers: {}, body: undefined }
  const notes = ['no answer: the document was read again', 'it is sent again at once']
  noteAttempt(sender, pending, { at: clock.now(), request: pending.request, answer, notes }, pending.attempt, 0)
  send(sender, { ...pending, attempt: pending.attempt + 1, clock })
}

/** @param use gets undefined if the world cannot be opened */
function withWorld({ engine }: Sender, id: WorldId, use: (world: StoredWorld | undefined) => void): void {
  const { worlds, onUnexpectedError } = engine
  const opened = worlds.open(id)
  const toWorld = (world: StoredWorld | Refusal) => (world instanceof Refusal ? undefined : world)
  if (opened instanceof Promise)
    void opened
      .then(toWorld)
      .catch(onUnexpectedError)
      .then((world) => use(world ?? undefined))
  else use(toWorld(opened))
}
