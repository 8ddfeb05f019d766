/** The effect `list`: answers with a page of the matching records, newest first. */
import type { EnvelopeField, ListEffect } from '../../contract/effect.js'
import { isObject } from '../../json/is-object.js'
import { toSeed } from '../../json/random.js'
import { toTyped } from '../../json/typed-value.js'
import type { Filter } from '../../state/filter.js'
import type { StoredRecord } from '../../state/stored-record.js'
import { type Outcome, Refusal } from '../outcome.js'
import type { Records } from '../records.js'
import { type EffectInput, modelOf, type WrittenList } from './effect.js'
import { refuseNotMade, textOf } from './ensured.js'
import { openRecords, surround } from './open-records.js'
import { pageSizeOf } from './paging.js'
import { isRemoved } from './sampled-record.js'

export function list(input: EffectInput<ListEffect>): Outcome {
  const { operation, effect, query, lists } = input
  const collection = openRecords(input)
  if (collection instanceof Refusal) return collection
  const id = `${collection.stateId} ${operation.id}?${query}`
  let written = lists.get(id)
  if (!written) {
    const made = write(input, collection)
    if (!made) return refuseNotMade(input)
    written = lists.set(id, made)
  }
  return {
    status: effect.status,
    mediaType: effect.mediaType,
    headers: effect.headers,
    body: written.text,
    bytes: written.bytes,
  }
}

/** @returns undefined if a record cannot be shown */
function write(input: EffectInput<ListEffect>, collection: Records): WrittenList | undefined {
  const { effect, request } = input
  const filters = filtersOf(effect, request.query)
  const { sample } = modelOf(input.contract, effect.collection)
  const selected = collection.select(filters, pageSizeOf(effect, request.query))
  const records = sample === undefined ? selected : selected.filter((record) => !isRemoved(record))
  const isOther = effect.keys ?? effect.around?.isMap
  const array = isOther ? input.nesting?.writeList(input, records) : writeArray(input, records)
  if (array === undefined) return undefined
  const text = effect.envelope
    ? wrap(ensureEnvelope(input, effect.envelope), array, records.length, collection.count(filters))
    : surround(input, array)
  return { text, bytes: new TextEncoder().encode(text) }
}

function writeArray(input: EffectInput<ListEffect>, records: readonly StoredRecord[]): string | undefined {
  const texts = records.map((record) => textOf(input, record))
  return texts.includes(undefined) ? undefined : `[${texts.join(',')}]`
}

/** The filters of a request, including defaults. Values are converted to the type of their property. */
function filtersOf({ filters }: ListEffect, query: Record<string, unknown>): Filter[] {
  return filters.flatMap(({ parameter, property, types, default: standard }) => {
    const value = query[parameter] ?? standard
    return value === undefined ? [] : [{ property, values: [value].flat().map((each) => toTyped(each, types)) }]
  })
}

/** @param total the number of records that pass the filters */
function wrap(envelope: readonly EnvelopeField[], array: string, count: number, total: number): string {
  const texts = { records: array, count: String(count), total: String(total), more: String(total > count) }
  const members = envelope.map(({ name, from, value }) => {
    return `${JSON.stringify(name)}:${from === 'constant' ? JSON.stringify(value) : texts[from]}`
  })
  return `{${members.join(',')}}`
}

/** The envelope with what its schema requires besides. */
function ensureEnvelope(
  { contract, effect, operation, filler }: EffectInput<ListEffect>,
  envelope: readonly EnvelopeField[],
): readonly EnvelopeField[] {
  if (!effect.ensureBody || !filler) return envelope
  const empty = { records: [], count: 0, total: 0, more: false }
  const body = Object.fromEntries(
    envelope.map(({ name, from, value }) => [name, from === 'constant' ? value : empty[from]]),
  )
  const ensured = filler.ensure(contract, effect.ensureBody, body, toSeed(operation.id))
  if (ensured === body || !isObject(ensured)) return envelope
  const sources = new Map(envelope.map((field) => [field.name, field]))
  return Object.entries(ensured).map(([name, value]) => {
    const known = sources.get(name)
    return known && known.from !== 'constant' ? known : { name, from: 'constant', value }
  })
}
