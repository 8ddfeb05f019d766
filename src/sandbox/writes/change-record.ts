/** Changes the record that a request names, and the effect `action`, which makes the changes that the document describes. */
import type { CreateEffect, KeyedEffect } from '../../contract/effects/effect.js'
import { isUnchanging } from '../../contract/effects/is-unchanging.js'
import { shorten } from '../../contract/violations.js'
import type { ExactValue } from '../../json/exact-value.js'
import { keepHidden } from '../../json/keep-hidden.js'
import { ownValue } from '../../json/own-value.js'
import { isSameJson } from '../../json/same-json.js'
import { withinOf } from '../../state/identity.js'
import { type Key, StoredRecord, type Values } from '../../state/stored-record.js'
import { type Outcome, Refusal } from '../outcome.js'
import { withChosen } from './chosen-values.js'
import { create } from './create.js'
import { type EffectInput, storedOf } from './effect-input.js'
import { withoutHidden } from './ensured.js'
import { findRecord, keyOf, noteUnchanged } from './existing-record.js'
import { givenValues } from './given-values.js'
import { openRecords } from './open-records.js'
import { isRemoved, removeRecord, storeRecord } from './sampled-record.js'
import { fill } from './service-written.js'
import { showRecord } from './show-record.js'
import { toStorable } from './storable.js'

/** Replaces the values of the record, or returns a refusal. */
export function changeRecord(input: EffectInput<KeyedEffect>, change: (values: Values) => Values | Refusal): Outcome {
  const { context, contract, effect, operation } = input
  const found = findRecord(input)
  if (found instanceof Refusal) return effect.creates ? addMissing(input, found, change) : found
  const { values: before } = found.record
  const given = change(withoutHidden(input, before))
  const chosen = given instanceof Refusal ? given : withChosen(input, given, before)
  if (chosen instanceof Refusal) return chosen
  const changed = withHidden(effect, chosen, before)
  const isSame = isSameJson(before as ExactValue, changed as ExactValue)
  const again = isSame ? [] : effect.serviceWritten.filter((each) => each.again)
  const values = toStorable(input, { ...changed, ...fill(again, context.now, changed) }, before)
  if (values instanceof Refusal) return values
  if (isSame || isUnchanging(operation, contract)) noteUnchanged(input)
  return effect.renames
    ? rename(input, found, values)
    : showRecord(input, storeRecord(found.collection, found.key, values))
}

/** Stores a record under the key in the body, and what belongs to it. */
function rename(
  input: EffectInput<KeyedEffect>,
  { collection, key }: Exclude<ReturnType<typeof findRecord>, Refusal>,
  values: Values,
): Outcome {
  const { model } = input
  const sent = givenValues(input)
  const name = sent instanceof Refusal ? undefined : ownValue(sent, model.key)
  if (typeof name !== 'string' || name === key) return showRecord(input, storeRecord(collection, key, values))
  const taken = collection.get(name)
  if (taken && !isRemoved(taken))
    return new Refusal('conflict', `A record with ${model.key} ${shorten(name)} already exists`)
  removeRecord(input, collection, key)
  moveBelow(input, key, name)
  return showRecord(input, storeRecord(collection, name, { ...values, [model.key]: name }))
}

/** Lets the records that name a renamed one have its new key. */
function moveBelow({ contract, world, server, effect, model }: EffectInput<KeyedEffect>, key: Key, name: string): void {
  for (const each of contract.collections) {
    for (const { collection, isList, values: pairs } of each.links ?? []) {
      const [own] = pairs.find(([, other]) => other === model.key) ?? []
      if (collection !== effect.collection || isList || own === undefined) continue
      const stored = storedOf(contract, world, server, each.name)
      for (const { values } of stored.select([{ property: own, values: [key] }])) {
        stored.remove(values[each.key] as Key, stored.context.scope && withinOf(values, stored.context.scope))
        stored.add({ ...values, [own]: name })
      }
    }
  }
}

/** Changed values with those that no body shows, or that requests cannot have. */
function withHidden({ hidden = [], keeps = [] }: KeyedEffect, changed: Values, before: Values): Values {
  const isKept = (name: string) => hidden.includes(name) || (keeps.includes(name) && !Object.hasOwn(changed, name))
  return { ...changed, ...Object.fromEntries(Object.entries(before).filter(([name]) => isKept(name))) }
}

/** The changed values, with the previous values of the properties that only the service writes. */
export function keepReadOnly({ contract, effect }: EffectInput<KeyedEffect>, before: Values, changed: Values): Values {
  if (effect.writable === undefined) return changed
  return keepHidden(changed, before, contract.shapes, effect.writable) as Values
}

/** Adds the record that a change names and that does not exist yet. @param missing why it was not found */
function addMissing(
  input: EffectInput<KeyedEffect>,
  missing: Refusal,
  change: (values: Values) => Values | Refusal,
): Outcome {
  const { effect, model, context } = input
  const records = openRecords(input)
  const key = records instanceof Refusal ? undefined : records.toKey(keyOf(input, records))
  if (records instanceof Refusal || key === undefined) return missing
  // The path accepts any text, but the keys of records are numbers.
  if (model.keyKind === 'integer' && typeof key === 'string') return missing
  const given = change({})
  if (given instanceof Refusal) return given
  const { key: property } = model
  const written = { ...fill(effect.serviceWritten, context.now, given), ...given, [property]: key }
  const chosen = withChosen(input, records.place ? records.place(written) : written)
  const values = chosen instanceof Refusal ? chosen : toStorable(input, chosen)
  if (values instanceof Refusal) return values
  storeRecord(records, key, { ...values, [property]: key })
  const answer = showRecord(input, new StoredRecord(values))
  return answer instanceof Refusal ? answer : { ...answer, status: effect.creates ?? answer.status }
}

export function action(input: EffectInput<KeyedEffect>): Outcome {
  const { effect, context } = input
  const taken = effect.takes ? takenValues(input, effect.takes) : {}
  if (taken instanceof Refusal) return taken
  if (effect.copies) return copy(input, taken)
  return changeRecord(input, (values) => ({ ...values, ...taken, ...fill(effect.sets ?? [], context.now, values) }))
}

/** What the record gets of the values that were sent. */
function takenValues(input: EffectInput<KeyedEffect>, takes: NonNullable<KeyedEffect['takes']>): Values | Refusal {
  const given = givenValues(input)
  if (given instanceof Refusal) return given
  const taken = takes.map(([sent, own]) => [own, ownValue(given, sent)] as const)
  return Object.fromEntries(taken.filter(([, value]) => value !== undefined))
}

/** Creates a record with the values of another one. What only the service writes is new. */
function copy(input: EffectInput<KeyedEffect>, taken: Values): Outcome {
  const found = findRecord(input)
  if (found instanceof Refusal) return found
  const { effect, model, request } = input
  const own = [...effect.serviceWritten, ...(model.ownKeys ?? []), { property: model.key, owned: true }]
  const names = own.flatMap(({ property, ...each }) => ('owned' in each && !each.owned ? [] : [property]))
  const source = Object.entries(found.record.values).filter(([name]) => !names.includes(name))
  const { parameter: _, given: __, givenAliases: ___, ...others } = effect
  const body = { codec: { name: 'json' }, value: { ...Object.fromEntries(source), ...taken } } as typeof request.body
  return create({
    ...input,
    effect: { ...others, kind: 'create' } as CreateEffect,
    request: { ...request, body },
  })
}
