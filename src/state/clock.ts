/** The clock of a sandbox or a world. It can be moved, and keeps running. */
import { isWritable, parseTime, timeWords } from '../contract/parse-time.js'
import type { ChangeLog } from './change-log.js'

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Moves the clock to milliseconds since 1970. @throws RangeError for a time beyond the years 0000 to 9999 */
  travelTo(time: number): void
  /** Moves the clock forward, or back if the number is negative. @throws RangeError like `travelTo` */
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

  travelTo(time: number): void {
    this.restore(time - this.#source())
  }

  advance(milliseconds: number): void {
    this.restore(this.#offset + milliseconds)
  }

  reset(): void {
    this.#move(0)
  }

  /** Sets an offset such as `offset` returns. @throws RangeError like `travelTo` */
  restore(offset: number): void {
    if (!isWritable(this.#source() + offset)) throw new RangeError('A clock must stay in the years 0000 to 9999')
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

/**
 * Converts a `Date`, RFC 3339 text or a number to milliseconds since 1970.
 * @throws RangeError for anything else, and beyond the years 0000 to 9999
 */
export function toTime(time: Date | string | number): number {
  const milliseconds = typeof time === 'string' ? parseTime(time) : time instanceof Date ? time.getTime() : time
  if (typeof milliseconds === 'number' && isWritable(milliseconds)) return milliseconds
  throw new RangeError(`"${time}" is not a time; give ${timeWords}`)
}
