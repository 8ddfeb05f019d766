/** Applies operations on many records at once: to all of them, or to none. */
import type { AnswerValue, BulkUse, CreateEffect, Envelope, KeyedEffect } from '../../contract/effects/effect.js'
import type { ExactValue } from '../../json/exact-value.js'
import { valueAt } from '../../json/nested.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { isSameJson } from '../../json/same-json.js'
import type { Change } from '../../state/change.js'
import type { Key, StoredRecord } from '../../state/stored-record.js'
import { undoTo } from '../../state/world-content.js'
import { createChoice, toFilters } from '../lists/choose-records.js'
import { type Answer, type Content, type Outcome, Refusal } from '../outcome.js'
import { addEnvelope, addEnvelopeToValue } from '../responses/envelope.js'
import { applyEffect } from './all-effects.js'
import { type EffectInput, modelOf } from './effect-input.js'
import { noteUnchanged } from './existing-record.js'
import { withValues } from './fixed-answer.js'
import { without } from './links.js'
import { openRecords } from './open-records.js'
import type { Records } from './records.js'
import { noteUnknown } from './references.js'
import { removeBelow } from './remove.js'
import { isRemoved, removeRecord } from './sampled-record.js'

export function applyBulk(use: BulkUse, input: EffectInput): Outcome {
  const effect = use.read ?? use.create ?? use.change ?? use.remove
  // The documented answer.
  const example = applyEffect(input)
  if (!effect || example instanceof Refusal) return example
  const records = openRecords(ofItem(input, effect))
  if (records instanceof Refusal) return records
  const { log } = input.world
  const { length } = log
  // A note about one item is not true of the whole request.
  const progress: EffectInput['context']['progress'] = { notes: [] }
  const outcome = applyAll(use, { ...input, context: { ...input.context, progress } }, records, example)
  noteUnknown(input.context.progress, progress.unknownReferences ?? [], outcome instanceof Refusal)
  if (outcome instanceof Refusal) return outcome
  const changes = log.slice(length)
  if (changes.every(isWithoutChange)) noteUnchanged(input)
  if (!use.counted) return outcome
  const { pointers, ensure } = use.counted
  const value = changes.filter((each) => each.kind === 'record' && each.collection === effect.collection).length
  const values = pointers.map((pointer): AnswerValue => ({ pointer, chosen: { from: 'constant', value } }))
  return withValues({ kind: 'values', values, ensure }, input, outcome)
}

function isWithoutChange(change: Change): boolean {
  return (
    change.kind !== 'record' || isSameJson((change.before ?? null) as ExactValue, (change.after ?? null) as ExactValue)
  )
}

function applyAll(use: BulkUse, input: EffectInput, records: Records, example: Answer): Outcome {
  const { isShown, envelope, remove } = use
  if (remove && !use.create) return removeAll(input, use, remove, records) ?? example
  const before = storedIn(records)
  const { length } = input.world.log
  const contents: Content[] = []
  const kept = new Set<Key>()
  for (const item of chosen(input, use, records) ?? itemsOf(input, use) ?? []) {
    const outcome = applyOne(input, use, records, item)
    if (outcome === undefined) continue
    if (outcome instanceof Refusal && outcome.reason !== 'unavailable' && outcome.reason !== 'not_made') return outcome
    const { content } = outcome instanceof Refusal ? {} : outcome
    if (outcome instanceof Refusal || (content && content.text?.() === undefined)) {
      // If an item cannot be stored, nothing changes and the documented answer is sent.
      undoTo(input.world, length)
      return example
    }
    const key = keyOfItem(use, records, item)
    if (key !== undefined) kept.add(key)
    if (content) contents.push(content)
  }
  // A PUT of the whole collection removes every record that it does not contain.
  if (remove) for (const [key, record] of before) if (!kept.has(key)) removeOne(input, remove, records, key, record)
  return isShown ? { ...example, content: showAll(input, contents, envelope, use.key) } : example
}

/** @param key the property of a record that has its key */
function showAll(
  input: EffectInput,
  contents: readonly Content[],
  envelope: Envelope | undefined,
  key: string,
): Content {
  const isMap = envelope?.isMap === true
  const keyOf = ({ record }: Content) => String(record?.[key])
  return {
    text() {
      const texts = contents.map((each) => `${isMap ? `${JSON.stringify(keyOf(each))}:` : ''}${each.text?.()}`)
      const text = isMap ? `{${texts.join(',')}}` : `[${texts.join(',')}]`
      return envelope ? addEnvelope(input, envelope, text) : text
    },
    value() {
      const list = contents.map((each) => each.value?.() ?? null)
      const values = isMap ? Object.fromEntries(list.map((value, at) => [keyOf(contents[at] ?? {}), value])) : list
      return envelope ? addEnvelopeToValue(input, envelope, values) : values
    },
  }
}

