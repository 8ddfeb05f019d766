/** Makes the values of a record consistent: times in order, one person, one place, one currency, totals and counts that are true. */

import { toDecimal } from '../json/is-multiple.js'
import { isObject } from '../json/own-value.js'
import { currencies, firstNames, type Place, places } from './word-lists.js'
import { singular, wordsOf } from './words.js'

type Values = Record<string, unknown>

/** The values of one object, each with the words of its name. */
type Entry = { name: string; words: string; value: unknown }

/** The record with consistent values, including nested objects and lists. @param now in milliseconds since 1970 */
export function inAgreement(values: Values, now: number): Values {
  return withOneCurrency(agreeing(values, now) as Values)
}

function agreeing(value: unknown, now: number): unknown {
  if (Array.isArray(value)) return value.map((each) => agreeing(each, now))
  if (!isObject(value)) return value
  const inner: Values = Object.fromEntries(Object.entries(value).map(([name, own]) => [name, agreeing(own, now)]))
  const entries = Object.entries(inner).map(([name, own]) => ({ name, words: wordsOf(name).join(' '), value: own }))
  for (const agree of [agreeOnPerson, agreeOnPlace, agreeOnTimes, agreeOnFlags, agreeOnNumbers]) agree(entries, now)
  return Object.fromEntries(entries.map((entry) => [entry.name, entry.value]))
}

const find = (entries: readonly Entry[], pattern: RegExp) => entries.find(({ words }) => pattern.test(words))
const textOf = (entries: readonly Entry[], pattern: RegExp) => {
  const value = find(
    entries.filter(({ value }) => typeof value === 'string'),
    pattern,
  )?.value
  return typeof value === 'string' ? value : undefined
}

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[^\w -]/g, '')
    .trim()
    .toLowerCase()

/** Names, addresses and logins that were made are those of one person. Those of the document stay. */
function agreeOnPerson(entries: Entry[]): void {
  const [first, last] = [
    textOf(entries, /^(first|given|fore) ?name$|^first$/),
    textOf(entries, /^(last|family|sur) ?name$|^last$/),
  ]
  const whole = find(entries, /^((full|display|contact|customer|printable|user|real|legal) ?)?name$|^label$/)
  const known = first !== undefined && last !== undefined ? `${first} ${last}` : undefined
  const name = typeof whole?.value === 'string' ? whole.value : undefined
  // A company may have two words, too.
  const person = known ?? (firstNames.includes(name?.split(' ')[0] ?? '') ? name : undefined)
  for (const entry of entries) {
    const { value, words } = entry
    if (typeof value !== 'string') continue
    if (known !== undefined && entry === whole && /\s/.test(value)) entry.value = known
    if (person !== undefined && /^[a-z]+\.[a-z]+@example\.com$/.test(value))
      entry.value = `${plain(person).replace(/\s+/g, '.')}@example.com`
    if (person !== undefined && /^[a-z]+_\d\d$/.test(value)) entry.value = plain(person).replace(/\s+/g, '_')
    if (
      name !== undefined &&
      /\b(slug|handle|permalink|short ?name|alias)$/.test(words) &&
      /^[a-z]+-[a-z]+$/.test(value)
    )
      entry.value = plain(name).replace(/\s+/g, '-') || value
  }
}

/** What belongs to a city, by the words at the end of a name. */
const parts: readonly (readonly [RegExp, (place: Place, value: unknown) => unknown])[] = [
  [/\b(city|town|locality|municipality)$/, ({ city }) => city],
  [
    /\b(region|state|province|county|administrative district level 1)( code| name)?$/,
    ({ region, regionCode }, value) => (String(value).length < 4 ? regionCode : region),
  ],
  [/\b(zip|postal|post) ?(code)?$|\bpostcode$/, ({ postalCode }) => postalCode],
  [
    /\bcountry( code| iso| name)?$/,
    ({ country, countryCode, countryCode3 }, value) =>
      [country, countryCode, countryCode3].find((each) => each.length === String(value).length) ?? country,
  ],
  [/\b(latitude|lat)$/, ({ latitude }, value) => (typeof value === 'number' ? latitude : String(latitude))],
  [
    /\b(longitude|lng|lon|long)$/,
    ({ longitude }, value) => (typeof value === 'number' ? longitude : String(longitude)),
  ],
  [/\b(coordinates|lat lng|location)$/, ({ latitude, longitude }) => `${latitude},${longitude}`],
  [/\b(time ?zone|tz)$/, ({ timeZone }) => timeZone],
]

