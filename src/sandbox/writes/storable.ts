/** What a record is stored with: the values of a request, and all that the service makes of them. */
import type { OwnKey, UniqueProperty } from '../../contract/contract.js'
import type { CreateEffect, KeyedEffect } from '../../contract/effects/effect.js'
import { shorten } from '../../contract/violations.js'
import { valueAt, withNested } from '../../json/nested.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { createRandom, toSeed } from '../../json/random.js'
import { makeValue } from '../../json/sampler/make-value.js'
import { toKey } from '../../state/stored-collection.js'
import type { Filter, StoredRecord, Values } from '../../state/stored-record.js'
import { Refusal } from '../outcome.js'
import { refuseState } from './chosen-values.js'
import { type EffectInput, storedOf } from './effect-input.js'
import { toValid } from './ensured.js'
import { withParts } from './parts.js'
import { refuseUnknown, withReferences } from './references.js'
import { isRemoved } from './sampled-record.js'
import { withEvents, withNestedWritten } from './service-written.js'

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
  const nested = effect.nested ? withNestedWritten(given, effect.nested, context.now, before) : given
  const timed = model.events ? withEvents(input, nested, before) : nested
  const named = model.ownKeys || model.unique ? withOwnKeys(input, timed, before) : timed
  if (named instanceof Refusal) return named
  const referring = withReferences(input, named, before)
  const parted = model.parts ? withParts(input, referring, before, toStorable) : referring
  const keyed = model.nestedKeys ? withNestedKeys(input, parted, before) : parted
  // What shows the key never changes alone.
  const { key, keyPointer } = model
  const shown = keyPointer && key in given ? withNested(keyed, keyPointer, given[key]) : keyed
  return toValid(input, shown, before)
}

type ChangeInput = EffectInput<CreateEffect | KeyedEffect>

/**
 * The values with the further keys of a record: the same ones for the same key and owners.
 * @returns a refusal if a value that must be unique is that of another record
 */
function withOwnKeys(input: ChangeInput, values: Values, before: Values | undefined): Values | Refusal {
  const { contract, model, effect, context } = input
  const { name, key, scope = [], ownKeys = [], unique = [] } = model
  const taken = unique.find((each) => findHolder(input, each, values, before))?.property
  if (taken) return new Refusal('conflict', `A record with ${taken} ${shorten(String(values[taken]))} already exists`)
  // What an action removes, it makes again, another one each time.
  const isMade = ({ property }: OwnKey) => !before || (effect.kind === 'action' && Object.hasOwn(before, property))
  const missing = ownKeys.filter((own) => !Object.hasOwn(values, own.property) && isMade(own))
  if (missing.length === 0) return values
  const owners = scope.map(({ property }) => String(ownValue(values, property)))
  const made = missing.map((own): [string, unknown] => {
    const time = before ? [context.now, context.seed] : []
    const seed = toSeed(JSON.stringify([name, own.property, String(values[key]), ...owners, ...time]))
    return [own.property, keyOf(contract, own, seed, values[key])]
  })
  return { ...values, ...Object.fromEntries(made) }
}

/** The values with keys for the objects in their lists that have none, and for an object beside the key. */
function withNestedKeys({ contract, model, context }: ChangeInput, values: Values, before?: Values): Values {
  const { name, key, nestedKeys = [] } = model
  const lists = nestedKeys.map((nested): [string, unknown] => {
    const { list, property } = nested
    const items = ownValue(values, list)
    const isNew = (item: unknown) => isObject(item) && ownValue(item, property) == null
    if (isObject(items) && isNew(items)) {
      const was = valueAt(before ?? {}, [list, property])
      const seed = toSeed(JSON.stringify([name, list, property, String(values[key]), context.now]))
      return [list, { ...items, [property]: was ?? keyOf(contract, nested, seed) }]
    }
    if (!Array.isArray(items) || !items.some(isNew)) return [list, items]
    const keyed = items.map((item, index) => {
      const seed = toSeed(JSON.stringify([name, list, String(values[key]), context.now, context.seed, index]))
      return isNew(item) ? { ...item, [property]: keyOf(contract, nested, seed) } : item
    })
    return [list, keyed]
  })
  const known = lists.filter(([, items]) => items !== undefined)
  return known.length === 0 ? values : { ...values, ...Object.fromEntries(known) }
}

/** @param known the key of the record, whose number another key may have */
function keyOf(
  { plans }: ChangeInput['contract'],
  { keyKind, keyPlan }: OwnKey,
  seed: number,
  known?: unknown,
): unknown {
  if (keyPlan !== undefined) return makeValue(plans, keyPlan, { random: createRandom(seed) })
  return toKey(typeof known === 'number' ? known : seed >>> 1, keyKind)
}

/** The record that has a unique value of a request already. */
export function findTaken(input: ChangeInput, given: Values): StoredRecord | undefined {
  return input.model.unique?.flatMap((each) => findHolder(input, each, given) ?? [])[0]
}

/** The other record below the same owners that has the value. */
function findHolder(
  { contract, world, server, effect, model }: ChangeInput,
  { property, examples }: UniqueProperty,
  values: Values,
  before?: Values,
): StoredRecord | undefined {
  const value = ownValue(values, property)
  if (value == null || value === (before && ownValue(before, property))) return undefined
  const stored = storedOf(contract, world, server, effect.collection)
  const owners = (model.scope ?? []).filter((each) => ownValue(values, each.property) !== undefined)
  const filters = [property, ...owners.map((each) => each.property)].map(
    (name): Filter => ({ property: name, values: [ownValue(values, name)] }),
  )
  // A documented creation works in a fresh world.
  const isExample = (record: StoredRecord) => examples.includes(value) && stored.context.base.records.includes(record)
  return stored
    .select(filters)
    .find((record) => record.values[model.key] !== values[model.key] && !isRemoved(record) && !isExample(record))
}
