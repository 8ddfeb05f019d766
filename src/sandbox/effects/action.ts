/** The effect `action`: makes the changes that the document describes, and may answer with the record. */
import type { KeyedEffect } from '../../contract/effects/effect.js'
import type { Outcome } from '../outcome.js'
import type { EffectInput } from './effect-input.js'
import { changeRecord } from './existing-record.js'
import { fill } from './service-written.js'

export function action(input: EffectInput<KeyedEffect>): Outcome {
  const { effect, context } = input
  return changeRecord(input, (values) => ({ ...values, ...fill(effect.sets ?? [], context.now, values) }))
}
