/** Checks that the pages after the first one have the other records, and that the total is right. */
import type { Contract } from '../../../contract/contract.js'
import { limitNameOf, type PageFact, type PagePosition } from '../../../contract/effects/list-query.js'
import { toJson } from '../../../json/exact-json.js'
import { valueAt } from '../../../json/nested.js'
import { saysNoNext } from '../../../lexicon/parameter-texts.js'
import type { ProbeSession, SentResponse } from '../probe-runner.js'
import {
  factOf,
  isBounded,
  keyNameOf,
  linkIn,
  type RecordValues,
  recordsOf,
  type SubjectOf,
} from '../provider-collection.js'
import { providerRuleSet } from '../provider-rules.js'
import { type Draft, isValid, withParameter } from '../requests/request-draft.js'
import { type Ordered, ordersOf } from './probe-orders.js'

/** Requests a short page, all records, and the page after the short one by every position parameter. */
export async function checkPages(contract: Contract, session: ProbeSession, list: SubjectOf<'list'>): Promise<void> {
  const { effect } = list.operation
  const { positions } = effect.query
  const size = limitNameOf(effect.query)
  const ofSize = (...lengths: number[]) => {
    const drafts = lengths.map((length) => withParameter(list.draft, 'query', size ?? '', length))
    return size === undefined ? list.draft : (drafts.find((draft) => isValid(contract, draft)) ?? list.draft)
  }
  const [short, long] = [ofSize(2, 1, 3, 5, 10), ofSize(100, 50, 20, 10)]
  const first = await session.send(short, 'success', { at: 'list' })
  const all = await session.send(long, 'success', { at: 'list' })
  const page = first && recordsOf(effect, first)
  const records = all && recordsOf(effect, all)
  if (!page || !records) return

  const total = totalIn(list, all)
  const most = Number(long.parameters.query[size ?? ''] ?? (positions.length > 0 ? 0 : Infinity))
  // A page that is cut off at an undocumented maximum usually has a round number of records.
  const isWhole =
    records.length < most && (size === undefined || isBounded(contract, list, size) || records.length % 5 !== 0)
  const reportTotal = (draft: Draft, what: string, wrong: number) => {
    const message = `answered ${what} with a total of ${wrong}`
    session.report(draft, { rule: providerRuleSet.pageNotKept, at: 'total', message })
  }
  if (total < records.length || (isWhole && total > records.length))
    reportTotal(long, `${records.length} records${isWhole ? ', which are all,' : ''}`, total)
  else if (totalIn(list, first) === page.length && records.length > page.length) {
    // Others may have added some in the meantime.
    const again = await session.send(short, 'success', { at: 'list' })
    if (again && totalIn(list, again) === page.length)
      reportTotal(short, `${page.length} of at least ${records.length} records`, page.length)
  } else if (!isWhole && total > records.length) {
    const [count, last] = await countByCursor(session, list, long, all)
    if (last && totalIn(list, last) === total && count !== total)
      reportTotal(long, `pages of ${count} records, which are all,`, total)
  }
  if (page.length === 0 || records.length <= page.length) return
  const keysOf = (some: RecordValues[]) => some.map((record) => toJson(record[keyNameOf(contract, list)] ?? record))
  const keys = keysOf(records)
  // Pages of indistinguishable records look the same.
  if (new Set(keys).size < records.length) return
  await checkLastPage(session, list, isWhole ? ofSize(records.length) : long, records.length, isWhole)
  const isUnchanged = async () => {
    const again = await session.send(long, 'any', { at: 'list' })
    return again !== undefined && keysOf(recordsOf(effect, again) ?? []).join() === keys.join()
  }
  const walk = { contract, session, list, keysOf, isUnchanged }
  for (const position of positions) {
    if (position.in !== 'query' || position.member !== undefined) continue
    // Long pages have few ends, where records are lost.
    const whole = isWhole ? keys : ((await checkWalk({ ...walk, draft: long }, position, [])) ?? [])
    const known = Math.max(total || 0, records.length, whole.length)
    const paged = ofSize(...[2, 1, 3, 5, 10, 20, 50].filter((length) => length >= known / maxPages))
    // Records with the same value are easily lost between pages.
    const isTied = ({ property }: Ordered) =>
      new Set(records.map((record) => toJson(valueAt(record, property.split('/'))))).size < records.length
    const tied = position.as === 'cursor' ? ordersOf(contract, list, paged).filter(isTied).slice(0, maxOrders) : []
    for (const draft of [paged, ...tied.map((each) => each.draft)]) await checkWalk({ ...walk, draft }, position, whole)
  }
}

