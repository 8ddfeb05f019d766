/** The effect `create`: adds a record with its key and the other properties that the service writes. */
import type { CreateEffect } from '../../contract/effect.js'
import { shorten } from '../../contract/violations.js'
import { ownValue } from '../../json/own-value.js'
import { makeKey } from '../../state/make-record-key.js'
import type { Key, Values } from '../../state/stored-record.js'
import { fill } from '../fill-properties.js'
import { type Outcome, Refusal } from '../outcome.js'
import type { Records } from '../records.js'
import { type EffectInput, modelOf } from './effect.js'
import { refuseNotMade, textOfValues, toStorable } from './ensured.js'
import { givenValues, toAnswer } from './existing-record.js'
import { makeKeyByPlan } from './make-key-by-plan.js'
import { openRecords } from './open-records.js'

export function create(input: EffectInput<CreateEffect>): Outcome {
  const { contract, effect, request } = input
  const collection = openRecords(input)
  if (collection instanceof Refusal) return collection
  const { key: property } = modelOf(contract, effect.collection)
  const given = givenValues(input)
  if (given instanceof Refusal) return given
  const sent =
    effect.parameter === undefined ? ownValue(given, effect.keyName ?? property) : request.path[effect.parameter]
  const key = sent === undefined ? undefined : collection.toKey(sent)
  if (sent !== undefined) {
    if (key === undefined) {
      return new Refusal('invalid_request', `${property} must be a string or an integer, because it is the key`)
    }
    if (collection.get(key)) {
      return new Refusal('conflict', `A record with ${property} ${shorten(String(key))} already exists`)
    }
  }
  const known = key === undefined ? undefined : toRecord(input, collection, given, key)
  const values = known ?? toNewRecord(input, collection, given)
  if (values instanceof Refusal) return values
  // `record.text()` would cache the text of a record that may never be read. A record that cannot be written is not added.
  const answer = toAnswer(input, () => textOfValues(input, values), values[property] as Key)
  if (!(answer instanceof Refusal)) collection.add(values)
  return answer
}

/** @returns undefined if the schema of records does not allow the key */
function toRecord(
  input: EffectInput<CreateEffect>,
  collection: Records,
  given: Values,
  key: Key,
): Values | Refusal | undefined {
  const { contract, effect, context } = input
  const { key: property } = modelOf(contract, effect.collection)
  const written = { ...fill(effect.fills, context.now), ...given, [property]: key }
  const values = toStorable(input, collection.place ? collection.place(written) : written)
  return values instanceof Refusal || values[property] === key ? values : undefined
}

/** Makes a record with a new key. */
function toNewRecord(input: EffectInput<CreateEffect>, collection: Records, given: Values): Values | Refusal {
  const { keyKind, keyPlan, key: property } = modelOf(input.contract, input.effect.collection)
  const key = keyPlan === undefined ? makeKey(collection, keyKind) : makeKeyByPlan(input, collection, keyPlan, keyKind)
  if (key !== undefined) return toRecord(input, collection, given, key) ?? refuseNotMade(input)
  return new Refusal('unavailable', `No ${property} ${keyPlan === undefined ? 'below 2^53 ' : ''}is left`)
}
