/** Chooses the page of a list that a request asks for, and collects facts about it. */
import type { ListEffect } from '../../contract/effects/effect.js'
import type { ListQuery, PageFact, PagePosition } from '../../contract/effects/list-query.js'
import type { ExactValue } from '../../json/exact-value.js'
import type { Filter, StoredRecord } from '../../state/stored-record.js'
import type { EffectInput } from '../writes/effect-input.js'
import type { Records } from '../writes/records.js'
import { isRemoved } from '../writes/sampled-record.js'
import { chooseShown, createChoice, sentValue, toFilters } from './choose-records.js'
import { type Address, cursorAt, type FoundCursor, findCursor, urlOf } from './page-links.js'

export interface ListPage {
  records: readonly StoredRecord[]
  /** All chosen records, or those of the first page if no more are needed. */
  sorted: readonly StoredRecord[]
  /** The number of all chosen records. */
  total: number
  /** The index of the first record of the page among the chosen ones. */
  offset: number
  /** Maximum number of records of a page. */
  size: number
}

export type PageFacts = Partial<Record<PageFact, ExactValue>>

export function choosePage(input: EffectInput<ListEffect>, collection: Records): ListPage {
  const { effect, model, request } = input
  const { query, ensure } = effect
  const filters = toFilters(query.filters, request.query)
  const { progress } = input.context
  const header = (name: string) => input.sent.header(name)
  const choose = createChoice(query, { ...request, header }, (note) => {
    if (!progress.notes.includes(note)) progress.notes = [...progress.notes, note]
  })
  const isChosen = choose !== undefined || (ensure !== undefined && filters.length > 0)
  const position = query.positions.find((each) => positionValue(each, input) !== undefined)
  // The index knows the first page and the number of all records, if nothing else chooses among them.
  if (!isChosen && !position && !query.hasLinks && model.sample === undefined) {
    const size = sizeOf(query, input)
    const records = collection.select(filters, size, query.isOldestFirst)
    return { records, sorted: records, total: collection.count(filters), offset: 0, size }
  }
  // What else chooses also orders.
  const all = (each: readonly Filter[]) =>
    collection.select(each, undefined, choose ? undefined : query.isOldestFirst).filter(isPresent)
  const sorted = ensure && isChosen ? chooseShown(input, all([]), filters, choose) : all(filters)
  return toPage(input, query, !ensure && choose ? choose(sorted) : sorted)
}

const isPresent = (record: StoredRecord) => !isRemoved(record)

function sizeOf({ sizes, defaultSize, maxSize }: ListQuery, { request }: EffectInput): number {
  const sent = sizes.map((each) => sentValue(each, request)).find((each) => each !== undefined && each !== '')
  const asked = sent === undefined ? Number.NaN : Number(sent)
  // 0 asks for no records, and -1 for all of them.
  const wanted = asked >= 0 ? asked : asked < 0 ? Number.POSITIVE_INFINITY : (defaultSize ?? Number.POSITIVE_INFINITY)
  return Math.min(wanted, maxSize ?? Number.POSITIVE_INFINITY)
}

/** @param sorted all chosen records */
export function toPage(input: EffectInput, query: ListQuery, sorted: readonly StoredRecord[]): ListPage {
  const size = sizeOf(query, input)
  const total = sorted.length
  const position = query.positions.find((each) => positionValue(each, input) !== undefined)
  const value = position && positionValue(position, input)
  const { key } = input.model
  const { index, isEnd } = position ? offsetOf(position, value, size, sorted, key) : { index: 0, isEnd: false }
  const offset = Math.max(index, 0)
  const start = isEnd ? Math.max(offset - size, 0) : offset
  return { records: sorted.slice(start, isEnd ? offset : start + size), sorted, total, offset: start, size }
}

/** The position in a request. A parameter of the sandbox's own occurs only in links. */
function positionValue(position: PagePosition, { request, query }: EffectInput): unknown {
  if (!position.isOwn) return sentValue(position, request)
  return new URLSearchParams(query).get(position.name) ?? undefined
}

function offsetOf(
  { as, first }: PagePosition,
  value: unknown,
  size: number,
  sorted: readonly StoredRecord[],
  key: string,
): FoundCursor {
  const number = Number(value)
  const toStart = (index: number): FoundCursor => ({ index, isEnd: false })
  if (as === 'offset') return toStart(Number.isFinite(number) ? number - first : 0)
  if (as === 'page' && Number.isFinite(number) && value !== '') {
    const index = Math.max(number - first, 0)
    return toStart(index === 0 ? 0 : index * size)
  }
  const found = findCursor(String(value), sorted, key, as === 'before' || as === 'after' ? as : 'cursor')
  // No record has the key 0: it is before the first one.
  return found ?? toStart(value === '' || number === 0 ? 0 : sorted.length)
}

export function factsOf(
  input: EffectInput,
  { positions }: ListQuery,
  { records, sorted, total, offset, size }: ListPage,
  address: Address,
): PageFacts {
  const { model } = input
  const end = offset + records.length
  const hasNext = end < total && size > 0
  const hasPrevious = offset > 0
  const sent = positions.find((each) => positionValue(each, input) !== undefined)
  const forward = sent && sent.as !== 'before' ? sent : positions.find(({ as }) => as !== 'before')
  const pageAt = positions.find(({ as }) => as === 'page')?.first ?? 1
  const offsetAt = positions.find(({ as }) => as === 'offset')?.first ?? 0
  const isPaged = Number.isFinite(size) && size > 0
  const number = isPaged ? Math.floor(offset / size) : 0
  const pages = isPaged ? Math.ceil(total / size) : Math.min(total, 1)
  const isKey = forward?.as === 'after'
  const isNumber = forward?.isNumber === true
  const toCursor = (at: number) => (isNumber ? at : cursorAt(sorted, at, model.key, isKey))
  // A link gives the start of its page by the position parameter of this list.
  const toUrl = (at: number) => {
    if (!forward) return undefined
    const values: Record<string, unknown> = {
      offset: at + forward.first,
      page: Math.floor(at / (isPaged ? size : 1)) + forward.first,
      cursor: at === 0 ? undefined : toCursor(at),
      after: at === 0 ? undefined : toCursor(at),
    }
    return forward.in === 'query' ? urlOf(address, forward, values[forward.as], positions) : undefined
  }
  const last = isPaged && total > 0 ? (pages - 1) * size : 0
  return {
    total,
    count: records.length,
    size: isPaged ? size : total,
    offset: offset + offsetAt,
    ...(records.length > 0 && {
      from: offset + 1,
      to: end,
      lastOffset: end - 1 + offsetAt,
      firstKey: cursorAt(sorted, offset + 1, model.key, true),
      lastKey: cursorAt(sorted, end, model.key, true),
    }),
    page: number + pageAt,
    pages,
    hasNext,
    hasPrevious,
    isFirst: !hasPrevious,
    isLast: !hasNext,
    isEmpty: records.length === 0,
    isPaged,
    isUnpaged: !isPaged,
    ...(hasNext && {
      nextCursor: toCursor(end),
      nextOffset: end + offsetAt,
      nextPage: number + 1 + pageAt,
      nextUrl: toUrl(end),
    }),
    ...(hasPrevious && {
      previousCursor: cursorAt(sorted, offset, model.key, isKey, true),
      previousPage: Math.max(number - 1, 0) + pageAt,
      previousUrl: toUrl(Math.max(offset - (isPaged ? size : offset), 0)),
    }),
    selfUrl: address.url,
    firstUrl: toUrl(0) ?? address.url,
    lastUrl: toUrl(last) ?? address.url,
  }
}
