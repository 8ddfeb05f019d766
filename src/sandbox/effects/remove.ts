/** The effect `remove`: removes one record, and may answer with it. */
import type { KeyedEffect } from '../../contract/effect.js'
import { StoredRecord } from '../../state/stored-record.js'
import { fill } from '../fill-properties.js'
import { type Outcome, Refusal } from '../outcome.js'
import type { EffectInput } from './effect.js'
import { findRecord, showRecord } from './existing-record.js'
import { removeRecord } from './sampled-record.js'

export function remove(input: EffectInput<KeyedEffect>): Outcome {
  const found = findRecord(input)
  if (found instanceof Refusal) return found
  const { sets } = input.effect
  const { values } = found.record
  const shown = sets ? new StoredRecord({ ...values, ...fill(sets, input.context.now, values) }) : found.record
  const answer = showRecord(input, shown)
  if (answer instanceof Refusal) return answer
  removeRecord(input, found.collection, found.key)
  input.nesting?.removeBelow(input, input.effect.collection, values)
  return answer
}
