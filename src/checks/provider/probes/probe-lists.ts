/** Does a list keep its limit, its default and its filters? */
import type { Contract } from '../../../contract/contract.js'
import { type Draft, withParameter } from '../draft.js'
import type { Wire } from '../lab.js'
import {
  isMatch,
  isSame,
  isTime,
  isWhole,
  limitOf,
  limitsOf,
  longestList,
  passesFilters,
  recordsOf,
  type SubjectOf,
  type Values,
} from '../provider-collection.js'
import { rules } from '../provider-rules.js'
import { violationsOf } from '../values/judge-draft.js'
import type { ProbeContext } from './probe-context.js'

/** Values of a filter without an enum that are tried. */
const maxFilterValues = 5

export async function probeList({ contract, lab }: ProbeContext, list: SubjectOf<'list'>): Promise<void> {
  const { effect, parameters } = list.operation
  const whole = longestList(contract, list)
  const ask = (run: (wire: Wire) => Promise<void>) => lab.run({ input: undefined, run: (_, wire) => run(wire) })

  for (const limit of effect.limit === undefined ? [] : limitsOf(contract, list)) {
    const draft = withParameter(list.draft, 'query', effect.limit ?? '', limit)
    await ask((wire) => checkLimit(wire, list, whole, draft))
  }
  await ask((wire) => checkLimit(wire, list, whole, list.draft))
  for (const parameter of parameters) {
    if (parameter.in !== 'query' || parameter.default === undefined) continue
    const explicit = withParameter(list.draft, 'query', parameter.name, parameter.default)
    await ask((wire) => checkDefault(wire, list, parameter.name, explicit))
  }
  for (const { parameter, property } of effect.filters) {
    await ask(async (wire) => {
      const records = await fetchRecords(wire, list, whole)
      const values = filterValues(contract, list, parameter, property, records ?? [])
      for (const value of values) await checkFilter(contract, wire, list, { parameter, property, value, whole })
    })
  }
}

/** Requests that are only a means are judged like all others. */
export async function fetchRecords(wire: Wire, list: SubjectOf<'list'>, draft: Draft): Promise<Values[] | undefined> {
  const answer = await wire.send(draft, 'success', { at: 'list' })
  return answer && answer.status < 300 ? recordsOf(list.operation.effect, answer) : undefined
}

export interface Page {
  records: Values[]
  /** All that pass the filters are among them. */
  isWhole: boolean
}

export async function fetchPage(
  contract: Contract,
  wire: Wire,
  list: SubjectOf<'list'>,
  draft: Draft,
): Promise<Page | undefined> {
  const answer = await wire.send(draft, 'success', { at: 'list' })
  const records = answer && answer.status < 300 ? recordsOf(list.operation.effect, answer) : undefined
  return answer && records && { records, isWhole: isWhole(contract, list, draft, answer) }
}

async function checkLimit(wire: Wire, list: SubjectOf<'list'>, whole: Draft, draft: Draft): Promise<void> {
  const limit = limitOf(list, draft)
  const all = await fetchRecords(wire, list, whole)
  const records = await fetchRecords(wire, list, draft)
  if (!records || !all || !Number.isFinite(limit)) return
  const asked = list.operation.effect.limit ?? ''
  const isDefault = draft.parameters.query[asked] === undefined
  const words = isDefault ? `without ${asked}, whose default is ${limit},` : `with ${asked}=${limit}`
  const most = Math.min(limit, all.length)
  const rule = isDefault ? rules.defaultNotKept : rules.limitNotKept
  if (records.length > limit) {
    const message = `answered ${records.length} records to a list ${words}`
    wire.blame(draft, { rule, at: `query ${asked}: too many`, message })
  } else if (records.length < most) {
    // Others may have removed some meanwhile.
    const still = await fetchRecords(wire, list, whole)
    if (!still || records.length >= Math.min(limit, still.length)) return
    const message = `answered ${records.length} records to a list ${words}, while there are at least ${all.length}`
    wire.blame(draft, { rule, at: `query ${asked}: too few`, message })
  }
}

/** Leaving a parameter out must be as sending its default (OpenAPI 3.1, Schema Object, `default`). */
async function checkDefault(wire: Wire, list: SubjectOf<'list'>, name: string, explicit: Draft): Promise<void> {
  const told = await fetchRecords(wire, list, explicit)
  const untold = await fetchRecords(wire, list, list.draft)
  if (!told || !untold || told.length === untold.length) return
  // Others may have added or removed some meanwhile.
  const again = await fetchRecords(wire, list, explicit)
  const isBetween =
    again &&
    untold.length >= Math.min(told.length, again.length) &&
    untold.length <= Math.max(told.length, again.length)
  if (!again || isBetween) return
  const message = `answered ${untold.length} records without ${name}, and ${told.length} with its default ${explicit.parameters.query[name]}`
  const rule = rules.defaultNotKept
  wire.blame(list.draft, {
    rule,
    at: `query ${name}: ${untold.length > told.length ? 'too many' : 'too few'}`,
    message,
  })
}

