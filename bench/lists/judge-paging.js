/** Judges the paging of a list: each loop, and what the fields and the links of its pages say. */
import { normalize } from '../documents/collect-keys.js'
import { smallSize } from './get-whole.js'
import { judgeFields } from './judge-fields.js'
import { judgeLinks } from './judge-links.js'
import { compareRecords, runLoop } from './run-loop.js'

/**
 * @param whole what `getWhole` returns
 * @returns judgements of kind `loops`, `totals` and `links`
 */
export async function judgePaging(list, whole, { ways, open, complete }, tools) {
  const judgements = open.map(({ what, why }) => ({ kind: 'loops', what, verdict: 'open', why }))
  const { size } = list.paging
  const asked = size && smallSize(size, whole.records.length, tools)
  const base = asked === undefined ? [] : [[size, tools.fits(size, [asked])]]
  const places = []
  let linked
  for (const way of ways) {
    const own = isSent(way, size) ? { base, asked } : { base: [] }
    const completed = await complete(way, own.base, own.asked)
    const loop = await runLoop(list, completed, { ...tools, ...own })
    const judgement = judgeLoop(way, loop, { whole, asked: own.asked })
    judgements.push(judgement)
    if (judgement.verdict !== 'right' || !whole.isSure) continue
    places.push(...placesOf(loop, { completed, list, whole, asked: own.asked }))
    if (loop.pages.length > (linked?.pages.length ?? 0)) linked = { pages: loop.pages, base: own.base }
  }
  if (!whole.isSure) return judgements
  const isOne = whole.first.records.length === whole.records.length
  const first = { page: whole.first, before: 0, total: whole.records.length, asked: whole.asked }
  if (isOne || ways.length === 0) places.unshift(first)
  const atLeastOne = linked ?? (isOne ? { pages: [whole.first], base: whole.base } : undefined)
  judgements.push(...judgeFields(list, places))
  if (atLeastOne) judgements.push(...(await judgeLinks(list, atLeastOne, tools)))
  return judgements
}

/** In OData, `$top` limits all pages together: only offsets go beyond it. */
function isSent({ family, byNumber }, size) {
  return byNumber !== undefined || family === 'size only' || normalize(size?.name ?? '') !== 'top'
}

function judgeLoop({ family }, { pages, problem, open }, { whole, asked }) {
  const result = { kind: 'loops', what: family, pages: pages.length }
  const wrong = (cause, why) => {
    const sent = pages
      .map(({ shown }) => shown.sent)
      .slice(0, 4)
      .join(' then ')
    return { ...result, verdict: 'wrong', cause: `${family}: ${cause}`, why, sent, got: pages.at(-1)?.shown.got }
  }
  if (problem !== undefined) return wrong(problem.replace(/ \d+|:.*/g, ''), problem)
  if (open !== undefined) return { ...result, verdict: 'open', why: open }
  if (family === 'size only') {
    const { length } = pages[0].records
    const due = asked === undefined ? length : Math.min(asked, whole.records.length)
    return length === due ? { ...result, verdict: 'right' } : wrong('another length', `${length} records, not ${due}`)
  }
  const difference = compareRecords(pages, whole.records)
  if (difference === undefined) return { ...result, verdict: 'right' }
  if (!whole.isSure && difference.what === 'unknown')
    return { ...result, verdict: 'open', why: 'the whole list is not known' }
  const of = `of ${whole.records.length} in ${pages.length} pages`
  return wrong(difference.what, `${difference.detail} ${of}`)
}

/** What is true of each page of a right loop. */
function placesOf({ pages }, { completed, list, whole, asked }) {
  const { parameter, isPage, firstNumber } = completed
  const { offset } = list.paging
  let before = 0
  return pages.map((page, index) => {
    const place = {
      page,
      before,
      total: whole.records.length,
      asked,
      isOfLoop: true,
      number: isPage ? firstNumber + index : undefined,
      offset: parameter !== undefined && parameter === offset ? firstNumber + before : undefined,
    }
    before += page.records.length
    return place
  })
}
