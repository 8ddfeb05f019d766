/** Finds how the values of an object follow from each other, by the names of its properties. See `json/sampler/derive.ts`. */
import type { Relation, Term } from '../json/sampler/sampler-plan.js'
import type { DescribedMember } from '../json/sampler/value-looks.js'
import { endsLikeKey } from '../lexicon/keys.js'
import { singular, wordsOf } from '../lexicon/words.js'
import { findSpan } from './time-spans.js'

interface Member extends DescribedMember {
  words: string
}

const quantity = /^(quantity|qty|count|units|hours|(rental |number of )?(days|nights|weeks))$/
const unitPrice =
  /^(unit |daily |hourly |nightly |sales )?(price|amount|cost|rate|fee)( per (unit|day|night|hour|item)| each)?$/
const lineTotal = /^(amount|total|line total|line|subtotal|sub total|total price|net|extended price)$/
const before =
  /^(sub ?total|sub total|total before tax|net total|net|total excluding tax|items total|amount base|original price|base( (price|value|salary|pay))?|gross( (price|value|salary|pay))?)$/
const grand =
  /^(total|amount|line total|line|extended price|grand total|total price|order total|final price|price paid|price after discount|total calculated|net (value|salary|pay))$/
const tax = /^(tax|total tax|vat|tax total|taxes|taxes total)$/
const taxRate = /^(tax|vat)( rate| percent| percentage)$/
const added =
  /^((delivery|shipping|service|handling|booking|extra|cleaning) (fee|cost|costs|charge)s?|shipping|extras( total)?|tip|bonus(es)?|allowances?)$/
const discount = /^((total )?(discount|deduction)s?)$/
const ofGoods = /^(unit |sale |selling )?price( [a-z]{3})?$/
const paid = /^((amount|total) paid|paid( total)?)$/
const due = /^((amount|balance|total) )?(due|remaining|outstanding)$/

/** Whether a text may be an amount with decimals: `"12.50"` */
const isAmount = (words: string) =>
  [unitPrice, lineTotal, before, grand, tax, added, discount, paid, due].some((each) => each.test(words))

/** Numbers of which the first is at most the second. */
const atMost: readonly (readonly [RegExp, RegExp])[] = [
  [discount, /^(price|ticket price|regular price|original price)$/],
  [/^floor( number)?$/, /^((total|number of) )?floors$/],
  [/^likes?( count)?$/, /^views?( count)?$/],
  [/^(refunded|refund)( total)?$/, /^(amount|total|price|total price|paid)$/],
  [
    /^(reduced|sale|discount(ed)?|special|promo|promotional|offer|deal|member|student|child) price$/,
    /^((ticket|regular|original|list|full|unit|adult) )?price$/,
  ],
  [/^(limit )?per (customer|user|person)( limit)?$|^(customer|user) limit$/, /^(usage|total|max) (limit|uses|usage)$/],
  [/^(errors?|failed|failures?)( (count|rows|records|items))?$/, /^(processed|total) (count|rows|records|items)$/],
  [/^skipped( (count|rows|records|items))?$/, /^(processed|total) (count|rows|records|items)$/],
  [/^(current|book|residual|resale) value$/, /^(purchase|original|new|list) (price|value)$/],
]

/** Words for smaller and larger numbers. */
const ordered: readonly (readonly string[])[] = [
  ...['min current max', 'minimum current maximum', 'least most', 'lowest highest', 'lower upper', 'low high'],
  ...['unique total', 'distinct total', 'active total', 'failed total', 'billable total', 'middle total', 'start end'],
  ...['from to', 'first last', 'begin end', 'reorder stock', 'count limit', 'net gross'],
  ...['hour day week month year', 'hourly daily weekly monthly yearly', 'daily weekly monthly annual'],
].map((each) => each.split(' '))

const wholeWords = /^(total|capacity|entitled|allocated|granted|limit|quota|max|count|size)$/
const usedWords = /^(used|taken|spent|consumed|reserved|booked|sold|occupied|enrolled|filled|redeemed)$/
const restWords = /^(remaining|left|available|free|vacant|unsold|rest)$/
const isFull = /^(is )?(sold ?out|full|fully booked|booked out)$/

/** Numbers that are not counted or measured. */
const isNoCount = /\b(ids?|key|number|code|version|year|port|at|date|time|timestamp|ts)$/

/** An amount without what it is an amount of. */
const withoutUnit = (words: string) => words.replace(/ (in cents|cents|usd|eur|gbp|amount)$/, '')

