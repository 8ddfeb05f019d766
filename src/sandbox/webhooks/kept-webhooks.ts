/**
 * Keeps pending callbacks and webhooks in the worlds of a store: a restart does not lose them. Of several programs that share a
 * store, the one that has committed a claim sends a webhook.
 */
import type { Store } from '../../state/commits/store.js'
import type { Exchange } from '../../state/journal.js'
import type { Claim, KeptWebhook } from '../../state/kept-webhooks.js'
import type { StoredWorld } from '../../state/stored-world.js'
import { putWebhook } from '../../state/world-content.js'
import type { WorldId } from '../../state/world-id.js'
import { Refusal } from '../outcome.js'
import type { Worlds } from '../worlds.js'
import { deliveryOf, isPending, type Made, type TimedWebhook, type WebhookEngine } from './schedule.js'
import { type Timer, timeoutMs } from './transmit.js'

/** @param self identifies this program */
export type KeepWebhooks = (engine: WebhookEngine, self: string, scheduling: Scheduling) => KeptWebhooks

/** How this program sends webhooks. */
export interface Scheduling {
  /** @param holdMs minimum delay in milliseconds of real time */
  add(webhook: TimedWebhook, holdMs: number): void
  /** Frees the memory of a webhook that is not scheduled any more. */
  free(webhook: TimedWebhook): void
  /** Removes the webhooks of a world that wait. */
  clear(id: WorldId): void
  /** Sends what is due after a clock was moved. */
  check(): void
}

export interface KeptWebhooks {
  /** The ids of the webhooks that this program sends, or whose request it has not answered yet. */
  known: Set<string>
  /** Gives an exchange the next number. Deliveries are named by it, because some are made before their exchange is in the journal. */
  withNumber(exchange: Exchange): Exchange
  /** Puts what a request has made into its world, before the commit of its effect. */
  putMade(world: StoredWorld, made: readonly TimedWebhook[]): void
  /** Forgets what was made and not committed. */
  forget(made: readonly Made[] | undefined): void
  /** Commits webhooks of a request that had no effect. @param add called afterwards, unless this was closed */
  put(id: WorldId, webhooks: readonly TimedWebhook[], add: () => void): Promise<void>
  /** Schedules the webhooks of a world that was replaced. Those of a world that is opened are scheduled by themselves. */
  restart(world: StoredWorld): void
  /** @returns the webhook as it is in the store, if this program has to send it now */
  claim(webhook: TimedWebhook, signal: AbortSignal): Promise<TimedWebhook | undefined>
  /** Commits that an attempt has ended. @param again the next one @returns whether this program has to make that */
  settle(webhook: TimedWebhook, again?: TimedWebhook, signal?: AbortSignal): Promise<boolean>
  /** Resolves when there may be memory again. */
  pause(): Promise<void>
  /** Schedules nothing any more. What is pending stays in the store. */
  close(): void
}

/** Milliseconds after which another program may take over a claim: enough for an attempt, and to commit its result. */
const claimMs = 2 * timeoutMs
/** Milliseconds after which this program renews its claim, so that an attempt ends long before another program may take it over. */
const freshMs = 1_000
/** Milliseconds until the next try after a failure of the store. */
const pauseMs = 1_000

/** The state of keeping. */
interface Keeping {
  worlds: Worlds
  /** Identifies this program. */
  self: string
  scheduling: Scheduling
  /** Whether no other program uses the store. */
  isExclusive: boolean
  known: Set<string>
  /** The webhooks of each world when it was last read. */
  synced: WeakMap<StoredWorld, StoredWorld['webhooks']>
  isClosed: boolean
}

export function keepWebhooks({ isExclusive = false }: Pick<Store, 'isExclusive'>): KeepWebhooks {
  return ({ worlds }, self, scheduling) => {
    const known = new Set<string>()
    const keeping: Keeping = { worlds, self, scheduling, isExclusive, known, synced: new WeakMap(), isClosed: false }
    worlds.onOpened?.((world) => scheduleRead(keeping, world))
    // Another program may have moved the clock of all worlds.
    worlds.shared?.connect('clock', () => setTimeout(scheduling.check))
    let count = 0
    return {
      known,
      pause,
      withNumber: (exchange) => ({ ...exchange, id: ++count }),
      putMade: (world, made) => putMade(keeping, world, made),
      forget(made = []) {
        for (const each of made) if (isPending(each)) known.delete(deliveryOf(each))
      },
      restart: (world) => restart(keeping, world),
      async put(id, webhooks, add) {
        await commit(keeping, id, (world) => {
          for (const each of webhooks) putWebhook(world, deliveryOf(each), toKept(keeping, each))
        })
        if (!keeping.isClosed) add()
      },
      claim: (webhook, signal) => claim(keeping, webhook, signal),
      settle: (webhook, again, signal) => settle(keeping, webhook, again, signal),
      close() {
        keeping.isClosed = true
      },
    }
  }
}

