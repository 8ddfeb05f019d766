/** The clock of a sandbox or a world. It can be moved and stopped. */
import { firstTime, isWritable, lastTime, parseTime, timeWords } from '../contract/parse-time.js'
import type { Change, ClockState } from './change.js'

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** The time of its source: milliseconds since 1970. */
  source(): number
  /** Milliseconds that the clock is ahead of its source, unless it is frozen. */
  readonly offset: number
  /** The time of a frozen clock. Undefined for a running clock. */
  readonly frozenAt: number | undefined
  /** Sets how far the clock is ahead of its source, or the time at which it is frozen. Unlike `moveClockTo`, checks nothing. */
  setOffset(offset: number, frozenAt?: number): void
}

/** A class, because each world has a clock: its methods are created once. */
export class RunningClock implements Clock {
  declare readonly source: () => number
  readonly #log: Change[] | undefined
  offset = 0
  frozenAt: number | undefined

  /**
   * @param source the system time, or the clock of the sandbox for the clock of a world
   * @param log records changes until they are committed
   */
  constructor(source: () => number, log?: Change[]) {
    this.source = source
    this.#log = log
  }

  now(): number {
    return this.frozenAt ?? Math.max(firstTime, Math.min(this.source() + this.offset, lastTime))
  }

  setOffset(offset: number, frozenAt?: number): void {
    const { offset: ahead, frozenAt: stoodAt } = this
    const after = { offset, frozenAt }
    this.#log?.push({ kind: 'clock', before: { offset: ahead, frozenAt: stoodAt }, after })
    this.put(after)
  }

  /** The same, but not logged. */
  put({ offset, frozenAt }: ClockState): void {
    this.offset = offset
    this.frozenAt = frozenAt
  }
}

/**
 * Moves a clock to an instant. A frozen clock stays frozen.
 * @param time milliseconds since 1970
 * @throws RangeError beyond the years 0000 to 9999
 */
export function moveClockTo(clock: Clock, time: number): void {
  if (!isWritable(time)) throw new RangeError('A clock must stay in the years 0000 to 9999')
  if (clock.frozenAt === undefined) clock.setOffset(time - clock.source())
  else clock.setOffset(clock.offset, time)
}

/** Stops a clock. */
export function freezeClock(clock: Clock): void {
  clock.setOffset(clock.offset, clock.now())
}

/** Lets a frozen clock continue from its current time. */
export function resumeClock(clock: Clock): void {
  if (clock.frozenAt !== undefined) clock.setOffset(clock.frozenAt - clock.source())
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
