/** The time as a sandbox or a world sees it: it runs on, from wherever it was put. */
import type { ChangeLog } from './change-log.js'

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Puts the clock to an instant, from where it runs on. @throws RangeError for what is not a time */
  travelTo(time: Date | string | number): void
  /** Puts the clock forward, or back if the number is negative. @throws RangeError for what is not a number */
  advance(milliseconds: number): void
  /** Follows its source again. */
  reset(): void
}

/** A class, as each world has one: its methods are made once. */
export class RunningClock implements Clock {
  readonly #source: () => number
  readonly #log: ChangeLog | undefined
  #offset = 0

  /**
   * @param source where the time comes from: the system, or the clock of the sandbox for that of a world
   * @param log where changes are noted until they are committed
   */
  constructor(source: () => number, log?: ChangeLog) {
    this.#source = source
    this.#log = log
  }

  /** Milliseconds by which it is ahead of its source. */
  get offset(): number {
    return this.#offset
  }

  now(): number {
    return this.#source() + this.#offset
  }

  travelTo(time: Date | string | number): void {
    this.#move(toTime(time) - this.#source())
  }

  advance(milliseconds: number): void {
    if (!Number.isFinite(milliseconds)) throw new RangeError(`Failed to advance the clock by ${milliseconds} ms`)
    this.#move(this.#offset + milliseconds)
  }

  reset(): void {
    this.#move(0)
  }

  /** Takes over an offset that `offset` gave. */
  restore(offset: number): void {
    this.#move(offset)
  }

  #move(offset: number): void {
    const before = this.#offset
    this.#log?.add(() => {
      this.#offset = before
    })
    this.#offset = offset
  }
}

/** Milliseconds since 1970 of a `Date`, an ISO 8601 text or a number of milliseconds. @throws RangeError */
export function toTime(time: Date | string | number): number {
  const milliseconds = typeof time === 'number' ? time : new Date(time).getTime()
  // The last instant that a Date can hold (ECMA-262, section 21.4.1.1).
  if (!(Math.abs(milliseconds) <= 8.64e15)) {
    throw new RangeError(`"${time}" is not a time; give a date such as 2030-12-05 or 2030-12-05T00:00:00Z`)
  }
  return milliseconds
}