/** @returns undefined for an item without a key if no record can be created */
function applyOne(input: EffectInput, use: BulkUse, records: Records, item: unknown): Outcome | undefined {
  const { create: creates, change, read } = use
  const key = keyOfItem(use, records, item)
  const known = key === undefined ? undefined : records.get(key)
  const isKnown = known !== undefined && !isRemoved(known)
  if (read) return isKnown ? applyEffect(ofItem(input, read, isObject(item) ? item : { [use.key]: item })) : undefined
  if (change && isKnown) return applyEffect(ofItem(input, change, sharedWith(input, use, item)))
  if (creates) return applyEffect(ofItem(input, creates, item))
  return key === undefined || use.shared
    ? undefined
    : new Refusal('not_found', `There is no record with ${use.key} ${String(key)}`)
}

/** What the record of an item gets: the item, or what the body has besides the keys. */
function sharedWith({ request }: EffectInput, { shared, items = [], key }: BulkUse, item: unknown): unknown {
  const given = shared && valueAt(request.body.value, shared)
  return isObject(given) ? { ...without(given, items[0] ?? ''), [key]: item } : item
}

/** @returns a refusal, or undefined */
function removeAll(input: EffectInput, use: BulkUse, remove: KeyedEffect, records: Records): Refusal | undefined {
  const given = chosen(input, use, records) ?? itemsOf(input, use) ?? queried(input, use)
  const stored = storedIn(records)
  if (given) {
    for (const item of given) {
      const key = keyOfItem(use, records, item)
      const record = key === undefined ? undefined : stored.get(key)
      if (key !== undefined && record) removeOne(input, remove, records, key, record)
    }
    return undefined
  }
  // Any other parameter may limit the removal in an unknown way, so nothing is removed.
  if (use.keys !== undefined || use.items || Object.keys(input.request.query).length > 0) return undefined
  for (const [key, record] of stored) removeOne(input, remove, records, key, record)
  return undefined
}

function removeOne(
  input: EffectInput,
  effect: KeyedEffect,
  records: Records,
  key: Key,
  { values }: StoredRecord,
): void {
  const one = ofItem(input, effect)
  if (effect.detaches) records.remove(key)
  else removeRecord(one, records, key)
  removeBelow(one, effect.collection, values)
}

/** The input of an effect on one item, as if a request had only this item as its body. */
function ofItem<E extends CreateEffect | KeyedEffect>(input: EffectInput, effect: E, item?: unknown): EffectInput<E> {
  const { request, contract } = input
  return {
    ...input,
    effect,
    model: modelOf(contract, effect.collection),
    request: { ...request, body: { ...request.body, value: item } },
  }
}

function itemsOf({ request }: EffectInput, { items }: BulkUse): unknown[] | undefined {
  const found = items && valueAt(request.body.value, items)
  return Array.isArray(found) ? found : undefined
}

/** The keys of the records that the query chooses: none if a part of it is not understood. */
function chosen({ request }: EffectInput, { query, key }: BulkUse, records: Records): unknown[] | undefined {
  if (!query) return undefined
  let isKnown = Object.keys(request.query).every((sent) => query.filters.some(({ name }) => name === sent))
  const choose = createChoice(query, request, () => {
    isKnown = false
  })
  const all = records.select(toFilters(query.filters, request.query)).filter((record) => !isRemoved(record))
  return isKnown ? (choose?.(all) ?? all).map(({ values }) => values[key]) : []
}

function queried({ request }: EffectInput, { keys }: BulkUse): unknown[] | undefined {
  const found = keys === undefined ? undefined : ownValue(request.query, keys)
  if (found === undefined) return undefined
  return typeof found === 'string' ? found.split(',') : [found].flat()
}

/** The key of an item, which may be the key itself. */
function keyOfItem({ key }: BulkUse, records: Records, item: unknown): Key | undefined {
  const given = isObject(item) ? ownValue(item, key) : item
  return given === undefined ? undefined : records.toKey(given)
}

function storedIn(records: Records): Map<Key, StoredRecord> {
  const { key } = records.context
  const stored = records.select([]).filter((record) => !isRemoved(record))
  return new Map(stored.map((record) => [record.values[key] as Key, record]))
}
