/** The effect `remove`: removes one record, and may answer with it. */
import type { KeyedEffect } from '../../contract/effects/effect.js'
import { StoredRecord } from '../../state/stored-record.js'
import { type Outcome, Refusal } from '../outcome.js'
import type { EffectInput } from './effect-input.js'
import { findRecord, showRecord } from './existing-record.js'
import { removeRecord } from './sampled-record.js'
import { fill } from './service-written.js'

export function remove(input: EffectInput<KeyedEffect>): Outcome {
  const found = findRecord(input)
  if (found instanceof Refusal) return found
  const { effect, context, relations } = input
  const { collection, key, record } = found
  const { values } = record
  const removed = effect.sets ? new StoredRecord({ ...values, ...fill(effect.sets, context.now, values) }) : record
  removeRecord(input, collection, key)
  relations?.removeBelow(input, effect.collection, values)
  return showRecord(input, removed)
}