const placeTexts = new Set(
  places.flatMap((place) => [...Object.values(place).map(String), `${place.latitude},${place.longitude}`]),
)

/** One city for all values of a place that were made: `billing_city` and `billing_zip` belong together. */
function agreeOnPlace(entries: Entry[]): void {
  const groups = new Map<string, { entry: Entry; write: (place: Place, value: unknown) => unknown }[]>()
  for (const entry of entries) {
    const [pattern, write] = parts.find(([each]) => each.test(entry.words)) ?? []
    const isMade = typeof entry.value === 'number' || placeTexts.has(String(entry.value))
    if (!pattern || !write || !isMade) continue
    const owner = entry.words
      .replace(pattern, '')
      .replace(/\baddress\b/, '')
      .trim()
    groups.set(owner, [...(groups.get(owner) ?? []), { entry, write }])
  }
  for (const group of groups.values()) {
    const texts = group.map(({ entry }) => entry.value)
    const place =
      places.find(({ city }) => texts.includes(city)) ??
      places.find((each) => Object.values(each).some((own) => typeof own === 'string' && texts.includes(own)))
    if (place) for (const { entry, write } of group) entry.value = write(place, entry.value)
  }
}

/** Words for earlier and for later times. */
const pairs: readonly (readonly [RegExp, RegExp])[] = [
  [/\b(birth\w*|born|dob)\b/, /./],
  [
    /\b(created?|creation|registered|joined|added|opened|founded|inserted)\b/,
    /\b(updated?|modif\w+|changed?|edited|deleted|removed|archived|completed|finished|closed|published|expir\w+|last|sent|paid|started|ended|cancell?ed|due|approved|confirmed|delivered|processed|reviewed|viewed|accessed|end|start|valid|until)\b/,
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
]

/** Values that are times, with their milliseconds since 1970 and how to write others in the same form. */
function timeIn({ value, words }: Entry): { at: number; write: (at: number) => unknown } | undefined {
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
function agreeOnTimes(entries: Entry[]): void {
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

/** A flag says whether the event has a time. */
function agreeOnFlags(entries: Entry[], now: number): void {
  for (const flag of entries) {
    if (typeof flag.value !== 'boolean') continue
    const event = flag.words.replace(/^(is|has been|was) /, '')
    const stem = event.replace(/(ed|e|d)$/, '')
    const time = entries.find(
      ({ words, value }) =>
        value !== undefined &&
        typeof value !== 'boolean' &&
        stem.length > 2 &&
        new RegExp(`^(date )?${stem}\\w*( (at|on|date|time))?$`).test(words) &&
        words !== event,
    )
    if (!time) continue
    const known = timeIn(time)
    if (time.value === null) flag.value = false
    else if (known) flag.value = known.at <= now
  }
  const [birth, age] = [find(entries, /\b(birth ?date|birthday|date of birth|dob)$/), find(entries, /^age$/)]
  const born = birth && timeIn(birth)
  if (born && typeof age?.value === 'number') age.value = Math.floor((now - born.at) / (365.25 * 86_400_000))
}

const quantity = /^(quantity|qty|count|units)$/
const unitPrice = /^(price|unit price|unit amount|unit cost|price per unit|rate|unit rate|sales price)$/
const lineTotal =
  /^(amount|total|line total|line amount|subtotal|sub total|total price|total amount|net amount|extended price)$/
const sum = /^(subtotal|sub total|total before tax|net total|net amount|total excluding tax)$/
const grandTotal = /^(total|total amount|amount|grand total|total price|amount total|order total)$/
const due = /^(amount due|balance|balance due|amount remaining|outstanding|total due)$/

/** Amounts are products and sums, counts are lengths of lists, and minimums are not above maximums. */
function agreeOnNumbers(entries: Entry[]): void {
  const numberOf = (pattern: RegExp) =>
    entries.find(({ words, value }) => pattern.test(words) && Number.isFinite(toNumber(value)))
  const [count, price, total] = [numberOf(quantity), numberOf(unitPrice), numberOf(lineTotal)]
  if (count && price && total) set(total, toNumber(count.value) * toNumber(price.value))
  for (const entry of entries) {
    const { words } = entry
    const [, counted] = /^(?:total |num |number of )?([a-z ]+?) ?(?:count|total)?$/.exec(words) ?? []
    const isCount = / ?count$|^(num|number of|total) /.test(words) && typeof entry.value === 'number'
    const list =
      isCount && counted
        ? entries.find(
            ({ words: own, value }) =>
              Array.isArray(value) &&
              own.split(' ').map(singular).join(' ') === counted.split(' ').map(singular).join(' '),
          )
        : undefined
    if (list) entry.value = (list.value as unknown[]).length
    const most = /^(min|minimum|least|lowest|lower) (.+)$|^(.+) (min|minimum|least)$|^(min|minimum|low|lower)$/.test(
      words,
    )
      ? entries.find(
          (other) =>
            other.words ===
            words
              .replace(/\bmin\b/, 'max')
              .replace(/\bminimum\b/, 'maximum')
              .replace(/\bleast\b/, 'most')
              .replace(/\blowest\b/, 'highest')
              .replace(/\blower\b/, 'upper')
              .replace(/\blow\b/, 'high'),
        )
      : undefined
    if (most && most !== entry && toNumber(entry.value) > toNumber(most.value))
      [entry.value, most.value] = [most.value, entry.value]
  }
  const lines = entries
    .flatMap(({ value }) =>
      Array.isArray(value) && value.length > 0 && value.every(isObject) ? [value as Values[]] : [],
    )
    .map((list) =>
      list.map(
        (line) =>
          Object.entries(line).find(
            ([name, value]) => lineTotal.test(wordsOf(name).join(' ')) && Number.isFinite(toNumber(value)),
          )?.[1],
      ),
    )
  const [amounts] = lines.filter((list) => list.every((each) => each !== undefined))
  if (amounts) {
    const added = amounts.reduce<number>((all, each) => all + toNumber(each), 0)
    const before = numberOf(sum)
    if (before) set(before, added)
    const [tax, discount, whole] = [
      numberOf(/^(tax|total tax|tax amount|vat|tax total)$/),
      numberOf(/^(discount|total discount|discount amount)$/),
      numberOf(grandTotal),
    ]
    if (discount && toNumber(discount.value) > added) set(discount, 0)
    if (whole) set(whole, added + (tax ? toNumber(tax.value) : 0) - (discount ? toNumber(discount.value) : 0))
  }
  const [whole, paid, open] = [
    numberOf(grandTotal),
    numberOf(/^(amount paid|paid|total paid|paid amount)$/),
    numberOf(due),
  ]
  if (whole && open && whole !== open) {
    if (paid && toNumber(paid.value) > toNumber(whole.value)) set(paid, toNumber(whole.value))
    set(open, toNumber(whole.value) - (paid ? toNumber(paid.value) : 0))
  }
}

function toNumber(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN
}

/** Writes a number like the one before: as a text, or a whole one. */
function set(entry: Entry, next: number): void {
  const { value } = entry
  const rounded = toDecimal(Math.round(next * 100) / 100)
  if (typeof value === 'string') entry.value = /\.\d\d$/.test(value) ? rounded.toFixed(2) : String(rounded)
  else if (!Number.isInteger(value) || Number.isInteger(rounded)) entry.value = rounded
  else entry.value = Math.round(rounded)
}

/** All currencies that were made are the first one. */
function withOneCurrency(values: Values): Values {
  let first: string | undefined
  const visit = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => visit(each, name))
    if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([own, each]) => [own, visit(each, own)]))
    if (typeof value !== 'string' || !currencies.includes(value) || !/currency|currencies/i.test(name)) return value
    first ??= value
    return first
  }
  return visit(values, '') as Values
}
