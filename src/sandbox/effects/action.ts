/** The effect `action`: changes what the document says that it changes, and may answer with the record. */
import type { KeyedEffect } from '../../contract/effect.js'
import type { Outcome } from '../outcome.js'
import type { EffectInput } from './effect.js'
import { changeRecord } from './existing-record.js'

export function action(input: EffectInput<KeyedEffect>): Outcome {
  const { effect, context } = input
  const set = (effect.sets ?? []).map(({ property, with: kind, value }) => [
    property,
    kind === 'now' ? new Date(context.now).toISOString() : value,
  ])
  return changeRecord(input, (values) => ({ ...values, ...Object.fromEntries(set) }))
}