/** @param owner the words of the noun of the object, the last one in the singular */
export function findRelations(described: readonly DescribedMember[], owner: string): Relation[] {
  const members = described.map((each): Member => ({ ...each, words: wordsOf(each.name).join(' ') }))
  const numbers = members
    .filter(
      ({ kind, words, isEnum }) =>
        (kind === 'number' || kind === 'integer' || (kind === 'text' && !isEnum && isAmount(withoutUnit(words)))) &&
        !isNoCount.test(words),
    )
    .map((each) => ({ ...each, words: withoutUnit(each.words) }))
  const called = (pattern: RegExp) => numbers.find(({ words }) => pattern.test(words))?.name
  return [
    ...copiesOf(members, owner),
    ...ordersOf(numbers),
    ...unitsOf(members),
    ...sumsOf(members, numbers, called),
    ...restsOf(members, numbers),
    ...countsOf(members),
    ...timesOf(members, owner),
  ]
}

/** Names of the same text in another form. */
const inOtherForm =
  /^(escaped|clean|sort|display|full|pretty|global|original|common|default|localized|preferred|formatted|printable|public|supplemental|short|meta|normalized|[a-z]+ global|[a-z]+ display) /

/** Texts that repeat another one: `supplier_name` beside `supplier`, and `status_display` what `status` is in words. */
function copiesOf(members: readonly Member[], owner: string): Relation[] {
  const noun = `${owner.split(' ').at(-1)} `
  return members.flatMap(({ name, words, kind, isEnum }): Relation[] => {
    if (kind !== 'text' || isEnum) return []
    const bases = [words.replace(inOtherForm, ''), words.replace(/ (name|nombre|nome|display|label|text)$/, '')]
    // What a record is and what it is as such are the same: `property_status` of a property
    const isOther = endsLikeKey(words) || / (name|date|time|at|on)$/.test(words)
    const same = words.startsWith(noun) && !isOther ? words.slice(noun.length) : ''
    const of = members.find(
      ({ words: own, kind: each }) => each === 'text' && own !== words && [...bases, same].includes(own),
    )
    return of
      ? [{ is: 'copy', property: name, of: of.name, ...(of.isEnum && of.words !== same && { isInWords: true }) }]
      : []
  })
}

/** Units of which a number of the second are so many of the first. */
const units: readonly (readonly [smaller: RegExp, larger: RegExp, factor: number])[] = [
  [/\b(cents?|paise|pence|pennies|minor)\b/, /\b(dollars?|euros?|rupees|inr|usd|eur|pounds?|major)\b/, 100],
  [/\b(grams?|g|meters?|metres?|m|ml|bytes)\b/, /\b(kilograms?|kgs?|kilometers?|kilometres?|km|liters?|kb)\b/, 1000],
  [/\b(seconds?|minutes?|secs?|mins?)\b/, /\b(minutes?|hours?|mins?)\b/, 60],
]

/** The same amount in two units: `amount_paise`, `amount_rupees` */
function unitsOf(members: readonly Member[]): Relation[] {
  const numbers = members.filter(({ kind }) => kind === 'number' || kind === 'integer')
  return units.flatMap(([smaller, larger, factor]) =>
    numbers.flatMap(({ name, words }): Relation[] => {
      const rest = words.replace(smaller, '')
      const isSame = (each: string) => each !== words && each.replace(larger, '') === rest && larger.test(each)
      const of = rest === words ? undefined : numbers.find((each) => isSame(each.words))
      return of ? [{ is: 'sum', property: name, of: [{ percent: factor * 100, of: of.name }] }] : []
    }),
  )
}

/** Numbers whose names only differ in one word are in the order of these words. */
function ordersOf(numbers: readonly Member[]): Relation[] {
  return ordered.flatMap((words) => {
    const groups = new Map<string, Map<string, string>>()
    for (const { name, words: all } of numbers) {
      const own = all.split(' ')
      // All are meant by a name without a word for a part, and what is now: `clicks`, `unique_clicks`, `stock`, `max_stock`
      const word =
        words.find((each) => own.includes(each)) ?? words.find((each) => each === 'total' || each === 'current')
      if (word === undefined) continue
      const rest = own.filter((each) => each !== word && each !== 'level' && each !== 'quantity').join(' ')
      const group = groups.get(rest) ?? new Map<string, string>()
      groups.set(rest, group.set(word, group.get(word) ?? name))
    }
    return [...groups.values()].flatMap((group): Relation[] => {
      const names = words.flatMap((word) => group.get(word) ?? [])
      return names.length > 1 ? [{ is: 'order', of: names }] : []
    })
  })
}

