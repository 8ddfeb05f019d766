/** Callbacks and webhooks that are still to be sent, and the schedule that runs them when they are due by the clocks of their worlds. */
import type { RequestContract } from '../../contract/contract.js'
import { getOrInsert } from '../../json/own-value.js'
import type { Clock } from '../../state/clock.js'
import type { WritableJournal } from '../../state/journal.js'
import type { KeptWebhook } from '../../state/kept-webhooks.js'
import type { WorldId } from '../../state/world-id.js'
import type { Worlds } from '../worlds.js'
import type { Timer } from './transmit.js'

export interface Scheduled {
  world: WorldId
  /** Milliseconds since 1970, by the clock of the world. */
  due: number
  /** The clock of the world. */
  clock: Clock
}

export interface Schedule<Item extends Scheduled> {
  /** @param holdMs minimum delay in milliseconds of real time. @default none */
  add(item: Item, holdMs?: number): void
  /** Runs due items. @param id of a world. @default all worlds */
  check(id?: WorldId): void
  /** The items of a world that wait. */
  list(id: WorldId): Item[]
  /** Removes the items of a world. @default all worlds. @returns the removed items */
  remove(id?: WorldId): Item[]
}

interface Waiting<Item> {
  clock: Clock
  /** In the order in which they are due. */
  items: Item[]
  /** The time of the clock when the timer was set, and the delay of the timer. */
  seen?: { at: number; wait: number }
}

/** The maximum delay of a timer. */
const maxWaitMs = 2 ** 31 - 1

/** The state of a schedule. */
interface Scheduling<Item extends Scheduled> {
  /** Called with each due item of all worlds, in the order of their times. */
  run: (item: Item) => void
  worlds: Map<WorldId, Waiting<Item>>
  /** Items that were due when they were added. They stay due if the clock moves back. */
  ready: Item[]
  /** Items that wait in real time, whatever the clock says. */
  held: Set<Item>
  timer: Timer | undefined
  /** When the timer fires, by `performance.now()`. */
  firesAt: number
}

/** @param run called with each due item of all worlds, in the order of their times */
export function createSchedule<Item extends Scheduled>(run: (item: Item) => void): Schedule<Item> {
  const all: Scheduling<Item> = {
    ...{ run, worlds: new Map(), ready: [], held: new Set() },
    ...{ timer: undefined, firesAt: Number.POSITIVE_INFINITY },
  }
  const { worlds, held } = all
  return {
    add(item, holdMs = 0) {
      if (holdMs > 0) hold(all, item, holdMs)
      else place(all, item)
    },
    check(id) {
      if (id === undefined) checkAll(all, false)
      else check(all, [id])
    },
    list: (id) => [...all.ready, ...held, ...(worlds.get(id)?.items ?? [])].filter(({ world }) => world === id),
    remove(id) {
      const removed = [...takeReady(all, id), ...[...held].filter(({ world }) => world === (id ?? world))]
      for (const item of removed) held.delete(item)
      for (const [each, { items }] of [...worlds].filter(([each]) => each === (id ?? each))) {
        removed.push(...items)
        worlds.delete(each)
      }
      if (worlds.size === 0) {
        clearTimeout(all.timer)
        all.firesAt = Number.POSITIVE_INFINITY
      }
      return removed
    },
  }
}

function place<Item extends Scheduled>(all: Scheduling<Item>, item: Item): void {
  const { ready, worlds } = all
  const { world, due, clock } = item
  if (due <= clock.now()) {
    // Sent after the answer that it follows.
    if (ready.length === 0) setTimeout(() => check(all, worldsOf(all.ready)))
    ready.push(item)
    return
  }
  const waiting = getOrInsert(worlds, world, () => ({ clock, items: [] }))
  const later = waiting.items.findLastIndex((each) => each.due <= due) + 1
  waiting.items.splice(later, 0, item)
  arm(all, waiting)
}

function hold<Item extends Scheduled>(all: Scheduling<Item>, item: Item, holdMs: number): void {
  all.held.add(item)
  const release: Timer = setTimeout(() => {
    if (all.held.delete(item)) place(all, item)
  }, holdMs)
  release.unref?.()
}

