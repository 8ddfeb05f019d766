/** Records of collections that no operation lists or creates: every key has one, until it is removed. */
import type { KeyedEffect } from '../../contract/effects/effect.js'
import { parseExactJson } from '../../json/exact-json.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { removedMark } from '../../json/path-property.js'
import { type Key, StoredRecord, type Values } from '../../state/stored-record.js'
import { Refusal } from '../outcome.js'
import { type EffectInput, modelOf, storedOf } from './effect-input.js'
import { toValid } from './ensured.js'
import type { Records } from './records.js'

/**
 * Makes the record of a key that is not stored, the same one each time.
 * @param shown what its owner shows of it. @default the example
 * @returns undefined if there is none
 */
export function sampleRecord(
  input: EffectInput<KeyedEffect>,
  collection: Records,
  key: Key,
  shown?: Values,
): StoredRecord | undefined {
  const { key: property, sample } = input.model
  const typed = collection.toKey(key)
  if (sample === undefined || typed === undefined) return undefined
  // biome-ignore lint/plugin: an example of the document
  const example = parseExactJson(sample).exact
  const made = { ...(shown ?? (isObject(example) ? example : {})), [property]: typed }
  // What the path names is not that of the example.
  const values = toValid(input, collection.place?.(made) ?? made)
  // The values may have the key in another type: the schema decides.
  return values instanceof Refusal ? undefined : new StoredRecord(values)
}

/** What the record that a path is below shows of the one record there. @returns undefined if it shows nothing */
export function shownAbove({ contract, world, server, request, effect }: EffectInput<KeyedEffect>): Values | undefined {
  const { values: places = [] } = effect.place ?? {}
  const { collection } = places.find(({ shown }) => shown?.isSingle) ?? {}
  const parts = collection === undefined ? [] : (modelOf(contract, collection).parts ?? [])
  const part = parts.find((each) => each.isSingle && each.collection === effect.collection)
  if (!part || collection === undefined) return undefined
  const filters = part.owners.flatMap(([own, property]) => {
    const sent = places.filter((each) => each.property === own).map(({ parameter }) => request.path[parameter])
    return sent.map((value) => ({ property, values: [value, String(value), Number(value)] }))
  })
  const [owner] = storedOf(contract, world, server, collection).select(filters, 1)
  const value = owner && ownValue(owner.values, part.property)
  if (part.from !== undefined && value !== undefined) return { [part.from]: value }
  return isObject(value) ? value : undefined
}

/** Stores the values of a record, whether it was stored before or not. */
export function storeRecord(collection: Records, key: Key, values: Values): StoredRecord {
  const { key: property } = collection.context
  const typed = collection.toKey(key)
  // A path may accept any text where keys are numbers: such a record is not stored, as no list could show it.
  if (typeof typed === 'string' && typeof values[property] === 'number') return new StoredRecord(values)
  return collection.replace(key, values) ?? collection.add({ ...values, [property]: typed })
}

/** Removes a record. If every key has a sampled record, it leaves a mark. */
export function removeRecord({ model, effect }: EffectInput<KeyedEffect>, collection: Records, key: Key): void {
  const { key: property, sample } = model
  // A key in a body is often unknown: then there is nothing to remove.
  const isUnknown = effect.keyIn !== undefined && !collection.get(key)
  if (isUnknown) return
  if (sample === undefined) collection.remove(key)
  else storeRecord(collection, key, { [property]: collection.toKey(key), [removedMark]: true })
}

export function isRemoved({ values }: StoredRecord): boolean {
  return values[removedMark] === true
}
