/** The effect `read`: answers with one record. */
import type { KeyedEffect } from '../../contract/effects/effect.js'
import { type Outcome, Refusal } from '../outcome.js'
import type { EffectInput } from './effect-input.js'
import { findRecord } from './existing-record.js'
import { showRecord } from './show-record.js'

export function read(input: EffectInput<KeyedEffect>): Outcome {
  const found = findRecord(input)
  return found instanceof Refusal ? found : showRecord(input, found.record)
}
