/** Makes the values of an object that follow from its other values. */
import { toDecimal } from '../is-multiple.js'
import { createNamed, isObject, ownValue } from '../own-value.js'
import { readTime, writeTime } from '../time-text.js'
import { anyPlan, type Relation, type SamplerPlan, type Term } from './sampler-plan.js'

type Values = Record<string, unknown>

export interface Derivation {
  /** Milliseconds since 1970. */
  now: number
  /** Whether a value of the object itself stays. Values of its parts never do. @default none */
  isGiven?: (name: string) => boolean
  /** Whether it is a new record: what only happens later is 0. */
  isNew?: boolean
}

/** The value with what follows from its other values, also in its parts. The same value if nothing changes. */
export function derive(plans: readonly SamplerPlan[], number: number, value: unknown, derivation: Derivation): unknown {
  const plan = plans[number] ?? anyPlan
  const { isGiven: _, ...inner } = derivation
  if (plan.kind === 'anyOf') {
    const found = plan.plans.find((each) => isOf(plans[each] ?? anyPlan, value))
    return found === undefined ? value : derive(plans, found, value, derivation)
  }
  if (plan.kind === 'list' && Array.isArray(value)) {
    const items = value.map((each, index) => derive(plans, plan.first?.[index] ?? plan.items, each, inner))
    return items.every((each, index) => each === value[index]) ? value : items
  }
  if (plan.kind !== 'object' || !isObject(value)) return value
  const changed = createNamed<unknown>()
  for (const [name, member] of plan.properties) {
    const own = ownValue(value, name)
    if (typeof own !== 'object' || own === null || derivation.isGiven?.(name)) continue
    const derived = derive(plans, member, own, inner)
    if (derived !== own) changed[name] = derived
  }
  const whole: Values = { ...value, ...changed }
  const numbers = new Map(plan.properties)
  const isWhole = (name: string): boolean => isInteger(plans, numbers.get(name) ?? -1)
  for (const relation of plan.relations ?? []) follow(relation, whole, isWhole, derivation)
  return Object.keys(whole).every((name) => whole[name] === ownValue(value, name)) ? value : whole
}

function isInteger(plans: readonly SamplerPlan[], number: number): boolean {
  const plan = plans[number] ?? anyPlan
  return plan.kind === 'anyOf'
    ? plan.plans.some((each) => isInteger(plans, each))
    : plan.kind === 'number' && plan.isInteger
}

function isOf({ kind }: SamplerPlan, value: unknown): boolean {
  return kind === 'list' ? Array.isArray(value) : kind === 'object' && isObject(value) && !Array.isArray(value)
}

/** Sets what follows in an object, in place. */
function follow(relation: Relation, object: Values, isWhole: (name: string) => boolean, derivation: Derivation): void {
  const { now, isGiven, isNew } = derivation
  const isOpen = (name: string) => object[name] != null && !isGiven?.(name)
  const set = (name: string, next: number | undefined) => {
    if (next === undefined || !isOpen(name)) return
    const rounded = isWhole(name) ? Math.round(next) : toDecimal(Math.round(next * 100) / 100)
    object[name] = typeof object[name] === 'string' ? rounded.toFixed(2) : rounded
  }
  switch (relation.is) {
    case 'order':
      sort(relation.of, object, isOpen)
      return
    case 'span':
      setEnd(relation, object, isOpen, isNew)
      return
    case 'sum': {
      const { property, of, minus = [], noneIf } = relation
      if (noneIf?.[1].includes(String(object[noneIf[0]]).toLowerCase())) {
        set(property, 0)
        return
      }
      const [first, ...others] = of.map((term) => numberOf(object, term))
      if (first === undefined) return
      // What a record does not have is nothing.
      const less = minus.reduce((sum, each) => sum + (numberIn(object[each]) ?? 0), 0)
      set(property, Math.max(others.reduce<number>((sum, each = 0) => sum + each, first) - less, 0))
      return
    }
    case 'atMost':
    case 'share': {
      const [own, whole] = [numberIn(object[relation.property]), numberOf(object, relation.of)]
      if (own === undefined || whole === undefined) return
      if (isNew && relation.isLater) set(relation.property, 0)
      else if (relation.is === 'share') set(relation.property, (whole * (Math.floor(own) % shares)) / 20)
      else if (own > whole) {
        const less = (whole * (Math.floor(own) % 20)) / 20
        set(relation.property, Number.isInteger(own) ? Math.min(Math.max(Math.floor(less), 1), whole) : less)
      }
      return
    }
    case 'count': {
      const list = object[relation.of]
      if (Array.isArray(list)) set(relation.property, list.length)
      return
    }
    case 'copy': {
      const own = object[relation.of]
      if (typeof own !== 'string' || !isOpen(relation.property) || /^[\da-f]{8}-?[\da-f]{4}/i.test(own)) return
      object[relation.property] = relation.isInWords ? inWords(own) : own
      return
    }
    case 'day': {
      const [own, at] = [relation.property, relation.of].map((name) => readTime(String(object[name])))
      if (own && at?.form.includes('{Y}') && isOpen(relation.property))
        object[relation.property] = writeTime(at.at, own.form)
      return
    }
    case 'age': {
      const born = readTime(String(object[relation.of]))
      if (born) set(relation.property, Math.max(Math.floor((now - born.at) / yearMs), 0))
      return
    }
    default: {
      const [part, whole] = relation.of.map((each) => numberIn(object[each]))
      if (part === undefined || whole === undefined) return
      if (relation.is === 'quotient') set(relation.property, whole > 0 ? part / whole : undefined)
      else if (isOpen(relation.property)) object[relation.property] = part >= whole
    }
  }
}

