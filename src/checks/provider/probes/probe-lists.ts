/** Checks that a list applies its limit, its defaults and its filters. */
import type { Contract } from '../../../contract/contract.js'
import type { ListEffect } from '../../../contract/effects/effect.js'
import { limitNameOf } from '../../../contract/effects/list-query.js'
import { itemTypesOf } from '../../../contract/item-types.js'
import type { Parameter } from '../../../contract/request-model.js'
import { toJson } from '../../../json/exact-json.js'
import type { CheckPlan } from '../plan-check.js'
import type { ProbeSession } from '../probe-runner.js'
import {
  isComplete,
  isMatch,
  isSameValue,
  isTime,
  keyNameOf,
  limitOf,
  limitsOf,
  longestList,
  matchesFilters,
  type RecordValues,
  recordsOf,
  type SubjectOf,
} from '../provider-collection.js'
import { providerRuleSet } from '../provider-rules.js'
import { type Draft, isValid, withParameter } from '../requests/request-draft.js'
import { checkPages, totalIn } from './probe-pages.js'

/** How many values of existing records are tried for a filter. */
const maxFilterValues = 5

/** The records of one list response. */
export interface Page {
  records: RecordValues[]
  /** These are all records that match the filters. */
  isComplete: boolean
  /** The total number of matches in the response. NaN if it has none. */
  total: number
}

/** The records of a list; undefined without a readable list. The response is judged like any other. */
export async function fetchPage(
  contract: Contract,
  session: ProbeSession,
  list: SubjectOf<'list'>,
  draft: Draft,
): Promise<Page | undefined> {
  const response = await session.send(draft, 'success', { at: 'list' })
  const records = response && response.status < 300 ? recordsOf(list.operation.effect, response) : undefined
  if (!response || !records) return undefined
  return { records, isComplete: isComplete(contract, list, draft, response), total: totalIn(list, response) }
}

interface CheckedList {
  contract: Contract
  list: SubjectOf<'list'>
  /** The request for as many records as possible. */
  longest: Draft
  /** Valid values of its limit, ascending. */
  limits: readonly number[]
}

/** Requests a list with every limit, default and filter. */
export async function probeList({ contract, runner }: CheckPlan, list: SubjectOf<'list'>): Promise<void> {
  const { effect, parameters } = list.operation
  const limit = limitNameOf(effect.query)
  const limits = limitsOf(contract, list)
  const checked: CheckedList = { contract, list, longest: longestList(contract, list), limits }
  const ofLimits = limit === undefined ? [] : limits.map((each) => withParameter(list.draft, 'query', limit, each))
  for (const draft of [...ofLimits, list.draft]) await runner.run((session) => checkLimit(session, checked, draft))
  await runner.run((session) => checkPages(contract, session, list))
  for (const { in: place, name, required, default: standard } of parameters) {
    // A query cannot contain null, and required parameters cannot be left out.
    if (place !== 'query' || required || standard === undefined || standard === null) continue
    const explicit = withParameter(list.draft, 'query', name, standard)
    await runner.run((session) => checkDefault(session, checked, name, explicit))
  }
  for (const filter of exactFilters(effect)) {
    await runner.run(async (session) => {
      const records = (await fetchRecords(session, checked, checked.longest)) ?? []
      for (const value of filterValues(checked, filter, records)) await checkFilter(session, checked, filter, value)
    })
  }
}

async function fetchRecords(
  session: ProbeSession,
  { contract, list }: CheckedList,
  draft: Draft,
): Promise<RecordValues[] | undefined> {
  return (await fetchPage(contract, session, list, draft))?.records
}

async function checkLimit(session: ProbeSession, checked: CheckedList, draft: Draft): Promise<void> {
  const { list, longest } = checked
  const most = limitOf(list, draft)
  const all = await fetchRecords(session, checked, longest)
  const records = await fetchRecords(session, checked, draft)
  if (!records || !all || !Number.isFinite(most)) return
  const name = limitNameOf(list.operation.effect.query) ?? ''
  const isDefault = draft.parameters.query[name] === undefined
  const condition = isDefault ? `without ${name}, whose default is ${most},` : `with ${name}=${most}`
  const rule = isDefault ? providerRuleSet.defaultNotKept : providerRuleSet.limitNotKept
  const answered = `answered ${records.length} records to a list ${condition}`
  if (records.length > most) session.report(draft, { rule, at: `query ${name}: too many`, message: answered })
  if (records.length >= Math.min(most, all.length)) return
  // Others may have removed some in the meantime.
  const now = await fetchRecords(session, checked, longest)
  if (!now || records.length >= Math.min(most, now.length)) return
  const message = `${answered}, although there are at least ${all.length}`
  session.report(draft, { rule, at: `query ${name}: too few`, message })
}

/** Without a parameter, the list must equal that with the default (OpenAPI 3.1, Schema Object, `default`). */
async function checkDefault(session: ProbeSession, checked: CheckedList, name: string, explicit: Draft): Promise<void> {
  const { list } = checked
  const expected = (await fetchRecords(session, checked, explicit))?.length
  const actual = (await fetchRecords(session, checked, list.draft))?.length
  if (expected === undefined || actual === undefined || expected === actual) return
  // Others may have added or removed some in the meantime.
  const again = (await fetchRecords(session, checked, explicit))?.length
  if (again === undefined) return
  if (actual >= Math.min(expected, again) && actual <= Math.max(expected, again)) return
  const value = explicit.parameters.query[name]
  const message = `answered ${actual} records without ${name}, and ${expected} with its default ${value}`
  const at = `query ${name}: ${actual > expected ? 'too many' : 'too few'}`
  session.report(list.draft, { rule: providerRuleSet.defaultNotKept, at, message })
}

