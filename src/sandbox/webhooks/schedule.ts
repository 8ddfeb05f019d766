/** Schedules work in worlds, and runs it when it is due by their clocks. */

import { getOrInsert } from '../../json/own-value.js'
import type { Clock } from '../../state/clock.js'
import type { KeptWebhook } from '../../state/kept-webhooks.js'

export interface Scheduled {
  /** The key of the world. */
  key: string
  /** Milliseconds since 1970, by the clock of the world. */
  due: number
  /** The clock of the world. */
  clock: Clock
}

export interface Schedule<Item extends Scheduled> {
  /** @param holdMs minimum delay in milliseconds of real time. @default none */
  add(item: Item, holdMs?: number): void
  /** Runs due items. @param key the key of a world. @default all worlds */
  check(key?: string): void
  /** The items of a world that wait. */
  list(key: string): Item[]
  /** Removes the items of a world. @default all worlds. @returns the removed items */
  remove(key?: string): Item[]
}

interface Waiting<Item> {
  clock: Clock
  /** In the order in which they are due. */
  items: Item[]
  /** The time of the clock when the timer was set, and the delay of the timer. */
  seen?: { at: number; wait: number }
}

/** In Node.js a timer is an object with methods. */
type Timer = ReturnType<typeof setTimeout> & { unref?(): void }

/** The maximum delay of a timer. */
const maxWaitMs = 2 ** 31 - 1

function keysOf(items: readonly Scheduled[]): string[] {
  return items.map(({ key }) => key)
}

/** @param run called with each due item of all worlds, in the order of their times */
export function createSchedule<Item extends Scheduled>(run: (item: Item) => void): Schedule<Item> {
  const worlds = new Map<string, Waiting<Item>>()
  /** Items that were due when they were added. They stay due if the clock moves back. */
  let ready: Item[] = []
  /** Items that wait in real time, whatever the clock says. */
  const held = new Set<Item>()
  let timer: Timer | undefined
  /** When the timer fires, by `performance.now()`. */
  let firesAt = Number.POSITIVE_INFINITY

  /** Sets the only timer, for the item that is due first. It does not keep the program running. */
  function arm(waiting: Waiting<Item>): void {
    const { clock, items } = waiting
    const [first] = items
    const now = clock.now()
    if (!first || clock.frozenAt !== undefined) return
    // A clock that does not run is usually moved by a call, which checks afterwards.
    const least = waiting.seen?.at === now ? 2 * waiting.seen.wait : 1
    const wait = Math.min(Math.max(Math.ceil(first.due - now), least), maxWaitMs)
    const at = performance.now() + wait
    if (at >= firesAt) return
    clearTimeout(timer)
    firesAt = at
    waiting.seen = { at: now, wait }
    timer = setTimeout(fire, wait)
    timer.unref?.()
  }

  function fire(): void {
    firesAt = Number.POSITIVE_INFINITY
    checkAll(true)
  }

  function checkAll(isFiring: boolean): void {
    check([...keysOf(ready), ...worlds.keys()], isFiring)
  }

  /** Runs the due items of some worlds, in the order of their times. */
  function check(keys: readonly string[], isFiring = false): void {
    const due = [...new Set(keys)].flatMap((key) => takeDue(key, isFiring))
    for (const item of due.sort((one, other) => one.due - other.due)) run(item)
  }

  function takeDue(key: string, isFiring: boolean): Item[] {
    const dueNow = takeReady(key)
    const waiting = worlds.get(key)
    if (!waiting) return dueNow
    const now = waiting.clock.now()
    const end = waiting.items.findIndex(({ due }) => due > now)
    dueNow.push(...waiting.items.splice(0, end === -1 ? waiting.items.length : end))
    if (waiting.items.length === 0) worlds.delete(key)
    else {
      if (!isFiring) delete waiting.seen
      arm(waiting)
    }
    return dueNow
  }

  /** @param key the key of a world. @default all worlds */
  function takeReady(key?: string): Item[] {
    const taken = ready.filter((item) => item.key === (key ?? item.key))
    ready = ready.filter((item) => item.key !== (key ?? item.key))
    return taken
  }

  function place(item: Item): void {
    const { key, due, clock } = item
    if (due <= clock.now()) {
      // Sent after the answer that it follows.
      if (ready.length === 0) setTimeout(() => check(keysOf(ready)))
      ready.push(item)
      return
    }
    const waiting = getOrInsert(worlds, key, () => ({ clock, items: [] }))
    const later = waiting.items.findLastIndex((each) => each.due <= due) + 1
    waiting.items.splice(later, 0, item)
    arm(waiting)
  }

  function hold(item: Item, holdMs: number): void {
    held.add(item)
    const release: Timer = setTimeout(() => {
      if (held.delete(item)) place(item)
    }, holdMs)
    release.unref?.()
  }

  return {
    add(item, holdMs = 0) {
      if (holdMs > 0) hold(item, holdMs)
      else place(item)
    },
    check(key) {
      if (key === undefined) checkAll(false)
      else check([key])
    },
    list: (key) => [...ready, ...held, ...(worlds.get(key)?.items ?? [])].filter((item) => item.key === key),
    remove(key) {
      const removed = [...takeReady(key), ...[...held].filter((item) => item.key === (key ?? item.key))]
      for (const item of removed) held.delete(item)
      for (const [each, { items }] of [...worlds].filter(([each]) => each === (key ?? each))) {
        removed.push(...items)
        worlds.delete(each)
      }
      if (worlds.size === 0) {
        clearTimeout(timer)
        firesAt = Number.POSITIVE_INFINITY
      }
      return removed
    },
  }
}

export interface PendingWebhook extends KeptWebhook {
  /** The key of its world. */
  key: string
  /** The attempt has begun, but it is unknown whether it arrived. */
  isBegun?: true
}

/** A pending request, with the clock that decides when it is sent. */
export type TimedWebhook = PendingWebhook & { clock: Clock }

export interface Deliveries {
  /** The requests of a world that wait until they are sent. */
  pending(key: string): readonly PendingWebhook[]
  /** Sends what is due after a clock was moved. @param key the key of the world. @default all worlds */
  check(key?: string): void
  /** Discards pending requests after the state was replaced. @param key the key of the world. @default all worlds */
  cancel(key?: string): void
  /** Stops sending. @returns the pending requests */
  close(): PendingWebhook[]
  /** Takes over the pending requests of another sandbox. */
  add(pending: readonly PendingWebhook[]): void
}
