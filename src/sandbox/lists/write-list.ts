/** Writes lists that are not just an array of records. */
import type { ListEffect, ListMember } from '../../contract/effects/effect.js'
import { isObject } from '../../json/own-value.js'
import { toSeed } from '../../json/random.js'
import { type Filter, StoredRecord } from '../../state/stored-record.js'
import type { EffectInput } from '../effects/effect.js'
import { textOf, writeArray } from '../effects/ensured.js'
import { withEnvelope } from '../effects/existing-record.js'
import type { Records } from '../effects/records.js'
import { isRemoved } from '../effects/sampled-record.js'
import { pageSizeOf } from './list.js'

/** Writes the records of a collection, as many as the request allows. @returns undefined if a record cannot be shown */
export function writeList(
  input: EffectInput<ListEffect>,
  collection: Records,
  filters: readonly Filter[],
): string | undefined {
  const selected = collection.select(filters, pageSizeOf(input.effect, input.request.query))
  const records = selected.filter((record) => !isRemoved(record))
  return writeRecords(input, records, () => collection.count(filters))
}

/**
 * @param toTotal counts all records that the request chooses
 * @returns undefined if a record cannot be shown
 */
export function writeRecords(
  input: EffectInput<ListEffect>,
  records: readonly StoredRecord[],
  toTotal: () => number,
): string | undefined {
  const { keys, envelope, members, least } = input.effect
  if (!keys && !envelope && !members) return writeItems(input, records)
  const list = keys
    ? writeKeys(input, records, keys)
    : envelope?.isMap
      ? writeMap(input, records)
      : writeItems(input, records)
  if (list === undefined) return undefined
  const isShort = least !== undefined && records.length < least.items
  const isLeftOut = isShort && members !== undefined && least.isOptional
  const shown = isShort && !isLeftOut ? withExamples(input, records, least.items) : list
  if (!members) return withEnvelope(input, shown)
  const fields = ensureEnvelope(input, members).filter(({ from }) => from !== 'records' || !isLeftOut)
  return wrap(fields, shown, records.length, toTotal())
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

/** @param total the number of records that pass the filters */
function wrap(envelope: readonly ListMember[], array: string, count: number, total: number): string {
  const texts = { records: array, count: String(count), total: String(total), more: String(total > count) }
  const members = envelope.map(({ name, from, value }) => {
    return `${JSON.stringify(name)}:${from === 'constant' ? JSON.stringify(value) : texts[from]}`
  })
  return `{${members.join(',')}}`
}

/** The envelope with what its schema requires besides. */
function ensureEnvelope(
  { contract, effect, operation, sampler }: EffectInput<ListEffect>,
  envelope: readonly ListMember[],
): readonly ListMember[] {
  if (!effect.ensureBody || !sampler) return envelope
  const empty = { records: [], count: 0, total: 0, more: false }
  const body = Object.fromEntries(
    envelope.map(({ name, from, value }) => [name, from === 'constant' ? value : empty[from]]),
  )
  const ensured = sampler.ensure(contract, effect.ensureBody, body, toSeed(operation.id))
  if (ensured === body || !isObject(ensured)) return envelope
  const sources = new Map(envelope.map((field) => [field.name, field]))
  return Object.entries(ensured).map(([name, value]) => {
    const known = sources.get(name)
    return known && known.from !== 'constant' ? known : { name, from: 'constant', value }
  })
}