/** Maximum orders in which a list is read page by page. */
const maxOrders = 4

/** A list that is read page by page. */
interface Walk {
  contract: Contract
  session: ProbeSession
  list: SubjectOf<'list'>
  /** The request for the first page. */
  draft: Draft
  keysOf(records: RecordValues[]): string[]
  /** Whether the list is still the same. Others may have added or removed records, which moves those behind them. */
  isUnchanged(): Promise<boolean>
}

/**
 * Reads all pages by one position parameter: none may repeat a record, or leave one out.
 * @param all the keys of all records, if they are known
 * @returns the keys on all pages; undefined if not all were read
 */
async function checkWalk(
  { contract, session, list, draft: first, keysOf, isUnchanged }: Walk,
  position: PagePosition,
  all: readonly string[],
): Promise<string[] | undefined> {
  const { name, as } = position
  const report = async (draft: Draft, what: string, message: string) => {
    const complaint = { rule: providerRuleSet.pageNotKept, at: `query ${name}${what}`, message }
    if (await isUnchanged()) session.report(draft, complaint)
    return undefined
  }
  const seen = new Set<string>()
  let total = Number.NaN
  let draft = first
  for (let pages = 1; pages <= maxPages + 1; pages++) {
    const response = await session.send(draft, pages === 1 ? 'success' : 'any', { at: `query ${name}` })
    const records = response && recordsOf(list.operation.effect, response)
    if (!records || response.status >= 300) return undefined
    total = totalIn(list, response)
    const keys = keysOf(records)
    const repeated = keys.filter((key) => seen.has(key)).length
    const where = `with ${name}=${draft.parameters.query[name]}`
    if (repeated > 0 && repeated === keys.length)
      return report(draft, '', `answered ${where} the same ${repeated} records as on the pages before`)
    if (repeated > 0)
      return report(draft, ': repeats', `answered ${where} ${repeated} of ${keys.length} records of the pages before`)
    for (const key of keys) seen.add(key)
    checkNextLink(session, list, response)
    const start = startOf(position, list, response, records.at(-1)?.[keyNameOf(contract, list)], seen.size, pages)
    const isEnd = all.length > 0 && seen.size >= all.length
    const isLast = keys.length === 0 || (as !== 'cursor' && isEnd)
    if (isLast) break
    // A key may be a number in records, and a text in queries.
    const next = [start, String(start)]
      .map((value) => withParameter(first, 'query', name, value))
      .find((each) => isValid(contract, each))
    if (start === undefined || !next) {
      // The answer may show the next page in another way.
      if (pages === 1 && !(as === 'cursor' && showsCursor(list))) return undefined
      break
    }
    if (pages > maxPages) return undefined
    draft = next
  }
  const missing = Math.max(all.filter((key) => !seen.has(key)).length, total - seen.size || 0)
  if (seen.size === 0 || missing === 0) return [...seen]
  return report(draft, ': skips', `left ${missing} of ${seen.size + missing} records out of the pages by ${name}`)
}

