/** The clock of a sandbox or a world. It can be moved, and keeps running. */
import type { ChangeLog } from './change-log.js'

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Moves the clock to an instant, from which it keeps running. @throws RangeError for an invalid time */
  travelTo(time: Date | string | number): void
  /** Moves the clock forward, or back if the number is negative. @throws RangeError if it is not finite */
  advance(milliseconds: number): void
  /** Makes the clock follow its source again. */
  reset(): void
}

/** A class, because each world has a clock: its methods are created once. */
export class RunningClock implements Clock {
  readonly #source: () => number
  readonly #log: ChangeLog | undefined
  #offset = 0

  /**
   * @param source the system time, or the clock of the sandbox for the clock of a world
   * @param log records changes until they are committed
   */
  constructor(source: () => number, log?: ChangeLog) {
    this.#source = source
    this.#log = log
  }

  /** Milliseconds that the clock is ahead of its source. */
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

  /** Sets an offset that `offset` returned. */
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

/** Converts a `Date`, an ISO 8601 text or a number to milliseconds since 1970. @throws RangeError */
export function toTime(time: Date | string | number): number {
  const milliseconds = typeof time === 'number' ? time : new Date(time).getTime()
  // The last instant that a Date can hold (ECMA-262, section 21.4.1.1).
  if (!(Math.abs(milliseconds) <= 8.64e15)) {
    throw new RangeError(`"${time}" is not a time; give a date such as 2030-12-05 or 2030-12-05T00:00:00Z`)
  }
  return milliseconds
}