/** Sets the only timer, for the item that is due first. It does not keep the program running. */
function arm<Item extends Scheduled>(all: Scheduling<Item>, waiting: Waiting<Item>): void {
  const { clock, items } = waiting
  const [first] = items
  const now = clock.now()
  if (!first || clock.frozenAt !== undefined) return
  // A clock that does not run is usually moved by a call, which checks afterwards.
  const least = waiting.seen?.at === now ? 2 * waiting.seen.wait : 1
  const wait = Math.min(Math.max(Math.ceil(first.due - now), least), maxWaitMs)
  const at = performance.now() + wait
  if (at >= all.firesAt) return
  clearTimeout(all.timer)
  all.firesAt = at
  waiting.seen = { at: now, wait }
  all.timer = setTimeout(() => {
    all.firesAt = Number.POSITIVE_INFINITY
    checkAll(all, true)
  }, wait)
  all.timer.unref?.()
}

function checkAll<Item extends Scheduled>(all: Scheduling<Item>, isFiring: boolean): void {
  check(all, [...worldsOf(all.ready), ...all.worlds.keys()], isFiring)
}

/** Runs the due items of some worlds, in the order of their times. */
function check<Item extends Scheduled>(all: Scheduling<Item>, ids: readonly WorldId[], isFiring = false): void {
  const due = [...new Set(ids)].flatMap((id) => takeDue(all, id, isFiring))
  for (const item of due.sort((one, other) => one.due - other.due)) all.run(item)
}

function takeDue<Item extends Scheduled>(all: Scheduling<Item>, id: WorldId, isFiring: boolean): Item[] {
  const dueNow = takeReady(all, id)
  const waiting = all.worlds.get(id)
  if (!waiting) return dueNow
  const now = waiting.clock.now()
  const end = waiting.items.findIndex(({ due }) => due > now)
  dueNow.push(...waiting.items.splice(0, end === -1 ? waiting.items.length : end))
  if (waiting.items.length === 0) all.worlds.delete(id)
  else {
    if (!isFiring) delete waiting.seen
    arm(all, waiting)
  }
  return dueNow
}

/** @param id of a world. @default all worlds */
function takeReady<Item extends Scheduled>(all: Scheduling<Item>, id?: WorldId): Item[] {
  const taken = all.ready.filter((item) => item.world === (id ?? item.world))
  all.ready = all.ready.filter((item) => item.world !== (id ?? item.world))
  return taken
}

function worldsOf(items: readonly Scheduled[]): WorldId[] {
  return items.map(({ world }) => world)
}

/** The parts of an engine that its webhooks need. */
export interface WebhookEngine {
  contract: RequestContract
  journal: WritableJournal
  worlds: Worlds
  clock: Clock
  onUnexpectedError: (error: unknown) => void
}

export interface PendingWebhook extends KeptWebhook {
  world: WorldId
  /** The attempt has begun, but it is unknown whether it arrived. */
  isBegun?: true
}

/** A pending request, with the clock that decides when it is sent. */
export type TimedWebhook = PendingWebhook & { clock: Clock }

export interface Deliveries {
  /** The requests of a world that wait until they are sent. */
  pending(id: WorldId): readonly PendingWebhook[]
  /** Sends what is due after a clock was moved. @param id of a world. @default all worlds */
  check(id?: WorldId): void
  /** Discards pending requests after the state was replaced. @param id of a world. @default all worlds */
  cancel(id?: WorldId): void
  /** Stops sending. @returns the pending requests */
  close(): PendingWebhook[]
  /** Takes over the pending requests of another sandbox. */
  add(pending: readonly PendingWebhook[]): void
}

/** What follows an exchange: a pending request, or why it is not sent. */
export type Made = TimedWebhook | UnsentWebhook

interface UnsentWebhook extends Pick<TimedWebhook, 'world' | 'name' | 'operation'> {
  method: string
  why: string
}

export function isPending(made: Made): made is TimedWebhook {
  return 'request' in made
}

/** The id of a delivery is in its last header. */
export function deliveryOf({ request }: Pick<TimedWebhook, 'request'>): string {
  return request.headers.at(-1) ?? ''
}