/** Amounts are products and sums: `total` of a line is `quantity` times `unit_price`. */
function sumsOf(
  members: readonly Member[],
  numbers: readonly Member[],
  called: (pattern: RegExp) => string | undefined,
): Relation[] {
  const relations: Relation[] = atMost.flatMap(([low, high]) => {
    const [property, of] = [called(low), called(high)]
    if (!property || !of || property === of) return []
    const isLater = !/price|value|per|floor/.test(low.source)
    return [{ is: low === discount ? 'share' : 'atMost', property, of, isLater } as const]
  })
  const [count, price, whole, rate, taxes, less] = [quantity, unitPrice, grand, taxRate, tax, discount].map(called)
  // All of a kind together: `total_discounts`
  const parts = (kind: RegExp) => numbers.flatMap(({ name, words }) => (kind.test(words) ? [name] : []))
  const [earned, least] = [called(/^total (earnings|additions)$/), called(/^base( (value|salary|pay))?$/)]
  const bonuses = parts(/ (pay|bonus|allowance)$|^(overtime|holiday)$/)
  const gross = called(/^gross( (value|salary|pay))?$/)
  if (earned && bonuses.length > 0) relations.push({ is: 'sum', property: earned, of: bonuses })
  if (gross && least) relations.push({ is: 'sum', property: gross, of: [least, ...(earned ? [earned] : bonuses)] })
  const discounts = less && /^total /.test(wordsOf(less).join(' ')) ? parts(/(?<!^total) (discount|deduction)s?$/) : []
  if (less && discounts.length > 1) relations.push({ is: 'sum', property: less, of: discounts })
  const sub = gross && least ? gross : called(before)
  // A line has the price of what it is about.
  const priced = (items: readonly string[]) => items.filter((each) => ofGoods.test(wordsOf(each).join(' ')))
  const shown = members.flatMap(({ name, kind, items = [] }) =>
    kind === 'object' ? priced(items).map((only) => ({ inside: name, only })) : [],
  )
  if (price && shown.length === 1) relations.push({ is: 'sum', property: price, of: shown })
  const lines = members.flatMap((list) => {
    const inner = (list.items ?? []).map((name) => ({ name, words: withoutUnit(wordsOf(name).join(' ')) }))
    const find = (pattern: RegExp) => inner.find(({ words }) => pattern.test(words))?.name
    const [sum, number, each] = [lineTotal, quantity, unitPrice].map(find)
    const item = sum ? [sum] : each ? (number ? [number, each] : [each]) : undefined
    const less = sum ? undefined : find(discount)
    return item === undefined ? [] : [{ list, term: { list: list.name, item, ...(less && { less }) } }]
  })
  const extra = numbers.filter(({ words }) => added.test(words)).map(({ name }) => name)
  const [line] = lines
  // The sum of extras is not the whole: `extras`, `extras_total`
  const ofExtras = line && extra.find((name) => wordsOf(name)[0] === wordsOf(line.list.name)[0])
  const ofLines = line && (ofExtras ?? sub ?? whole)
  // A whole without its parts is that of its lines.
  for (const each of line ? [ofExtras ? undefined : whole, ofLines] : [])
    if (line && each !== undefined) relations.push({ is: 'sum', property: each, of: [line.term] })
  const product: Term | undefined = count && price && count !== price ? [count, price] : undefined
  const single = price !== whole ? price : undefined
  const base: Term | undefined = sub ?? product ?? (less || taxes ? single : undefined)
  if (sub && !line && product) relations.push({ is: 'sum', property: sub, of: [product] })
  if (!base && whole && less) relations.push({ is: 'share', property: less, of: whole, isLater: true })
  if (base && less && discounts.length < 2 && !relations.some(({ is }) => is === 'share'))
    relations.push({ is: 'share', property: less, of: base, isLater: true })
  if (base && taxes) relations.push({ is: 'sum', property: taxes, of: [{ percent: rate ?? usualTax, of: base }] })
  if (whole && base && whole !== base && whole !== ofLines)
    relations.push({
      ...{ is: 'sum', property: whole, of: [base, ...(taxes ? [taxes] : []), ...extra] },
      ...(less && { minus: [less] }),
    })
  const [settled, open] = [called(paid), called(due)]
  if (!whole && settled && base && less) relations.push({ is: 'sum', property: settled, of: [base], minus: [less] })
  if (whole && settled) relations.push({ is: 'atMost', property: settled, of: whole, isLater: true })
  const state = members.find(({ words, kind }) => kind === 'text' && /^(status|state)$/.test(words))
  if (whole && open && open !== whole)
    relations.push({
      ...{ is: 'sum', property: open, of: [whole], ...(settled && { minus: [settled] }) },
      ...(state && { noneIf: [state.name, ['paid', 'void', 'cancelled', 'refunded']] }),
    })
  return relations
}

/** In percent. */
const usualTax = 20

