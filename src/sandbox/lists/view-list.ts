/** Answers lists with the records that a request chooses, in its order, page by page. */
import type { ListEffect } from '../../contract/effects/effect.js'
import type { ListView, PageFact, ViewField, ViewPosition } from '../../contract/effects/list-query.js'
import { parseExactJson } from '../../json/exact-json.js'
import type { ExactValue } from '../../json/exact-value.js'
import { isObject } from '../../json/own-value.js'
import { toSeed } from '../../json/random.js'
import { writeByShape } from '../../json/write-by-shape.js'
import type { Filter, StoredRecord } from '../../state/stored-record.js'
import type { EffectInput, WrittenList } from '../effects/effect.js'
import type { Records } from '../effects/records.js'
import { isRemoved } from '../effects/sampled-record.js'
import { type Outcome, textContent } from '../outcome.js'
import { refuseNotMade } from '../responses/write-answer.js'
import { chooseRecords, chooseShown, sentValue, sortRecords } from './choose-records.js'
import { type Address, addressOf, cursorAt, type FoundCursor, findCursor, linksOf, urlOf } from './page-links.js'
import { writeRecords } from './write-list.js'

/** A page of the chosen records. */
export interface Page {
  records: readonly StoredRecord[]
  /** The number of all chosen records. */
  total: number
  offset: number
  size: number
}

export type Facts = Partial<Record<PageFact, ExactValue>>

/** @param filters by the names of properties */
export function viewList(input: EffectInput<ListEffect>, collection: Records, filters: readonly Filter[]): Outcome {
  const { effect, operation, lists, request } = input
  const address = addressOf(input)
  // A search in a body is another one each time.
  const id = request.body.codec ? undefined : `${collection.stateId} ${operation.id} ${address.origin}${address.url}`
  const known = id === undefined ? undefined : lists.get(id)
  const written = known ?? write(input, collection, filters, address)
  if (!written) return refuseNotMade(input)
  if (!known && id !== undefined) lists.set(id, written)
  const { text, bytes, headers } = written
  const { status, mediaType } = effect
  const content = textContent(text, bytes)
  return { status, mediaType, headers: headers ? { ...effect.headers, ...headers } : effect.headers, content }
}

/** @returns undefined if a record cannot be shown */
function write(
  input: EffectInput<ListEffect>,
  collection: Records,
  filters: readonly Filter[],
  address: Address,
): WrittenList | undefined {
  const { effect, query, request } = input
  const view = effect.view as ListView
  const choose = (records: readonly StoredRecord[]) => {
    const chosen = chooseRecords(view.filters, request, records)
    return view.sort ? sortRecords(view.sort, request, chosen) : chosen
  }
  const isChoosing = filters.length > 0 || query !== '' || request.body.codec !== undefined
  const sorted =
    effect.ensure && isChoosing
      ? chooseShown(input, collection.select([]).filter(isPresent), filters, choose)
      : choose(collection.select(filters).filter(isPresent))
  const page = toPage(input, view, sorted)
  const written = writeRecords(input, page.records, () => page.total)
  if (written === undefined) return undefined
  const facts = factsOf(input, view, sorted, page, address)
  const text = view.fields.length > 0 ? withFacts(input, view.fields, written, facts, address) : written
  const bytes = new TextEncoder().encode(text)
  return view.headers.length > 0 ? { text, bytes, headers: headersOf(view, facts, address) } : { text, bytes }
}

const isPresent = (record: StoredRecord) => !isRemoved(record)

function sizeOf({ sizes, standardSize, greatestSize }: ListView, { effect, request }: EffectInput<ListEffect>): number {
  const sent = sizes.map((each) => sentValue(each, request)).find((each) => each !== undefined && each !== '')
  const asked = sent === undefined ? Number.NaN : Number(sent)
  const standard = standardSize ?? effect.defaultLimit ?? Number.POSITIVE_INFINITY
  // 0 asks for no records, and -1 for all of them.
  const wanted = asked > 0 ? asked : asked < 0 ? Number.POSITIVE_INFINITY : asked === 0 ? 0 : standard
  return Math.min(wanted, greatestSize ?? Number.POSITIVE_INFINITY)
}

