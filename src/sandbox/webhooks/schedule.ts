/** Keeps what is to be done in worlds, and does it when it is due by their clocks. */

import { getOrInsert } from '../../json/own-value.js'
import type { Clock } from '../../state/clock.js'
import type { WebhookRequest } from './transmit.js'

export interface Scheduled {
  /** The key of the world. */
  key: string
  /** Milliseconds since 1970, by the clock of the world. */
  due: number
  /** The clock of the world. */
  clock: Clock
}

export interface Schedule<Item extends Scheduled> {
  /** @param holdMs milliseconds of real time before which it is not done. @default none */
  add(item: Item, holdMs?: number): void
  /** Does what is due. @param key of a world. @default all worlds */
  check(key?: string): void
  /** Forgets the items of a world. @default all worlds. @returns them */
  remove(key?: string): Item[]
}

interface Waiting<Item> {
  clock: Clock
  /** The first due one first. */
  items: Item[]
  /** The time of the clock when the timer was set for it, and how long that waits. */
  seen?: { at: number; wait: number }
}

/** Of Node.js, which has more than a number. */
type Timer = ReturnType<typeof setTimeout> & { unref?(): void }

/** The longest that a timer waits. */
const maxWaitMs = 2 ** 31 - 1

function keysOf(items: readonly Scheduled[]): string[] {
  return items.map(({ key }) => key)
}

/** @param run called with each item that is due, in the order of their times, also of several worlds */
export function createSchedule<Item extends Scheduled>(run: (item: Item) => void): Schedule<Item> {
  const worlds = new Map<string, Waiting<Item>>()
  /** What was due when it was added. It stays that if the clock moves back. */
  let ready: Item[] = []
  /** What is not done yet, whatever the clock says. */
  const held = new Set<Item>()
  let timer: Timer | undefined
  /** When the timer fires, by `performance.now()`. */
  let firesAt = Number.POSITIVE_INFINITY

  /** One timer, for what is due first. It is not worth waiting for at the end of a program. */
  function arm(waiting: Waiting<Item>): void {
    const { clock, items } = waiting
    const [first] = items
    const now = clock.now()
    if (!first || clock.frozenAt !== undefined) return
    // A clock that stands still usually moves by a call, after which is checked.
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

  /** Does what is due in some worlds, in the order of the times. */
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

  /** @param key of a world. @default all worlds */
  function takeReady(key?: string): Item[] {
    const taken = ready.filter((item) => item.key === (key ?? item.key))
    ready = ready.filter((item) => item.key !== (key ?? item.key))
    return taken
  }

  function place(item: Item): void {
    const { key, due, clock } = item
    if (due <= clock.now()) {
      // After the answer that it follows.
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

export interface PendingWebhook {
  /** The key of its world. */
  key: string
  /** The name of the callback or webhook. */
  name: string
  /** Id of the operation that it follows. */
  operation: string
  request: WebhookRequest
  /** When it is sent: milliseconds since 1970, by the clock of the world. */
  due: number
  /** Of the next attempt, from 1. */
  attempt: number
  /** Milliseconds before each further attempt. */
  retries: readonly number[]
  /** The attempt began, and whether it arrived is not known. */
  isBegun?: true
}

export interface Deliveries {
  /** Sends what is due now: a clock was moved. @param key of the world. @default the clock of all worlds */
  check(key?: string): void
  /** Forgets what was to be sent: the state is another one. @param key of the world. @default all worlds */
  cancel(key?: string): void
  /** Sends nothing more. @returns what was to be sent */
  close(): PendingWebhook[]
  /** Sends later what another sandbox was to send. */
  add(pending: readonly PendingWebhook[]): void
}
