/** Puts the times of a record in order: nothing is updated before it is created. */
import type { Values } from '../state/stored-record.js'

/** Words of what comes first, and of what comes later. */
const pairs: readonly (readonly [RegExp, RegExp])[] = [
  [
    /creat(ed|ion)/i,
    /updated|modif|changed|edited|deleted|removed|archived|completed|finished|closed|published|expir|last/i,
  ],
  [/start|begin/i, /end|finish|stop|expir/i],
  [/from/i, /\bto|To\b|_to|until|Until/],
  [/issued|opened|published|sent/i, /due|expir|closed|received|read/i],
]

const time = /^\d{4}-\d\d-\d\d/

/** Swaps two times where the later one comes first. Both have the same notation. */
export function withTimesInOrder(values: Values): Values {
  const times = Object.entries(values).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && time.test(entry[1]),
  )
  if (times.length < 2) return values
  const ordered: Record<string, unknown> = { ...values }
  for (const [first, second] of pairs) {
    const later = times.filter(([name]) => second.test(name)).map(([name]) => name)
    for (const [name] of times.filter(([each]) => first.test(each) && !second.test(each))) {
      for (const other of later) {
        const [one, two] = [ordered[name] as string, ordered[other] as string]
        if (one.length !== two.length || one <= two) continue
        ordered[name] = two
        ordered[other] = one
      }
    }
  }
  return ordered
}
