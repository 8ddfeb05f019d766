/** Shared by the effects on an existing record: finds the record by the key in the path, and answers with it. */
import type { CreateEffect, KeyedEffect, RecordAccess } from '../../contract/effects/effect.js'
import { isUnchanging } from '../../contract/effects/is-unchanging.js'
import { shorten } from '../../contract/violations.js'
import type { ExactValue } from '../../json/exact-value.js'
import { keepHidden } from '../../json/keep-hidden.js'
import { isSameJson } from '../../json/same-json.js'
import type { Key, StoredRecord, Values } from '../../state/stored-record.js'
import { type Content, type Outcome, Refusal } from '../outcome.js'
import type { EffectInput } from './effect-input.js'
import type { Records } from './records.js'
import { isRemoved, storeRecord } from './sampled-record.js'
import { fill } from './service-written.js'

export interface FoundRecord {
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
  const other = record ? undefined : input.relations?.findOther(input, collection, key)
  if (other) return { collection, ...other }
  const { key: property, name } = model
  // A key with a style can be an object: then the message quotes the text in the path.
  const shown = typeof key === 'object' ? request.texts[effect.parameter] : key
  return new Refusal('not_found', `There is no record with ${property} ${shorten(String(shown))} in ${name}`)
}

/** The key in a request. The path was validated, so each of its parameters has a value. */
export function keyOf(input: EffectInput<KeyedEffect>, records: Records): Key {
  const { effect, request, relations } = input
  if (effect.keyIn && relations) return relations.keyOf(input, records)
  return (request.path[effect.parameter] ?? '') as Key
}

/** The record in the body of a request. @param before what an update changes */
export function givenValues(input: EffectInput<CreateEffect | KeyedEffect>, before?: Values): Values | Refusal {
  const { request, relations } = input
  if (!request.body.codec) return {}
  const { value } = request.body
  return toValues(relations ? relations.given(input, before) : value)
}

/** Replaces the values of the record, or returns a refusal. */
export function changeRecord(input: EffectInput<KeyedEffect>, change: (values: Values) => Values | Refusal): Outcome {
  const { context, contract, effect, relations, operation } = input
  const found = findRecord(input)
  if (found instanceof Refusal) return effect.creates && relations ? relations.addMissing(input, found, change) : found
  const { values: before } = found.record
  const given = change(relations ? relations.hide(effect, before) : before)
  const changed = given instanceof Refusal || !relations ? given : relations.keepHidden(effect, given, before)
  if (changed instanceof Refusal) return changed
  const isSame = isSameJson(before as ExactValue, changed as ExactValue)
  const again = isSame ? [] : effect.serviceWritten.filter((each) => each.again)
  const written = { ...changed, ...fill(again, context.now, changed) }
  const values = relations ? relations.toStorable(input, written, before) : written
  if (values instanceof Refusal) return values
  if (isSame || isUnchanging(operation, contract)) noteUnchanged(input)
  return showRecord(input, storeRecord(found.collection, found.key, values))
}

/** Notes in the exchange that a request changed nothing. The effect may run more than once. */
export function noteUnchanged({ context: { progress } }: EffectInput): void {
  const note = 'the request changed nothing'
  if (!progress.notes.includes(note)) progress.notes = [...progress.notes, note]
}

/** The changed values, with the previous values of the properties that only the service writes. */
export function keepReadOnly({ contract, effect }: EffectInput<KeyedEffect>, before: Values, changed: Values): Values {
  if (effect.writable === undefined) return changed
  return keepHidden(changed, before, contract.shapes, effect.writable) as Values
}

/** The values of a record: a schema may allow anything, but a record is an object. */
export function toValues(value: unknown): Values | Refusal {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Values
  return new Refusal('invalid_request', 'The record must be an object')
}

/** Answers with the record if the response shows it. @param created the key of a new record */
export function showRecord(
  input: EffectInput<CreateEffect | KeyedEffect>,
  record: StoredRecord,
  created?: Key,
): Outcome {
  const { status, mediaType, headers, answer } = input.effect
  if (mediaType === undefined) return { status, headers }
  if (answer && input.relations) return input.relations.answer(input, answer, created)
  return { status, mediaType, headers, content: new RecordContent(input, record) }
}

class RecordContent implements Content {
  readonly #input: EffectInput<CreateEffect | KeyedEffect>
  readonly #record: StoredRecord

  constructor(input: EffectInput<CreateEffect | KeyedEffect>, record: StoredRecord) {
    this.#input = input
    this.#record = record
  }

  get record(): Values {
    return this.#record.values
  }

  text(): string | undefined {
    const { contract, effect, relations } = this.#input
    if (!relations) return this.#record.text(contract.shapes, effect.shape)
    const text = relations.textOf(this.#input, this.#record)
    return text === undefined ? undefined : withEnvelope(this.#input, text)
  }

  value(): ExactValue {
    return this.#input.relations?.valueOf(this.#input, this.#record.values) ?? null
  }
}

/** @returns a refusal if a record that the path is below does not exist */
export function openRecords(input: EffectInput): Records | Refusal {
  const { world, server, relations } = input
  const effect = input.effect as RecordAccess
  if (effect.place && relations) return relations.open(input, effect.place, effect.collection)
  return world.collection(effect.collection, server)
}

/** Puts the text of a record or a list into the envelope of its operation. */
export function withEnvelope(input: EffectInput, text: string): string {
  const { envelope } = input.effect as RecordAccess
  return envelope && input.relations ? input.relations.addEnvelope(input, envelope, text) : text
}
