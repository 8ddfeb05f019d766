/** Shared by effects: makes answers and stored records satisfy their schemas. */
import type { CreateEffect, KeyedEffect, ListEffect } from '../../contract/effects/effect.js'
import type { Ensure } from '../../contract/effects/ensure.js'
import { copyValue } from '../../json/copy.js'
import type { ExactValue } from '../../json/exact-value.js'
import { ownValue } from '../../json/own-value.js'
import { pickByShape, pruneByShape } from '../../json/prune-by-shape.js'
import { toSeed } from '../../json/random.js'
import { toRounded } from '../../json/rounding.js'
import { derive } from '../../json/sampler/derive.js'
import { toTyped } from '../../json/typed-value.js'
import { writeByShape } from '../../json/write-by-shape.js'
import type { StoredRecord, Values } from '../../state/stored-record.js'
import { stamp } from '../http/entity-tag.js'
import { Refusal } from '../outcome.js'
import { refuseNotMade } from '../responses/write-answer.js'
import type { EffectInput } from './effect-input.js'
import { ensureValue } from './sampler.js'
import { withMade } from './service-written.js'

type RecordEffect = ListEffect | CreateEffect | KeyedEffect

/**
 * The values of a record, made valid.
 * @param before the values before a change: required properties that the change leaves out keep them
 * @returns a refusal if no valid record can be made
 */
export function toValid(
  input: EffectInput<CreateEffect | KeyedEffect>,
  values: Values,
  before?: Values,
): Values | Refusal {
  const { model, context, contract } = input
  const { ensure, made } = model
  const complete = (each: Values) => {
    const stamped = stamp(contract, model, made ? withMade(model, each, before) : each)
    return ensure ? ensureValues(input, ensure, stamped, context.seed, before, context.now) : stamped
  }
  const valid = complete(values)
  // What the schema requires has values now.
  return made && !(valid instanceof Refusal) ? complete(valid) : valid
}

/** A new record with what follows from its other values. What the request gives stays. */
export function withDerived(
  { model, context, contract }: EffectInput<CreateEffect>,
  values: Values,
  given: Values,
): Values {
  const { ensure, key, otherKeys = [], ownKeys = [] } = model
  if (!ensure) return values
  const isGiven = (name: string) => name === key || Object.hasOwn(given, name)
  // Numbers of paths are keys, also under another name.
  const isNumber = (name: string) => typeof values[name] === 'number'
  const isOwn = (name: string) => ownKeys.some(({ property }) => property === name)
  const named = isNumber(key) ? otherKeys.filter((name) => isNumber(name) && !isGiven(name) && !isOwn(name)) : []
  const keyed =
    named.length > 0 ? { ...values, ...Object.fromEntries(named.map((name) => [name, values[key]])) } : values
  const derived = derive(contract.plans, ensure.plan, keyed, { now: context.now, isNew: true, isGiven }) as Values
  const isValid =
    derived !== values && contract.validators[ensure.validate]?.(toRounded(derived as ExactValue)) === true
  return isValid ? derived : values
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
  const { effect, model } = input
  const { ensure, collection } = effect
  const values = withAliases(effect, stored)
  if (!ensure) return withoutHidden(input, values)
  // Seeded by the key, so that a record has the same values in each answer.
  const { key } = model
  const seed = toSeed(`${collection} ${String(values[key])}`)
  const ensured = ensureValues(input, ensure, values, seed)
  if (ensured instanceof Refusal) return undefined
  if (ensured[key] === values[key]) return withoutHidden(input, ensured)
  // A key may be a string in one answer and a number in another.
  const typed = typeof values[key] === 'string' ? Number(values[key]) : String(values[key])
  const other = ensureValues(input, ensure, { ...values, [key]: typed }, seed)
  return withoutHidden(input, other instanceof Refusal || other[key] !== typed ? ensured : other)
}

/** The values without those that no body shows. */
export function withoutHidden({ effect: { hidden } }: EffectInput<RecordEffect>, values: Values): Values {
  if (!hidden || hidden.length === 0) return values
  return Object.fromEntries(Object.entries(values).filter(([name]) => !hidden.includes(name)))
}

/** The values with those that a body shows under another name. */
function withAliases({ aliases = [] }: RecordEffect, values: Values): Values {
  if (aliases.length === 0) return values
  const shown = aliases.flatMap(([name, own, types]): [string, unknown][] => {
    const value = ownValue(values, own)
    return value === undefined ? [] : [[name, types ? toTyped(value, types) : value]]
  })
  return { ...values, ...Object.fromEntries(shown) }
}

/** Makes the visible part of the values valid. Hidden values stay unchanged. */
function ensureValues(
  input: EffectInput<RecordEffect>,
  ensure: Ensure,
  values: Values,
  seed: number,
  before?: Values,
  now?: number,
): Values | Refusal {
  const { contract } = input
  const visible = copyValue(withoutHidden(input, values))
  pruneByShape(visible, contract.shapes, ensure.shape, () => {})
  const ensured = ensureValue(contract, ensure, visible, seed, before, now)
  if (ensured === visible) return values
  if (typeof ensured !== 'object' || ensured === null) return refuseNotMade(input)
  const hidden = Object.entries(values).filter(([name]) => !Object.hasOwn(visible, name))
  return { ...Object.fromEntries(hidden), ...ensured }
}
