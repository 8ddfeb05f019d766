/** Keeps what is to be done in worlds, and does it when it is due by their clocks. */
import type { Clock } from '../../state/clock.js'

export interface Scheduled {
  /** The key of the world. */
  key: string
  /** Milliseconds since 1970, by the clock of the world. */
  due: number
}

export interface Schedule<Item extends Scheduled> {
  add(item: Item, clock: Clock): void
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

/** @param run called with each item that is due, in the order of their times */
export function createSchedule<Item extends Scheduled>(run: (item: Item) => void): Schedule<Item> {
  const worlds = new Map<string, Waiting<Item>>()
  /** The worlds with items that are due already. */
  const ready = new Set<string>()
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
    for (const key of [...worlds.keys()]) checkOne(key, isFiring)
  }

  function checkOne(key: string, isFiring = false): void {
    const waiting = worlds.get(key)
    if (!waiting) return
    const now = waiting.clock.now()
    const end = waiting.items.findIndex(({ due }) => due > now)
    const dueNow = waiting.items.splice(0, end === -1 ? waiting.items.length : end)
    if (waiting.items.length === 0) worlds.delete(key)
    else {
      if (!isFiring) delete waiting.seen
      arm(waiting)
    }
    for (const item of dueNow) run(item)
  }

  return {
    add(item, clock) {
      const { key, due } = item
      const waiting = worlds.get(key) ?? { clock, items: [] }
      worlds.set(key, waiting)
      const later = waiting.items.findLastIndex((each) => each.due <= due) + 1
      waiting.items.splice(later, 0, item)
      if (due > clock.now()) arm(waiting)
      else {
        // After the answer that it follows.
        if (ready.size === 0) setTimeout(checkReady)
        ready.add(key)
      }
    },
    check(key) {
      if (key === undefined) checkAll(false)
      else checkOne(key)
    },
    remove(key) {
      const removed = key === undefined ? [...worlds.values()] : [worlds.get(key) ?? []].flat()
      if (key === undefined) {
        worlds.clear()
        clearTimeout(timer)
        firesAt = Number.POSITIVE_INFINITY
      } else worlds.delete(key)
      return removed.flatMap(({ items }) => items)
    },
  }

  function checkReady(): void {
    const keys = [...ready]
    ready.clear()
    for (const key of keys) checkOne(key)
  }
}
