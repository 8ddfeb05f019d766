/** Shared by the effects on an existing record: finds the record by the key in the path, and answers with it. */
import type { CreateEffect, KeyedEffect } from '../../contract/effect.js'
import { shorten } from '../../contract/violations.js'
import { keepHidden } from '../../json/keep-hidden.js'
import type { StoredCollection } from '../../state/stored-collection.js'
import type { Key, StoredRecord, Values } from '../../state/stored-record.js'
import { type Outcome, Refusal } from '../outcome.js'
import { type EffectInput, modelOf } from './effect.js'
import { refuseNotMade, textOf, toStorable } from './ensured.js'
import { isRemoved, sampleRecord, storeRecord } from './sampled-record.js'

export interface FoundRecord {
  collection: StoredCollection
  key: Key
  record: StoredRecord
}

export function findRecord(input: EffectInput<KeyedEffect>): FoundRecord | Refusal {
  const { contract, effect, world, server, request } = input
  const collection = world.collection(effect.collection, server)
  // The path was validated: each of its parameters has a value.
  const key = request.path[effect.parameter] as Key
  const record = collection.get(key)
  if (record && !isRemoved(record)) return { collection, key, record }
  const sampled = record ? undefined : sampleRecord(input, collection, key)
  if (sampled) return { collection, key, record: sampled }
  const { key: property, name } = modelOf(contract, effect.collection)
  // A key with a style can be an object, which has no text but that of the path.
  const shown = typeof key === 'object' ? request.texts[effect.parameter] : key
  return new Refusal('not_found', `There is no record with ${property} ${shorten(String(shown))} in ${name}`)
}

/** Replaces the values of the record, or returns a refusal. */
export function changeRecord(input: EffectInput<KeyedEffect>, change: (values: Values) => Values | Refusal): Outcome {
  const found = findRecord(input)
  if (found instanceof Refusal) return found
  const given = change(found.record.values)
  const values = given instanceof Refusal ? given : toStorable(input, given)
  if (values instanceof Refusal) return values
  const { collection, key, record } = found
  const changed = storeRecord(collection, key, values)
  let answer: Outcome | undefined
  try {
    answer = showRecord(input, changed)
    return answer
  } finally {
    // A record that cannot be written could never be read again.
    if (!answer || answer instanceof Refusal) collection.replace(key, record.values)
  }
}

/** The changed values, in which the properties that only the service writes are as they were. */
export function keepReadOnly({ contract, effect }: EffectInput<KeyedEffect>, before: Values, changed: Values): Values {
  if (effect.writable === undefined) return changed
  return keepHidden(changed, before, contract.shapes, effect.writable) as Values
}

/** The values of a record: a schema may allow anything, but a record is an object. */
export function toValues(value: unknown): Values | Refusal {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Values
  return new Refusal('invalid_request', 'The record must be an object')
}

/** The record as a success answer. */
export function showRecord(input: EffectInput<KeyedEffect>, record: StoredRecord): Outcome {
  return toAnswer(input, () => textOf(input, record))
}

/** @param write makes the body, if the response has one and a valid one exists */
export function toAnswer(input: EffectInput<CreateEffect | KeyedEffect>, write: () => string | undefined): Outcome {
  const { status, mediaType, headers } = input.effect
  if (mediaType === undefined) return { status, headers }
  const body = write()
  return body === undefined ? refuseNotMade(input) : { status, mediaType, headers, body }
}
