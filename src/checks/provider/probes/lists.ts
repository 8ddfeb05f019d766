/** Does a list keep its limit, its default and its filters? */
import type { Contract } from '../../../contract/contract.js'
import {
  isSame,
  limitOf,
  limitsOf,
  longestList,
  type ProviderCollection,
  recordsOf,
  type SubjectOf,
  type Values,
} from '../collection.js'
import { type Draft, withParameter } from '../draft.js'
import type { Wire } from '../lab.js'
import { rules } from '../rules.js'
import { violationsOf } from '../values/judge-draft.js'
import type { ProbeContext } from './context.js'

/** Values of a filter without an enum that are tried. */
const maxFilterValues = 5

export async function probeList(
  { contract, lab }: ProbeContext,
  { model }: ProviderCollection,
  list: SubjectOf<'list'>,
): Promise<void> {
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
      for (const value of values) await checkFilter(wire, list, { key: model.key, parameter, property, value, whole })
    })
  }
}

/** Requests that are only a means are judged like all others. */
export async function fetchRecords(wire: Wire, list: SubjectOf<'list'>, draft: Draft): Promise<Values[] | undefined> {
  const answer = await wire.send(draft, 'success', { at: 'list' })
  return answer && answer.status < 300 ? recordsOf(list.operation.effect, answer) : undefined
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
    const message = `answered ${records.length} records to a list ${words}, while there are at least ${all.length}`
    wire.blame(draft, { rule, at: `query ${asked}: too few`, message })
  }
}

/** Leaving a parameter out must be as sending its default (OpenAPI 3.1, Schema Object, `default`). */
async function checkDefault(wire: Wire, list: SubjectOf<'list'>, name: string, explicit: Draft): Promise<void> {
  const told = await fetchRecords(wire, list, explicit)
  const untold = await fetchRecords(wire, list, list.draft)
  if (!told || !untold || told.length === untold.length) return
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
  return [...new Set([...some, ...documented.slice(0, 2 * maxFilterValues)])]
}

interface FilterCase {
  /** Property that holds the key. */
  key: string
  parameter: string
  property: string
  value: unknown
  whole: Draft
}

async function checkFilter(
  wire: Wire,
  list: SubjectOf<'list'>,
  { key, parameter, property, value, whole }: FilterCase,
): Promise<void> {
  const draft = withParameter(whole, 'query', parameter, value)
  const all = await fetchRecords(wire, list, whole)
  const records = await fetchRecords(wire, list, draft)
  if (!records || !all) return
  const isMatch = (record: Values) => {
    const held = record[property]
    return Array.isArray(held) ? held.some((item) => isSame(item, value)) : isSame(held, value)
  }
  const other = records.find((record) => !isMatch(record))
  if (other) {
    const message = `answered a record whose ${property} is ${JSON.stringify(other[property], toText)} to a list with ${parameter}=${value}`
    wire.blame(draft, { rule: rules.filterNotKept, at: `query ${parameter}: not matching`, message })
  }
  if (records.length >= limitOf(list, draft)) return
  const listed = new Set(records.map((record) => record[key]))
  const missing = all.filter((record) => isMatch(record) && !listed.has(record[key]))
  if (missing.length > 0) {
    const message = `left out ${missing.length} of the records that match from a list with ${parameter}=${value}`
    wire.blame(draft, { rule: rules.filterNotKept, at: `query ${parameter}: left out`, message })
  }
}

export function toText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
