/** Writes a page of a list: its records, what stands around them, and what body and headers say about the page. */
import type { ListEffect } from '../../contract/effects/effect.js'
import type { BodyFact, ListQuery } from '../../contract/effects/list-query.js'
import type { ExactValue } from '../../json/exact-value.js'
import { isObject } from '../../json/own-value.js'
import { StoredRecord } from '../../state/stored-record.js'
import type { EffectInput, WrittenList } from '../effects/effect.js'
import { textOf, writeArray } from '../effects/ensured.js'
import type { Records } from '../effects/records.js'
import type { Outcome } from '../outcome.js'
import { addEnvelope } from '../responses/envelope.js'
import { refuseNotMade } from '../responses/write-answer.js'
import { choosePage, factsOf, type ListPage, type PageFacts } from './choose-page.js'
import { answerList, toWritten } from './list.js'
import { type Address, addressOf, linksOf } from './page-links.js'

/** Answers with the page that a request chooses, in any envelope. */
export function listPage(input: EffectInput<ListEffect>, collection: Records): Outcome {
  const { effect, lists, operation, query, request } = input
  const { origin, base } = effect.query.hasLinks ? addressOf(input) : { origin: '', base: '' }
  const id = `${collection.stateId} ${operation.id}?${query} ${origin}${base}`
  // A search in a body is another one each time.
  const isKept = !request.body.codec
  const known = isKept ? lists.get(id) : undefined
  const written = known ?? writeList(input, collection)
  if (!written) return refuseNotMade(input)
  if (isKept && !known) lists.set(id, written)
  const { headers } = written
  return answerList(headers ? { ...effect, headers } : effect, written)
}

/** Writes the records that a request chooses. @returns undefined if a record cannot be shown */
function writeList(input: EffectInput<ListEffect>, collection: Records): WrittenList | undefined {
  const { effect } = input
  const { query, envelope, least } = effect
  const page = choosePage(input, collection)
  const { records } = page
  const isShort = least !== undefined && records.length < least.items
  const isLeftOut = isShort && least.isOptional
  const text = isShort && !isLeftOut ? withExamples(input, records, least.items) : writeRecords(input, records)
  if (text === undefined) return undefined
  const isPlain = query.facts.length === 0 && query.headers.length === 0
  const facts = isPlain ? undefined : describePage(input, query, page)
  const put = facts && ((body: ExactValue) => facts.put(body))
  const written = toWritten(envelope ? addEnvelope(input, envelope, isLeftOut ? undefined : text, put) : text)
  return facts && query.headers.length > 0 ? { ...written, headers: { ...effect.headers, ...facts.headers } } : written
}

/** What is known about a page, for its body and headers. */
export function describePage(
  input: EffectInput,
  query: ListQuery,
  page: ListPage,
): { put(body: ExactValue): void; headers: Record<string, string> } {
  const address = addressOf(input)
  const facts = factsOf(input, query, page, address)
  return {
    put: (body) => isObject(body) && putFacts(body, query.facts, facts, address),
    headers: headersOf(query, facts, address),
  }
}

/** @returns undefined if a record cannot be shown */
function writeRecords(input: EffectInput<ListEffect>, records: readonly StoredRecord[]): string | undefined {
  const { keys, envelope } = input.effect
  if (keys) return writeKeys(input, records, keys)
  return envelope?.isMap ? writeMap(input, records) : writeItems(input, records)
}

/** @returns undefined if a record cannot be shown */
function writeItems(input: EffectInput<ListEffect>, records: readonly StoredRecord[]): string | undefined {
  const { wrapper } = input.effect
  if (wrapper === undefined) return writeArray(input, records)
  const texts = records.map((record) => textOf(input, record))
  if (texts.includes(undefined)) return undefined
  return `[${texts.map((text) => `{${JSON.stringify(wrapper)}:${text}}`).join(',')}]`
}

/** As many items as the schema demands: the records, and made ones behind them. */
function withExamples(input: EffectInput<ListEffect>, records: readonly StoredRecord[], count: number): string {
  const { contract, effect, sampler } = input
  const { ensure } = effect.least ?? {}
  const made = Array.from({ length: count - records.length }, (_, index) => {
    const values = ensure && sampler?.ensure(contract, ensure, {}, index)
    return new StoredRecord(isObject(values) ? values : {})
  })
  return writeItems(input, [...records, ...made]) ?? '[]'
}

function keysOf({ model }: EffectInput<ListEffect>, records: readonly StoredRecord[]): string[] {
  return records.map(({ values }) => String(values[model.key]))
}

function writeKeys(
  input: EffectInput<ListEffect>,
  records: readonly StoredRecord[],
  type: NonNullable<ListEffect['keys']>,
): string {
  const isNumber = (key: string) => type === 'integer' && /^-?\d+$/.test(key)
  return `[${keysOf(input, records)
    .map((key) => (isNumber(key) ? key : JSON.stringify(key)))
    .join(',')}]`
}

/** An object with the records by their keys. */
function writeMap(input: EffectInput<ListEffect>, records: readonly StoredRecord[]): string | undefined {
  const texts = records.map((record) => textOf(input, record))
  if (texts.includes(undefined)) return undefined
  const keys = keysOf(input, records)
  return `{${texts.map((text, index) => `${JSON.stringify(keys[index])}:${text}`).join(',')}}`
}

/** Puts what is known about a page into the body around it. */
function putFacts(
  body: Record<string, unknown>,
  places: readonly BodyFact[],
  facts: PageFacts,
  { origin }: Address,
): void {
  for (const place of places) {
    // A cursor that is a number is that of the record.
    const isCount = place.from === 'nextCursor' && !place.types.includes('string') && place.types.length > 0
    const fact = facts[isCount ? 'nextOffset' : place.from]
    const isLink = place.isAbsolute && typeof fact === 'string' && fact.startsWith('/')
    putFact(body, place, toFitting(isLink ? origin + fact : fact, place))
  }
}

/** A fact in one of the types of its property. Undefined if there is none. */
function toFitting(fact: ExactValue | undefined, { types, from, leftOut }: BodyFact): ExactValue | undefined {
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
function putFact(root: Record<string, unknown>, { pointer, leftOut }: BodyFact, value: ExactValue | undefined): void {
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

function headersOf({ headers }: ListQuery, facts: PageFacts, address: Address): Record<string, string> {
  const entries = headers.flatMap(({ name, from }): [string, string][] => {
    const value = from === 'links' ? linksOf(facts, address) : facts[from]
    return value === undefined || value === null || value === '' ? [] : [[name, String(value)]]
  })
  return Object.fromEntries(entries)
}
