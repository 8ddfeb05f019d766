/** Chooses and sorts the records of a list by what a request says. */
import type { ListEffect } from '../../contract/effects/effect.js'
import type { Comparison, ViewDirection, ViewFilter, ViewSort, ViewSource } from '../../contract/effects/list-query.js'
import { parseExactJson } from '../../json/exact-json.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { toTyped } from '../../json/typed-value.js'
import { type Filter, passes, StoredRecord, type Values } from '../../state/stored-record.js'
import type { EffectInput } from '../effects/effect.js'
import { textOf } from '../effects/ensured.js'
import type { ValidRequest } from '../validate.js'

/** What a request says. Undefined if nothing. */
export function sentValue({ in: place, name, member }: ViewSource, { query, body }: ValidRequest): unknown {
  const source = place === 'query' ? query : body.value
  const value = isObject(source) ? ownValue(source, name) : undefined
  if (member === undefined) return value === null ? undefined : value
  return isObject(value) ? ownValue(value, member) : undefined
}

export function chooseRecords(
  filters: readonly ViewFilter[],
  request: ValidRequest,
  records: readonly StoredRecord[],
): readonly StoredRecord[] {
  const active = filters.flatMap((filter) => {
    const sent = sentValue(filter, request) ?? filter.default
    const given = [sent].flat().filter((each) => each !== undefined && each !== '')
    const isAll = given.some((each) => filter.all?.includes(String(each)))
    const isScalar = given.every((each) => typeof each !== 'object')
    return given.length === 0 || isAll || !isScalar ? [] : [{ filter, given }]
  })
  if (active.length === 0) return records
  return records.filter(({ values }) => active.every(({ filter, given }) => matches(values, filter, given)))
}

function matches(values: Values, { properties, compare, types }: ViewFilter, given: readonly unknown[]): boolean {
  return properties.some((property) => {
    const own = [inside(values, property)].flat()
    return own.some((value) => {
      if (value === undefined || value === null) return false
      if (compare === 'text') return given.every((each) => hasText(value, each))
      if (compare === 'is') return listed(given).some((each) => isSame(value, toTyped(each, types)))
      return given.every((each) => isOnSide(compareValues(toDay(value, each, compare), toTyped(each, types)), compare))
    })
  })
}

/** The value of a property, which may be in another one: `attributes/name` */
function inside(values: Values, property: string): unknown {
  const own = ownValue(values, property)
  if (own !== undefined || !property.includes('/')) return own
  return property.split('/').reduce<unknown>((at, name) => (isObject(at) ? ownValue(at, name) : undefined), values)
}

/** A value may be several, between commas. */
function listed(given: readonly unknown[]): unknown[] {
  return given.flatMap((each) => (typeof each === 'string' && each.includes(',') ? [each, ...each.split(',')] : [each]))
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || (typeof one !== 'object' && toText(one) === toText(other))
}

function hasText(value: unknown, part: unknown): boolean {
  return toText(value).toLowerCase().includes(toText(part).toLowerCase())
}

/** Objects have no text. */
function toText(value: unknown): string {
  return typeof value === 'object' ? '' : String(value)
}

function isOnSide(order: number, compare: Comparison): boolean {
  if (compare === 'above') return order > 0
  if (compare === 'below') return order < 0
  return compare === 'from' ? order >= 0 : order <= 0
}

/** Up to a day means up to its end. */
function toDay(value: unknown, limit: unknown, compare: Comparison): unknown {
  const isWhole = compare === 'to' && typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(String(limit))
  return isWhole ? value.slice(0, 10) : value
}

/** Numbers and times by their value, else texts by their characters. NaN if they cannot be compared. */
function compareValues(one: unknown, other: unknown): number {
  const [first, second] = [toNumber(one), toNumber(other)]
  if (!Number.isNaN(first) && !Number.isNaN(second)) return first - second
  if (typeof one === 'boolean' && typeof other === 'boolean') return Number(one) - Number(other)
  const [a, b] = [toText(one), toText(other)]
  return a < b ? -1 : a > b ? 1 : 0
}

