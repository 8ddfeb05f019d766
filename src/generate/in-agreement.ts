/** Makes the values of a record consistent: no update precedes the creation, and a full name contains the first name. */
import { bareName } from '../compile/resources/paths/words.js'
import { isObject } from '../json/own-value.js'
import type { Values } from '../state/stored-record.js'

/** Words for earlier and for later times. */
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

/** The record with ordered times and consistent names, including nested objects and lists. */
export function inAgreement(values: Values): Values {
  const entries = Object.entries(values).map(([name, value]) => [name, agreeing(value)])
  return withOnePerson(withTimesInOrder(Object.fromEntries(entries)))
}

function agreeing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(agreeing)
  return isObject(value) ? inAgreement(value) : value
}

const firstNames = ['firstname', 'givenname', 'forename']
const lastNames = ['lastname', 'familyname', 'surname']
const wholeNames = /^((full|display|contact|customer|printable|user)?name|label)$/

/** If a person has a first and a last name, the full name and the address contain both. */
function withOnePerson(values: Values): Values {
  const textOf = (names: readonly string[]) =>
    Object.entries(values).find(([name, value]) => names.includes(bareName(name)) && typeof value === 'string')?.[1]
  const [first, last] = [textOf(firstNames), textOf(lastNames)]
  if (typeof first !== 'string' || typeof last !== 'string') return values
  const entries = Object.entries(values).map(([name, value]) => {
    if (typeof value !== 'string') return [name, value]
    if (wholeNames.test(bareName(name)) && /\s/.test(value)) return [name, `${first} ${last}`]
    const [, domain] = /^[^@\s]+@([^@\s]+)$/.exec(value) ?? []
    if (domain === undefined) return [name, value]
    const local = `${first}.${last}`.normalize('NFKD').replace(/[^\w.-]/g, '')
    return [name, `${local.toLowerCase()}@${domain}`]
  })
  return Object.fromEntries(entries)
}

/** Swaps two times with the same notation if they are in the wrong order. */
function withTimesInOrder(values: Values): Values {
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
