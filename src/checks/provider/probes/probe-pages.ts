/** Checks that the pages after the first one have the other records, and that the total is right. */
import { isDeepStrictEqual } from 'node:util'
import type { Contract } from '../../../contract/contract.js'
import { limitNameOf, type PageFact, type PagePosition } from '../../../contract/effects/list-query.js'
import { toJson } from '../../../json/exact-json.js'
import { valueAt } from '../../../json/nested.js'
import type { ProbeSession, SentResponse } from '../probe-runner.js'
import { isBounded, keyNameOf, type RecordValues, recordsOf, type SubjectOf } from '../provider-collection.js'
import { providerRuleSet } from '../provider-rules.js'
import { type Draft, isValid, withParameter } from '../requests/request-draft.js'

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
  const keys = (some: RecordValues[]) => some.map((record) => record[keyNameOf(contract, list)] ?? record)
  // Pages of indistinguishable records look the same.
  if (new Set(keys(records).map((key) => toJson(key))).size < records.length) return
  for (const position of positions) {
    const { in: place, name, member } = position
    const start = startOf(position, list, first, keys(page).at(-1))
    const next = withParameter(short, 'query', name, start)
    if (place !== 'query' || member !== undefined || start === undefined || !isValid(contract, next)) continue
    const response = await session.send(next, 'any', { at: `query ${name}` })
    const others = response && recordsOf(effect, response)
    if (!others || !isDeepStrictEqual(keys(others), keys(page))) continue
    const message = `answered the same ${page.length} of at least ${records.length} records with ${name}=${start} as without it`
    session.report(next, { rule: providerRuleSet.pageNotKept, at: `query ${name}`, message })
  }
}

/** Maximum number of pages to count. */
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
    const start = startOf(position, list, response, undefined)
    if (start === undefined) return pages === 1 ? [count] : [count, response]
    const next = await session.send(withParameter(draft, 'query', position.name, start), 'any', { at: 'list' })
    const records = next && recordsOf(effect, next)
    if (!records) break
    count += records.length
    response = next
  }
  return [count]
}

/** The start of the second page. Undefined if the first page does not contain it. */
function startOf(
  { as, name, first }: PagePosition,
  list: SubjectOf<'list'>,
  response: SentResponse,
  lastKey: unknown,
): unknown {
  if (as === 'offset') return first + (recordsOf(list.operation.effect, response)?.length ?? 0)
  if (as === 'page') return first + 1
  if (as === 'after') return typeof lastKey === 'object' ? undefined : lastKey
  const link = factOf(list, response, 'nextUrl') ?? /<([^<>]*)>[^<]*\bnext\b/.exec(response.headers['link'] ?? '')?.[1]
  const query = new URLSearchParams(String(link ?? '').split('?')[1])
  return as === 'cursor' ? ((factOf(list, response, 'nextCursor') || query.get(name)) ?? undefined) : undefined
}

/** The total number of matching records in a response. NaN if it has none. */
export function totalIn(list: SubjectOf<'list'>, response: SentResponse): number {
  return Number(factOf(list, response, 'total') ?? Number.NaN)
}

/** A fact about the page in the body or a header of a response. */
function factOf({ operation }: SubjectOf<'list'>, { json, headers }: SentResponse, fact: PageFact): unknown {
  const { query } = operation.effect
  const isFact = ({ from }: { from: string }) => from === fact
  const pointer = query.facts.find(isFact)?.pointer
  return (pointer && valueAt(json?.exact, pointer)) ?? headers[query.headers.find(isFact)?.name.toLowerCase() ?? '']
}
