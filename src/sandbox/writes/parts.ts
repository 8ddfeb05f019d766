/** Keeps lists of a record equal to the records below it: its list `items`, and `/orders/{orderId}/items`. */
import type { PartList } from '../../contract/contract.js'
import type { CreateEffect, KeyedEffect } from '../../contract/effects/effect.js'
import type { ExactValue } from '../../json/exact-value.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { isSameJson } from '../../json/same-json.js'
import type { Key, Values } from '../../state/stored-record.js'
import { Refusal } from '../outcome.js'
import { type EffectInput, modelOf, storedOf } from './effect-input.js'
import { toValid } from './ensured.js'
import { givenValue } from './given-values.js'
import { shownValues, withItems, without } from './links.js'
import { isRemoved } from './sampled-record.js'
import { makeKey } from './sampler.js'
import { fill } from './service-written.js'

type ChangeInput = EffectInput<CreateEffect | KeyedEffect>
type ToStorable = (input: ChangeInput, values: Values) => Values | Refusal

/**
 * The values of a record, whose lists are stored as records below it.
 * @param before the values before a change
 * @param toStorable what a record that is created alone is stored with
 */
export function withParts(
  input: ChangeInput,
  values: Values,
  before: Values | undefined,
  toStorable: ToStorable,
): Values {
  const { contract, world, server, model } = input
  let changed = values
  for (const part of model.parts ?? []) {
    const { property, collection, owners, isSingle, from, isSent, inner, creates } = part
    const value = ownValue(values, property)
    const were = before && ownValue(before, property)
    if (value == null || (were !== undefined && isSameJson(value as ExactValue, were as ExactValue))) continue
    const list = inner && isObject(value) ? ownValue(value, inner.list) : value
    const items = isSingle ? [from === undefined ? value : { [from]: value }] : list
    if (!Array.isArray(items)) continue
    if (isSent) changed = without(changed, property)
    if (isSent && before) continue
    const below = modelOf(contract, collection)
    const stored = storedOf(contract, world, server, collection)
    const above = Object.fromEntries(owners.map(([own, other]) => [own, values[other]]))
    const within = below.scope?.map((each) => above[each.property])
    const effect = { ...input.effect, hidden: below.hidden ?? [] }
    const kept = new Set<Key>()
    const store = (item: unknown): unknown => {
      if (!isObject(item)) return item
      const key = (isSingle ? '' : stored.toKey(ownValue(item, below.key))) ?? makeKey(contract, below, stored)
      if (key === undefined || kept.has(key)) return item
      const known = stored.get(key, within)
      const named = { ...above, [below.key]: key }
      const record =
        creates && !known
          ? toStorable(...toNew(input, part, creates, item, named))
          : toValid({ ...input, model: below, effect } as typeof input, {
              ...(from !== undefined && known?.values),
              ...item,
              ...named,
            })
      if (record instanceof Refusal || record[below.key] !== key) return item
      kept.add(key)
      if (!stored.replace(key, record, within)) stored.add(record)
      return shownValues(record)
    }
    const shown = items.map(store)
    if (isSingle || isSent) continue
    changed = withItems(changed, property, shown, inner)
    const filters = Object.entries(above).map(([name, value]) => ({ property: name, values: [value] }))
    for (const record of before ? stored.select(filters) : []) {
      const key = record.values[below.key] as Key
      if (!kept.has(key) && !isRemoved(record)) stored.remove(key, within)
    }
  }
  return changed
}

/** The record that is made of an item, as if it were created alone. @param named its key, and those of its owners */
function toNew(
  input: ChangeInput,
  { collection }: PartList,
  creates: CreateEffect,
  item: Values,
  named: Values,
): [EffectInput<CreateEffect>, Values] {
  const { contract, context, request } = input
  // What the path of its own creation has is not in this one.
  const { given: _, ...effect } = creates
  const one: EffectInput<CreateEffect> = {
    ...{ ...input, effect, model: modelOf(contract, collection) },
    request: { ...request, body: { ...request.body, value: item } },
  }
  const given = givenValue(one)
  const sent = isObject(given) ? given : item
  return [one, { ...fill(effect.serviceWritten, context.now, sent), ...sent, ...named }]
}
