/** Checks that a list applies its limit, its defaults and its filters. */
import type { Contract } from '../../../contract/contract.js'
import type { ListEffect, ListFilter } from '../../../contract/effects/effect.js'
import { itemTypesOf } from '../../../contract/item-types.js'
import type { ProbeSession } from '../probe-runner.js'
import {
  isComplete,
  isMatch,
  isSame,
  isTime,
  keyNameOf,
  limitOf,
  limitsOf,
  longestList,
  matchesFilters,
  type RecordValues,
  recordsOf,
  type SubjectOf,
  toText,
} from '../provider-collection.js'
import { providerRuleSet } from '../provider-rules.js'
import { type Draft, withParameter } from '../requests/request-draft.js'
import { violationsOf } from '../values/judge-draft.js'
import type { ProbeContext } from './probe-context.js'
import { checkPages, totalIn } from './probe-pages.js'

/** How many values of existing records are tried for a filter. */
const maxFilterValues = 5

/** Requests a list with every limit, default and filter. */
export async function probeList({ contract, runner }: ProbeContext, list: SubjectOf<'list'>): Promise<void> {
  const { effect, parameters } = list.operation
  const longest = longestList(contract, list)
  const runProbe = (run: (session: ProbeSession) => Promise<void>) =>
    runner.run({ input: undefined, run: (_, session) => run(session) })

  for (const limit of effect.limit === undefined ? [] : limitsOf(contract, list)) {
    const draft = withParameter(list.draft, 'query', effect.limit ?? '', limit)
    await runProbe((session) => checkLimit(session, list, longest, draft))
  }
  await runProbe((session) => checkLimit(session, list, longest, list.draft))
  await runProbe((session) => checkPages(contract, session, list))
  for (const parameter of parameters) {
    // No query has null, and what is required cannot be left out.
    const { in: place, required, default: standard } = parameter
    if (place !== 'query' || required || standard === undefined || standard === null) continue
    const explicit = withParameter(list.draft, 'query', parameter.name, standard)
    await runProbe((session) => checkDefault(session, list, parameter.name, explicit))
  }
  for (const { parameter, property } of exactFilters(effect)) {
    await runProbe(async (session) => {
      const records = await fetchRecords(session, list, longest)
      const values = filterValues(contract, list, parameter, property, records ?? [])
      for (const value of values) await checkFilter(contract, session, list, { parameter, property, value, longest })
    })
  }
}

/** The query parameters that choose records by one value of one property. */
function exactFilters({ filters, view }: ListEffect): Pick<ListFilter, 'parameter' | 'property'>[] {
  const others = view?.filters.flatMap(
    ({ in: place, name, member, properties: [property = '', ...more], compare, all }) => {
      const isExact = compare === 'is' && place === 'query' && member === undefined && more.length === 0 && !all
      return isExact && !property.includes('/') ? [{ parameter: name, property }] : []
    },
  )
  return [...filters, ...(others ?? [])]
}

/** The records of a list; undefined without a readable list. The response is judged like any other. */
export async function fetchRecords(
  session: ProbeSession,
  list: SubjectOf<'list'>,
  draft: Draft,
): Promise<RecordValues[] | undefined> {
  const response = await session.send(draft, 'success', { at: 'list' })
  return response && response.status < 300 ? recordsOf(list.operation.effect, response) : undefined
}

/** The records of one list response. */
export interface Page {
  records: RecordValues[]
  /** These are all records that match the filters. */
  isComplete: boolean
  /** How many match, by the response. NaN if it does not say it. */
  total: number
}

/** Like `fetchRecords`; also finds out whether records are missing because the list is cut off. */
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

async function checkLimit(session: ProbeSession, list: SubjectOf<'list'>, longest: Draft, draft: Draft): Promise<void> {
  const limit = limitOf(list, draft)
  const all = await fetchRecords(session, list, longest)
  const records = await fetchRecords(session, list, draft)
  if (!records || !all || !Number.isFinite(limit)) return
  const name = list.operation.effect.limit ?? ''
  const isDefault = draft.parameters.query[name] === undefined
  const condition = isDefault ? `without ${name}, whose default is ${limit},` : `with ${name}=${limit}`
  const most = Math.min(limit, all.length)
  const rule = isDefault ? providerRuleSet.defaultNotKept : providerRuleSet.limitNotKept
  if (records.length > limit) {
    const message = `answered ${records.length} records to a list ${condition}`
    session.report(draft, { rule, at: `query ${name}: too many`, message })
  } else if (records.length < most) {
    // Others may have removed some in the meantime.
    const now = await fetchRecords(session, list, longest)
    if (!now || records.length >= Math.min(limit, now.length)) return
    const message = `answered ${records.length} records to a list ${condition}, although there are at least ${all.length}`
    session.report(draft, { rule, at: `query ${name}: too few`, message })
  }
}

/** Without a parameter the list must be as with its default (OpenAPI 3.1, Schema Object, `default`). */
async function checkDefault(
  session: ProbeSession,
  list: SubjectOf<'list'>,
  name: string,
  explicit: Draft,
): Promise<void> {
  const expected = await fetchRecords(session, list, explicit)
  const actual = await fetchRecords(session, list, list.draft)
  if (!expected || !actual || expected.length === actual.length) return
  // Others may have added or removed some in the meantime.
  const again = await fetchRecords(session, list, explicit)
  const isBetween =
    again &&
    actual.length >= Math.min(expected.length, again.length) &&
    actual.length <= Math.max(expected.length, again.length)
  if (!again || isBetween) return
  const message = `answered ${actual.length} records without ${name}, and ${expected.length} with its default ${explicit.parameters.query[name]}`
  const rule = providerRuleSet.defaultNotKept
  session.report(list.draft, {
    rule,
    at: `query ${name}: ${actual.length > expected.length ? 'too many' : 'too few'}`,
    message,
  })
}

