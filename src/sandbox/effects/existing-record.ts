/** Shared by the effects on an existing record: finds the record by the key in the path, and answers with it. */
import type { CreateEffect, KeyedEffect } from '../../contract/contract.js'
import { shorten } from '../../contract/violations.js'
import { keepHidden } from '../../json/keep-hidden.js'
import type { StoredCollection } from '../../state/stored-collection.js'
import type { Key, StoredRecord, Values } from '../../state/stored-record.js'
import { type Answer, type Outcome, Refusal } from '../outcome.js'
import { type EffectInput, modelOf } from './effect.js'

export interface FoundRecord {
  collection: StoredCollection
  key: Key
  record: StoredRecord
}

export function findRecord({
  contract,
  effect,
  world,
  server,
  request,
}: EffectInput<KeyedEffect>): FoundRecord | Refusal {
  const collection = world.collection(effect.collection, server)
  // The path was validated: each of its parameters has a value.
  const key = request.path[effect.parameter] as Key
  const record = collection.get(key)
  if (record) return { collection, key, record }
  const { key: property, name } = modelOf(contract, effect.collection)
  return new Refusal('not_found', `There is no record with ${property} ${shorten(String(key))} in ${name}`)
}

/** Replaces the values of the record, or returns a refusal. */
export function changeRecord(input: EffectInput<KeyedEffect>, change: (values: Values) => Values | Refusal): Outcome {
  const found = findRecord(input)
  if (found instanceof Refusal) return found
  const values = change(found.record.values)
  if (values instanceof Refusal) return values
  const { collection, key, record } = found
  const changed = collection.replace(key, values) ?? record
  try {
    return showRecord(input, changed)
  } catch (error) {
    // A record that cannot be written could never be read again.
    collection.replace(key, record.values)
    throw error
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
export function showRecord({ contract, effect }: EffectInput<KeyedEffect>, record: StoredRecord): Answer {
  return toAnswer(effect, () => record.text(contract.shapes, effect.shape))
}

/** @param write makes the body, if the response has one */
export function toAnswer({ status, mediaType }: CreateEffect | KeyedEffect, write: () => string): Answer {
  return mediaType === undefined ? { status } : { status, mediaType, body: write() }
}
