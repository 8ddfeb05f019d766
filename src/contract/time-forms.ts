/** How times are written that are not RFC 3339 date-times. */
import type { TimeForm } from './effects/effect.js'

/** Write a time in milliseconds since 1970. @example timeForms.seconds(1767225600000) // 1767225600 */
export const timeForms: Record<Exclude<TimeForm, 'sample'>, (now: number) => unknown> = {
  date: (now) => new Date(now).toISOString().replace(/T.*/, ''),
  spaced: (now) => new Date(now).toISOString().replace('T', ' ').slice(0, 19),
  mail: (now) => new Date(now).toUTCString().replace('GMT', '+0000'),
  seconds: (now) => Math.floor(now / 1000),
  milliseconds: (now) => now,
  'seconds-text': (now) => String(Math.floor(now / 1000)),
  'milliseconds-text': (now) => String(now),
  'date-text': (now) => `/Date(${now}+0000)/`,
}