/** Values of existing records and of the document. */
function filterValues(
  { contract, list }: CheckedList,
  { name, property }: Filter,
  records: readonly RecordValues[],
): unknown[] {
  const parameter = parameterOf(list, name)
  const isAllowed = (value: unknown) => isValid(contract, withParameter(list.draft, 'query', name, value))
  const documented = parameter ? list.valuesOf(parameter).filter(isAllowed) : []
  const existing = records
    .map((record) => record[property])
    .filter((value) => ['string', 'number', 'bigint', 'boolean'].includes(typeof value))
  const some = [...new Set(existing.filter(isAllowed))].slice(0, maxFilterValues)
  // Many providers ignore an empty filter.
  const isEmpty = (value: unknown) => [value].flat().every((each) => each === '')
  return [...new Set([...some, ...documented.slice(0, 2 * maxFilterValues)])].filter((value) => !isEmpty(value))
}

async function checkFilter(session: ProbeSession, checked: CheckedList, filter: Filter, value: unknown): Promise<void> {
  const { contract, list, longest, limits } = checked
  const { name, property } = filter
  const [least] = limits
  const limit = limitNameOf(list.operation.effect.query)
  const draft = withParameter(longest, 'query', name, value)
  const whole = await fetchPage(contract, session, list, longest)
  const page = await fetchPage(contract, session, list, draft)
  if (!page || !whole) return
  const { records, total } = page
  const { records: all } = whole
  const condition = `${name}=${value}`
  const report = (rule: 'pageNotKept' | 'filterNotKept', what: string, message: string, of = draft) =>
    session.report(of, { rule: providerRuleSet[rule], at: `query ${name}: ${what}`, message })
  const isMatching = (record: RecordValues) => isMatch(record[property], value)
  const matching = all.filter(isMatching)
  const { length: count } = matching
  if (whole.isComplete && total === all.length && count === records.length && count < total) {
    const message = `answered the ${count} records with ${condition} with a total of ${total}, that of all records`
    report('pageNotKept', 'total', message)
  }
  const mayMatch = createMayMatch(checked, filter, value, [...all, ...records])
  const other = records.find((record) => !isMatching(record) && !mayMatch(record))
  if (other) {
    const held = `answered a record whose ${property} is ${toJson(other[property])}`
    report('filterNotKept', 'not matching', `${held} to a list with ${condition}`)
  }
  if (limit !== undefined && least !== undefined && count > 0) {
    const few = withParameter(draft, 'query', limit, least)
    const shortest = await fetchRecords(session, checked, few)
    if (shortest?.length === 0 && records.length > 0) {
      const message = `answered no records to a list with ${condition} and ${limit}=${least}, although ${records.length} match`
      report('filterNotKept', 'after the limit', message, few)
    }
  }
  const key = keyNameOf(contract, list)
  const isListed = (record: RecordValues, among: readonly RecordValues[]) =>
    among.some((each) => (record[key] === undefined ? isSameValue(each, record) : isSameValue(each[key], record[key])))
  const absent = matching.filter((record) => !isListed(record, records))
  if (!page.isComplete || absent.length === 0) return
  // Others may have changed or removed some in the meantime.
  const current = (await fetchRecords(session, checked, longest))?.filter(isMatching) ?? []
  const missing = absent.filter((record) => isListed(record, current) && matchesFilters(list, draft, record))
  if (missing.length === 0) return
  report(
    'filterNotKept',
    'left out',
    `left out ${missing.length} of the records that match from a list with ${condition}`,
  )
}

/**
 * Whether a record may match a filter although its value differs: a text may match all values that contain it in any case,
 * and a time all later ones. If no record has the property, matches cannot be judged.
 */
function createMayMatch(
  { contract, list }: CheckedList,
  { name, property }: Filter,
  value: unknown,
  records: readonly RecordValues[],
): (record: RecordValues) => boolean {
  const isReturned = records.some((record) => record[property] !== undefined)
  const parameter = parameterOf(list, name)
  const isText = parameter !== undefined && itemTypesOf(contract, parameter).includes('string')
  // If only certain texts are valid, the filter must match exactly.
  const isFree = ['no such choice 7f3a9c', ['no such choice 7f3a9c']].some((text) =>
    isValid(contract, withParameter(list.draft, 'query', name, text)),
  )
  const contains = (held: string) =>
    [value].flat().some((one) => held.toLowerCase().includes(String(one).toLowerCase()))
  return ({ [property]: held }) => {
    if (held === undefined) return !isReturned
    return isText && isFree && typeof held === 'string' && (isTime(held) || contains(held))
  }
}

function parameterOf({ operation }: SubjectOf<'list'>, name: string): Parameter | undefined {
  return operation.parameters.find((each) => each.in === 'query' && each.name === name)
}

/** A query parameter that chooses records by one value of one property. */
interface Filter {
  name: string
  property: string
}

function exactFilters({ query }: ListEffect): Filter[] {
  return query.filters.flatMap(({ name, in: place, member, properties, compare, all }) => {
    const [property = ''] = properties
    const isNamed = place === 'query' && member === undefined && properties.length === 1
    const isExact = compare === 'equal' || (compare === 'is' && !all && !property.includes('/'))
    return isNamed && isExact ? [{ name, property }] : []
  })
}
