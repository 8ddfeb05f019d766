/** The effect `create`: adds a record with its key and the other properties that the service writes. */
import type { CollectionModel } from '../../contract/contract.js'
import type { CreateEffect } from '../../contract/effects/effect.js'
import { shorten } from '../../contract/violations.js'
import { ownValue } from '../../json/own-value.js'
import { makeKey } from '../../state/make-record-key.js'
import type { Key, Values } from '../../state/stored-record.js'
import { type Outcome, Refusal } from '../outcome.js'
import type { EffectInput } from './effect.js'
import { refuseNotMade, textOfValues, toStorable } from './ensured.js'
import { givenValues, openRecords, toAnswer } from './existing-record.js'
import type { Records } from './records.js'
import { isRemoved } from './sampled-record.js'
import { fill } from './service-written.js'

export function create(input: EffectInput<CreateEffect>): Outcome {
  const { effect, model, request } = input
  const collection = openRecords(input)
  if (collection instanceof Refusal) return collection
  const { key: property } = model
  const given = givenValues(input)
  if (given instanceof Refusal) return given
  const sent =
    effect.parameter === undefined ? ownValue(given, effect.keyName ?? property) : request.path[effect.parameter]
  const key = sent === undefined ? undefined : collection.toKey(sent)
  if (sent !== undefined) {
    if (key === undefined) {
      return new Refusal('invalid_request', `${property} must be a string or an integer, because it is the key`)
    }
    const same = collection.get(key)
    if (same && !isRemoved(same)) {
      return new Refusal('conflict', `A record with ${property} ${shorten(String(key))} already exists`)
    }
  }
  const known = key === undefined ? undefined : toRecord(input, model, collection, given, key)
  const values = known ?? toNewRecord(input, model, collection, given)
  if (values instanceof Refusal) return values
  // `record.text()` would cache the text of a record that may never be read. A record that cannot be written is not added.
  const answer = toAnswer(input, () => textOfValues(input, values), values[property] as Key)
  if (answer instanceof Refusal) return answer
  // A removed record may have left a mark in its place.
  if (!known || !collection.replace(values[property] as Key, values)) collection.add(values)
  return answer
}

/** @returns undefined if the schema of records does not allow the key */
function toRecord(
  input: EffectInput<CreateEffect>,
  { key: property }: CollectionModel,
  collection: Records,
  given: Values,
  key: Key,
): Values | Refusal | undefined {
  const { effect, context } = input
  const written = { ...fill(effect.fills, context.now, given), ...given, [property]: key }
  const values = toStorable(input, collection.place ? collection.place(written) : written)
  return values instanceof Refusal || values[property] === key ? values : undefined
}

/** Makes a record with a new key. */
function toNewRecord(
  input: EffectInput<CreateEffect>,
  model: CollectionModel,
  collection: Records,
  given: Values,
): Values | Refusal {
  const { keyKind, keyPlan, key: property } = model
  const { contract, filler } = input
  const isPlanned = keyPlan !== undefined && filler !== undefined
  const key = isPlanned ? filler.makeKey(contract, model, collection) : makeKey(collection, keyKind)
  if (key !== undefined) return toRecord(input, model, collection, given, key) ?? refuseNotMade(input)
  return new Refusal('unavailable', `No ${property} ${keyPlan === undefined ? 'below 2^53 ' : ''}is left`)
}
