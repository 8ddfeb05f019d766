/** The effect `list`: writes a page of records, their envelope, and the facts about the page in body and headers. */
import type { LeastItems, ListEffect } from '../../contract/effects/effect.js'
import type { BodyFact, ListQuery } from '../../contract/effects/list-query.js'
import type { ExactValue } from '../../json/exact-value.js'
import { isObject } from '../../json/own-value.js'
import { StoredRecord } from '../../state/stored-record.js'
import { type Content, type Outcome, Refusal } from '../outcome.js'
import { addEnvelope, addEnvelopeToValue } from '../responses/envelope.js'
import { refuseNotMade } from '../responses/write-answer.js'
import type { EffectInput, WrittenList } from '../writes/effect-input.js'
import { shownBy, textOf } from '../writes/ensured.js'
import { openRecords } from '../writes/open-records.js'
import type { Records } from '../writes/records.js'
import { ensureValue } from '../writes/sampler.js'
import { choosePage, factsOf, type ListPage, type PageFacts } from './choose-page.js'
import { type Address, addressOf, linksOf } from './page-links.js'

/** How a list is written: as JSON text from cached texts of records, or as a value for other media types. */
interface ListForm<T> {
  /** @returns undefined if the record cannot be shown */
  toRecord(input: EffectInput<ListEffect>, record: StoredRecord): T | undefined
  toKey(key: string, isNumber: boolean): T
  toArray(items: T[]): T
  toObject(entries: [name: string, value: T][]): T
}

const asText: ListForm<string> = {
  toRecord: textOf,
  toKey: (key, isNumber) => (isNumber ? key : JSON.stringify(key)),
  toArray: (items) => `[${items.join(',')}]`,
  toObject: (entries) => `{${entries.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`,
}

const asValue: ListForm<ExactValue> = {
  toRecord: (input, record) => shownBy(input, record) as ExactValue,
  toKey: (key, isNumber) => (isNumber ? Number(key) : key),
  toArray: (items) => items,
  toObject: (entries) => Object.fromEntries(entries),
}

/** The effect `list`: answers with the page that a request chooses, newest first, in any envelope. */
export function list(input: EffectInput<ListEffect>): Outcome {
  const { effect, lists, operation, query, request } = input
  const collection = openRecords(input)
  if (collection instanceof Refusal) return collection
  let id = `${collection.stateId} ${operation.id}?${query}`
  if (effect.query.hasLinks) {
    const { origin, base } = addressOf(input)
    id = `${id} ${origin}${base}`
  }
  // Searches in a body, a header or a path rarely repeat, so they are not cached.
  const isKept = !request.body.codec && !effect.query.filters.some(({ in: place }) => /header|path/.test(place))
  const known = isKept ? lists.get(id) : undefined
  const written = known ?? writePage(input, collection)
  if (!written) return refuseNotMade(input)
  if (isKept && !known) lists.set(id, written)
  const { status, mediaType } = effect
  const content = new PageContent(input, collection, written)
  const answer = { status, mediaType, headers: written.headers ?? effect.headers, content }
  return input.showChosen ? input.showChosen(input, answer) : answer
}

/** A class, because each answer has one: its methods are created once. */
class PageContent implements Content {
  readonly #input: EffectInput<ListEffect>
  readonly #collection: Records
  readonly #written: WrittenList
  readonly bytes: Uint8Array

  constructor(input: EffectInput<ListEffect>, collection: Records, written: WrittenList) {
    this.#input = input
    this.#collection = collection
    this.#written = written
    this.bytes = written.bytes
  }

  text(): string {
    return this.#written.text
  }

