/** The effect `replace`: what the service itself writes stays; everything else is as the body has it. */
import type { KeyedEffect } from '../../contract/contract.js'
import { fill, keptValues } from '../fill.js'
import { type Outcome, Refusal } from '../outcome.js'
import type { EffectInput } from './effect.js'
import { changeRecord, toValues } from './keyed.js'

export function replace(input: EffectInput<KeyedEffect>): Outcome {
  const { effect, request, context } = input
  const given = request.body.codec ? toValues(request.body.value) : {}
  if (given instanceof Refusal) return given
  return changeRecord(input, (values) => ({
    ...fill(effect.fills, context.now),
    ...keptValues(values, effect.fills),
    ...given,
  }))
}
