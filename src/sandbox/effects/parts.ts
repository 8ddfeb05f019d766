/** Keeps lists of a record equal to the records below it: its list `items`, and `/orders/{orderId}/items`. */
import type { CreateEffect, KeyedEffect, ShownList } from '../../contract/effects/effect.js'
import type { ExactValue } from '../../json/exact-value.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { isPathProperty } from '../../json/path-property.js'
import { isSameJson } from '../../json/same-json.js'
import { makeKey } from '../../state/make-record-key.js'
import type { Key, Values } from '../../state/stored-record.js'
import { Refusal } from '../outcome.js'
import { type EffectInput, modelOf } from './effect-input.js'
import { toStorable } from './ensured.js'
import { type LinkOwner, openLink } from './links.js'
import type { PlacedLink } from './records.js'
import { storedOf } from './references.js'
import { isRemoved } from './sampled-record.js'

/** Where the record that a path is below shows those that are below it. */
export function openShown(input: EffectInput, shown: ShownList, owner: LinkOwner): PlacedLink {
  return openLink(input, shown.property, { ...shown, in: 'owner', isRecord: true }, owner)
}

/** The values of a record, whose lists are stored as records below it. @param before the values before a change */
export function withParts(
  input: EffectInput<CreateEffect | KeyedEffect>,
  values: Values,
  before: Values | undefined,
): Values {
  const { contract, world, server, sampler, model } = input
  let changed = values
  for (const { property, collection, owners, isSingle, from } of model.parts ?? []) {
    const value = ownValue(values, property)
    const items = isSingle && value != null ? [from === undefined ? value : { [from]: value }] : value
    const were = before && ownValue(before, property)
    if (!Array.isArray(items) || (were !== undefined && isSameJson(value as ExactValue, were as ExactValue))) continue
    const inner = modelOf(contract, collection)
    const stored = storedOf(contract, world, server, collection)
    const above = Object.fromEntries(owners.map(([own, other]) => [own, values[other]]))
    const within = inner.scope?.map((each) => above[each.property])
    const effect = { ...input.effect, hidden: inner.hidden ?? [] }
    const kept = new Set<Key>()
    const store = (item: unknown): unknown => {
      if (!isObject(item)) return item
      const key =
        (isSingle ? '' : stored.toKey(ownValue(item, inner.key))) ??
        (sampler ? sampler.makeKey(contract, inner, stored) : makeKey(stored, inner.keyKind))
      if (key === undefined || kept.has(key)) return item
      const was = from === undefined ? undefined : stored.get(key, within)?.values
      const given = { ...was, ...item, ...above, [inner.key]: key }
      const record = toStorable({ ...input, model: inner, effect } as typeof input, given)
      if (record instanceof Refusal || record[inner.key] !== key) return item
      kept.add(key)
      if (!stored.replace(key, record, within)) stored.add(record)
      return Object.fromEntries(Object.entries(record).filter(([name]) => !isPathProperty(name)))
    }
    const shown = items.map(store)
    if (isSingle) continue
    changed = { ...changed, [property]: shown }
    const filters = Object.entries(above).map(([name, value]) => ({ property: name, values: [value] }))
    for (const record of before ? stored.select(filters) : []) {
      const key = record.values[inner.key] as Key
      if (!kept.has(key) && !isRemoved(record)) stored.remove(key, within)
    }
  }
  return changed
}
