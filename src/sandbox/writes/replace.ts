/** The effect `replace`: keeps the properties that the service writes, and takes all others from the body. */
import type { KeyedEffect } from '../../contract/effects/effect.js'
import { type Outcome, Refusal } from '../outcome.js'
import { changeRecord, keepReadOnly } from './change-record.js'
import type { EffectInput } from './effect-input.js'
import { givenValues } from './given-values.js'
import { fill, keptValues } from './service-written.js'
import { refuseBroken } from './update.js'

export function replace(input: EffectInput<KeyedEffect>): Outcome {
  const { effect, context } = input
  const given = givenValues(input)
  if (given instanceof Refusal) return given
  return changeRecord(input, (values) => {
    const written = { ...fill(effect.serviceWritten, context.now, given), ...keptValues(values, effect.serviceWritten) }
    const changed = keepReadOnly(input, { ...values, ...written }, { ...written, ...given })
    return refuseBroken(input, values, changed) ?? changed
  })
}