function ageOf({ at }: Claim): number {
  return Math.abs(Date.now() - at)
}

function isOfOther({ self }: Keeping, claim: Claim | undefined): claim is Claim {
  return claim !== undefined && claim.by !== self && ageOf(claim) < claimMs
}

function toKept(
  { self, isExclusive }: Keeping,
  { world: _, clock: __, isBegun: ___, ...kept }: TimedWebhook,
  isClaimed = false,
): KeptWebhook {
  return { ...kept, claim: isClaimed && !isExclusive ? { by: self, at: Date.now() } : undefined }
}

function putMade(keeping: Keeping, world: StoredWorld, made: readonly TimedWebhook[]): void {
  for (const each of made) {
    const kept = toKept(keeping, each, each.due <= each.clock.now())
    each.claim = kept.claim
    keeping.known.add(deliveryOf(each))
    putWebhook(world, deliveryOf(each), kept)
  }
}

/** Schedules the webhooks of a world if they were read from the store. */
function scheduleRead(keeping: Keeping, world: StoredWorld): void {
  // Each read replaces the map.
  world.webhooks ??= new Map()
  if (keeping.synced.get(world) !== world.webhooks) restart(keeping, world)
}

function restart(keeping: Keeping, world: StoredWorld): void {
  const { synced, scheduling, known, isClosed } = keeping
  const { webhooks } = world
  synced.set(world, webhooks)
  scheduling.clear(world.id)
  if (isClosed) return
  for (const [id, webhook] of webhooks ?? []) if (!known.has(id)) schedule(keeping, world, webhook)
}

function schedule(keeping: Keeping, { id, clock }: StoredWorld, webhook: KeptWebhook): void {
  const { claim } = webhook
  const holdMs = isOfOther(keeping, claim) ? claimMs - ageOf(claim) : 0
  keeping.scheduling.add({ ...webhook, world: id, clock }, holdMs)
}

/** Tries again while the store fails. @returns undefined if the signal was aborted */
async function commit<T>(
  keeping: Keeping,
  id: WorldId,
  work: (world: StoredWorld) => T,
  signal?: AbortSignal,
): Promise<T | undefined> {
  const { worlds } = keeping
  while (!signal?.aborted && !keeping.isClosed) {
    try {
      await worlds.refresh?.()
      const world = await worlds.open(id)
      if (!(world instanceof Refusal)) return await worlds.attempt(world, () => work(world))
    } catch (error) {
      if (!worlds.refuseFailure?.(error)) throw error
    }
    await pause()
  }
  return undefined
}

async function claim(keeping: Keeping, webhook: TimedWebhook, signal: AbortSignal): Promise<TimedWebhook | undefined> {
  const { self, isExclusive, scheduling } = keeping
  const { world: own, request, due, clock, claim } = webhook
  if (claim?.by === self && ageOf(claim) < freshMs) return webhook
  const id = deliveryOf(webhook)
  const wasDue = due <= clock.now()
  const claimIn = (world: StoredWorld) => {
    const kept = world.webhooks?.get(id)
    if (!kept) return undefined
    // Another program may have moved the clock, or may have made an attempt.
    const isLater = kept.due > world.clock.now() && (wasDue || kept.due !== due)
    const isOwn = !isLater && !isOfOther(keeping, kept.claim)
    if (isOwn && !isExclusive) putWebhook(world, id, toKept(keeping, { ...kept, world: own, clock }, true))
    return { world, kept, isOwn }
  }
  const found = await commit(keeping, own, claimIn, signal)
  if (signal.aborted) return undefined
  if (found?.isOwn) return { ...found.kept, request, world: own, clock: found.world.clock }
  scheduling.free(webhook)
  if (found) schedule(keeping, found.world, found.kept)
  return undefined
}

async function settle(
  keeping: Keeping,
  webhook: TimedWebhook,
  again: TimedWebhook | undefined,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const id = deliveryOf(webhook)
  const settleIn = (world: StoredWorld) => {
    const kept = world.webhooks?.get(id)
    if (!kept || (again && isOfOther(keeping, kept.claim))) return false
    putWebhook(world, id, again && toKept(keeping, again))
    return again !== undefined
  }
  return (await commit(keeping, webhook.world, settleIn, signal)) ?? false
}

/** Does not keep the program running. */
async function pause(): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer: Timer = setTimeout(resolve, pauseMs)
    timer.unref?.()
  })
}
