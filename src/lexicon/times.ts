/** What names say about times: which properties have one, and what happened then. */
import { type Table, table } from './table.js'
import { bareName, wordsOf } from './words.js'

/** Last words of the names of times. */
const endings = table(
  'word',
  `date 300, time 232, at 177, timestamp 134, on 66, seconds 54, ms 23, utc 22, ts 16, millis 12, epoch 8,
  milliseconds 7, secs 5, unix 2`,
)
/** Words that are the name of a time by themselves. */
const alone = table('property', `created 92, updated 48, modified 24`)

/** Whether a name is that of a time: `created_at`, `startDate`, `dateOfBirth`, `modified` */
export function isTimeName(name: string): boolean {
  const [first = '', ...others] = wordsOf(name)
  const last = others.at(-1)
  return endings.has(last ?? first) || (last === undefined ? alone.has(first) : first === 'date')
}

/** Beginnings of the names of times that a service sets, with and without separators. */
const settings =
  /^(created|creation|updated|modified|modification|inserted|registered|added|queued|enqueued|submitted|requested)|^(date|time)_?(created|added|updated|modified)|^last_?(updated|modified|changed|edited)|^(create|update|modify)_?(time|date|at|on|timestamp)|^last_?\w*(updated?|changed?)$/i

/** Whether a service sets a time at each creation or change: `createdAt`, `creation_date`, `dateCreated`, `lastModified` */
export function isSetByService(name: string): boolean {
  return settings.test(name)
}

/** Whether a description says that a time is that of the request, if it has none: `Defaults to the current time.` */
export function saysNow(text: string): boolean {
  return /\bdefaults? (to|is)( the)? (now|today|current (date|time)|time of (the )?(request|creation)|present)\b|\bif (omitted|not (given|set|provided|specified)),?( the)? (now|current (date|time))/i.test(
    text,
  )
}

/** First and last words of what is written again at each change. */
const again = /^(update|modif|change|last)|(updated|modified|changed)$/i

/** Whether a service writes a property again at each change: `updatedAt`, `last_seen` */
export function isWrittenAgain(name: string): boolean {
  return again.test(name)
}

/** Times at which work starts. */
const starts = table(
  'property',
  `start date 95, start time 68, started at 26, started 21, start at 11, started on 4, begin time 3, started time 2,
  processing started at 1`,
)
/** Times at which work ends. */
const ends = table(
  'property',
  `end date 85, end time 57, completed at 28, completed 25, finished 18, finished at 15, ended at 12, end at 11,
  succeeded 8, processed 8, date completed 8, completion date 7, completed date 6, completed on 5, finish time 5,
  completion time 5, processed at 4, date finished 3, finished on 2, finished time 2, finished date 2, ended 2,
  succeeded at 2, complete time 2, completed time 1, ended on 1, ended time 1, processed on 1, processed date 1,
  finish date 1, complete date 1, date ended 1`,
)
/** Times at which something begins and ends to be in force. */
const [begins, expires] = [
  table(
    'property',
    `start date 95, start 73, start time 68, start datetime 17, start at 11, starts at 9, begin time 3, valid from 10,
  active from 2, effective from 2`,
  ),
  table(
    'property',
    `end date 85, end time 57, end at 11, end 59, ends at 7, end datetime 18, expires at 39, valid to 8, valid until 17,
  active to 0, active until 1, effective to 1`,
  ),
]
export const isPeriodStart: Table['has'] = begins.has
export const isPeriodEnd: Table['has'] = expires.has

/** How much of the work is done. */
const shares = table(
  'property',
  `percentage 38, progress 29, percent 12, percent complete 8, progress percent 4, progress percentage 4,
  percentage complete 3, completion 3, completion percentage 3, percent done 2, percentage completed 2,
  percent completed 1`,
)
export function isStartTime(name: string): boolean {
  return starts.has(name)
}

export function isEndTime(name: string): boolean {
  return ends.has(name)
}

/** Whether a number says how much of the work is done. */
export function isShareOfWork(name: string): boolean {
  return shares.has(name)
}

/** Whether a name is that of the time at which something happened. @example isTimeOf('closed', 'date_closed') // true */
export function isTimeOf(event: string, name: string): boolean {
  const bare = bareName(event)
  return [`${bare}at`, `${bare}on`, `${bare}date`, `${bare}time`, `date${bare}`].includes(bareName(name))
}

/** Whether a description says that a number of seconds or milliseconds since 1970 is meant. */
export function saysUnix(text: string): boolean {
  return /\b(unix|epoch|1970|timestamp)\b/i.test(text)
}

/** Whether a description names a written form of times (RFC 3339, ISO 8601). */
export function saysWritten(text: string): boolean {
  return /\b(RFC|ISO)[ -]?(3339|8601)\b/i.test(text)
}

export function saysMilliseconds(text: string): boolean {
  return /\b(ms|millis|milliseconds?)\b/i.test(text)
}

/** Whether a format is that of times: it is often misspelled, or has the name of a provider before it: `google-datetime` */
export function isTimeFormat(format: string): boolean {
  return /^([\w ]+-)?date-?time$/i.test(format)
}

/** Whether a format is that of times in mails (RFC 5322, 3.3). */
export function isMailFormat(format: string): boolean {
  return /rfc-?_?(2822|5322|1123)/i.test(format)
}