export function toPage(input: EffectInput<ListEffect>, view: ListView, sorted: readonly StoredRecord[]): Page {
  const size = sizeOf(view, input)
  const total = sorted.length
  const position = view.positions.find((each) => positionValue(each, input) !== undefined)
  const value = position && positionValue(position, input)
  const { key } = input.model
  const { index, isEnd } = position ? offsetOf(position, value, size, sorted, key) : { index: 0, isEnd: false }
  const offset = Math.max(index, 0)
  const start = isEnd ? Math.max(offset - size, 0) : offset
  return { records: sorted.slice(start, isEnd ? offset : start + size), total, offset: start, size }
}

/** What a request says about the position. Its own parameter is in links alone. */
function positionValue(position: ViewPosition, { request, query }: EffectInput<ListEffect>): unknown {
  if (!position.isOwn) return sentValue(position, request)
  return new URLSearchParams(query).get(position.name) ?? undefined
}

function offsetOf(
  { as, first }: ViewPosition,
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
  return found ?? toStart(value === '' ? 0 : sorted.length)
}

export function factsOf(
  input: EffectInput<ListEffect>,
  { positions }: ListView,
  sorted: readonly StoredRecord[],
  { records, total, offset, size }: Page,
  address: Address,
): Facts {
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
  // A link says where its page begins, in the way of this list.
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
    ...(records.length > 0 && { from: offset + 1, to: end }),
    page: number + pageAt,
    pages,
    hasNext,
    hasPrevious,
    isFirst: !hasPrevious,
    isLast: !hasNext,
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

/** The body with what is known about the page. */
export function withFacts(
  input: EffectInput<ListEffect>,
  fields: readonly ViewField[],
  text: string,
  facts: Facts,
  { origin }: Address,
): string {
  const { contract, effect, sampler, operation } = input
  const body = parseExactJson(text).exact
  if (!isObject(body)) return text
  for (const field of fields) {
    // A cursor that is a number is that of the record.
    const isCount = field.from === 'nextCursor' && !field.types.includes('string') && field.types.length > 0
    const fact = facts[isCount ? 'nextOffset' : field.from]
    const isLink = field.isAbsolute && typeof fact === 'string' && fact.startsWith('/')
    put(body, field, toFitting(isLink ? origin + fact : fact, field))
  }
  const ensure = effect.ensureBody ?? effect.envelope?.ensure
  const ensured = (ensure && sampler?.ensure(contract, ensure, body as ExactValue, toSeed(operation.id))) ?? body
  return writeByShape(ensured as ExactValue, contract.shapes, 0)
}

/** A fact in one of the types of its property. Undefined if there is none. */
function toFitting(fact: ExactValue | undefined, { types, from, leftOut }: ViewField): ExactValue | undefined {
  const isCount = types.includes('integer') || types.includes('number')
  if (fact !== undefined) {
    if (typeof fact === 'number' && !isCount && types.includes('string')) return String(fact)
    if (typeof fact === 'string' && isCount && !types.includes('string')) return toNumber(fact)
    return fact
  }
  if (types.includes('null')) return null
  if (leftOut !== undefined) return undefined
  return /Url|Cursor/.test(from) && !isCount ? '' : 0
}

function toNumber(text: string): number | undefined {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : undefined
}

/** Puts a fact at its place, or removes what would have it. */
function put(root: Record<string, unknown>, { pointer, leftOut }: ViewField, value: ExactValue | undefined): void {
  const end = value === undefined ? (leftOut ?? pointer.length) : pointer.length
  let owner: unknown = root
  for (const name of pointer.slice(0, end - 1)) {
    if (!isObject(owner)) return
    if (!isObject(owner[name])) {
      if (value === undefined) return
      owner[name] = {}
    }
    owner = owner[name]
  }
  const name = pointer[end - 1]
  if (!isObject(owner) || name === undefined) return
  if (value === undefined) delete owner[name]
  else owner[name] = value
}

export function headersOf({ headers }: ListView, facts: Facts, address: Address): Record<string, string> {
  const entries = headers.flatMap(({ name, from }): [string, string][] => {
    const value = from === 'links' ? linksOf(facts, address) : facts[from]
    return value === undefined || value === null || value === '' ? [] : [[name, String(value)]]
  })
  return Object.fromEntries(entries)
}