/** `IN_PROGRESS` as people read it: `In progress` */
const inWords = (text: string) =>
  text.slice(0, 1).toUpperCase() +
  text
    .slice(1)
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()

/** A discount is 0, 5, 10 or 15 percent. */
const shares = 4
const dayMs = 86_400_000
const yearMs = 365.25 * dayMs

/** Gives a start its end, and says how long it takes. */
function setEnd(
  { property: end, of: start, lasts, duration: [name, unit, more] = ['', 1, 0] }: Extract<Relation, { is: 'span' }>,
  object: Values,
  isOpen: (name: string) => boolean,
  isNew = false,
): void {
  const timeOf = (each: string) => (typeof object[each] === 'string' ? readTime(object[each]) : undefined)
  const [from, to] = [timeOf(start), timeOf(end)]
  const given = isOpen(name) ? undefined : numberIn(object[name])
  if (from && to?.form.includes('{Y}') && isOpen(end) && (isNew || from.at > to.at))
    object[end] = writeTime(from.at + (given === undefined ? lasts : (given - more) * unit), to.form)
  const until = timeOf(end)
  // A clock goes on after midnight.
  const length = from && until && until.at - from.at + (from.at > until.at ? dayMs : 0)
  if (length !== undefined && isOpen(name)) object[name] = Math.round(length / unit) + more
}

/** Sorts numbers, or moves those that are not given to the side of those that are. */
function sort(names: readonly string[], object: Values, isOpen: (name: string) => boolean): void {
  const known = names.filter((name) => numberIn(object[name]) !== undefined)
  const sorted = known.map((name) => object[name]).toSorted((one, other) => Number(one) - Number(other))
  known.forEach((name, index) => {
    if (known.every(isOpen)) object[name] = sorted[index]
    else if (isOpen(name)) {
      const given = known.flatMap((each, at) => (isOpen(each) ? [] : [{ at, value: Number(object[each]) }]))
      const least = Math.max(...given.flatMap(({ at, value }) => (at < index ? [value] : [])))
      const most = Math.min(...given.flatMap(({ at, value }) => (at > index ? [value] : [])))
      object[name] = Math.min(Math.max(Number(object[name]), least), most)
    }
  })
}

/** @returns undefined if a number is missing */
function numberOf(object: Values, term: Term): number | undefined {
  if (typeof term === 'string') return numberIn(object[term])
  if ('inside' in term) {
    const own = isObject(object[term.inside]) ? (object[term.inside] as Values) : {}
    const inner = (term.only === undefined ? Object.values(own) : [own[term.only]]).map(numberIn)
    return inner.includes(undefined) ? undefined : inner.reduce<number>((sum, each = 0) => sum + each, 0)
  }
  if ('list' in term) {
    const list = object[term.list]
    if (!Array.isArray(list)) return undefined
    // One of it, if nothing says how many. The last factor is the price.
    const product = (item: Values) =>
      term.item.reduce((all, name, at) => all * (numberIn(item[name]) ?? (at < term.item.length - 1 ? 1 : 0)), 1) -
      (term.less === undefined ? 0 : (numberIn(item[term.less]) ?? 0))
    return list.filter(isObject).reduce<number>((sum, item) => sum + product(item as Values), 0)
  }
  if ('percent' in term) {
    const rate = typeof term.percent === 'number' ? term.percent : numberIn(object[term.percent])
    const of = numberOf(object, term.of)
    return rate === undefined || of === undefined ? undefined : (of * rate) / (rate > 1 ? 100 : 1)
  }
  const [one, other] = term.map((name) => numberIn(object[name]))
  return one === undefined || other === undefined ? undefined : one * other
}

function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined
}
