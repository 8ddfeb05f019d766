/** Gets all records of a list: with the largest page that its document allows, or page by page. */
import { valueAt } from '../state/read-shapes.js'
import { compareRecords, isSameRecords, runLoop } from './run-loop.js'

const sizes = [1000, 500, 250, 200, 100, 50, 30, 25, 20, 10]
const smallSizes = { many: [2, 3, 1], two: [1, 2], one: [2, 3, 1] }

/**
 * @returns `{ records, first, base, isSure, getAll }`, where the base has the size, or `{ unreachable }`; `getAll` asks
 * for all records with other parameters
 */
export async function getWhole(list, ways, { ask, follow, fits, resolve, complete }) {
  const { size } = list.paging
  let base = []
  let first
  let asked
  for (const each of size ? largestSizes(size, { fits, resolve }) : []) {
    asked = each
    base = [[size, fits(size, [each])]]
    first = await ask(list, base)
    if (first.isSuccess) break
  }
  if (!first?.isSuccess) {
    asked = undefined
    base = []
    first = await ask(list, base)
  }
  if (!first.isSuccess) return { unreachable: `${first.shown.sent}: ${first.shown.got}`.slice(0, 200) }
  const again = await ask(list, base)
  if (!isSameRecords(first.records, again.records)) return { unreachable: 'the same request gets other records' }
  const isAll = asked !== undefined && first.records.length < asked && !saysMore(first, list)
  const getPage = async (changes) => {
    const page = await ask(list, [...base, ...changes])
    return { ...page, isFull: asked !== undefined && page.records.length >= asked }
  }
  if (isAll || ways.length === 0) {
    return { getAll: getPage, records: first.records, first, base, asked, isSure: isAll || !saysMore(first, list) }
  }
  for (const way of ways.filter(({ family }) => family !== 'size only')) {
    const completed = await complete(way, base, asked)
    const loop = await runLoop(list, completed, { ask, follow, base, asked })
    if (loop.problem !== undefined || loop.open !== undefined) continue
    const records = distinct(loop.pages)
    const isOnce = records.length === loop.pages.flatMap((page) => page.records).length
    // Records that have the same text are still counted once each.
    if (isOnce || compareRecords(loop.pages, first.records) === undefined) {
      const getAll = async (changes) => {
        const changed = { ...completed, first: [...completed.first, ...changes] }
        const { pages } = await runLoop(list, changed, { ask, follow, base: [...base, ...changes], asked })
        return { ...pages[0], isSuccess: pages.at(-1).isSuccess, records: pages.flatMap((page) => page.records) }
      }
      return { getAll, records: isOnce ? records : first.records, first, base, asked, isSure: true }
    }
  }
  return {
    getAll: getPage,
    records: first.records,
    first,
    base,
    asked,
    isSure: asked !== undefined && first.records.length < asked,
  }
}

function largestSizes(size, { fits, resolve }) {
  const { maximum, enum: values } = resolve(size.schema) ?? {}
  const all = [...sizes, ...(values ?? []), ...(maximum > 0 && maximum <= 1000 ? [maximum] : [])].map(Number)
  const usable = all.filter((each) => Number.isInteger(each) && each > 0 && fits(size, [each]) !== undefined)
  return [...new Set(usable)].toSorted((one, other) => other - one)
}

/** @returns a size that gives several pages, if the parameter takes one */
export function smallSize(size, count, { fits, resolve }) {
  const wanted = count > 2 ? smallSizes.many : count === 2 ? smallSizes.two : smallSizes.one
  const { minimum, enum: values } = resolve(size.schema) ?? {}
  const all = [...wanted, ...(values ?? []).map(Number).toSorted((one, other) => one - other), minimum]
  return all.find((each) => Number.isInteger(each) && each > 0 && fits(size, [each]) !== undefined)
}

/** Whether an answer says that there are other records than those that it has. */
function saysMore({ value, records }, { fields }) {
  return fields.some(({ kind, pointer, header }) => {
    if (header !== undefined) return false
    const said = valueAt(value, pointer)
    if (kind === 'total') return Number(said) > records.length
    if (kind === 'last') return said === false
    return (kind === 'more' && said === true) || (kind === 'next' && said !== undefined && said !== null && said !== '')
  })
}

function distinct(pages) {
  const texts = pages.flatMap(({ records }) => records.map((each) => JSON.stringify(each)))
  return [...new Set(texts)].map((text) => JSON.parse(text))
}
