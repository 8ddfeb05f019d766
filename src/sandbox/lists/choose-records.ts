/**
 * Chooses and sorts the records of a list by what a request says. Filters that require an equal value are left to the index
 * of the collection (`toFilters`); all others are decided here.
 */
import type { ListEffect } from '../../contract/effects/effect.js'
import type {
  Comparison,
  ListFilter,
  ListOrder,
  ListQuery,
  OrderDirection,
  PropertyOrder,
  RequestValue,
} from '../../contract/effects/list-query.js'
import { valueAt } from '../../json/nested.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { toTyped } from '../../json/typed-value.js'
import { tryJson } from '../../media/fields.js'
import { type Filter, passes, StoredRecord, type Values } from '../../state/stored-record.js'
import type { SandboxRequest } from '../request/request.js'
import type { ValidRequest } from '../validate.js'
import type { EffectInput } from '../writes/effect-input.js'
import { shownBy } from '../writes/ensured.js'
import { readExpression, readSelector } from './filter-expression.js'

/** A request with its headers, which only lists read. */
export type SentRequest = ValidRequest & Partial<Pick<SandboxRequest, 'header'>>

/** The value of a parameter or body property. Undefined if it is not sent. */
export function sentValue(
  { in: place, name, member, pointer }: RequestValue,
  { path, query, body, header }: SentRequest,
): unknown {
  if (place === 'header') {
    const text = header?.(name.toLowerCase())
    const inner = member === undefined ? undefined : tryJson(text ?? '')
    return member === undefined ? text : isObject(inner) ? ownValue(inner, member) : undefined
  }
  if (pointer) return valueAt(body.value, pointer) ?? undefined
  const source = place === 'query' ? query : place === 'path' ? path : body.value
  const value = isObject(source) ? ownValue(source, name) : undefined
  if (member === undefined) return value === null ? undefined : value
  return isObject(value) ? ownValue(value, member) : undefined
}

/** Filters and sorts records. */
export type Choice = (records: readonly StoredRecord[]) => readonly StoredRecord[]

/** @returns undefined if nothing is left to do: no order but that of creation is asked for, and no filter but those that the index applies */
export function createChoice(
  query: ListQuery,
  request: SentRequest,
  note: (text: string) => void = () => {},
): Choice | undefined {
  const { filters, order, standard, isOldestFirst: isReversed = false, created = [] } = query
  const active = filters.flatMap((filter) => {
    if (filter.compare === 'equal') return []
    const sent = sentValue(filter, request) ?? filter.default
    const given = [sent].flat().filter((each) => each !== undefined && each !== '')
    const isAll = given.some((each) => filter.all?.includes(String(each)))
    if (given.length === 0 || isAll) return []
    const expressed = filter.names && readExpression(filter, filter.conditions ? sent : given[0], matches)
    if (expressed) return [expressed]
    const selected = filter.isSelector && readSelector(String(given[0]), filter.properties)
    if (selected) return [selected]
    const isWords = filter.properties.length > 0 && /^[\p{L}\p{N}\s._@-]+$/u.test(String(given[0]))
    const isIgnored = filter.isSelector || (filter.isExpression && !isWords)
    if (isIgnored) note(`the filter "${filter.name}" was ignored: it is not understood`)
    const isScalar = given.every((each) => typeof each !== 'object')
    return isIgnored || !isScalar ? [] : [(values: Values) => matches(values, filter, given)]
  })
  const asked = order ? ordersOf(order, request) : []
  const orders = asked.length === 0 && standard ? [standard] : asked
  const [main] = orders
  const isByTime = main !== undefined && created.includes(main.property)
  const isOldestFirst = isByTime ? !main.isDescending : isReversed
  if (active.length === 0 && orders.length === 0) return undefined
  return (records) => {
    const passed =
      active.length === 0 ? records : records.filter(({ values }) => active.every((passes) => passes(values)))
    // Records are stored the newest first, which decides for those of one second.
    const stored = isOldestFirst ? passed.toReversed() : passed
    return orders.length === 0 ? stored : stored.toSorted((one, other) => compareRecords(one, other, orders, created))
  }
}

