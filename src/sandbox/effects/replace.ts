/** The effect `replace`: keeps the properties that the service writes, and takes all others from the body. */
import type { KeyedEffect } from '../../contract/contract.js'
import type { Values } from '../../state/stored-record.js'
import { fill, keptValues } from '../fill.js'
import type { Outcome } from '../outcome.js'
import type { EffectInput } from './effect.js'
import { changeRecord } from './keyed.js'

export function replace(input: EffectInput<KeyedEffect>): Outcome {
  const { effect, request, context } = input
  return changeRecord(input, (values) => ({
    ...fill(effect.fills, context.now),
    ...keptValues(values, effect.fills),
    ...(request.body.value as Values),
  }))
}