function filterValues(
  contract: Contract,
  list: SubjectOf<'list'>,
  name: string,
  property: string,
  records: readonly RecordValues[],
): unknown[] {
  const parameter = list.operation.parameters.find((each) => each.in === 'query' && each.name === name)
  const isValid = (value: unknown) =>
    violationsOf(contract, withParameter(list.draft, 'query', name, value)).length === 0
  const documented = parameter ? list.valuesOf(parameter).filter(isValid) : []
  const existing = records
    .map((record) => record[property])
    .filter((value) => ['string', 'number', 'bigint', 'boolean'].includes(typeof value))
  const some = [...new Set(existing.filter(isValid))].slice(0, maxFilterValues)
  // Many providers ignore an empty filter.
  const isEmpty = (value: unknown) => [value].flat().every((each) => each === '')
  return [...new Set([...some, ...documented.slice(0, 2 * maxFilterValues)])].filter((value) => !isEmpty(value))
}

interface FilterCase {
  parameter: string
  property: string
  value: unknown
  longest: Draft
}

async function checkFilter(
  contract: Contract,
  session: ProbeSession,
  list: SubjectOf<'list'>,
  { parameter, property, value, longest }: FilterCase,
): Promise<void> {
  const draft = withParameter(longest, 'query', parameter, value)
  const whole = await fetchPage(contract, session, list, longest)
  const page = await fetchPage(contract, session, list, draft)
  if (!page || !whole) return
  const { records, total } = page
  const { records: all } = whole
  const types = list.operation.parameters.find((each) => each.in === 'query' && each.name === parameter)
  const isText = types !== undefined && itemTypesOf(contract, types).includes('string')
  const isMatching = (record: RecordValues) => isMatch(record[property], value)
  const matching = all.filter(isMatching).length
  if (whole.isComplete && total === all.length && matching === records.length && matching < total) {
    const message = `answered the ${matching} records with ${parameter}=${value} with a total of ${total}, that of all records`
    session.report(draft, { rule: providerRuleSet.pageNotKept, at: `query ${parameter}: total`, message })
  }
  const isReturned = [...all, ...records].some((record) => record[property] !== undefined)
  // A text may match all values that contain it in any case, and a time all later ones. If no record has the property,
  // a match cannot be judged.
  const mayMatch = ({ [property]: held }: RecordValues) =>
    held === undefined
      ? !isReturned
      : isText && !isEnum && typeof held === 'string' && (isTime(held) || holdsText(held, value))
  const isEnum = types !== undefined && isEnumerated(contract, list, parameter)
  const other = records.find((record) => !isMatching(record) && !mayMatch(record))
  if (other) {
    const message = `answered a record whose ${property} is ${JSON.stringify(other[property], toText)} to a list with ${parameter}=${value}`
    session.report(draft, { rule: providerRuleSet.filterNotKept, at: `query ${parameter}: not matching`, message })
  }
  const { limit } = list.operation.effect
  const [least] = limitsOf(contract, list)
  if (limit !== undefined && least !== undefined && all.some(isMatching)) {
    const few = withParameter(draft, 'query', limit, least)
    const shortest = await fetchRecords(session, list, few)
    if (shortest?.length === 0 && records.length > 0) {
      const message = `answered no records to a list with ${parameter}=${value} and ${limit}=${least}, although ${records.length} match`
      session.report(few, { rule: providerRuleSet.filterNotKept, at: `query ${parameter}: after the limit`, message })
    }
  }
  const key = keyNameOf(contract, list)
  const isListed = (record: RecordValues, among: readonly RecordValues[]) =>
    among.some((each) => (record[key] === undefined ? isSame(each, record) : isSame(each[key], record[key])))
  if (!page.isComplete) return
  const absent = all.filter(isMatching).filter((record) => !isListed(record, records))
  if (absent.length === 0) return
  // Others may have changed or removed some in the meantime.
  const current = (await fetchRecords(session, list, longest))?.filter(isMatching) ?? []
  const missing = absent.filter((record) => isListed(record, current) && matchesFilters(list, draft, record))
  if (missing.length > 0) {
    const message = `left out ${missing.length} of the records that match from a list with ${parameter}=${value}`
    session.report(draft, { rule: providerRuleSet.filterNotKept, at: `query ${parameter}: left out`, message })
  }
}

function holdsText(held: string, value: unknown): boolean {
  return [value].flat().some((one) => held.toLowerCase().includes(String(one).toLowerCase()))
}

/** Whether only certain texts are valid, so that the filter must match exactly. */
function isEnumerated(contract: Contract, list: SubjectOf<'list'>, parameter: string): boolean {
  const unknownTexts = ['no such choice 7f3a9c', ['no such choice 7f3a9c']]
  return unknownTexts.every(
    (value) => violationsOf(contract, withParameter(list.draft, 'query', parameter, value)).length > 0,
  )
}