/** A page with all records has no next one. */
async function checkLastPage(
  session: ProbeSession,
  list: SubjectOf<'list'>,
  draft: Draft,
  count: number,
  isWhole: boolean,
): Promise<void> {
  const response = await session.send(draft, 'success', { at: 'list' })
  const records = response && recordsOf(list.operation.effect, response)
  if (!response || records?.length !== count) return
  if (count !== totalIn(list, response) && !(isWhole && saysNoNext(list.says.answer))) return
  const facts: PageFact[] = ['nextCursor', 'nextPage', 'nextUrl', 'hasNext', 'nextOffset']
  const wrong = facts.find((fact) => factOf(list, response, fact))
  if (!wrong && linkIn(response) === undefined) return
  const message = `answered a next page with all of ${count} records`
  session.report(draft, { rule: providerRuleSet.pageNotKept, at: 'next page', message })
}

function showsCursor({ operation }: SubjectOf<'list'>): boolean {
  return operation.effect.query.facts.some(({ from }) => from === 'nextCursor')
}

/** A link to the next page has everything else that the request has (RFC 8288; RFC 5988). */
export function checkNextLink(session: ProbeSession, list: SubjectOf<'list'>, response: SentResponse): void {
  for (const link of [factOf(list, response, 'nextUrl'), linkIn(response)])
    if (typeof link === 'string' && link !== '') checkLink(session, list, response, link)
}

function checkLink(session: ProbeSession, list: SubjectOf<'list'>, response: SentResponse, link: string): void {
  const { positions } = list.operation.effect.query
  const target = new URLSearchParams(link.split('?')[1])
  // An opaque cursor may contain the rest.
  if (!positions.some(({ name, as }) => as !== 'cursor' && target.has(name))) return
  const { draft } = response.sent
  const lost = Object.entries(draft.parameters.query).find(
    ([name, value]) =>
      positions.every((position) => position.name !== name) &&
      typeof value !== 'object' &&
      target.get(name) !== String(value),
  )
  if (!lost) return
  const message = `answered a link to the next page without ${lost[0]}=${lost[1]}, which the request has`
  session.report(draft, { rule: providerRuleSet.pageNotKept, at: `next link: ${lost[0]}`, message })
}

/** Maximum number of pages to read. */
const maxPages = 20

/** Counts the records of all pages. @returns also the last page; without it, the count is unknown */
async function countByCursor(
  session: ProbeSession,
  list: SubjectOf<'list'>,
  draft: Draft,
  first: SentResponse,
): Promise<[count: number, last?: SentResponse]> {
  const { effect } = list.operation
  const position = effect.query.positions.find(({ as, in: place }) => as === 'cursor' && place === 'query')
  let response = first
  let count = recordsOf(effect, first)?.length ?? 0
  for (let pages = 1; position && pages <= maxPages; pages++) {
    const start = startOf(position, list, response, undefined, 0, pages)
    if (start === undefined) return pages === 1 ? [count] : [count, response]
    const next = await session.send(withParameter(draft, 'query', position.name, start), 'any', { at: 'list' })
    const records = next && recordsOf(effect, next)
    if (!records) break
    count += records.length
    response = next
  }
  return [count]
}

/**
 * The start of the next page. Undefined if the answer does not contain it.
 * @param records how many records the pages so far have
 * @param pages the number of pages so far
 */
function startOf(
  { as, name, first }: PagePosition,
  list: SubjectOf<'list'>,
  response: SentResponse,
  lastKey: unknown,
  records: number,
  pages: number,
): unknown {
  if (as === 'offset') return first + records
  if (as === 'page') return first + pages
  if (as === 'after') return typeof lastKey === 'object' ? undefined : lastKey
  const query = new URLSearchParams(nextLinkOf(list, response)?.split('?')[1])
  return as === 'cursor' ? ((factOf(list, response, 'nextCursor') || query.get(name)) ?? undefined) : undefined
}

function nextLinkOf(list: SubjectOf<'list'>, response: SentResponse): string | undefined {
  const ofBody = factOf(list, response, 'nextUrl')
  if (typeof ofBody === 'string' && ofBody !== '') return ofBody
  return linkIn(response)
}

/** The total number of matching records in a response. NaN if it has none. */
export function totalIn(list: SubjectOf<'list'>, response: SentResponse): number {
  return Number(factOf(list, response, 'total') ?? Number.NaN)
}