  value(): ExactValue {
    const { envelope } = this.#input.effect
    const { list, facts } = fillPage(this.#input, this.#collection, asValue)
    return envelope ? addEnvelopeToValue(this.#input, envelope, list, facts?.put) : (list ?? [])
  }
}

/** @returns undefined if a record cannot be shown */
function writePage(input: EffectInput<ListEffect>, collection: Records): WrittenList | undefined {
  const { envelope, headers } = input.effect
  const { list, facts, isLeftOut } = fillPage(input, collection, asText)
  if (list === undefined && !isLeftOut) return undefined
  const written = toWritten(envelope ? addEnvelope(input, envelope, list, facts?.put) : (list ?? ''))
  const described = facts && Object.keys(facts.headers).length > 0
  return described ? { ...written, headers: { ...headers, ...facts.headers } } : written
}

/** The list of the page that a request chooses, and the facts about it. */
function fillPage<T>(input: EffectInput<ListEffect>, collection: Records, form: ListForm<T>) {
  const { query, least } = input.effect
  const page = choosePage(input, collection)
  const isShort = least !== undefined && page.records.length < least.items
  const isLeftOut = isShort && least.isOptional
  const records =
    isShort && !isLeftOut ? [...page.records, ...makeRecords(input, least, page.records.length)] : page.records
  const isPlain = query.facts.length === 0 && query.headers.length === 0
  return {
    list: isLeftOut ? undefined : fillList(input, records, form),
    facts: isPlain ? undefined : describePage(input, query, page),
    isLeftOut,
  }
}

/** The facts about a page, for its body and headers. */
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
function fillList<T>(
  input: EffectInput<ListEffect>,
  records: readonly StoredRecord[],
  form: ListForm<T>,
): T | undefined {
  const { effect, model } = input
  const { keys, envelope, wrapper } = effect
  const keyOf = ({ values }: StoredRecord) => String(values[model.key])
  if (keys) {
    const isNumber = (key: string) => keys === 'integer' && /^-?\d+$/.test(key)
    return form.toArray(records.map(keyOf).map((key) => form.toKey(key, isNumber(key))))
  }
  const items: T[] = []
  for (const record of records) {
    const item = form.toRecord(input, record)
    if (item === undefined) return undefined
    items.push(wrapper === undefined || envelope?.isMap ? item : form.toObject([[wrapper, item]]))
  }
  if (!envelope?.isMap) return form.toArray(items)
  return form.toObject(items.map((item, index) => [keyOf(records[index] as StoredRecord), item]))
}

function toWritten(text: string): WrittenList {
  return { text, bytes: new TextEncoder().encode(text) }
}

/** Makes the missing records that `minItems` requires. */
function makeRecords(
  { contract }: EffectInput<ListEffect>,
  { items, ensure }: LeastItems,
  count: number,
): StoredRecord[] {
  return Array.from({ length: items - count }, (_, index) => {
    const values = ensure && ensureValue(contract, ensure, {}, index)
    return new StoredRecord(isObject(values) ? values : {})
  })
}

/** Writes the facts about a page into its envelope. */
function putFacts(
  body: Record<string, unknown>,
  places: readonly BodyFact[],
  facts: PageFacts,
  { origin }: Address,
): void {
  for (const place of places) {
    // A property that only allows numbers gets the number of the record as its cursor.
    const isCount = place.from === 'nextCursor' && !place.types.includes('string') && place.types.length > 0
    const fact = facts[isCount ? 'nextOffset' : place.from]
    const isLink = place.isAbsolute && typeof fact === 'string' && fact.startsWith('/')
    putFact(body, place, toFitting(isLink ? origin + fact : fact, place))
  }
}

/** Converts a fact to a type of its property. Undefined if that is impossible. */
function toFitting(fact: ExactValue | undefined, { types, from, leftOut }: BodyFact): ExactValue | undefined {
  const isCount = types.includes('integer') || types.includes('number')
  if (fact !== undefined) {
    if (typeof fact === 'number' && !isCount && types.includes('string')) return String(fact)
    if (typeof fact === 'string' && isCount && !types.includes('string')) return toNumber(fact)
    return fact
  }
  if (types.includes('null')) return null
  if (leftOut !== undefined) return undefined
  return (from.endsWith('Url') || from.endsWith('Cursor')) && !isCount ? '' : 0
}

function toNumber(text: string): number | undefined {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : undefined
}

/** Writes a fact at its place, or removes the place if there is no value. */
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
