/** Sends the callbacks and webhooks of a sandbox. Separate from the engine, so that bundles can drop it. */
import type { Operation } from '../../contract/contract.js'
import type { Hook } from '../../contract/hook.js'
import { getOrInsert } from '../../state/get-or-insert.js'
import type { Exchange } from '../../state/journal.js'
import type { Values } from '../../state/stored-record.js'
import type { StoredWorld } from '../../state/stored-world.js'
import { isRepetition } from '../care/answer-once.js'
import type { Engine } from '../create-engine.js'
import type { Filler } from '../fill.js'
import { isForcedByFault } from '../inject-faults.js'
import { Refusal } from '../outcome.js'
import type { Deliveries } from './deliveries.js'
import { headerOf } from './evaluate.js'
import { findByPath, findRecord } from './find-record.js'
import { createLanes } from './lanes.js'
import { makeRequests } from './make-requests.js'
import type { PendingHook } from './pending-hook.js'
import { createSchedule } from './schedule.js'
import { type SentExchange, toSentEntry } from './sent-entry.js'
import type { HookRequest, Transmit } from './transmit.js'
import { tryOnce } from './try-once.js'

export interface HookOptions {
  filler: Filler
  /** Absent: nothing leaves the sandbox, and the journal says so. */
  transmit: Transmit | undefined
  /** The URL for webhooks that have none, and the base of relative ones. */
  webhookUrl: string | undefined
  /** Called after each attempt. */
  onSent?: ((attempt: SentAttempt) => void) | undefined
  onUnexpectedError: (error: unknown) => void
}

/** An attempt, for logs. */
export interface SentAttempt {
  name: string
  method: string
  url: string
  /** 0 without an answer. */
  status: number
  /** Milliseconds until the answer. */
  ms: number
  notes: readonly string[]
}

/** What names a delivery. */
type HookOfOperation = Pick<PendingHook, 'key' | 'name' | 'operation'>

/** The header that a request has because a sandbox sends it. */
const deliveryHeader = 'Sandbox-Delivery'
/** Milliseconds before each further attempt. */
const usualRetries: readonly number[] = [1_000, 10_000, 60_000]

