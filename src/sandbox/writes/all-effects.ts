/** Every effect, for contracts that are compiled when the program starts. */
import { list } from '../lists/list.js'
import type { Outcome } from '../outcome.js'
import { action } from './change-record.js'
import { create } from './create.js'
import type { ApplyEffect, EffectInput, Effects } from './effect-input.js'
import { example, undescribed } from './example.js'
import { remove } from './remove.js'
import { read } from './show-record.js'
import { replace, update } from './update.js'

export const allEffects: Required<Effects> = {
  ...{ list, create, read, replace, update, remove, action, example, undescribed },
}

export function applyEffect(input: EffectInput): Outcome {
  const { effect } = input
  return (allEffects[effect.kind] as ApplyEffect<typeof effect>)(input)
}
