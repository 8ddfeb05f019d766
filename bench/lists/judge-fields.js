/** Judges what the fields and headers around a page say: totals, numbers of pages, flags. */
import { valueAt } from '../state/read-shapes.js'

/** The fields that are judged as totals; links are followed. */
export const counted = new Set([
  'total',
  'count',
  'length',
  'pages',
  'page',
  'size',
  'offset',
  'more',
  'last',
  'first',
  'before',
])

/**
 * @param places pages as `{ page, before, total, asked, number, offset, isOfLoop }`
 * @returns a judgement of each field, over all pages
 */
export function judgeFields(list, places) {
  return list.fields
    .filter(({ kind }) => counted.has(kind))
    .map((field) => {
      const { kind, label } = field
      let verdict = 'open'
      let why = 'left out of the answers'
      for (const place of places) {
        const said = fieldValue(place.page, field)
        if (said === undefined || said === null || said === '') continue
        const expected = expectedOf(kind, place)
        if (expected === undefined) {
          if (verdict === 'open') why = `what ${kind} means here is open`
          continue
        }
        if (expected.some((each) => String(each) === String(said))) {
          verdict = 'right'
          continue
        }
        const wanted = [...new Set(expected)].join(' or ')
        const cause = `${kind}: another value`
        return {
          kind: 'totals',
          what: label,
          verdict: 'wrong',
          cause,
          why: `${label} is ${said}, not ${wanted}`,
          ...place.page.shown,
        }
      }
      return { kind: 'totals', what: label, verdict, ...(verdict === 'open' && { why }) }
    })
}

export function fieldValue(page, { header, pointer }) {
  return header === undefined ? valueAt(page.value, pointer) : page.headers[header.toLowerCase()]
}

/** The values that are true; undefined if the document leaves it open. */
function expectedOf(kind, { page, before, total, asked, number, offset, isOfLoop }) {
  const { length } = page.records
  const isAll = before === 0 && length === total
  switch (kind) {
    case 'total':
      return [total]
    case 'count':
      return [length, total]
    case 'length':
      return [length]
    case 'pages':
      if (asked !== undefined) return total === 0 ? [0, 1] : [Math.ceil(total / asked)]
      return isAll && total > 0 ? [1] : undefined
    case 'page':
      return number === undefined ? undefined : [number]
    case 'size':
      return asked === undefined ? undefined : [asked, length]
    case 'offset':
      return offset === undefined ? undefined : [offset]
    case 'more':
      return isOfLoop || isAll ? [before + length < total] : undefined
    case 'last':
      return isOfLoop || isAll ? [before + length >= total] : undefined
    case 'first':
      return [before === 0]
    case 'before':
      return [before > 0]
  }
}
