/**
 * Keeps pending callbacks and webhooks in the worlds of a store: a restart does not lose them. Of several programs that share a
 * store, the one that has committed a claim sends a webhook.
 */
import { SandboxError } from '../../contract/sandbox-error.js'
import type { Store } from '../../state/commits/store.js'
import type { Claim, KeptWebhook } from '../../state/kept-webhooks.js'
import type { StoredWorld } from '../../state/stored-world.js'
import { putWebhook } from '../../state/world-content.js'
import type { Engine, EngineParts } from '../create-engine.js'
import { Refusal } from '../outcome.js'
import { deliveryOf, type MadeInCommits, makeInCommits } from './make-in-commit.js'
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
  clear(key: string): void
  /** Sends what is due after a clock was moved. */
  check(): void
}

export interface KeptWebhooks extends MadeInCommits {
  /** The ids of the webhooks that this program sends, or whose request it has not answered yet. */
  known: Set<string>
  /** Commits webhooks of a request that had no effect. @throws SandboxError if the store fails */
  put(webhooks: readonly TimedWebhook[]): Promise<void>
  /** Schedules the webhooks of a world that was replaced. Those of a world that is opened are scheduled by themselves. */
  restart(world: StoredWorld): void
  /** @returns the webhook as it is in the store, if this program has to send it now */
  claim(webhook: TimedWebhook, signal: AbortSignal): Promise<TimedWebhook | undefined>
  /**
   * Commits that an attempt has ended.
   * @param again the next attempt. @default there is none
   * @returns whether this program has to make the next attempt
   */
  settle(webhook: TimedWebhook, signal: AbortSignal, again?: TimedWebhook): Promise<boolean>
  /** Schedules nothing any more. What is pending stays in the store. */
  close(): void
}

/** Milliseconds after which another program may take over a claim: enough for an attempt, and to commit its result. */
const claimMs = 2 * timeoutMs
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
      const claimed = (webhook: TimedWebhook): KeptWebhook => {
        const { key: _, clock: __, isBegun: ___, ...kept } = webhook
        return { ...kept, claim: isExclusive ? undefined : { by: self, at: Date.now() } }
      }
      const unclaimed = (webhook: TimedWebhook): KeptWebhook => ({ ...claimed(webhook), claim: undefined })
      const made = making.start(engine, known, (webhook) =>
        (webhook.due <= webhook.clock.now() ? claimed : unclaimed)(webhook),
      )
      worlds.open = (key) => {
        const opened = open(key)
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
        const { webhooks, key } = world
        synced.set(world, webhooks)
        scheduling.clear(key)
        if (isClosed) return
        for (const [id, webhook] of webhooks ?? []) if (!known.has(id)) schedule(world, webhook)
      }

      async function use<T>(key: string, work: (world: StoredWorld) => T): Promise<T> {
        await worlds.refresh?.()
        const world = await worlds.open(key)
        if (world instanceof Refusal) throw new SandboxError('STORE_UNAVAILABLE', world.message)
        return worlds.attempt(world, () => work(world))
      }

      /** Tries again while the store fails. @returns undefined if the signal was aborted */
      async function insist<T>(
        key: string,
        signal: AbortSignal,
        work: (world: StoredWorld) => T,
      ): Promise<T | undefined> {
        while (!signal.aborted) {
          try {
            return await use(key, work)
          } catch (error) {
            if (!worlds.refuseFailure?.(error)) throw error
            await pause()
          }
        }
        return undefined
      }

      function schedule({ key, clock }: StoredWorld, webhook: KeptWebhook): void {
        const { claim } = webhook
        const holdMs = claim && isOfOther(claim) ? claimMs - ageOf(claim) : 0
        scheduling.add({ ...webhook, key, clock }, holdMs)
      }

      return {
        ...made,
        known,
        async put(webhooks) {
          const [first] = webhooks
          if (!first) return
          await use(first.key, (world) => {
            for (const each of webhooks) putWebhook(world, deliveryOf(each), unclaimed(each))
          })
        },
        restart,
        close() {
          isClosed = true
        },
        async claim(webhook, signal) {
          const { key, request, due, clock, claim } = webhook
          const isClaimed = claim?.by === self && ageOf(claim) < claimMs - timeoutMs
          if (isExclusive || isClaimed) return webhook
          const id = deliveryOf(webhook)
          const wasDue = due <= clock.now()
          const found = await insist(key, signal, (world) => {
            const kept = world.webhooks?.get(id)
            if (!kept) return undefined
            // Another program may have moved the clock, or may have made an attempt.
            const isLater = kept.due > world.clock.now() && (wasDue || kept.due !== due)
            if (isLater || isOfOther(kept.claim)) return { world, kept, isOwn: false }
            putWebhook(world, id, claimed({ ...kept, key, clock }))
            return { world, kept, isOwn: true }
          })
          if (signal.aborted) return undefined
          if (found?.isOwn) return { ...found.kept, request, key, clock: found.world.clock }
          scheduling.free(webhook)
          if (found) schedule(found.world, found.kept)
          return undefined
        },
        async settle(webhook, signal, again) {
          const id = deliveryOf(webhook)
          const isLeft = await insist(webhook.key, signal, (world) => {
            const kept = world.webhooks?.get(id)
            if (!kept || (again && isOfOther(kept.claim))) return false
            putWebhook(world, id, again && unclaimed(again))
            return again !== undefined
          })
          return isLeft ?? false
        },
      }
    },
  }
}

async function pause(): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer: ReturnType<typeof setTimeout> & { unref?(): void } = setTimeout(resolve, pauseMs)
    timer.unref?.()
  })
}
