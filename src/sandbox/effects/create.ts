/** The effect `create`: adds a record with its key and the other properties that the service writes. */
import type { CollectionModel } from '../../contract/contract.js'
import type { CreateEffect } from '../../contract/effect.js'
import { shorten } from '../../contract/violations.js'
import { ownValue } from '../../json/own-value.js'
import { makeKey } from '../../state/make-record-key.js'
import type { StoredCollection } from '../../state/stored-collection.js'
import type { Key, Values } from '../../state/stored-record.js'
import { fill } from '../fill-properties.js'
import { type Outcome, Refusal } from '../outcome.js'
import { type EffectInput, modelOf } from './effect.js'
import { refuseNotMade, textOfValues, toStorable } from './ensured.js'
import { toAnswer, toValues } from './existing-record.js'
import { makeKeyByPlan } from './make-key-by-plan.js'

export function create(input: EffectInput<CreateEffect>): Outcome {
  const { contract, effect, world, server, request } = input
  const collection = world.collection(effect.collection, server)
  const model = modelOf(contract, effect.collection)
  const { key: property } = model
  const given = request.body.codec ? toValues(request.body.value) : {}
  if (given instanceof Refusal) return given
  const sent = ownValue(given, property)
  const key = sent === undefined ? undefined : collection.toKey(sent)
  if (sent !== undefined) {
    if (key === undefined) {
      return new Refusal('invalid_request', `${property} must be a string or an integer, because it is the key`)
    }
    if (collection.get(key)) {
      return new Refusal('conflict', `A record with ${property} ${shorten(String(key))} already exists`)
    }
  }
  const known = key === undefined ? undefined : toRecord(input, model, given, key)
  const values = known ?? toNewRecord(input, model, collection, given)
  if (values instanceof Refusal) return values
  // `record.text()` would cache the text of a record that may never be read. A record that cannot be written is not added.
  const answer = toAnswer(input, () => textOfValues(input, values))
  if (!(answer instanceof Refusal)) collection.add(values)
  return answer
}

/** @returns undefined if the schema of records does not allow the key */
function toRecord(
  input: EffectInput<CreateEffect>,
  { key: property }: CollectionModel,
  given: Values,
  key: Key,
): Values | Refusal | undefined {
  const { effect, context } = input
  const values = toStorable(input, { ...fill(effect.fills, context.now), ...given, [property]: key })
  return values instanceof Refusal || values[property] === key ? values : undefined
}

/** Makes a record with a new key. */
function toNewRecord(
  input: EffectInput<CreateEffect>,
  model: CollectionModel,
  collection: StoredCollection,
  given: Values,
): Values | Refusal {
  const { keyKind, keyPlan, key: property } = model
  const key = keyPlan === undefined ? makeKey(collection, keyKind) : makeKeyByPlan(input, collection, keyPlan, keyKind)
  if (key !== undefined) return toRecord(input, model, given, key) ?? refuseNotMade(input)
  return new Refusal('unavailable', `No ${property} ${keyPlan === undefined ? 'below 2^53 ' : ''}is left`)
}
