/** Puts the times of an object in order. */
import { isObject } from '../json/own-value.js'
import type { Entry } from './entry.js'
import { wordsOf } from './words.js'

/** Words for earlier and for later times. */
const pairs: readonly (readonly [RegExp, RegExp])[] = [
  [/\b(birth\w*|born|dob)\b/, /./],
  [
    /\b(created?|creation|registered|joined|added|opened|founded|inserted)\b/,
    /\b(updated?|modif\w+|changed?|edited|deleted|removed|archived|completed|finished|closed|published|expir\w+|last|sent|paid|started|ended|cancell?ed|due|accepted|approved|confirmed|committed|launched?|delivered|processed|reviewed|viewed|accessed|end|start|valid|until)\b/,
  ],
  [
    /\b(start\w*|begin\w*|begun|open\w*|check ?in|depart\w*|pick ?up|not before)\b/,
    /\b(end\w*|finish\w*|stop\w*|expir\w*|complet\w*|clos\w*|check ?out|arriv\w*|drop ?off|due|deadline|not after)\b/,
  ],
  [/\b(from|since)\b/, /\b(to|until|till)\b/],
  [
    /\b(issued?|sent|ordered|invoiced?|published|submitted|requested|queued|scheduled)\b/,
    /\b(due|expir\w*|closed|received|read|paid|delivered|shipped|approved|completed|finished|processed|started|ended)\b/,
  ],
  [/\b(first)\b/, /\b(last|latest)\b/],
  [/\b(previous|last|prev)\b/, /\b(next|upcoming)\b/],
  [/\b(shipped|started)\b/, /\b(delivered|finished|ended|completed)\b/],
  [/\b(updated?|modified)\b/, /\b(deleted|expir\w*|due)\b/],
  [/\b(on ?sale|announced|published)\b/, /\b(event|start\w*|begin\w*|show|performance)\b/],
  [/\b(created?|creation)\b/, /^(timestamp|\w+ timestamp|geocod\w+( at| on)?)$/],
  [/^(ts|time|timestamp|date)$/, /^(ts|time|timestamp|date) end$/],
]

/** Values that are times, with their milliseconds since 1970 and how to write others in the same form. */
export function timeIn({ value, words }: Entry): { at: number; write: (at: number) => unknown } | undefined {
  if (typeof value === 'number') {
    if (!/\b(at|on|date|time|timestamp|ts|created|updated|start|end|until|expires)\b/.test(words)) return undefined
    if (value > 9e8 && value < 5e9) return { at: value * 1000, write: (at) => Math.floor(at / 1000) }
    return value > 9e11 && value < 5e12 ? { at: value, write: (at) => at } : undefined
  }
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{3})?Z)?$/.test(value)) return undefined
  const at = Date.parse(value)
  const write = (next: number) =>
    new Date(next).toISOString().slice(0, value.length - Number(value.endsWith('Z'))) + (value.endsWith('Z') ? 'Z' : '')
  return Number.isNaN(at) ? undefined : { at, write }
}

/** Maximum rounds until all times are in order. */
const maxRounds = 6

/** Swaps times that are in the wrong order. */
export function agreeOnTimes(entries: Entry[]): void {
  const times = entries.flatMap((entry) => {
    const time = timeIn(entry)
    return time ? [{ entry, ...time }] : []
  })
  if (times.length < 2) return
  const ordered = times.flatMap((one) =>
    times.flatMap((other) => {
      const isPair =
        one !== other &&
        pairs.some(
          ([first, second]) =>
            first.test(one.entry.words) && second.test(other.entry.words) && !first.test(other.entry.words),
        )
      return isPair ? [[one, other] as const] : []
    }),
  )
  for (let round = 0, isChanged = true; isChanged && round < maxRounds; round++) {
    isChanged = false
    for (const [one, other] of ordered) {
      if (one.at <= other.at) continue
      ;[one.at, other.at] = [other.at, one.at]
      isChanged = true
    }
  }
  for (const { entry, at, write } of times) entry.value = write(at)
}

/** Names of the time of the first event of a record, and of the last one. */
const first =
  /^(date ?)?(created?|creation|queued|registered|inserted|first|added|entered|earned|joined|opened)\b|^datecreate|\b(created?|creation)( (at|on|date|time|timestamp|utc))?$/
const last = /\b(updated?|modified|modification|last|latest|changed|edited)\b|^last/
/** Events that are no part of the life of a record. */
const others =
  /\b(birth\w*|born|dob|founded|established|expir\w*|due|until|valid|deadline|next|scheduled?|embargo|upcoming|end\w*)\b/

/** Nothing in a record happens before its creation, or after its last change. @param now in milliseconds since 1970 */
export function agreeOnLifetime(record: Record<string, unknown>, now: number): void {
  const times: {
    object: Record<string, unknown>
    words: string
    name: string
    at: number
    write(at: number): unknown
  }[] = []
  visit(record)
  const past = times.filter(({ at, words }) => at <= now && !others.test(words)).map(({ at }) => at)
  if (past.length < 2) return
  for (const { object, name, words, at, write } of times) {
    if (object !== record) continue
    if (last.test(words)) object[name] = write(Math.max(at, ...past))
    else if (first.test(words)) object[name] = write(Math.min(at, ...past))
  }

  function visit(value: unknown): void {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isObject(value) || Array.isArray(value)) return
    for (const [name, own] of Object.entries(value)) {
      const words = wordsOf(name).join(' ')
      const time = timeIn({ name, words, value: own })
      if (time) times.push({ object: value as Record<string, unknown>, name, words, ...time })
      else visit(own)
    }
  }
}
