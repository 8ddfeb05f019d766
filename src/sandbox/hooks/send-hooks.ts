/** Sends the callbacks and webhooks of a sandbox. Separate from the engine, so that bundles can drop it. */
import type { Operation } from '../../contract/contract.js'
import type { Hook } from '../../contract/hook.js'
import { getOrInsert } from '../../state/get-or-insert.js'
import type { Exchange, SentHook } from '../../state/journal.js'
import type { Values } from '../../state/stored-record.js'
import type { StoredWorld } from '../../state/stored-world.js'
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
import type { HookAnswer, HookRequest, Transmit } from './transmit.js'
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
    const due = isForced(exchange) ? [] : followers.filter((hook) => isMeant(hook, exchange))
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
    let count = 0
    for (const hook of due) {
      const { name, method, delayMs = 0, retries = usualRetries } = hook
      for (const made of makeRequests({ contract, ...making, hook, operation, exchange, world, record })) {
        const shared = { key: world.key, name, operation: operation.id }
        if ('why' in made) noteUnsent(shared, { method, url: '', headers: [], body: undefined }, now, made.why)
        else {
          const headers = [...made.request.headers, 'Sandbox-Delivery', `${exchange.id}-${++count}`]
          const request = { ...made.request, headers }
          schedule.add({ ...shared, request, due: now + delayMs, attempt: 1, retries }, world.clock)
        }
      }
    }
  }

  async function attempt(pending: PendingHook, signal: AbortSignal): Promise<void> {
    const { key, name, operation, request, attempt: number } = pending
    if (!transmit) {
      const way = 'give "fetch" to what created it'
      return noteUnsent(pending, request, undefined, `this sandbox sends nothing: ${way}`)
    }
    const world = await openWorld(key)
    const startedAt = performance.now()
    const at = world?.clock.now() ?? engine.clock.now()
    const result = await tryOnce(transmit, request, signal)
    // The world is another one by now.
    if (signal.aborted || !world) return
    const ms = performance.now() - startedAt
    const wait = result.isFinal ? undefined : pending.retries[number - 1]
    const again =
      wait === undefined ? (result.isFinal ? [] : ['it is not sent again']) : [`it is sent again ${wait} ms later`]
    const notes = [...result.notes, ...again]
    const { url } = request
    const answer = { status: result.status, headers: result.headers, body: result.body }
    add({ key, at, request, answer, notes, sent: { name, operation, url, attempt: number } })
    onSent?.({ name, method: request.method, url, status: result.status, ms, notes })
    if (wait === undefined) return
    // The time of the world that passed by itself: none if its clock stands still.
    const passed = Math.min(Math.max(world.clock.now() - at, 0), ms)
    schedule.add({ ...pending, due: pending.due + passed + wait, attempt: number + 1 }, world.clock)
  }

  function noteUnsent(
    { key, name, operation }: Pick<PendingHook, 'key' | 'name' | 'operation'>,
    request: HookRequest,
    at: number | undefined,
    why: string,
  ): void {
    const answer = { status: 0, headers: {}, body: undefined }
    const notes = [`not sent: ${why}`]
    const { url, method } = request
    add({ key, at: at ?? engine.clock.now(), request, answer, notes, sent: { name, operation, url, attempt: 0 } })
    onSent?.({ name, method, url, status: 0, ms: 0, notes })
  }

  function add({ key, at, request, answer, notes, sent }: SentExchange): void {
    const url = URL.canParse(request.url) ? new URL(request.url) : undefined
    const { body } = request
    journal.add({
      id: 0,
      at,
      key,
      server: undefined,
      operation: undefined,
      method: request.method,
      path: url?.pathname ?? '',
      query: url?.search.slice(1) ?? '',
      requestHeaders: request.headers,
      requestBody: typeof body === 'string' || body === undefined ? body : `${body.length} bytes`,
      status: answer.status,
      headers: answer.headers,
      body: answer.body,
      refused: undefined,
      violations: undefined,
      notes,
      sent,
    })
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

interface SentExchange {
  key: string
  at: number
  request: HookRequest
  answer: HookAnswer
  notes: readonly string[]
  sent: SentHook
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
