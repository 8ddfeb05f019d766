/** The effect `undescribed`: the document describes no success response. */
import type { UndescribedEffect } from '../../contract/effects/effect.js'
import { Refusal } from '../outcome.js'
import type { EffectInput } from './effect-input.js'

export function undescribed({ operation: { method, path } }: EffectInput<UndescribedEffect>): Refusal {
  return new Refusal('not_described', `The document describes no success response for ${method} ${path}`)
}
