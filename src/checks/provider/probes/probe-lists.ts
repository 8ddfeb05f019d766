/** Checks that a list applies its limit, its defaults and its filters. */
import type { Contract } from '../../../contract/contract.js'
import type { ListEffect } from '../../../contract/effects/effect.js'
import { type Comparison, type ListFilter, limitNameOf } from '../../../contract/effects/list-query.js'
import { itemTypesOf } from '../../../contract/item-types.js'
import { toJson } from '../../../json/exact-json.js'
import { valueAt } from '../../../json/nested.js'
import { saysComparison, saysInclusive } from '../../../lexicon/conditions.js'
import type { Severity } from '../../finding.js'
import type { CheckPlan } from '../plan-check.js'
import type { ProbeSession, SentResponse } from '../probe-runner.js'
import {
  factOf,
  isBounded,
  isComplete,
  isMatch,
  isSameValue,
  isTime,
  keyNameOf,
  limitOf,
  limitsOf,
  longestList,
  matchesFilters,
  parameterOf,
  type RecordValues,
  recordsOf,
  type SubjectOf,
} from '../provider-collection.js'
import { providerRuleSet } from '../provider-rules.js'
import { type Draft, isValid, withParameter } from '../requests/request-draft.js'
import { probeOrders, toRank } from './probe-orders.js'
import { checkNextLink, checkPages, totalIn } from './probe-pages.js'

/** How many values of existing records are tried for a filter. */
const maxFilterValues = 5

/** The records of one list response. */
export interface Page {
  records: RecordValues[]
  /** These are all records that match the filters. */
  isComplete: boolean
  /** The total number of matches in the response. NaN if it has none. */
  total: number
  response: SentResponse
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
  return { records, isComplete: isComplete(contract, list, draft, response), total: totalIn(list, response), response }
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
  const filters = exactFilters(effect)
  for (const filter of filters) {
    await runner.run(async (session) => {
      const records = (await fetchRecords(session, checked, checked.longest)) ?? []
      for (const value of filterValues(checked, filter, records)) await checkFilter(session, checked, filter, value)
    })
  }
  const own = filters.filter(({ property }) => !property.includes('/'))
  for (const [index, filter] of own.entries()) {
    const other = own[index + 1]
    if (other) await runner.run((session) => checkTogether(session, checked, [filter, other]))
  }
  for (const filter of effect.query.filters) await runner.run((session) => checkBound(session, checked, filter))
  await probeOrders({ runner, contract }, list, checked.longest)
}

/** A page that has fewer records than it may have has all, and the total counts these. */
function describeTotal({ contract, list }: CheckedList, draft: Draft, page: Page): string | undefined {
  const { records, total, response } = page
  const inHeader = factOf(list, response, 'total', 'header')
  if (inHeader !== undefined && total >= 0 && Number(inHeader) !== total)
    return `answered a total of ${total}, and of ${inHeader} in a header,`
  const isAll = records.length > 0 && records.length < limitOf(list, draft) && isBounded(contract, list)
  return isAll && total > records.length ? `answered ${records.length} records with a total of ${total}` : undefined
}

/** Requests records that match two filters at once. */
async function checkTogether(session: ProbeSession, checked: CheckedList, pair: readonly Filter[]): Promise<void> {
  const { contract, list, longest } = checked
  const all = (await fetchRecords(session, checked, longest)) ?? []
  const withBoth = (values: RecordValues) =>
    pair.reduce((draft, { name, property }) => {
      const isList = parameterOf(list, name)?.types.includes('array')
      return withParameter(draft, 'query', name, isList ? [heldIn(values, property)] : heldIn(values, property))
    }, longest)
  // One that only one of the filters matches shows the most.
  const candidates = all.filter((record) =>
    pair.every(({ property }) => isPlain(heldIn(record, property)) && heldIn(record, property) !== ''),
  )
  const partners = (record: RecordValues) =>
    all.filter((each) => pair.some(({ property }) => isMatch(heldIn(each, property), heldIn(record, property)))).length
  const chosen = candidates.toSorted((one, other) => partners(other) - partners(one))[0]
  const draft = chosen && withBoth(chosen)
  if (!draft || !isValid(contract, draft)) return
  const records = await fetchRecords(session, checked, draft)
  if (!records) return
  const condition = pair.map(({ name }) => `${name}=${draft.parameters.query[name]}`).join(' and ')
  const report = (what: string, message: string) =>
    session.report(draft, {
      rule: providerRuleSet.filterNotKept,
      at: `query ${pair.map(({ name }) => name).join(' and ')}: ${what}`,
      message,
    })
  const wrong = pair.find((filter) => {
    const value = heldIn(chosen, filter.property)
    const mayMatch = createMayMatch(checked, filter, value, [...all, ...records])
    return records.some((record) => !isMatch(heldIn(record, filter.property), value) && !mayMatch(record))
  })
  if (wrong) report('not matching', `answered a record that does not match ${wrong.name} to a list with ${condition}`)
  const key = keyNameOf(contract, list)
  if (
    records.length === 0 ||
    (records.length < limitOf(list, draft) && !records.some((each) => isSameValue(each[key], chosen[key])))
  )
    report('left out', `left out a record that matches from a list with ${condition}`)
}

