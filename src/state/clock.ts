/** The clock of a sandbox or a world. It can be moved, and keeps running. */
import { isWritable, parseTime, timeWords } from '../contract/parse-time.js'
import type { ChangeLog } from './change-log.js'

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds that the clock is ahead of its source. */
  readonly offset: number
  /** Sets how far the clock is ahead of its source, without the check that `moveClock` makes. */
  setOffset(offset: number): void
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

  get offset(): number {
    return this.#offset
  }

  now(): number {
    return this.#source() + this.#offset
  }

  setOffset(offset: number): void {
    const before = this.#offset
    this.#log?.add(() => {
      this.#offset = before
    })
    this.#offset = offset
  }
}

/** Sets how far a clock is ahead of its source. @throws RangeError beyond the years 0000 to 9999 */
export function moveClock(clock: Clock, offset: number): void {
  if (!isWritable(timeAt(clock, offset))) throw new RangeError('A clock must stay in the years 0000 to 9999')
  clock.setOffset(offset)
}

/** @param time milliseconds since 1970. @throws RangeError like `moveClock` */
export function moveClockTo(clock: Clock, time: number): void {
  moveClock(clock, time - timeAt(clock, 0))
}

function timeAt(clock: Clock, offset: number): number {
  return clock.now() - clock.offset + offset
}

/**
 * Converts a `Date`, RFC 3339 text or a number to milliseconds since 1970.
 * @throws RangeError for anything else, and beyond the years 0000 to 9999
 */
export function toTime(time: Date | string | number): number {
  const milliseconds = typeof time === 'string' ? parseTime(time) : time instanceof Date ? time.getTime() : time
  if (typeof milliseconds === 'number' && isWritable(milliseconds)) return milliseconds
  throw new RangeError(`"${time}" is not a time; give ${timeWords}`)
}
