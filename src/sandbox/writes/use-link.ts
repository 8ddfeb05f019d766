/** Links records with the one that a path is below, or ends that. */
import type { KeyedEffect, LinkUse, PathScope } from '../../contract/effects/effect.js'
import { shorten } from '../../contract/violations.js'
import { valueAt } from '../../json/nested.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { isRelation } from '../../json/path-property.js'
import type { Key } from '../../state/stored-record.js'
import { undoTo } from '../../state/world-content.js'
import { type Outcome, Refusal } from '../outcome.js'
import { applyEffect } from './all-effects.js'
import { type EffectInput, modelOf } from './effect-input.js'
import { withValues } from './fixed-answer.js'
import { keyIn } from './links.js'
import { findNamed, openPath } from './open-records.js'
import type { PlacedRecords, Records } from './records.js'
import { isRemoved, sampleRecord, storeRecord } from './sampled-record.js'
import { read } from './show-record.js'
import { toStorable } from './storable.js'

export function applyLink(use: LinkUse, input: EffectInput): Outcome {
  const { world, request, effect } = input
  const { length } = world.log
  const linked = openLinked(use, use.place, input)
  const all = openLinked(use, use.all, input)
  if (linked instanceof Refusal) return linked
  if (all instanceof Refusal) return all
  const keys: Key[] = []
  for (const item of sentItems(use, input)) {
    const key = findKey(use, input, use.does === 'remove' ? linked : all, item)
    if (key !== undefined) keys.push(key)
    else if (use.does !== 'remove' || use.parameter !== undefined)
      return effect.kind === 'create' ? applyEffect(input) : refuse(world, length, use, item)
  }
  const isWhole = use.parameter === undefined && !request.body.codec
  for (const { values } of use.does === 'add' ? [] : linked.select([])) {
    const key = values[linked.context.key] as Key
    if (use.does === 'remove' ? isWhole || keys.includes(key) : !keys.includes(key)) linked.remove(key)
  }
  if (use.does !== 'remove') for (const key of keys) attach(use, linked, all, key)
  const { shows } = use
  const outcome = shows && keys[0] !== undefined ? show(input, shows, keys[0]) : applyEffect(input)
  if (outcome instanceof Refusal) undoTo(world, length)
  return use.values ? withValues(use.values, input, outcome) : outcome
}

function refuse(world: EffectInput['world'], length: number, use: LinkUse, item: unknown): Refusal {
  undoTo(world, length)
  const { key, collection } = use
  return new Refusal('not_found', `There is no record with ${key} ${shorten(keyIn(item, key))} in ${collection}`)
}

function attach({ isOnly, place }: LinkUse, linked: PlacedRecords, all: Records, key: Key): void {
  const record = all.get(key)
  if (record && isOnly) {
    const others = place.values.filter(({ property }) => isRelation(property, linked.context.scope))
    all.replace(key, { ...record.values, ...Object.fromEntries(others.map(({ property }) => [property, []])) })
  }
  linked.attach(key)
}

/** The records of a path, from which a removal only ends the link. */
function openLinked(use: LinkUse, place: PathScope, input: EffectInput): PlacedRecords | Refusal {
  const model = modelOf(input.contract, use.collection)
  const effect = { kind: 'action', detaches: true, place } as KeyedEffect
  return openPath({ ...input, effect, model }, place, use.collection)
}

/** What the request names: a record by its parameter, or those of a list, of one item or of the body itself. */
function sentItems({ parameter, given = [], names = [] }: LinkUse, { request }: EffectInput): unknown[] {
  if (parameter !== undefined) return [request.path[parameter] ?? request.query[parameter]].flat()
  if (!request.body.codec) return []
  const body = valueAt(request.body.value, given)
  const sent = isObject(body) ? names.map((each) => ownValue(body, each)).find((each) => each !== undefined) : body
  return [sent || []].flat()
}

function findKey(use: LinkUse, input: EffectInput, records: Records, item: unknown): Key | undefined {
  const model = modelOf(input.contract, use.collection)
  const given = isObject(item) ? ownValue(item, use.key) : item
  const key = records.toKey(given)
  if (key === undefined) return undefined
  const found = records.get(key) ?? findNamed(model, records, key)
  if (found && !isRemoved(found)) return found.values[model.key] as Key
  if (use.does === 'remove' || found) return undefined
  const keyed = { ...input, model, effect: input.effect as KeyedEffect }
  const made = use.creates
    ? toStorable(keyed, { ...records.place?.({}), [model.key]: key })
    : sampleRecord(keyed, records, key)?.values
  if (made === undefined || made instanceof Refusal) return undefined
  storeRecord(records, key, made)
  return key
}

function show(input: EffectInput, effect: KeyedEffect, key: Key): Outcome {
  const { contract, request } = input
  const body = { ...request.body, value: { [effect.parameter]: key } }
  const model = modelOf(contract, effect.collection)
  return read({ ...input, effect, model, request: { ...request, body } })
}
