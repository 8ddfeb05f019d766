/** The effect `create`: adds a record with its key and the other properties that the service writes. */
import type { CreateEffect } from '../../contract/contract.js'
import { shorten } from '../../contract/violations.js'
import { ownValue } from '../../json/own-value.js'
import { writeByShape } from '../../json/write-by-shape.js'
import { makeKey } from '../../state/make-record-key.js'
import { fill } from '../fill-properties.js'
import { type Outcome, Refusal } from '../outcome.js'
import { type EffectInput, modelOf } from './effect.js'
import { toAnswer, toValues } from './existing-record.js'

export function create({ contract, effect, world, server, request, context }: EffectInput<CreateEffect>): Outcome {
  const collection = world.collection(effect.collection, server)
  const { key: property, keyKind } = modelOf(contract, effect.collection)
  const given = request.body.codec ? toValues(request.body.value) : {}
  if (given instanceof Refusal) return given
  const sent = ownValue(given, property)
  const key = sent === undefined ? makeKey(collection, keyKind) : collection.toKey(sent)
  if (key === undefined && sent !== undefined) {
    return new Refusal('invalid_request', `${property} must be a string or an integer, because it is the key`)
  }
  if (key === undefined) {
    return new Refusal('unavailable', `No ${property} below 2^53 is left`)
  }
  if (sent !== undefined && collection.get(key)) {
    return new Refusal('conflict', `A record with ${property} ${shorten(String(key))} already exists`)
  }
  const values = { ...fill(effect.fills, context.now), ...given, [property]: key }
  // `record.text()` would cache the text of a record that may never be read. A record that cannot be written is not added.
  const answer = toAnswer(effect, () => writeByShape(values, contract.shapes, effect.shape))
  collection.add(values)
  return answer
}
