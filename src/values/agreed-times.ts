/** Puts the times of an object in order. */
import type { Entry } from './entry.js'

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
