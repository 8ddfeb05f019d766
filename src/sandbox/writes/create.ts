/** The effect `create`: adds a record with its key and the other properties that the service writes. */
import type { CollectionModel } from '../../contract/contract.js'
import type { CreateEffect } from '../../contract/effects/effect.js'
import { shorten } from '../../contract/violations.js'
import { ownValue } from '../../json/own-value.js'
import { type Key, StoredRecord, type Values } from '../../state/stored-record.js'
import { type Outcome, Refusal } from '../outcome.js'
import { refuseNotMade } from '../responses/write-answer.js'
import { withChosen } from './chosen-values.js'
import type { EffectInput } from './effect-input.js'
import { withDerived } from './ensured.js'
import { givenValues } from './given-values.js'
import { openRecords } from './open-records.js'
import type { Records } from './records.js'
import { isRemoved } from './sampled-record.js'
import { makeKey } from './sampler.js'
import { fill, keyOfValues } from './service-written.js'
import { showRecord } from './show-record.js'
import { findTaken, toStorable } from './storable.js'

export function create(input: EffectInput<CreateEffect>): Outcome {
  const { effect, model, request } = input
  const collection = openRecords(input)
  if (collection instanceof Refusal) return collection
  const { key: property } = model
  const given = givenValues(input)
  if (given instanceof Refusal) return given
  // A file that is sent again under its name replaces the one that has it.
  const named = input.described && ownValue(input.described, property)
  const sent =
    effect.parameter === undefined
      ? (named ?? ownValue(given, effect.keyName ?? property))
      : request.path[effect.parameter]
  const key = sent === undefined ? undefined : collection.toKey(sent)
  if (sent !== undefined && key === undefined)
    return new Refusal('invalid_request', `${property} must be a string or an integer, because it is the key`)
  const holder = key === undefined ? undefined : collection.get(key)
  const isHeld = holder && !isRemoved(holder)
  if (key !== undefined && !isHeld && effect.upserts === 404)
    return new Refusal('not_found', `There is no record with ${property} ${shorten(String(key))}`)
  if (isHeld && !effect.upserts && named === undefined)
    return new Refusal('conflict', `A record with ${property} ${shorten(String(key))} already exists`)
  const { existing: status } = effect
  const same = status && findTaken(input, given)
  if (status && same) return showRecord({ ...input, effect: { ...effect, status } }, same)
  const known = key === undefined ? undefined : toRecord(input, model, collection, given, key)
  const values = known ?? toNewRecord(input, model, collection, given)
  if (values instanceof Refusal) return values
  const made = values[property] as Key
  // A removed record may have left a mark under this key.
  if (!known || !collection.replace(made, values)) collection.add(values)
  // A copy: the stored record would cache its text, which may never be read again.
  return showRecord(input, new StoredRecord(values), made)
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
  // What a request may not give, such as a read-only time, the shape of its body has left out: `request/read-body.ts`.
  // The key stands first, as in records with a new one.
  const written = { [property]: key, ...fill(effect.serviceWritten, context.now, given), ...given, [property]: key }
  const chosen = withChosen(input, collection.place ? collection.place(written) : written)
  const values = chosen instanceof Refusal ? chosen : toStorable(input, chosen)
  if (values instanceof Refusal) return values
  return values[property] === key ? withDerived(input, values, given) : undefined
}

/** Makes a record with a new key. */
function toNewRecord(
  input: EffectInput<CreateEffect>,
  model: CollectionModel,
  collection: Records,
  given: Values,
): Values | Refusal {
  const { keyPlan, key: property } = model
  const key = makeKey(input.contract, model, collection, keyOfValues(model, given))
  if (key !== undefined) return toRecord(input, model, collection, given, key) ?? refuseNotMade(input)
  return new Refusal('unavailable', `No ${property} ${keyPlan === undefined ? 'below 2^53 ' : ''}is left`)
}