/** Requests records from or to the value of one of them, and a text search for a wildcard of SQL. */
async function checkBound(session: ProbeSession, checked: CheckedList, filter: ListFilter): Promise<void> {
  const { contract, longest } = checked
  const {
    name,
    compare,
    properties: [property = ''],
  } = filter
  if (filter.in !== 'query' || filter.member !== undefined || filter.conditions || filter.isExpression) return
  const all = (await fetchRecords(session, checked, longest)) ?? []
  const fetchWith = async (value: unknown): Promise<RecordValues[] | undefined> => {
    const draft = withParameter(longest, 'query', name, value)
    const page = isValid(contract, draft) ? await fetchPage(contract, session, checked.list, draft) : undefined
    const wrong = page && describeTotal(checked, draft, page)
    if (wrong) report('total', value, `${wrong} to`)
    return page?.records
  }
  const report = (what: string, value: unknown, message: string, severity?: Severity) =>
    session.report(withParameter(longest, 'query', name, value), {
      ...{ rule: providerRuleSet.filterNotKept, at: `query ${name}: ${what}`, ...(severity && { severity }) },
      message: `${message} a list with ${name}=${value}`,
    })
  if (compare === 'text') {
    for (const wildcard of ['%', '_']) {
      const found = (await fetchWith(wildcard))?.filter((record) => !toJson(record)?.includes(wildcard)) ?? []
      if (found.length > 0)
        report(`wildcard ${wildcard}`, wildcard, 'answered a record without this text to', 'warning')
    }
    // A search may leave out some of the properties.
    for (const each of filter.properties.slice(0, maxFilterValues)) {
      const textOf = (record: RecordValues) => String(heldIn(record, each) ?? '')
      const words = new Set(all.slice(0, maxFilterValues).flatMap((record) => textOf(record).match(/\w{3,}/g) ?? []))
      const countOf = (word: string) => all.filter((record) => textOf(record).includes(word)).length
      const [rarest] = [...words].toSorted((one, other) => countOf(one) - countOf(other))
      const found = rarest === undefined ? undefined : await fetchWith(rarest)
      if (found?.length === 0 && filter.properties.length === 1)
        report('left out', rarest, 'left out a record with this text from')
    }
    return
  }
  if (!isRange(compare) || filter.properties.length !== 1) return
  const rankOf = (record: RecordValues) => toRank(heldIn(record, property))
  const ranked = all
    .filter((record) => rankOf(record) !== undefined)
    .toSorted((one, other) => Number(rankOf(one)) - Number(rankOf(other)))
  const isFrom = compare === 'from' || compare === 'above'
  const most = limitOf(checked.list, longest)
  let [value, limit, found]: [unknown, number, RecordValues[] | undefined] = [undefined, Number.NaN, undefined]
  // If too many match, a value near the end shows all of those that do.
  for (const share of [1 / 2, isFrom ? 0.9 : 0.1]) {
    const chosen = ranked[Math.floor(ranked.length * share)]
    if (!chosen || (found && found.length < most)) break
    value = heldIn(chosen, property)
    limit = Number(rankOf(chosen))
    found = await fetchWith(value)
  }
  if (!found) return
  const isOutside = (record: RecordValues) => {
    const rank = rankOf(record)
    return rank !== undefined && (isFrom ? rank < limit : rank > limit)
  }
  const key = keyNameOf(contract, checked.list)
  const keys = found.map((each) => each[key])
  const isFound = (record: RecordValues) => keys.some((each) => isSameValue(each, record[key]))
  if (found.some(isOutside)) report('not matching', value, 'answered a record beyond the limit to')
  const isEqual = (record: RecordValues) => rankOf(record) === limit
  const isInclusive = saysInclusive(describe(checked.list, name))
  const inside = ranked.filter((record) => !isOutside(record))
  if (found.length >= most) return
  const zones = typeof value === 'string' && isTime(value) ? zonesOf(value) : []
  const ofZones = []
  for (const each of zones)
    ofZones.push(
      (await fetchWith(each))
        ?.map((record) => toJson(record[key]))
        .sort()
        .join(),
    )
  if (new Set(ofZones).size > 1)
    report('time zone', zones[1], `answered other records than for the same time, ${zones[0]}, to`)
  if (inside.some((record) => !isEqual(record) && !isFound(record)))
    report('left out', value, 'left out a record within the limit from')
  else if ((compare === 'from' || compare === 'to') && inside.some((record) => !isFound(record)))
    report('at the limit', value, 'left out a record with exactly this value from', isInclusive ? 'error' : 'warning')
}

