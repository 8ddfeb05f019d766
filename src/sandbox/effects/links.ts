/** Links between records: a property of one has a list that names records of another collection. */
import type { KeyedEffect, PropertyLink, ShownList } from '../../contract/effects/effect.js'
import { valueAt, withNested } from '../../json/nested.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { isPathProperty } from '../../json/path-property.js'
import type { Key, Values } from '../../state/stored-record.js'
import { Refusal } from '../outcome.js'
import { type EffectInput, modelOf } from './effect-input.js'
import { toStorable } from './ensured.js'
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
  const { key, isRecord, isSingle, from } = link
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
    if (!isLinked) return { ...values, [property]: withoutNamed(values, property, key, other[key]) }
    const item = isRecord ? shownValues(other) : other[key]
    const items = itemsOf(values, property)
    const at = items.findIndex((each) => keyIn(each, key) === String(other[key]))
    return { ...values, [property]: at < 0 ? [...items, item] : items.with(at, item) }
  }
  if (link.in === 'records') {
    return {
      id: String(ownerValues()[key]),
      has: (values) => itemsOf(values, property).some((item) => keyIn(item, key) === String(ownerValues()[key])),
      toLinked: (values, isLinked) => change(values, ownerValues(), isLinked),
      write: () => undefined,
    }
  }
  let named: Set<string> | undefined
  return {
    id: `${owner.key} ${records.stateId}`,
    has(values) {
      named ??= new Set(itemsOf(ownerValues(), property).map((item) => keyIn(item, key)))
      return named.has(String(values[key]))
    },
    toLinked: (values) => values,
    write(values, isLinked) {
      named = undefined
      const before = ownerValues()
      const changed = toStorable(keyed, change(before, values, isLinked), before)
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
    const changed = toStorable(keyed, withNested(before, pointer, size), before)
    if (!(changed instanceof Refusal)) storeRecord(records, key, changed)
  }
}

/** The items of a list that do not name a record. @param key the property of an item that names it, if it is an object */
export function withoutNamed(values: Values, property: string, key: string, named: unknown): unknown[] {
  return itemsOf(values, property).filter((item) => keyIn(item, key) !== String(named))
}

export function itemsOf(values: Values, property: string): unknown[] {
  return [ownValue(values, property) ?? []].flat()
}

function keyIn(item: unknown, key: string): string {
  return String(isObject(item) ? ownValue(item, key) : item)
}

function shownValues(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isPathProperty(name)))
}

function without(values: Values, property: string): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== property))
}
