/** Judges sorting: asks for an order by a property, and looks whether the records of the answer are in it. */
import { normalize } from '../documents/collect-keys.js'
import { valueAt } from '../state/read-shapes.js'
import { compareRecords } from './run-loop.js'

const sortNames = new Set(
  `sort sortby orderby ordering sortfield sortkey sortcolumn sorting order sortorder ordercolumn orderfield orderkey
  orderbyfield sortbyfield sortproperty`.split(/\s+/),
)
const directionNames = new Set(
  `direction dir sortorder sortdirection sortdir orderdirection order sorttype orderdir ordertype sortbyorder`.split(
    /\s+/,
  ),
)
const triedOrders = 3
const isScalar = (value) => ['string', 'number', 'boolean'].includes(typeof value)

/** @returns judgements of kind `sorts` */
export async function judgeSorts(list, whole, { fits, resolve }) {
  const query = list.operation.parameters.filter(({ in: place }) => place === 'query')
  const valuesOf = ({ schema }) => {
    const { enum: own, items } = resolve(schema) ?? {}
    return (own ?? resolve(items)?.enum)?.filter((each) => typeof each === 'string')
  }
  const direction = query.find((each) => directionNames.has(normalize(each.name)) && isDirection(valuesOf(each)))
  const judgements = []
  for (const parameter of query.filter((each) => each !== direction && sortNames.has(normalize(each.name)))) {
    judgements.push({ kind: 'sorts', what: parameter.name, ...(await judge(parameter)) })
  }
  return judgements

  async function judge(parameter) {
    const open = (why) => ({ verdict: 'open', why })
    const orders = ordersOf(parameter, valuesOf(parameter))
    if (orders.length === 0) return open('no value names a property')
    if (!whole.isSure) return open('the whole list is not known')
    const telling = orders.filter(
      ({ place }) => new Set(whole.records.map((each) => valueAt(each, place)).filter(isScalar)).size > 1,
    )
    if (telling.length === 0) return open('all records have the same value')
    for (const order of telling.slice(0, triedOrders)) {
      const wrong = await tryOrder(parameter, order)
      if (wrong !== undefined) return { verdict: 'wrong', ...wrong }
    }
    return { verdict: 'right' }
  }

  async function tryOrder(parameter, { value, place, sign }) {
    const directions =
      direction && sign === undefined ? valuesOf(direction).filter((each) => signOf(each) !== undefined) : [undefined]
    for (const each of directions) {
      const changes = [[parameter, value], ...(each === undefined ? [] : [[direction, fits(direction, [each])]])]
      const page = await whole.getAll(changes)
      if (!page.isSuccess)
        return { cause: `refused with ${page.status}`, why: `refused with ${page.status}`, ...page.shown }
      const difference = page.isFull ? undefined : compareRecords([page], whole.records)
      if (difference !== undefined) return { cause: 'other records', why: difference.detail, ...page.shown }
      const wanted = sign ?? signOf(each)
      const values = page.records.map((record) => valueAt(record, place)).filter(isScalar)
      if (isInOrder(values, wanted)) continue
      const way = wanted === undefined ? 'either order' : wanted > 0 ? 'ascending' : 'descending'
      const said = values
        .map((own) => String(own).slice(0, 24))
        .slice(0, 6)
        .join(', ')
      return { cause: `not in order (${way})`, why: `${place.join('.')} is ${said}`, ...page.shown }
    }
  }

  /** Values that name a property, with its direction, if they say one. */
  function ordersOf(parameter, values) {
    if (values !== undefined) {
      return values.flatMap((value) => {
        const named = placeOf(value)
        const sent = fits(parameter, [value])
        return named === undefined || sent === undefined ? [] : [{ value: sent, ...named }]
      })
    }
    const { description = '' } = parameter
    const all = [...list.properties.values()].filter((place) => fits(parameter, [place.at(-1)]) !== undefined)
    const said = all.filter((place) => new RegExp(`\\b${place.at(-1).replace(/\W/g, '.')}\\b`).test(description))
    // A description without the name of a property may mean a list of others.
    const usable = said.length > 0 ? said : description.length < 60 ? all : []
    return usable.map((place) => ({ value: fits(parameter, [place.at(-1)]), place }))
  }

  function placeOf(value) {
    const [, mark, text] = /^([-+]?)(.*)$/.exec(value)
    const [, bare, end] = /^(.*?)(?:[\s_:,.|-]?(asc|desc|ascending|descending))?$/i.exec(text)
    const sign = mark === '-' ? -1 : mark === '+' ? 1 : signOf(end)
    const at = (name) => [...list.properties.values()].find((each) => normalize(each.at(-1)) === normalize(name))
    const place = at(text) ?? (bare === '' ? undefined : at(bare))
    return place && { place, sign }
  }
}

function isDirection(values) {
  return values?.some((each) => signOf(each) > 0) && values.some((each) => signOf(each) < 0)
}

function signOf(text) {
  if (/^(asc|ascending|ascend|a|up|1)$/i.test(text ?? '')) return 1
  return /^(desc|descending|descend|d|down|-1)$/i.test(text ?? '') ? -1 : undefined
}

/** By number, by time, by letters or by their codes: any of them is an order. */
function isInOrder(values, sign) {
  const orders = [
    ...(values.every((each) => !Number.isNaN(Number(each))) ? [(one, other) => Number(one) - Number(other)] : []),
    ...(values.every((each) => /^\d{4}-\d\d/.test(each)) ? [(one, other) => Date.parse(one) - Date.parse(other)] : []),
    (one, other) => String(one).localeCompare(String(other)),
    (one, other) => (String(one) < String(other) ? -1 : String(one) > String(other) ? 1 : 0),
  ]
  const isBy = (compare, each) =>
    values.every((value, index) => index === 0 || compare(values[index - 1], value) * each <= 0)
  return orders.some((compare) => (sign === undefined ? isBy(compare, 1) || isBy(compare, -1) : isBy(compare, sign)))
}
