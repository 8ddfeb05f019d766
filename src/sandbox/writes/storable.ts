/** What a record is stored with: the values of a request, and all that the service makes of them. */
import type { CreateEffect, KeyedEffect } from '../../contract/effects/effect.js'
import { withNested } from '../../json/nested.js'
import type { Values } from '../../state/stored-record.js'
import { Refusal } from '../outcome.js'
import { refuseState } from './chosen-values.js'
import type { EffectInput } from './effect-input.js'
import { toValid } from './ensured.js'
import { withNestedKeys, withOwnKeys } from './own-keys.js'
import { withParts } from './parts.js'
import { refuseUnknown, withReferences } from './references.js'
import { withEvents, withMade, withNestedWritten } from './service-written.js'

/**
 * @param before the values before a change
 * @returns a refusal if the document says that such a record is refused, or if no valid record can be made
 */
export function toStorable(
  input: EffectInput<CreateEffect | KeyedEffect>,
  sent: Values,
  before?: Values,
): Values | Refusal {
  const { model, effect, context, described } = input
  const refused = refuseUnknown(input) ?? refuseState(input, before)
  if (refused) return refused
  const given = described ? { ...sent, ...described } : sent
  const whole = effect.nested ? withNestedWritten(given, effect.nested, context.now, before) : given
  const timed = model.events ? withEvents(input, whole, before) : whole
  const named = model.ownKeys || model.unique ? withOwnKeys(input, timed, before) : timed
  if (named instanceof Refusal) return named
  const referring = withReferences(input, named, before)
  const made = model.made ? withMade(model, referring, before) : referring
  const parted = model.parts ? withParts(input, made, before, toStorable) : made
  const keyed = model.nestedKeys ? withNestedKeys(input, parted) : parted
  // What shows the key never changes alone.
  const { key, keyPointer } = model
  const shown = keyPointer && key in given ? withNested(keyed, keyPointer, given[key]) : keyed
  return toValid(input, shown, before)
}
