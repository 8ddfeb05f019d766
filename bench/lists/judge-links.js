/** Judges links and numbers of the next and the previous page: what is there when they are followed. */

import { fieldValue } from './judge-fields.js'
import { linkOf } from './name-fields.js'
import { isSameRecords } from './run-loop.js'

const isEmpty = (value) => value === undefined || value === null || value === '' || value === false
const isAddress = (value) => /^(https?:)?\/\/?|^\?/.test(String(value))

/**
 * @param loop pages of a right loop, of several pages if there is one, with the `base` of its requests
 * @returns a judgement of each link
 */
export async function judgeLinks(list, { pages, base }, { ask, follow, fits }) {
  const judgements = []
  for (const field of list.fields) {
    if (field.kind === 'link') {
      judgements.push(
        await judge({ ...field, label: 'Link: next' }, 'next', (page) => linkOf(page.headers.link, 'next')),
      )
      const toPrevious = (page) => linkOf(page.headers.link, 'prev(ious)?')
      judgements.push(await judge({ ...field, label: 'Link: prev' }, 'previous', toPrevious))
    } else if (field.kind === 'next' || field.kind === 'previous') {
      judgements.push(await judge(field, field.kind, (page) => fieldValue(page, field)))
    }
  }
  return judgements

  async function judge(field, direction, read) {
    const result = { kind: 'links', what: field.label }
    let isFollowed = false
    for (const [index, page] of pages.entries()) {
      const isEdge = direction === 'next' ? index === pages.length - 1 : index === 0
      // The first and the second page, and the last one.
      if (index > 1 && !isEdge) continue
      const value = read(page)
      if (isEmpty(value)) continue
      const target = await go(page, value, field)
      if (target.open !== undefined) return { ...result, verdict: 'open', why: target.open }
      isFollowed = true
      const wrong =
        target.problem ?? differs(target, { isEdge, direction, index, isLastEmpty: pages.at(-1).records.length === 0 })
      if (wrong === undefined) continue
      const followed = target.shown ? `; followed: ${target.shown.sent}: ${target.shown.got}` : ''
      const cause = `${direction}: ${wrong.replace(/:.*/, '')}`
      const why = `${field.label} is ${value}: ${wrong}${followed}`
      return { ...result, verdict: 'wrong', cause, why, ...page.shown }
    }
    if (isFollowed) return { ...result, verdict: 'right' }
    if (pages.length === 1) return { ...result, verdict: 'open', why: 'one page' }
    return { ...result, verdict: 'open', why: 'left out of the answers' }
  }

  function differs(target, { isEdge, direction, index, isLastEmpty }) {
    if (!target.isSuccess) return `refused with ${target.status}`
    if (isEdge && direction === 'next') return target.records.length > 0 ? 'is there after the last page' : undefined
    if (isEdge) return target.records.length > 0 ? 'is there before the first page' : undefined
    const expected = pages[index + (direction === 'next' ? 1 : -1)]
    if (isSameRecords(target.records, expected.records)) return undefined
    // Nobody can go back from nothing.
    if (isLastEmpty && index === pages.length - 1) return undefined
    return 'leads to another page'
  }

  /** Follows an address, or asks for the page of a number or of a token. */
  async function go(page, value, { isLink, label }) {
    if (isAddress(value)) return follow(list, page, value, base)
    if (isLink) return { problem: `is no link: ${value}` }
    const { page: number, offset, token, after } = list.paging
    const isCount = /^\d+$/.test(String(value))
    const takers = isCount ? [/offset/i.test(label) ? offset : number, token, after] : [token, after]
    const taker = takers.find((each) => each !== undefined && fits(each, [value]) !== undefined)
    if (taker === undefined) return { open: 'no parameter takes the value' }
    return ask(list, [...base, [taker, fits(taker, [value])]])
  }
}
