/** Judges filters: asks with the value of a record, and compares the answer with an own filter over all records. */
import { valueAt } from '../state/read-shapes.js'
import { findFilters } from './find-filters.js'

const triedValues = 2
const atLimit = { least: true, most: true, above: false, below: false }
const isScalar = (value) => ['string', 'number', 'boolean'].includes(typeof value) && value !== ''
const isDate = (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)
const textOf = (record) => JSON.stringify(record)

/** @returns judgements of kind `filters` */
export async function judgeFilters(list, whole, { fits, resolve }) {
  const { filters, open } = findFilters(list, { resolve })
  const judgements = open.map(({ what, why }) => ({ kind: 'filters', what, verdict: 'open', why }))
  for (const filter of filters) {
    judgements.push({ kind: 'filters', what: filter.parameter.name, ...(await judge(filter)) })
  }
  return judgements

  async function judge(filter) {
    const { parameter, place, operator } = filter
    if (list.base.parameters.has(parameter)) return judgeRequired(filter)
    if (!whole.isSure) return { verdict: 'open', why: 'the whole list is not known' }
    const values = valuesOf(whole.records, filter)
    if (values.length === 0) return { verdict: 'open', why: 'no record has a value that the parameter takes' }
    let verdict
    for (const { value, sent } of values.slice(0, triedValues)) {
      const page = await whole.getAll([[parameter, sent]])
      const result = compare(page, { filter, value })
      if (result.verdict === 'open') return result
      if (result.verdict === 'wrong') {
        const cause = `${operator}: ${result.cause}`
        return { ...result, cause, why: `by ${place.join('.')}: ${result.why}`, ...page.shown }
      }
      verdict ??= result
    }
    return verdict
  }

  /** Different values first: those that few records have. */
  function valuesOf(records, { parameter, place }) {
    const counts = new Map()
    for (const value of records.map((record) => valueAt(record, place)).filter(isScalar)) {
      counts.set(value, (counts.get(value) ?? 0) + 1)
    }
    const rare = [...counts].toSorted(([, one], [, other]) => one - other).map(([value]) => value)
    // From the middle, a range leaves something out on both sides.
    const inOrder = rare.length > 2 ? [rare[Math.floor(rare.length / 2)], ...rare] : rare
    return [...new Set(inOrder)].flatMap((value) => {
      const sent = fits(parameter, [value, ...(isDate(value) ? [value.slice(0, 10)] : [])])
      return sent === undefined ? [] : [{ value, sent }]
    })
  }

  function compare(page, { filter: { place, operator, isPart }, value }) {
    if (!page.isSuccess)
      return { verdict: 'wrong', cause: `refused with ${page.status}`, why: `refused with ${page.status}` }
    const got = new Set(page.records.map(textOf))
    const known = new Set(whole.records.map(textOf))
    if (page.isFull) return { verdict: 'open', why: 'the answer fills the largest page' }
    const wanted = whole.records.map((record) => isWanted(valueAt(record, place), value, operator))
    if (wanted.some((each) => each === undefined)) return { verdict: 'open', why: 'its values have no order' }
    const texts = whole.records.map(textOf)
    const missing = texts.filter((text, index) => wanted[index] === true && !got.has(text)).length
    const isExtra = (index) =>
      wanted[index] === false && !(isPart && includes(valueAt(whole.records[index], place), value))
    const extra = texts.filter((text, index) => isExtra(index) && got.has(text)).length
    const unknown = [...got].filter((text) => !known.has(text)).length
    if (missing + extra + unknown === 0) return { verdict: 'right' }
    const isAll = got.size === known.size && extra > 0
    const cause = isAll
      ? 'no effect'
      : missing > 0
        ? 'records are missing'
        : extra > 0
          ? 'other records'
          : 'unknown records'
    const due = wanted.filter((each) => each === true).length
    return {
      verdict: 'wrong',
      cause,
      why: `${got.size} of ${known.size} records, not ${due}: ${missing} missing, ${extra + unknown} too many`,
    }
  }

  /** The list can't be had without it: each record of an answer must have the value that was asked for. */
  async function judgeRequired({ parameter, place, operator, isPart }) {
    if (operator !== 'equal' || isPart) return { verdict: 'open', why: 'it is required' }
    const { enum: values = [] } = resolve(parameter.schema) ?? {}
    const all = [list.base.parameters.get(parameter), ...values.slice(0, 5)]
    let isSeen = false
    for (const value of all) {
      const sent = fits(parameter, [value])
      if (!isScalar(sent)) continue
      const page = await whole.getAll([[parameter, sent]])
      const others = page.records
        .map((record) => valueAt(record, place))
        .filter((each) => isScalar(each) && !isSame(each, sent))
      isSeen ||= page.records.length > 0
      if (others.length > 0) {
        return {
          verdict: 'wrong',
          cause: 'equal: other records, required',
          why: `a record has ${others[0]}`,
          ...page.shown,
        }
      }
    }
    return isSeen ? { verdict: 'right' } : { verdict: 'open', why: 'it is required, and no record has the value' }
  }
}

/** Whether a record must be in the answer; `either` where the limit itself is open; undefined without an order. */
function isWanted(own, value, operator) {
  // Whether a flag that a record does not show is off is left open.
  if (operator === 'equal') return isScalar(own) ? isSame(own, value) : value === false && 'either'
  if (!isScalar(own)) return false
  const order = orderOf(own, value)
  if (order === undefined) return undefined
  if (order === 0) return Object.hasOwn(atLimit, operator) ? atLimit[operator] : 'either'
  return order > 0 === ['least', 'above', 'from'].includes(operator)
}

function orderOf(one, other) {
  const isTime = isDate(one) && isDate(other)
  const [first, second] = [one, other].map(isTime ? Date.parse : Number)
  return Number.isNaN(first) || Number.isNaN(second) || typeof one === 'boolean' ? undefined : Math.sign(first - second)
}

function isSame(one, other) {
  if (String(one) === String(other)) return true
  return isDate(one) && isDate(other) && Date.parse(one) === Date.parse(other)
}

function includes(one, other) {
  return String(one).toLowerCase().includes(String(other).toLowerCase())
}