/** What remains is what is not used: `seats_total`, `seats_sold`, `seats_available` */
function restsOf(members: readonly Member[], numbers: readonly Member[]): Relation[] {
  const split = (kind: RegExp) =>
    numbers.flatMap(({ name, words }) => {
      const all = words.split(' ')
      const noun = all.filter((word) => !kind.test(word) && !/^(count|number|of)$/.test(word)).map(singular)
      return all.some((word) => kind.test(word)) ? [{ name, noun: noun.join(' ') }] : []
    })
  const [wholes, used, rests] = [split(wholeWords), split(usedWords), split(restWords)]
  return wholes.flatMap((whole): Relation[] => {
    const fits = ({ name, noun }: { name: string; noun: string }) =>
      name !== whole.name && (noun === whole.noun || noun === '' || whole.noun === '')
    const [taken, left] = [used.find(fits), rests.find(fits)]
    if (!taken && !left) return []
    const flag = members.find(({ kind, words }) => kind === 'boolean' && isFull.test(words))
    const share = numbers.find(({ words }) => /^(occupancy|utili[sz]ation|fill|usage)( rate| percentage)?$/.test(words))
    const sold = taken ?? left
    return [
      ...(sold ? [{ is: 'atMost', property: sold.name, of: whole.name, isLater: taken !== undefined } as const] : []),
      ...(taken && left ? [{ is: 'sum', property: left.name, of: [whole.name], minus: [taken.name] } as const] : []),
      ...(flag && taken ? [{ is: 'reached', property: flag.name, of: [taken.name, whole.name] } as const] : []),
      ...(share && taken ? [{ is: 'quotient', property: share.name, of: [taken.name, whole.name] } as const] : []),
    ]
  })
}

/** Counts are lengths of lists, and sums of their parts: `total_rooms`, `single_rooms`, `double_rooms` */
function countsOf(members: readonly Member[]): Relation[] {
  return members.flatMap(({ name, words, kind }): Relation[] => {
    if (kind !== 'integer' && kind !== 'number') return []
    const [, counted = ''] = /^(?:total |num |number of )?([a-z ]+?)(?: count| total)?$/.exec(words) ?? []
    const isCount = / count$|^(num|number of|total) /.test(words)
    const noun = counted.split(' ').map(singular).join(' ')
    const nounOfList = (own: string) =>
      own
        .replace(/ ids?$/, '')
        .split(' ')
        .map(singular)
        .join(' ')
    const list = members.find((each) => each.kind === 'list' && ` ${nounOfList(each.words)}`.endsWith(` ${noun}`))
    if (isCount && list) return [{ is: 'count', property: name, of: list.name }]
    const rest = words.split(' ').filter((word) => word !== 'total' && word !== 'all')
    const isOfParts = rest.at(-1) === 'count' || rest[0] === 'num'
    if ((rest.length === words.split(' ').length && !isOfParts) || rest.length === 0 || kind !== 'integer') return []
    // `bookmarks_by_type: { text, link }` has all parts of `num_bookmarks`.
    const whole = members.find((each) => each.kind === 'object' && each.words.startsWith(`${words} by `))
    if (whole) return [{ is: 'sum', property: name, of: [{ inside: whole.name }] }]
    const parts = members.filter(({ words: own, kind }) => {
      const all = own.split(' ')
      const isPart = (isOfParts || all.length === rest.length + 1) && rest.every((word) => all.includes(word))
      return isPart && own !== words && kind === 'integer' && !isNoPart.test(own)
    })
    return parts.length > 1 ? [{ is: 'sum', property: name, of: parts.map((each) => each.name) }] : []
  })
}

const isNoPart =
  /\b(cents|amount|price|fee|cost|id|page|limit|max|min|total|unique|distinct|sold|available|used|free|remaining|reserved)\b/

/** Ages, ends and durations. */
function timesOf(members: readonly Member[], owner: string): Relation[] {
  const find = (pattern: RegExp) => members.find(({ words }) => pattern.test(words))?.name
  const [birth, age] = [find(/\b(birth ?date|birthday|date of birth|dob)$/), find(/^age( in years| years)?$/)]
  const stamp = find(/^(timestamp|date ?time|occurred at|logged at|recorded at)$/)
  const span = findSpan(members, owner)
  const [day, start] = [
    find(/^((booking|visit|attendance|session|event|appointment|class|lesson) )?(date|day)$/),
    find(/^((scheduled|actual) )?(start|starts|begin|begins|check ?in|clock in|from)( time| at)?$/),
  ]
  return [
    ...(birth && age ? [{ is: 'age', property: age, of: birth } as const] : []),
    ...(stamp ? members : []).flatMap(({ name, words }): Relation[] =>
      stamp && /^(date|time|day)$/.test(words) ? [{ is: 'day', property: name, of: stamp }] : [],
    ),
    ...(day && start ? [{ is: 'day', property: day, of: start } as const] : []),
    ...(span ? [span] : []),
  ]
}
