/** Finds the ways in which a client can page through a list, as its document describes them. */
import { normalize } from '../documents/collect-keys.js'
import { valueAt } from '../state/read-shapes.js'
import { linkOf } from './name-fields.js'
import { countsPages, firstNumbers } from './name-parameters.js'

const isEmpty = (value) => value === undefined || value === null || value === ''
const isCount = (value) => /^\d+$/.test(String(value))
const isAddress = (value) => /^(https?:)?\/\/?|^\?/.test(String(value))

/**
 * Each way has `family`, `first`, the changes of the first request, and `next(page, pages)`, which returns the changes
 * of the next one, `{ address }` of a link, or nothing at the end.
 * @param list with `paging` and `fields`
 */
export function findWays(list, { ask, fits, resolve }) {
  const { size, offset, page, token, after } = list.paging
  const nexts = list.fields.filter(({ kind }) => kind === 'next')
  const ways = []
  const open = []
  if (offset && countsPages(offset)) open.push({ what: 'offset', why: `${offset.name} may count pages` })
  else if (offset)
    ways.push({ family: 'limit/offset', parameter: offset, byNumber: (pages, first) => first + seen(pages) })
  if (page)
    ways.push({ family: 'page/size', parameter: page, isPage: true, byNumber: (pages, first) => first + pages.length })
  const tokens = nexts.filter(({ isLink }) => !isLink)
  const cursor = token ?? after
  if (cursor && tokens.length > 0) {
    ways.push({ family: 'cursor', next: (last) => byToken(last, cursor, tokens) })
  } else if (after && !takesCursor(after) && list.properties.has('id')) {
    ways.push({ family: 'key of the last record', next: (last, _, asked) => byKey(last, after, asked) })
  } else if (cursor && !list.fields.some(({ kind, isLink }) => kind === 'link' || isLink)) {
    open.push({ what: 'cursor', why: `no field of the answer has the value of ${cursor.name}` })
  }
  for (const field of nexts) ways.push({ family: 'next in the body', field, next: (last) => byField(last, field) })
  const header = list.fields.find(({ kind }) => kind === 'link')
  if (header) {
    const byHeader = (last) => {
      const address = linkOf(last.headers.link, 'next')
      return address && { address }
    }
    ways.push({ family: 'header Link', field: header, next: byHeader })
  }
  const isLimit = size && (ways.length === 0 || (normalize(size.name) === 'top' && !offset && !page))
  if (isLimit) ways.push({ family: 'size only', next: () => undefined })
  return { ways, open, complete }

  function byToken(last, parameter, fields) {
    const values = fields.map(({ pointer }) => valueAt(last.value, pointer))
    const value = values.find((each) => !isEmpty(each) && fits(parameter, [each]) !== undefined)
    return value === undefined || says(last, 'more') === false ? undefined : [[parameter, fits(parameter, [value])]]
  }

  function byKey(last, parameter, asked) {
    const key = fits(
      parameter,
      [last.records.at(-1)?.id].filter((each) => !isEmpty(each)),
    )
    if (says(last, 'more') === false || key === undefined) return undefined
    return asked !== undefined && last.records.length < asked ? undefined : [[parameter, key]]
  }

  /** By what a field has: an address, the number of a page or of a record, or a token. */
  function byField(last, { pointer, label }) {
    const value = valueAt(last.value, pointer)
    if (isEmpty(value) || value === false) return undefined
    if (isAddress(value)) return { address: value }
    const takers = isCount(value) ? [/offset/i.test(label) ? offset : page, token, after] : [token, after]
    const taker = takers.find((each) => each !== undefined && fits(each, [value]) !== undefined)
    return taker === undefined ? { unknown: value } : [[taker, fits(taker, [value])]]
  }

  /** What a flag of a page says. */
  function says(last, kind) {
    const field = list.fields.find((each) => each.kind === kind)
    const value = field && valueAt(last.value, field.pointer)
    return typeof value === 'boolean' ? value : undefined
  }

  /**
   * Finds the number with which a way by numbers begins: that whose answer is the one without a number.
   * @returns the way with `first` and `next`
   */
  async function complete(way, base, asked) {
    if (way.byNumber === undefined) return { ...way, first: base }
    const { parameter } = way
    const numbers = firstNumbers(parameter, { resolve, isPage: way.isPage })
    const usable = numbers.filter((each) => fits(parameter, [each]) !== undefined)
    let first = usable[0] ?? numbers[0]
    if (usable.length > 1) {
      const [plain, ...firsts] = [await ask(list, base)]
      for (const each of usable) firsts.push(await ask(list, [...base, [parameter, fits(parameter, [each])]]))
      const text = JSON.stringify(plain.records)
      first = usable.find((_, index) => JSON.stringify(firsts[index].records) === text) ?? first
    }
    const toChanges = (number) => [[parameter, fits(parameter, [number]) ?? number]]
    const next = (last, pages) => {
      const isShort = asked !== undefined && last.records.length < asked
      const isEnd = last.records.length === 0 || isShort || says(last, 'more') === false || says(last, 'last') === true
      return isEnd ? undefined : toChanges(way.byNumber(pages, first))
    }
    return { ...way, firstNumber: first, first: [...base, ...toChanges(first)], next }
  }
}

/** Whether it takes what an answer gave, and not the key of a record. */
function takesCursor({ name, description = '' }) {
  return !/starting|id$/i.test(name) && /cursor|token|link header|previous response/i.test(description)
}

function seen(pages) {
  return pages.reduce((sum, { records }) => sum + records.length, 0)
}