function matches(
  values: Values,
  {
    properties,
    compare,
    types,
    isOpen,
    unset = types.includes('boolean') ? ['false'] : [],
  }: Omit<ListFilter, 'in' | 'name'>,
  given: readonly unknown[],
): boolean {
  // A flag that a record does not show is not set.
  const isUnset = given.every((each) => unset.includes(String(each)))
  return properties.some((property) => {
    const own = [inside(values, property)].flat()
    return own.some((value) => {
      if (value === undefined || value === null) return isUnset || !!isOpen
      if (compare === 'text') return given.every((each) => lowText(value).includes(lowText(each)))
      if (compare === 'start') return given.every((each) => lowText(value).startsWith(lowText(each)))
      if (compare === 'end') return given.every((each) => lowText(value).endsWith(lowText(each)))
      if (compare === 'is') return listed(given).some((each) => isSameValue(value, toTyped(each, types)))
      return given.every((each) => isOnSide(compareValues(toDay(value, each, compare), toTyped(each, types)), compare))
    })
  })
}

/** The value of a property, which may be in another one: `attributes/name`, and `labels/id` of each label */
function inside(values: Values, property: string): unknown {
  const own = ownValue(values, property)
  if (own !== undefined || !property.includes('/')) return own
  return property.split('/').reduce(member, values)
}

function member(at: unknown, name: string): unknown {
  if (Array.isArray(at)) return at.flatMap((each) => member(each, name) ?? [])
  return isObject(at) ? ownValue(at, name) : undefined
}

/** A value may be a list with commas. */
function listed(given: readonly unknown[]): unknown[] {
  return given.flatMap((each) => (typeof each === 'string' && each.includes(',') ? [each, ...each.split(',')] : [each]))
}

function isSameValue(one: unknown, other: unknown): boolean {
  return one === other || (typeof one !== 'object' && searchedText(one) === searchedText(other))
}

const lowText = (value: unknown) => searchedText(value).toLowerCase()

/** Objects have no text. */
function searchedText(value: unknown): string {
  return typeof value === 'object' ? '' : String(value)
}

function isOnSide(order: number, compare: Comparison): boolean {
  if (compare === 'above') return order > 0
  if (compare === 'below') return order < 0
  return compare === 'from' ? order >= 0 : order <= 0
}

/** "Up to a day" includes that day. */
function toDay(value: unknown, limit: unknown, compare: Comparison): unknown {
  const isWhole = compare === 'to' && typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(String(limit))
  return isWhole ? value.slice(0, 10) : value
}

/** Numbers and times by their value, else texts by their characters. NaN if they cannot be compared. */
function compareValues(one: unknown, other: unknown): number {
  const [first, second] = [toNumber(one), toNumber(other)]
  if (!Number.isNaN(first) && !Number.isNaN(second)) return first - second
  if (typeof one === 'boolean' && typeof other === 'boolean') return Number(one) - Number(other)
  const [a, b] = [searchedText(one), searchedText(other)]
  return a < b ? -1 : a > b ? 1 : 0
}

/** Compares texts by their characters even if they look like numbers, without regard to case first, as databases do. */
function compareSorted(one: unknown, other: unknown): number {
  if (typeof one !== 'string' || typeof other !== 'string') return compareValues(one, other)
  const [low, lowOther] = [one.toLowerCase(), other.toLowerCase()]
  const [first, second] = low === lowOther ? [one, other] : [low, lowOther]
  return first < second ? -1 : first > second ? 1 : 0
}

function toNumber(value: unknown): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string' || !/^[-+]?\d/.test(value)) return Number.NaN
  const number = Number(value)
  return Number.isNaN(number) && /^\d{4}-\d\d/.test(value) ? Date.parse(value) : number
}

function ordersOf(order: ListOrder, request: SentRequest): PropertyOrder[] {
  const { direction, default: standard } = order
  const said = direction && sentValue(direction, request)
  const isDescending = said !== undefined && saysDescending(direction, said)
  const sent = [sentValue(order, request)].flat().filter((each): each is string => typeof each === 'string')
  // In a list that is written with commas, a direction is an item of its own.
  const texts = sent.some(isDirection) ? [sent.join(',')] : sent
  const orders = texts.flatMap((text) => toOrders(order, text, isDescending))
  if (orders.length > 0 || said === undefined || standard === undefined) return orders
  return [{ property: standard, isDescending }]
}

