/** Makes the numbers of an object consistent. */
import { toDecimal } from '../json/is-multiple.js'
import { isObject } from '../json/own-value.js'
import { singular, wordsOf } from '../lexicon/words.js'
import type { Entry } from './entry.js'

type Values = Record<string, unknown>

const quantity = /^(quantity|qty|count|units)$/
const unitPrice = /^(price|unit price|unit amount|unit cost|price per unit|rate|unit rate|sales price)$/
const lineTotal =
  /^(amount|total|line total|line amount|subtotal|sub total|total price|total amount|net amount|extended price)$/
const sum = /^(subtotal|sub total|total before tax|net total|net amount|total excluding tax)$/
const grandTotal = /^(total|total amount|amount|grand total|total price|amount total|order total)$/
const due = /^(amount due|balance|balance due|amount remaining|outstanding|total due)$/

/** Amounts are products and sums, counts are lengths of lists, and minimums are not above maximums. */
export function agreeOnNumbers(entries: Entry[]): void {
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
              own
                .replace(/ ids?$/, '')
                .split(' ')
                .map(singular)
                .join(' ') === counted.split(' ').map(singular).join(' '),
          )
        : undefined
    if (list) entry.value = (list.value as unknown[]).length
  }
  const numbers = entries.flatMap((entry) =>
    Number.isNaN(toNumber(entry.value)) || isNoCount.test(entry.words) ? [] : [{ entry, own: entry.words.split(' ') }],
  )
  if (numbers.length > 1) for (const words of ordered) agreeOnOrder(numbers, words)
  agreeOnRest(numbers)
  agreeOnSums(entries)
  const lines = entries
    .flatMap(({ value }) =>
      Array.isArray(value) && value.length > 0 && value.every(isObject) ? [value as Values[]] : [],
    )
    .map((list) =>
      list.map((line) => numberIn(line, lineTotal) ?? product(numberIn(line, quantity), numberIn(line, unitPrice))),
    )
  const [amounts] = lines.filter((list) => list.every((each) => each !== undefined))
  if (amounts) {
    const added = amounts.reduce<number>((all, each = 0) => all + each, 0)
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

function numberIn(line: Values, pattern: RegExp): number | undefined {
  const isMeant = ([name, value]: [string, unknown]) =>
    pattern.test(wordsOf(name).join(' ')) && Number.isFinite(toNumber(value))
  const [, found] = Object.entries(line).find(isMeant) ?? []
  return found === undefined ? undefined : toNumber(found)
}

const product = (one?: number, other?: number) => (one === undefined || other === undefined ? undefined : one * other)

/** Words for smaller and larger numbers. */
const ordered: readonly (readonly string[])[] = [
  ...[
    'min max',
    'minimum maximum',
    'least most',
    'lowest highest',
    'lower upper',
    'low high',
    'net gross',
    'used total',
  ],
  ...[
    'unique total',
    'distinct total',
    'active total',
    'failed total',
    'billable total',
    'used limit',
    'used entitled',
    'taken entitled',
    'used allocated',
    'free total',
    'available total',
    'start end',
    'from to',
    'first last',
    'begin end',
    'middle total',
  ],
  ...['hour day week month year', 'hourly daily weekly monthly yearly', 'daily weekly monthly annual'],
].map((each) => each.split(' '))

/** Numbers that are not counted or measured. */
const isNoCount = /\b(ids?|key|number|code|version|year|port|at|date|time|timestamp|ts)$/

/** Numbers whose names only differ in one word are in the order of these words. */
function agreeOnOrder(numbers: readonly { entry: Entry; own: string[] }[], words: readonly string[]): void {
  const groups = new Map<string, Map<string, Entry>>()
  for (const { entry, own } of numbers) {
    // All are meant by a name without a word for a part: `clicks`, `unique_clicks`
    const word = words.find((each) => own.includes(each)) ?? (words.at(-1) === 'total' ? 'total' : undefined)
    if (word === undefined) continue
    const others = own.filter((each) => each !== word).join(' ')
    if (groups.get(others)?.has(word)) continue
    groups.set(others, (groups.get(others) ?? new Map<string, Entry>()).set(word, entry))
  }
  for (const group of groups.values()) {
    const inOrder = words.flatMap((word) => group.get(word) ?? [])
    const sorted = inOrder.map(({ value }) => value).toSorted((one, other) => toNumber(one) - toNumber(other))
    inOrder.forEach((entry, index) => {
      entry.value = sorted[index]
    })
  }
}

/** What remains is what is not used: `entitled_days`, `used_days`, `remaining_days` */
function agreeOnRest(numbers: readonly { entry: Entry; own: string[] }[]): void {
  const isLeft = (word: string) => word === 'remaining' || word === 'left' || word === 'available' || word === 'free'
  for (const { entry, own } of numbers) {
    const noun = own.filter((word) => !isLeft(word)).join(' ')
    if (noun.length === 0 || !own.some(isLeft)) continue
    const find = (words: readonly string[]) =>
      numbers.find((each) =>
        words.some((word) => each.own.join(' ') === `${word} ${noun}` || each.own.join(' ') === `${noun} ${word}`),
      )?.entry
    const whole = find(['total', 'entitled', 'allocated', 'granted', 'limit', 'quota'])
    const used = find(['used', 'taken', 'spent', 'consumed', 'reserved', 'booked'])
    if (whole && used) set(entry, toNumber(whole.value) - toNumber(used.value))
  }
}

/** A total count is the sum of its parts: `total_rooms`, `single_rooms`, `double_rooms` */
function agreeOnSums(entries: readonly Entry[]): void {
  for (const total of entries) {
    const words = total.words.split(' ')
    const rest = words.filter((word) => word !== 'total' && word !== 'all')
    const isCount = rest.at(-1) === 'count' || rest[0] === 'num'
    if ((rest.length === words.length && !isCount) || rest.length === 0 || !Number.isInteger(total.value)) continue
    const parts = entries.flatMap(({ words: own, value }) => {
      const others = own.split(' ')
      // `bookmarks_by_type: { text, link }` has all parts of `num_bookmarks`.
      const inner = isObject(value) && own.startsWith(`${total.words} by `) ? Object.values(value) : []
      if (inner.length > 0 && inner.every(Number.isInteger)) return inner
      const isPart = (isCount || others.length === rest.length + 1) && rest.every((word) => others.includes(word))
      const isNumber = Number.isInteger(value) && !/\b(id|page|limit|max|min|total|unique|distinct)\b/.test(own)
      return isPart && own !== total.words && isNumber ? [value] : []
    })
    if (parts.length > 1) total.value = parts.reduce<number>((sum, value) => sum + Number(value), 0)
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
