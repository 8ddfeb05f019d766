/** Links between records: a property of one has a list that names records of another collection. */
import type { InnerList, KeyedEffect, PropertyLink, ShownList } from '../../contract/effects/effect.js'
import { valueAt, withNested } from '../../json/nested.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { isPathProperty } from '../../json/path-property.js'
import type { Key, Values } from '../../state/stored-record.js'
import { Refusal } from '../outcome.js'
import { type EffectInput, modelOf } from './effect-input.js'
import { toValid } from './ensured.js'
import type { PlacedLink, Records } from './records.js'
import { sampleRecord, storeRecord } from './sampled-record.js'

/** The record of the parameter, in its collection. */
export interface LinkOwner {
  collection: string
  records: Records
  key: Key
}

export function openLink(
  input: EffectInput,
  property: string,
  link: PropertyLink & Partial<ShownList>,
  owner: LinkOwner,
): PlacedLink {
  const { key, isRecord, isSingle, from, inner } = link
  const keyed = ofOwner(input, owner)
  const { model } = keyed
  const { records } = owner
  const ownerValues = (): Values =>
    (records.get(owner.key) ?? sampleRecord(keyed, records, owner.key))?.values ?? { [model.key]: owner.key }
  const change = (values: Values, other: Values, isLinked: boolean): Values => {
    if (isSingle) {
      const value = from === undefined ? shownValues(other) : ownValue(other, from)
      return isLinked ? { ...values, [property]: value } : without(values, property)
    }
    const items = itemsOf(values, property, inner)
    const at = items.findIndex((each) => keyIn(each, key) === String(other[key]))
    if (!isLinked) return withItems(values, property, withoutNamed(items, key, other[key]), inner)
    const item = isRecord ? shownValues(other) : other[key]
    return withItems(values, property, at < 0 ? [...items, item] : items.with(at, item), inner)
  }
  if (link.in === 'records') {
    return {
      id: String(ownerValues()[key]),
      has: (values) => itemsOf(values, property, inner).some((item) => keyIn(item, key) === String(ownerValues()[key])),
      toLinked: (values, isLinked) => change(values, ownerValues(), isLinked),
      write: () => undefined,
    }
  }
  let named: Set<string> | undefined
  return {
    id: `${owner.key} ${records.stateId}`,
    has(values) {
      named ??= new Set(itemsOf(ownerValues(), property, inner).map((item) => keyIn(item, key)))
      return named.has(String(values[key]))
    },
    toLinked: (values) => values,
    write(values, isLinked) {
      named = undefined
      const before = ownerValues()
      const toChanged = (other: Values) => toValid(keyed, change(before, other, isLinked), before)
      const whole = toChanged(values)
      const isNamed = (item: unknown) => keyIn(item, key) === String(values[key])
      const isLost = isRecord && !isSingle && isLinked && !(whole instanceof Refusal)
      // The list may describe records in another way than their own schema, so that only their key fits.
      const isOther = isLost && !itemsOf(whole, property, inner).some(isNamed)
      const changed = isOther ? toChanged({ [key]: values[key] }) : whole
      if (!(changed instanceof Refusal)) storeRecord(records, owner.key, changed)
    },
  }
}

/** The same request, for the record that its path is below. */
function ofOwner(input: EffectInput, { collection }: LinkOwner): EffectInput<KeyedEffect> {
  const model = modelOf(input.contract, collection)
  return { ...input, model, effect: { ...input.effect, hidden: model.hidden ?? [] } as KeyedEffect }
}

/** Writes how many records are below an owner into a property of it. */
export function openCount(input: EffectInput, pointer: readonly string[], owner: LinkOwner): (size: number) => void {
  const { records, key } = owner
  const keyed = ofOwner(input, owner)
  return (size) => {
    const before = records.get(key)?.values
    if (!before || valueAt(before, pointer) === size) return
    const changed = toValid(keyed, withNested(before, pointer, size), before)
    if (!(changed instanceof Refusal)) storeRecord(records, key, changed)
  }
}

/** The items of a list that do not name a record. @param key the property of an item that names it, if it is an object */
export function withoutNamed(items: unknown[], key: string, named: unknown): unknown[] {
  return items.filter((item) => keyIn(item, key) !== String(named))
}

export function itemsOf(values: Values, property: string, inner?: InnerList): unknown[] {
  const value = ownValue(values, property)
  // A request may have the list in place of the object around it.
  return [(inner && isObject(value) ? ownValue(value, inner.list) : value) ?? []].flat()
}

/** The values with a list, in the object around it if there is one. */
export function withItems(values: Values, property: string, items: unknown[], inner?: InnerList): Values {
  if (!inner) return { ...values, [property]: items }
  const { list, count } = inner
  const around = ownValue(values, property)
  const object = {
    ...(isObject(around) && around),
    [list]: items,
    ...(count !== undefined && { [count]: items.length }),
  }
  return { ...values, [property]: object }
}

/** The key that an item of a list is, or has. */
export function keyIn(item: unknown, key: string): string {
  return String(isObject(item) ? ownValue(item, key) : item)
}

/** The values that bodies show. */
export function shownValues(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isPathProperty(name)))
}

export function without(values: Values, property: string): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== property))
}