/** Records that lack the property come last, or are the newest. Those that are equal keep their order. */
function compareRecords(
  one: StoredRecord,
  other: StoredRecord,
  orders: readonly PropertyOrder[],
  created: readonly string[],
): number {
  for (const { property, isDescending } of orders) {
    const [a, b] = [inside(one.values, property), inside(other.values, property)]
    const lacks = Number(a === undefined || a === null) - Number(b === undefined || b === null)
    if (lacks) return isDescending && created.includes(property) ? -lacks : lacks
    const order = a === undefined || a === null ? 0 : compareSorted(a, b)
    if (order) return order * (isDescending ? -1 : 1)
  }
  return 0
}

/** `name`, `name,-age`, and `name,age,desc`, whose last word is about those before it */
function toOrders(order: ListOrder, text: string, isDescending: boolean): PropertyOrder[] {
  let isDown = isDescending
  const orders: PropertyOrder[] = []
  for (const each of text.split(',').toReversed()) {
    if (isDirection(each) && each !== text) isDown = saysDescending({}, each)
    else orders.unshift(...toOrder(order, each, isDown))
  }
  return orders
}

const isDirection = (text: string) => /^\s*(asc|desc)(ending)?\s*$/i.test(text)

/** `-name`, `name:desc`, `name desc`, `name_desc` and `name` */
function toOrder({ properties, open }: ListOrder, text: string, isDescending: boolean): PropertyOrder[] {
  const trimmed = text.trim()
  const ending = /^(.*?)[\s:._|-]?(asc|desc)(ending)?$/i.exec(trimmed)
  const named = (name: string) => ownValue(properties, name.toLowerCase().replace(/[^a-z0-9]/g, ''))
  const whole = named(trimmed)
  if (whole !== undefined) {
    return [{ property: whole, isDescending: trimmed.startsWith('-') || (isDescending && !trimmed.startsWith('+')) }]
  }
  const property = ending && named(ending[1] ?? '')
  const [, sign, other] = /^([-+]?)([\w.-]+)$/.exec(trimmed) ?? []
  if (open !== undefined && other !== undefined && !property)
    return [{ property: `${open}/${other}`, isDescending: sign === '-' || (isDescending && sign !== '+') }]
  return property === undefined || property === null
    ? []
    : [{ property, isDescending: /^desc/i.test(ending?.[2] ?? '') }]
}

function saysDescending({ is }: Pick<OrderDirection, 'is'> = {}, value: unknown): boolean {
  const text = String(value).toLowerCase()
  if (is === 'ascending') return text === 'false'
  if (is === 'descending' && (text === 'true' || text === '1')) return true
  return text.startsWith('desc') || text === '-1'
}

/** Filters and sorts by the values that the list shows, which may differ from the stored ones. */
export function chooseShown(
  input: EffectInput<ListEffect>,
  records: readonly StoredRecord[],
  filters: readonly Filter[],
  choose: Choice = (all) => all,
): readonly StoredRecord[] {
  const owners = new Map<StoredRecord, StoredRecord>()
  for (const record of records) {
    const copy = new StoredRecord({ ...record.values, ...shownBy(input, record) })
    if (filters.every((filter) => passes(copy, filter))) owners.set(copy, record)
  }
  return choose([...owners.keys()]).flatMap((copy) => owners.get(copy) ?? [])
}

/** The filters of a request that the index decides, with defaults. Values have the type of their property. */
export function toFilters(filters: readonly ListFilter[], sent: Record<string, unknown>): Filter[] {
  return filters.flatMap(({ name, properties, compare, types, default: standard }) => {
    const value = sent[name] ?? standard
    if (compare !== 'equal' || value === undefined) return []
    return { property: properties[0] as string, values: [value].flat().map((each) => toTyped(each, types)) }
  })
}
