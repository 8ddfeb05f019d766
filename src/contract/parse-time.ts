/** Reads dates and times as RFC 3339 writes them (section 5.6), in the years 0000 to 9999. */

/** A date, which may have a time with an offset. A space in place of the `T` is refused. */
const form =
  /^(\d{4}-\d\d-(\d\d))(?:[Tt ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d)))?$/

/** 0000-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z */
export const firstTime = -62167219200000
export const lastTime = 253402300799999

/** What a time must be, for error messages. */
export const timeWords = 'an RFC 3339 date such as 2030-12-05 or date-time such as 2030-12-05T00:00:00Z'

/**
 * A date (midnight UTC), or a date with a time and its offset, in milliseconds since 1970. A leap second counts as the
 * second after it, as in POSIX.
 * @returns undefined for any other text
 */
export function parseTime(text: string): number | undefined {
  const [, date = '', day, hour = 0, minute = 0, second = 0, fraction = '', sign, ...shift] = form.exec(text) ?? []
  const midnight = Date.parse(date)
  // `Date` reads 30 February as 1 March.
  if (new Date(midnight).getUTCDate() !== Number(day)) return undefined
  const [offsetHour = 0, offsetMinute = 0] = shift
  const ahead = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -1 : 1)
  const minutes = Number(hour) * 60 + Number(minute) - ahead
  const seconds = midnight + (minutes * 60 + Number(second)) * 1000
  // A leap second can only be the last second of a month in UTC (RFC 3339, appendix D).
  if (second === '60' && !new Date(seconds).toISOString().endsWith('-01T00:00:00.000Z')) return undefined
  const read = seconds + Number(fraction.slice(0, 3).padEnd(3, '0'))
  return isWritable(read) ? read : undefined
}

/** Whether a time, in milliseconds since 1970, is in the years 0000 to 9999, so that RFC 3339 can write it in UTC. */
export function isWritable(milliseconds: number): boolean {
  return milliseconds >= firstTime && milliseconds <= lastTime
}
