/** Makes the further keys of new records, and refuses values that are another record's. Drops out with `relations.ts`. */

import type { CreateEffect, KeyedEffect } from '../../contract/effects/effect.js'
import { shorten } from '../../contract/violations.js'
import { ownValue } from '../../json/own-value.js'
import { createRandom, toSeed } from '../../json/random.js'
import { makeValue } from '../../json/sampler/make-value.js'
import type { Filter, StoredRecord, Values } from '../../state/stored-record.js'
import { Refusal } from '../outcome.js'
import type { EffectInput } from './effect-input.js'
import { storedOf } from './references.js'
import { isRemoved } from './sampled-record.js'

type ChangeInput = EffectInput<CreateEffect | KeyedEffect>

/**
 * The values with the further keys of a new record: the same ones for the same key and owners.
 * @returns a refusal if a value that must be unique is that of another record
 */
export function withOwnKeys(input: ChangeInput, values: Values, before: Values | undefined): Values | Refusal {
  const { contract, model } = input
  const { name, key, scope = [], ownKeys = [], unique = [] } = model
  if (unique.length > 0) {
    const taken = unique.find(({ property, examples }) => isTaken(input, property, examples, values, before))?.property
    if (taken) return new Refusal('conflict', `A record with ${taken} ${shorten(String(values[taken]))} already exists`)
  }
  if (before || ownKeys.length === 0) return values
  const owners = scope.map(({ property }) => String(ownValue(values, property)))
  const made = ownKeys.map(({ property, keyKind, keyPlan }): [string, unknown] => {
    const seed = toSeed(JSON.stringify([name, property, String(values[key]), ...owners]))
    if (keyPlan !== undefined) return [property, makeValue(contract.plans, keyPlan, createRandom(seed))]
    const number = typeof values[key] === 'number' ? values[key] : seed >>> 1
    return [property, keyKind === 'integer' ? number : String(number)]
  })
  return { ...values, ...Object.fromEntries(made.filter(([property]) => !Object.hasOwn(values, property))) }
}

/** Whether another record below the same owners has the value. */
function isTaken(
  { contract, world, server, effect, model }: ChangeInput,
  property: string,
  examples: readonly unknown[],
  values: Values,
  before: Values | undefined,
): boolean {
  const value = ownValue(values, property)
  if (value == null || value === (before && ownValue(before, property))) return false
  const stored = storedOf(contract, world, server, effect.collection)
  const owners = (model.scope ?? []).filter((each) => ownValue(values, each.property) !== undefined)
  const filters = [property, ...owners.map((each) => each.property)].map(
    (name): Filter => ({ property: name, values: [ownValue(values, name)] }),
  )
  // A documented creation works in a fresh world.
  const isExample = (record: StoredRecord) => examples.includes(value) && stored.context.base.records.includes(record)
  return stored
    .select(filters)
    .some((record) => record.values[model.key] !== values[model.key] && !isRemoved(record) && !isExample(record))
}
