/** The effect `remove`: removes one record with those that belong to it, and may answer with it. */
import type { Link } from '../../contract/contract.js'
import type { KeyedEffect } from '../../contract/effects/effect.js'
import { ownValue } from '../../json/own-value.js'
import { isRelation, removedMark } from '../../json/path-property.js'
import { withinOf } from '../../state/identity.js'
import type { StoredCollection } from '../../state/stored-collection.js'
import { type Key, StoredRecord, type Values } from '../../state/stored-record.js'
import { type Outcome, Refusal } from '../outcome.js'
import { changeRelated, refuseState } from './chosen-values.js'
import { type EffectInput, storedOf } from './effect-input.js'
import { findRecord } from './existing-record.js'
import { itemsOf, withoutNamed } from './links.js'
import { withoutRelated } from './records.js'
import { isRemoved, removeRecord } from './sampled-record.js'
import { fill } from './service-written.js'
import { showRecord } from './show-record.js'

export function remove(input: EffectInput<KeyedEffect>): Outcome {
  const found = findRecord(input)
  if (found instanceof Refusal) return found
  const { effect, context } = input
  const { collection, key, record } = found
  const { values } = record
  const refused = refuseState(input, values) ?? refuseBlocked(input, values)
  if (refused) return refused
  const removed = effect.sets ? new StoredRecord({ ...values, ...fill(effect.sets, context.now, values) }) : record
  removeRecord(input, collection, key)
  changeRelated(input, values)
  removeBelow(input, effect.collection, values)
  return showRecord(input, removed)
}

/** Refuses to remove a record that others name. */
function refuseBlocked({ contract, world, server, effect, model }: EffectInput<KeyedEffect>, values: Values) {
  const key = values[model.key]
  for (const { collection, property, status, state, values: states } of effect.blockedBy ?? []) {
    const filters = state === undefined ? [] : [{ property: state, values: states ?? [] }]
    const found = storedOf(contract, world, server, collection).select(filters)
    const isNaming = (each: StoredRecord) => !isRemoved(each) && [ownValue(each.values, property)].flat().includes(key)
    if (found.some(isNaming))
      return new Refusal('conflict', `The record is in use: ${property} of records in ${collection} names it`, {
        status,
      })
  }
  return undefined
}

/** Removes the records that belong to a removed one, and hidden references to it from others. */
export function removeBelow(input: EffectInput, collection: string, record: Values): void {
  const { contract, world, server, effect } = input
  if ((effect as KeyedEffect).detaches) return
  for (const model of contract.collections) {
    for (const link of model.links ?? []) {
      if (link.collection !== collection) continue
      const stored = storedOf(contract, world, server, model.name)
      if (link.isList) {
        unlinkAll(stored, link, record)
        continue
      }
      // References that bodies show stay as they were written.
      const hidden = link.values.filter(([own]) => isRelation(own, stored.context.scope))
      const filters = link.values.map(([own, other]) => ({ property: own, values: [ownValue(record, other)] }))
      for (const { values } of stored.select(filters)) {
        if (values[removedMark] === true) continue
        const { scope } = stored.context
        const within = scope && withinOf(values, scope)
        const key = values[model.key] as Key
        if (link.isOwner) {
          // If every key has a sampled record, a mark shows that this one was removed.
          if (model.sample === undefined) stored.remove(key, within)
          else stored.replace(key, { ...values, [removedMark]: true }, within)
          removeBelow(input, model.name, values)
        } else if (hidden.length > 0) {
          const forget = (left: Values, [own, other]: [string, string]) =>
            withoutRelated(left, own, ownValue(record, other))
          stored.replace(key, hidden.reduce(forget, values), within)
        }
      }
    }
  }
}

/** Ends the links of all records with a removed one. */
function unlinkAll(stored: StoredCollection, { values: [pair] }: Link, removed: Values): void {
  const [property = '', key = ''] = pair ?? []
  const { scope, key: own } = stored.context
  for (const { values } of stored.select([])) {
    const items = itemsOf(values, property)
    const left = withoutNamed(items, key, removed[key])
    if (left.length === items.length) continue
    stored.replace(values[own] as Key, { ...values, [property]: left }, scope && withinOf(values, scope))
  }
}