/** Texts by their characters, whatever they are: as stores sort them. */
function compareSorted(one: unknown, other: unknown): number {
  if (typeof one !== 'string' || typeof other !== 'string') return compareValues(one, other)
  return one < other ? -1 : one > other ? 1 : 0
}

function toNumber(value: unknown): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string' || !/^[-+]?\d/.test(value)) return Number.NaN
  const number = Number(value)
  return Number.isNaN(number) && /^\d{4}-\d\d/.test(value) ? Date.parse(value) : number
}

/** Records that lack the property come last. Those that are equal keep their order. */
export function sortRecords(
  sort: ViewSort,
  request: ValidRequest,
  records: readonly StoredRecord[],
): readonly StoredRecord[] {
  const said = sort.direction && sentValue(sort.direction, request)
  const isDescending = said !== undefined && saysDescending(sort.direction, said)
  const sent = [sentValue(sort, request)].flat().filter((each) => typeof each === 'string')
  const orders = sent.flatMap((text) => text.split(',')).flatMap((each) => toOrder(sort, each, isDescending))
  if (orders.length === 0 && said !== undefined && sort.default !== undefined) {
    orders.push({ property: sort.default, isDescending })
  }
  if (orders.length === 0) return records
  return records.toSorted((one, other) => {
    for (const { property, isDescending: turned } of orders) {
      const [a, b] = [inside(one.values, property), inside(other.values, property)]
      const lacks = Number(a === undefined || a === null) - Number(b === undefined || b === null)
      const order = lacks || (a === undefined || a === null ? 0 : compareSorted(a, b) * (turned ? -1 : 1))
      if (order) return order
    }
    return 0
  })
}

interface Order {
  property: string
  isDescending: boolean
}

/** `-name`, `name:desc`, `name desc`, `name_desc` and `name` */
function toOrder({ properties }: ViewSort, text: string, isDescending: boolean): Order[] {
  const trimmed = text.trim()
  const ending = /^(.*?)[\s:._|-]?(asc|desc)(ending)?$/i.exec(trimmed)
  const named = (name: string) => ownValue(properties, name.toLowerCase().replace(/[^a-z0-9]/g, ''))
  const whole = named(trimmed)
  if (whole !== undefined) {
    return [{ property: whole, isDescending: trimmed.startsWith('-') || (isDescending && !trimmed.startsWith('+')) }]
  }
  const property = ending && named(ending[1] ?? '')
  return property === undefined || property === null
    ? []
    : [{ property, isDescending: /^desc/i.test(ending?.[2] ?? '') }]
}

function saysDescending({ is }: Pick<ViewDirection, 'is'> = {}, value: unknown): boolean {
  const text = String(value).toLowerCase()
  if (is === 'ascending') return text === 'false'
  if (is === 'descending' && (text === 'true' || text === '1')) return true
  return text.startsWith('desc') || text === '-1'
}

/** Chooses by what the list shows of records, which may have other values than those that are stored. */
export function chooseShown(
  input: EffectInput<ListEffect>,
  records: readonly StoredRecord[],
  filters: readonly Filter[],
  choose: (records: readonly StoredRecord[]) => readonly StoredRecord[],
): readonly StoredRecord[] {
  const owners = new Map<StoredRecord, StoredRecord>()
  for (const record of records) {
    const text = textOf(input, record)
    const shown = text === undefined ? undefined : parseExactJson(text).exact
    const values = isObject(shown) ? { ...record.values, ...shown } : record.values
    const copy = new StoredRecord(values)
    if (filters.every((filter) => passes(copy, filter))) owners.set(copy, record)
  }
  return choose([...owners.keys()]).flatMap((copy) => owners.get(copy) ?? [])
}
