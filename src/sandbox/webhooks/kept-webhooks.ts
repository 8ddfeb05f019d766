/**
 * Keeps pending callbacks and webhooks in the worlds of a store: a restart does not lose them. Of several programs that share a
 * store, the one that has committed a claim sends a webhook.
 */
import type { Store } from '../../state/commits/store.js'
import type { Claim, KeptWebhook } from '../../state/kept-webhooks.js'
import type { StoredWorld } from '../../state/stored-world.js'
import { putWebhook } from '../../state/world-content.js'
import type { WorldId } from '../../state/world-id.js'
import type { Engine, EngineParts } from '../create-engine.js'
import { Refusal } from '../outcome.js'
import { deliveryOf, type MakeInCommits, makeInCommits } from './make-in-commit.js'
import type { TimedWebhook } from './schedule.js'
import { timeoutMs } from './transmit.js'

/** Keeps the webhooks of an engine. */
export interface KeepWebhooks {
  /** The parts of the engine. */
  parts: EngineParts
  /** @param self identifies this program */
  start(engine: Engine, self: string, scheduling: Scheduling): KeptWebhooks
}

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

export interface KeptWebhooks extends Pick<MakeInCommits, 'makings' | 'withNumber'> {
  /** The ids of the webhooks that this program sends, or whose request it has not answered yet. */
  known: Set<string>
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

export function keepWebhooks(parts: EngineParts, { isExclusive = false }: Pick<Store, 'isExclusive'>): KeepWebhooks {
  const making = makeInCommits(parts)
  return {
    parts: making.parts,
    start(engine, self, scheduling) {
      const { worlds } = engine
      const { open } = worlds
      let isClosed = false
      const known = new Set<string>()
      /** The webhooks of each world when it was last read. */
      const synced = new WeakMap<StoredWorld, StoredWorld['webhooks']>()
      const ageOf = ({ at }: Claim) => Math.abs(Date.now() - at)
      const isOfOther = (claim: Claim | undefined) => claim && claim.by !== self && ageOf(claim) < claimMs
      const toKept = (
        { world: _, clock: __, isBegun: ___, ...kept }: TimedWebhook,
        isClaimed = false,
      ): KeptWebhook => ({
        ...kept,
        claim: isClaimed && !isExclusive ? { by: self, at: Date.now() } : undefined,
      })
      making.start(engine, known, (made) => toKept(made, made.due <= made.clock.now()))
      worlds.open = (id) => {
        const opened = open(id)
        return opened instanceof Promise ? opened.then(withSchedule) : withSchedule(opened)
      }
      // Another program may have moved the clock of all worlds.
      worlds.shared?.connect('clock', () => setTimeout(scheduling.check))

      /** Schedules the webhooks of a world if they were read from the store. */
      function withSchedule(world: StoredWorld | Refusal): StoredWorld | Refusal {
        if (world instanceof Refusal) return world
        // Each read replaces the map.
        world.webhooks ??= new Map()
        if (synced.get(world) !== world.webhooks) restart(world)
        return world
      }

      function restart(world: StoredWorld): void {
        const { webhooks } = world
        synced.set(world, webhooks)
        scheduling.clear(world.id)
        if (isClosed) return
        for (const [id, webhook] of webhooks ?? []) if (!known.has(id)) schedule(world, webhook)
      }

      function schedule({ id, clock }: StoredWorld, webhook: KeptWebhook): void {
        const { claim } = webhook
        const holdMs = claim && isOfOther(claim) ? claimMs - ageOf(claim) : 0
        scheduling.add({ ...webhook, world: id, clock }, holdMs)
      }

      /** Tries again while the store fails. @returns undefined if the signal was aborted */
      async function commit<T>(
        id: WorldId,
        work: (world: StoredWorld) => T,
        signal?: AbortSignal,
      ): Promise<T | undefined> {
        while (!signal?.aborted && !isClosed) {
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

      return {
        known,
        makings: making.makings,
        withNumber: making.withNumber,
        pause,
        restart,
        async put(id, webhooks, add) {
          await commit(id, (world) => {
            for (const each of webhooks) putWebhook(world, deliveryOf(each), toKept(each))
          })
          if (!isClosed) add()
        },
        async claim(webhook, signal) {
          const { world: own, request, due, clock, claim } = webhook
          if (claim?.by === self && ageOf(claim) < freshMs) return webhook
          const id = deliveryOf(webhook)
          const wasDue = due <= clock.now()
          const claimIn = (world: StoredWorld) => {
            const kept = world.webhooks?.get(id)
            if (!kept) return undefined
            // Another program may have moved the clock, or may have made an attempt.
            const isLater = kept.due > world.clock.now() && (wasDue || kept.due !== due)
            const isOwn = !isLater && !isOfOther(kept.claim)
            if (isOwn && !isExclusive) putWebhook(world, id, toKept({ ...kept, world: own, clock }, true))
            return { world, kept, isOwn }
          }
          const found = await commit(own, claimIn, signal)
          if (signal.aborted) return undefined
          if (found?.isOwn) return { ...found.kept, request, world: own, clock: found.world.clock }
          scheduling.free(webhook)
          if (found) schedule(found.world, found.kept)
          return undefined
        },
        async settle(webhook, again, signal) {
          const id = deliveryOf(webhook)
          const settleIn = (world: StoredWorld) => {
            const kept = world.webhooks?.get(id)
            if (!kept || (again && isOfOther(kept.claim))) return false
            putWebhook(world, id, again && toKept(again))
            return again !== undefined
          }
          return (await commit(webhook.world, settleIn, signal)) ?? false
        },
        close() {
          isClosed = true
        },
      }
    },
  }
}

/** Does not keep the program running. */
async function pause(): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer: ReturnType<typeof setTimeout> & { unref?(): void } = setTimeout(resolve, pauseMs)
    timer.unref?.()
  })
}