/** Follows the exchanges of an engine whose contract has hooks: an exchange is in the journal when its effect is committed. */
export function sendHooks(engine: Engine, options: HookOptions): Deliveries {
  const { contract, journal, worlds, hooks } = engine
  const { transmit, onSent, onUnexpectedError, ...making } = options
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]))
  const byOperation = new Map<string, Hook[]>()
  for (const hook of contract.hooks ?? []) for (const id of hook.on) getOrInsert(byOperation, id, () => []).push(hook)
  /** Records before they were removed, by the request that removes them. */
  const removed = new Map<string, Values>()
  // Requests of a world to one origin arrive in order.
  const lanes = createLanes<PendingHook>({
    placeOf: ({ request }) => new URL(request.url).origin,
    work: attempt,
    onError: onUnexpectedError,
  })
  const schedule = createSchedule<PendingHook>(lanes.add)

  const { intercept } = hooks
  hooks.intercept = (request, operation, world, progress) => {
    const outcome = intercept?.(request, operation, world, progress)
    if (!outcome && operation.effect.kind === 'remove' && byOperation.has(operation.id)) {
      const record = findByPath(operation, { request, server: request.server }, world)
      if (record) removed.set(removalOf(world.key, request), record)
    }
    return outcome
  }

  const unsubscribe = journal.subscribe((exchange) => {
    const operation = operations.get(exchange.operation ?? '')
    const followers = byOperation.get(operation?.id ?? '')
    if (!operation || !followers || exchange.sent || exchange.key === undefined) return
    const before = removed.get(removalOf(exchange.key, exchange.request))
    removed.delete(removalOf(exchange.key, exchange.request))
    const isWithoutEffect = isForced(exchange) || exchange.notes.some(isRepetition)
    const due = isWithoutEffect ? [] : followers.filter((hook) => isMeant(hook, exchange))
    if (due.length > 0) withWorld(exchange.key, (world) => follow(due, { operation, exchange, world, before }))
  })

  interface Followed {
    operation: Operation
    exchange: Exchange
    world: StoredWorld
    before: Values | undefined
  }

  function follow(due: readonly Hook[], { operation, exchange, world, before }: Followed): void {
    const record = before ?? findRecord(operation, exchange, world)
    const now = world.clock.now()
    // A callback to an operation that has it again would have no end.
    const isDelivery = headerOf(exchange.request.headers, deliveryHeader.toLowerCase()) !== undefined
    let count = 0
    for (const hook of due) {
      const { name, method, delayMs = 0, retries = usualRetries } = hook
      const all = isDelivery
        ? [{ why: 'the request before it is a callback or webhook itself' }]
        : makeRequests({ contract, ...making, hook, operation, exchange, world, record })
      for (const made of all) {
        const shared = { key: world.key, name, operation: operation.id }
        if ('why' in made) noteUnsent(shared, { method, url: '', headers: [], body: undefined }, now, made.why)
        else {
          const headers = [...made.request.headers, deliveryHeader, `${exchange.id}-${++count}`]
          const request = { ...made.request, headers }
          schedule.add({ ...shared, request, due: now + delayMs, attempt: 1, retries }, world.clock)
        }
      }
    }
  }

  async function attempt(pending: PendingHook, signal: AbortSignal): Promise<void> {
    const { key, request, attempt: number } = pending
    const world = await openWorld(key)
    if (!world) return
    const at = world.clock.now()
    if (!transmit) {
      noteUnsent(pending, request, at, 'this sandbox sends nothing: give "fetch" to what created it')
      return
    }
    const startedAt = performance.now()
    const { isFinal, notes: own, ...answer } = await tryOnce(transmit, request, signal)
    // The world is another one by now.
    if (signal.aborted) return
    const ms = performance.now() - startedAt
    const wait = isFinal ? undefined : pending.retries[number - 1]
    const next = wait === undefined ? 'it is not sent again' : `it is sent again ${wait} ms later`
    add(pending, { at, request, answer, notes: isFinal ? own : [...own, next] }, number, ms)
    if (wait === undefined) return
    // The time of the world that passed by itself: none if its clock stands still.
    const passed = Math.min(Math.max(world.clock.now() - at, 0), ms)
    schedule.add({ ...pending, due: pending.due + passed + wait, attempt: number + 1 }, world.clock)
  }

  function noteUnsent(sent: HookOfOperation, request: HookRequest, at: number, why: string): void {
    const answer = { status: 0, headers: {}, body: undefined }
    add(sent, { at, request, answer, notes: [`not sent: ${why}`] }, 0, 0)
  }

  /** @param ms until the answer */
  function add(
    { key, name, operation }: HookOfOperation,
    exchange: Omit<SentExchange, 'key' | 'sent'>,
    attempt: number,
    ms: number,
  ): void {
    const entry = toSentEntry({ ...exchange, key, sent: { name, operation, attempt } })
    const { method, status, notes, sent } = entry
    journal.add(entry)
    onSent?.({ name, method, url: sent?.url ?? '', status, ms, notes })
  }

  async function openWorld(key: string): Promise<StoredWorld | undefined> {
    const opened = await worlds.open(key)
    return opened instanceof Refusal ? undefined : opened
  }

  function withWorld(key: string, use: (world: StoredWorld) => void): void {
    const opened = worlds.open(key)
    if (opened instanceof Promise) {
      opened.then((world) => world instanceof Refusal || use(world)).catch(onUnexpectedError)
    } else if (!(opened instanceof Refusal)) use(opened)
  }

  const deliveries: Deliveries = {
    check: schedule.check,
    cancel(key) {
      schedule.remove(key)
      lanes.stop(key)
    },
    close() {
      unsubscribe()
      const waiting = lanes.stop()
      return [...waiting, ...schedule.remove()]
    },
    add(pending) {
      for (const each of pending) withWorld(each.key, ({ clock }) => schedule.add(each, clock))
    },
  }
  hooks.deliveries = deliveries
  return deliveries
}

function removalOf(key: string, { method, path }: { method: string; path: string }): string {
  return `${key} ${method} ${path}`
}

/** Whether the answer was chosen, so that nothing happened. */
function isForced({ response, notes }: Exchange): boolean {
  const preferences = headerOf(Object.entries(response.headers).flat(), 'preference-applied') ?? ''
  return /(^|[\s,])code=/.test(preferences) || notes.some(isForcedByFault)
}

function isMeant({ statuses }: Hook, { response, refused }: Exchange): boolean {
  const status = String(response.status)
  if (!statuses) return refused === undefined && /^[23]/.test(status)
  return statuses.some((each) => each === status || each === `${status.slice(0, 1)}XX`)
}