function filterValues(
  contract: Contract,
  list: SubjectOf<'list'>,
  name: string,
  property: string,
  records: readonly Values[],
): unknown[] {
  const parameter = list.operation.parameters.find((each) => each.in === 'query' && each.name === name)
  const isValid = (value: unknown) =>
    violationsOf(contract, withParameter(list.draft, 'query', name, value)).length === 0
  const documented = parameter ? list.valuesOf(parameter).filter(isValid) : []
  const held = records
    .map((record) => record[property])
    .filter((value) => ['string', 'number', 'bigint', 'boolean'].includes(typeof value))
  const some = [...new Set(held.filter(isValid))].slice(0, maxFilterValues)
  // An empty filter is none to many.
  return [...new Set([...some, ...documented.slice(0, 2 * maxFilterValues)])].filter((value) => value !== '')
}

interface FilterCase {
  parameter: string
  property: string
  value: unknown
  whole: Draft
}

async function checkFilter(
  contract: Contract,
  wire: Wire,
  list: SubjectOf<'list'>,
  { parameter, property, value, whole }: FilterCase,
): Promise<void> {
  const draft = withParameter(whole, 'query', parameter, value)
  const all = await fetchRecords(wire, list, whole)
  const page = await fetchPage(contract, wire, list, draft)
  if (!page || !all) return
  const { records } = page
  const types = list.operation.parameters.find((each) => each.in === 'query' && each.name === parameter)
  const isText = (types?.list?.itemTypes ?? types?.types)?.includes('string') === true
  const isMatching = (record: Values) => isMatch(record[property], value)
  const isShown = [...all, ...records].some((record) => record[property] !== undefined)
  // A text may stand for all that hold it, whatever the case; a time for all from then on; what no record shows is unknown.
  const isNear = ({ [property]: held }: Values) =>
    held === undefined
      ? !isShown
      : isText && !isChoice && typeof held === 'string' && (isTime(held) || holdsText(held, value))
  const isChoice = types !== undefined && isEnumerated(contract, list, parameter)
  const other = records.find((record) => !isMatching(record) && !isNear(record))
  if (other) {
    const message = `answered a record whose ${property} is ${JSON.stringify(other[property], toText)} to a list with ${parameter}=${value}`
    wire.blame(draft, { rule: rules.filterNotKept, at: `query ${parameter}: not matching`, message })
  }
  const { limit } = list.operation.effect
  const [least] = limitsOf(contract, list)
  if (limit !== undefined && least !== undefined && all.some(isMatching)) {
    const few = withParameter(draft, 'query', limit, least)
    const some = await fetchRecords(wire, list, few)
    if (some?.length === 0 && records.length > 0) {
      const message = `answered no records to a list with ${parameter}=${value} and ${limit}=${least}, while ${records.length} match`
      wire.blame(few, { rule: rules.filterNotKept, at: `query ${parameter}: after the limit`, message })
    }
  }
  const key = keyNameOf(contract, list)
  const isListed = (record: Values, among: readonly Values[]) =>
    among.some((each) => (record[key] === undefined ? isSame(each, record) : isSame(each[key], record[key])))
  if (!page.isWhole) return
  const left = all.filter(isMatching).filter((record) => !isListed(record, records))
  if (left.length === 0) return
  // Others may have changed or removed some meanwhile.
  const still = (await fetchRecords(wire, list, whole))?.filter(isMatching) ?? []
  const missing = left.filter((record) => isListed(record, still) && passesFilters(list, draft, record))
  if (missing.length > 0) {
    const message = `left out ${missing.length} of the records that match from a list with ${parameter}=${value}`
    wire.blame(draft, { rule: rules.filterNotKept, at: `query ${parameter}: left out`, message })
  }
}

function holdsText(held: string, value: unknown): boolean {
  return [value].flat().some((one) => held.toLowerCase().includes(String(one).toLowerCase()))
}

/** Whether only some texts are valid, so that a filter means just these. */
function isEnumerated(contract: Contract, list: SubjectOf<'list'>, parameter: string): boolean {
  const any = ['no such choice 7f3a9c', ['no such choice 7f3a9c']]
  return any.every((value) => violationsOf(contract, withParameter(list.draft, 'query', parameter, value)).length > 0)
}

function keyNameOf({ collections }: Contract, { operation: { effect } }: SubjectOf<'list'>): string {
  return collections.find(({ name }) => name === effect.collection)?.key ?? 'id'
}

export function toText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