/** An instant with two offsets. A service may know it more exactly. */
function zonesOf(time: string): string[] {
  const milliseconds = Date.parse(time)
  const inZone = (hours: number, zone: string) =>
    new Date(milliseconds + hours * 3_600_000).toISOString().replace('Z', zone)
  return Number.isNaN(milliseconds) ? [] : [inZone(0, 'Z'), inZone(5.5, '+05:30')]
}

function isRange(compare: Comparison): boolean {
  return compare === 'from' || compare === 'to' || compare === 'above' || compare === 'below'
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value)
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
  const existing = [...new Set(records.map((record) => heldIn(record, property)).filter(isPlain))]
  const [first, second] = existing
  // A service that searches in the text takes the value of another record, too.
  const isPart = (value: unknown) => existing.some((each) => each !== value && String(each).includes(String(value)))
  existing.sort((one, other) => Number(isPart(other)) - Number(isPart(one)))
  // Several values choose the records with any of them.
  const lists = parameter?.types.includes('array')
    ? [...(second === undefined ? [] : [[first, second]]), ...existing.map((each) => [each])]
    : []
  const isWhole = typeof first === 'string' && saysComparison(describe(list, name)) === 'whole'
  const inOtherCase = isWhole ? [first.toUpperCase(), first.toLowerCase()].filter((text) => text !== first) : []
  const some = [...lists, ...inOtherCase, ...existing].filter(isAllowed).slice(0, maxFilterValues)
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
  const { records } = page
  const { records: all } = whole
  const condition = `${name}=${value}`
  const report = (rule: 'pageNotKept' | 'filterNotKept', what: string, message: string, of = draft) =>
    session.report(of, {
      rule: providerRuleSet[rule],
      ...(rule === 'filterNotKept' && severity),
      at: `query ${name}: ${what}`,
      message,
    })
  // It may be another property that is compared.
  const severity = property.includes('/') && { severity: 'warning' as const }
  const isMatching = (record: RecordValues) => isMatch(heldIn(record, property), value)
  const matching = all.filter(isMatching)
  const { length: count } = matching
  const wrongTotal = describeTotal(checked, draft, page)
  if (wrongTotal) report('pageNotKept', 'total', `${wrongTotal} to a list with ${condition}`)
  const mayMatch = createMayMatch(checked, filter, value, [...all, ...records])
  const other = records.find((record) => !isMatching(record) && !mayMatch(record))
  if (other) {
    const held = `answered a record whose ${property} is ${toJson(heldIn(other, property))}`
    report('filterNotKept', 'not matching', `${held} to a list with ${condition}`)
  }
  // What is not said to search in texts compares whole values.
  const text = describe(list, name)
  const contains = (record: RecordValues) => `${heldIn(record, property) ?? ''}`.includes(`${value}`)
  const longer = records.find((record) => !isMatching(record) && contains(record))
  if (!other && longer && text !== '' && saysComparison(text) !== 'part') {
    const message = `answered a record whose ${property} only contains the value to a list with ${condition}`
    const rule = providerRuleSet.filterNotKept
    session.report(draft, { rule, severity: 'warning', at: `query ${name}: contains`, message })
  }
  if (limit !== undefined && least !== undefined && count > 0) {
    const few = withParameter(draft, 'query', limit, least)
    const shortest = await fetchPage(contract, session, list, few)
    if (shortest) checkNextLink(session, list, shortest.response)
    if (shortest?.records.length === 0 && records.length > 0) {
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
  const isReturned = records.some((record) => heldIn(record, property) !== undefined)
  const parameter = parameterOf(list, name)
  const isText = parameter !== undefined && itemTypesOf(contract, parameter).includes('string')
  // If only certain texts are valid, the filter must match exactly.
  const isFree =
    saysComparison(describe(list, name)) !== 'whole' &&
    ['no such choice 7f3a9c', ['no such choice 7f3a9c']].some((text) =>
      isValid(contract, withParameter(list.draft, 'query', name, text)),
    )
  const contains = (held: string) =>
    [value].flat().some((one) => held.toLowerCase().includes(String(one).toLowerCase()))
  return (record) => {
    const held = heldIn(record, property)
    if (held === undefined) return !isReturned
    return isText && isFree && typeof held === 'string' && (isTime(held) || contains(held))
  }
}

function describe(list: SubjectOf<'list'>, name: string): string {
  const parameter = parameterOf(list, name)
  return parameter ? list.describes(parameter) : ''
}

/** The value of a property, or of one inside of it. */
function heldIn(record: RecordValues, property: string): unknown {
  return valueAt(record, property.split('/'))
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
    const isExact = compare === 'equal' || (compare === 'is' && !all)
    return isNamed && isExact ? [{ name, property }] : []
  })
}
