/** Finds the record that a request names. */
import type { KeyedEffect } from '../../contract/effects/effect.js'
import { shorten } from '../../contract/violations.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { makeKey } from '../../state/stored-collection.js'
import type { Key, StoredRecord } from '../../state/stored-record.js'
import { Refusal } from '../outcome.js'
import type { EffectInput } from './effect-input.js'
import { findNamed, hasRecords, openRecords } from './open-records.js'
import { PlacedRecords, type Records, withoutChanges } from './records.js'
import { isRemoved, sampleRecord, shownAbove } from './sampled-record.js'

export interface FoundRecord {
  /** Where its changes are stored. */
  collection: Records
  key: Key
  record: StoredRecord
}

export function findRecord(input: EffectInput<KeyedEffect>): FoundRecord | Refusal {
  const { effect, model, request } = input
  const collection = openRecords(input)
  if (collection instanceof Refusal) return collection
  const key = keyOf(input, collection)
  const record = collection.get(key)
  if (record && !isRemoved(record)) return { collection, key, record }
  const other = record ? undefined : findOther(input, collection, key)
  if (other) return other
  const { key: property, name } = model
  // A key with a style can be an object: then the message quotes the text in the path.
  const shown = typeof key === 'object' ? request.texts[effect.parameter] : key
  return new Refusal('not_found', `There is no record with ${property} ${shorten(String(shown))} in ${name}`)
}

/** The key in the path, query, body or a header of a request, else that of the newest record, else a new key. */
export function keyOf(input: EffectInput<KeyedEffect>, records: Records): Key {
  const { effect, model, request } = input
  const { keyIn, parameter } = effect
  // The path was validated, so each of its parameters has a value.
  if (!keyIn) return (request.path[parameter] ?? '') as Key
  const source = keyIn === 'query' ? request.query : request.body.value
  const inSource = isObject(source) ? ownValue(source, parameter) : undefined
  const given = keyIn === 'header' ? (input.sent.header(parameter) ?? undefined) : inSource
  if (given !== undefined) return given as Key
  const { key, keyKind } = model
  const newest = records.select([]).find((each) => !isRemoved(each))
  return (newest?.values[key] as Key | undefined) ?? makeKey(records, keyKind) ?? ''
}

/** The record that another of its names leads to, or that of a key that is not stored, if every key has one. */
function findOther(input: EffectInput<KeyedEffect>, records: Records, key: Key): FoundRecord | undefined {
  const { model } = input
  // A record that the request would create gets the given key, so other names do not count.
  const named = input.effect.creates === undefined ? findNamed(model, records, key) : undefined
  if (named) return { collection: records, key: named.values[model.key] as Key, record: named }
  const isAttaching = input.operation.method === 'PUT' && records instanceof PlacedRecords
  const attached = isAttaching ? records.attach(key) : undefined
  if (attached) return { collection: records, key, record: attached }
  if (model.isShown) return undefined
  // What a change creates is stored.
  if (model.forgetsUnknown && input.effect.creates !== undefined && !input.effect.keyIn) return undefined
  const sampled =
    model.isSampledIfEmpty && hasRecords(records) ? undefined : sampleRecord(input, records, key, shownAbove(input))
  if (!sampled) return undefined
  const isForgotten = model.forgetsUnknown && input.effect.keyIn !== undefined
  return { collection: isForgotten ? withoutChanges(records) : records, key, record: sampled }
}

/** Notes in the exchange that a request changed nothing. The effect may run more than once. */
export function noteUnchanged({ context: { progress } }: EffectInput): void {
  const note = 'the request changed nothing'
  if (!progress.notes.includes(note)) progress.notes = [...progress.notes, note]
}
