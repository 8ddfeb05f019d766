/** Shared by effects: makes answers and stored records satisfy their schemas. */
import type { CreateEffect, KeyedEffect, ListEffect } from '../../contract/effects/effect.js'
import type { Ensure } from '../../contract/effects/ensure.js'
import { copyValue } from '../../json/copy.js'
import type { ExactValue } from '../../json/exact-value.js'
import { pickByShape, pruneByShape } from '../../json/prune-by-shape.js'
import { toSeed } from '../../json/random.js'
import { writeByShape } from '../../json/write-by-shape.js'
import type { StoredRecord, Values } from '../../state/stored-record.js'
import { Refusal } from '../outcome.js'
import { refuseNotMade } from '../responses/write-answer.js'
import type { EffectInput } from './effect-input.js'

type RecordEffect = ListEffect | CreateEffect | KeyedEffect

/**
 * The values that a record is stored with.
 * @param before the values before a change: required properties that the change leaves out keep them
 * @returns a refusal if no valid record can be made
 */
export function toStorable(
  input: EffectInput<CreateEffect | KeyedEffect>,
  values: Values,
  before?: Values,
): Values | Refusal {
  const { model, context, sampler, contract } = input
  const { ensure } = model
  const stamped = sampler ? sampler.stamp(contract, model, values) : values
  return ensure ? ensureValues(input, ensure, stamped, context.seed, before) : stamped
}

/** The JSON text of a record in a response. @returns undefined if no valid one can be made */
export function textOf(input: EffectInput<RecordEffect>, record: StoredRecord): string | undefined {
  const { contract, effect } = input
  const { ensure, shape } = effect
  if (!ensure && !effect.hidden && !effect.aliases) return record.text(contract.shapes, shape)
  return record.textBy(ensure ? -1 - ensure.validate : shape, () => {
    const shown = shownValues(input, record.values)
    return shown && writeByShape(shown as ExactValue, contract.shapes, shape)
  })
}

/** The properties of a record that a response shows. Uses the stored values if no valid record can be made. */
export function shownBy(input: EffectInput<RecordEffect>, { values }: StoredRecord): Values {
  const shown = shownValues(input, values) ?? values
  return pickByShape(shown as ExactValue, input.contract.shapes, input.effect.shape) as Values
}

/** The values of a record that a response shows, including those outside its shape. */
export function shownValues(input: EffectInput<RecordEffect>, stored: Values): Values | undefined {
  const { effect, model, relations } = input
  const { ensure, collection } = effect
  const values = relations ? relations.rename(effect, stored) : stored
  if (!ensure) return withoutHidden(input, values)
  // Seeded by the key, so that a record has the same values in each answer.
  const { key } = model
  const seed = toSeed(`${collection} ${String(values[key])}`)
  const ensured = ensureValues(input, ensure, values, seed)
  if (ensured instanceof Refusal) return undefined
  const toEnsured = (others: Values) => ensureValues(input, ensure, others, seed)
  const shown = ensured[key] === values[key] ? ensured : (relations?.withOtherKey(values, key, toEnsured) ?? ensured)
  return withoutHidden(input, shown)
}

/** The values without those that no body shows. */
export function withoutHidden({ effect, relations }: EffectInput<RecordEffect>, values: Values): Values {
  return relations ? relations.hide(effect, values) : values
}

/** Makes the visible part of the values valid. Hidden values stay unchanged. */
function ensureValues(
  input: EffectInput<RecordEffect>,
  ensure: Ensure,
  values: Values,
  seed: number,
  before?: Values,
): Values | Refusal {
  const { contract, sampler } = input
  if (!sampler) return values
  const visible = copyValue(withoutHidden(input, values))
  pruneByShape(visible, contract.shapes, ensure.shape, () => {})
  const ensured = sampler.ensure(contract, ensure, visible, seed, before)
  if (ensured === visible) return values
  if (typeof ensured !== 'object' || ensured === null) return refuseNotMade(input)
  const hidden = Object.entries(values).filter(([name]) => !Object.hasOwn(visible, name))
  return { ...Object.fromEntries(hidden), ...ensured }
}
