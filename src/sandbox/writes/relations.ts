/**
 * Records that belong to others, and bodies with an envelope around a record. Separate, so that bundles of documents
 * without them drop it.
 */

import type { CollectionModel, Link, RequestContract } from '../../contract/contract.js'
import type {
  Alias,
  CreateEffect,
  FixedBody,
  KeyedEffect,
  ListedTexts,
  MergedObject,
  Owner,
  PathScope,
  StartedRecord,
} from '../../contract/effects/effect.js'
import { shorten } from '../../contract/violations.js'
import type { ExactValue } from '../../json/exact-value.js'
import { valueAt, withNested } from '../../json/nested.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { isRelation, removedMark } from '../../json/path-property.js'
import { pickByShape } from '../../json/prune-by-shape.js'
import { toTyped } from '../../json/typed-value.js'
import { writeByShape } from '../../json/write-by-shape.js'
import { createIdentity, withinOf } from '../../state/identity.js'
import { makeKey, toKey } from '../../state/make-record-key.js'
import type { StoredCollection } from '../../state/stored-collection.js'
import { type Key, StoredRecord, type Values } from '../../state/stored-record.js'
import type { StoredWorld } from '../../state/stored-world.js'
import { pageExample } from '../lists/page-example.js'
import { listPage } from '../lists/write-list.js'
import { type Answer, type Outcome, Refusal, textContent } from '../outcome.js'
import { addEnvelope, addEnvelopeToValue } from '../responses/envelope.js'
import { withOwnValues } from './answer-values.js'
import { refuseState } from './chosen-values.js'
import { withEvents, withMade, withNestedWritten } from './derived-values.js'
import { type EffectInput, modelOf, type Relations, storedOf } from './effect-input.js'
import { shownValues, textOf, toStorable } from './ensured.js'
import { answerFixed } from './example.js'
import { givenValues, keyOf, openRecords, showRecord } from './existing-record.js'
import { itemsOf, type LinkOwner, openCount, openLink, withoutNamed } from './links.js'
import { withNestedKeys, withOwnKeys } from './own-keys.js'
import { openShown, withParts } from './parts.js'
import { openProgress, withBeginning } from './progress.js'
import {
  type PlacedLink,
  PlacedRecords,
  type PlacedValue,
  type Placement,
  type Records,
  withoutChanges,
  withoutRelated,
} from './records.js'
import { referInBody, refuseUnknown, withReferences } from './references.js'
import { isRemoved, sampleRecord, shownAbove, storeRecord } from './sampled-record.js'
import { fill } from './service-written.js'

export const relations: Relations = {
  createIdentity,
  open(input, { values, owners, hides }, name) {
    const keys: Owners = new Map()
    for (const owner of owners) {
      const found = findOwner(input, owner, keys)
      if (found instanceof Refusal) return found
      keys.set(owner.parameter, found)
    }
    const replaces = exampleKeyOf(input as EffectInput<CreateEffect>)
    const isShown = hides?.unless !== undefined && /^(true|1)$/.test(String(input.request.query[hides.unless]))
    const isHidden = hides && !isShown ? (each: Values) => ownValue(each, hides.property) === hides.value : undefined
    return openPlaced(input, name, values, keys, input.effect as KeyedEffect, { replaces, isHidden })
  },
  addEnvelope,
  textOf,
  toStorable(input, values, before) {
    const refused = refuseUnknown(input) ?? refuseState(input, before)
    if (refused) return refused
    const { key, keyPointer } = input.model
    const whole = withNestedWritten(values, input.effect.nested ?? [], input.context.now, before)
    const named = withOwnKeys(input, withEvents(input, whole, before), before)
    if (named instanceof Refusal) return named
    const referring = withMade(input.model, withReferences(input, named, before), before)
    // What shows the key never changes alone.
    const parted = withNestedKeys(input, withParts(input, referring, before))
    const shown = keyPointer && key in values ? withNested(parted, keyPointer, values[key]) : parted
    return toStorable(input, shown, before)
  },
  valueOf(input, values) {
    const { effect, contract } = input
    const shown = pickByShape((shownValues(input, values) ?? null) as ExactValue, contract.shapes, effect.shape)
    return effect.envelope ? addEnvelopeToValue(input, effect.envelope, shown) : shown
  },
  keyOf(input, records) {
    const { effect, model, request } = input
    const { keyIn, parameter } = effect
    const source = keyIn === 'query' ? request.query : request.body.value
    const inSource = isObject(source) ? ownValue(source, parameter) : undefined
    const given = keyIn === 'header' ? (input.sent.header(parameter) ?? undefined) : inSource
    if (given !== undefined) return given as Key
    const { key, keyKind } = model
    const newest = records.select([]).find((each) => !isRemoved(each))
    return (newest?.values[key] as Key | undefined) ?? makeKey(records, keyKind) ?? ''
  },
  given(input, before) {
    const { effect, request } = input
    const sent = request.body.value
    const body = referInBody(input, valueAt(sent, effect.given ?? []) ?? (isObject(sent) ? {} : sent))
    const { property, from } = effect.at ?? {}
    const inner = from === undefined ? body : valueAt(body, [from])
    const value = property === undefined ? body : inner === undefined ? {} : { [property]: inner }
    if (!isObject(value)) return value
    const renamed = withObjects(withOwnNames(value, effect.givenAliases ?? []), effect.listed ?? [])
    const { key, keyPointer } = input.model
    const nested = keyPointer && effect.kind === 'create' ? valueAt(renamed, keyPointer) : undefined
    const own = typeof nested === 'string' && nested !== '' ? { ...renamed, [key]: nested } : renamed
    // A merge patch says itself what it removes.
    const isMerged = before && 'merges' in effect && request.body.codec?.name !== 'merge-patch'
    return isMerged ? merge(effect.merges ?? [], before, own) : own
  },
  findOther(input, records, key) {
    const { model } = input
    // A record that the request would create gets the given key, so other names do not count.
    const named = input.effect.creates === undefined ? findNamed(model, records, key) : undefined
    if (named) return { key: named.values[model.key] as Key, record: named }
    const isAttaching = input.operation.method === 'PUT' && records instanceof PlacedRecords
    const attached = isAttaching ? records.attach(key) : undefined
    if (attached) return { key, record: attached }
    if (model.isShown) return undefined
    // What a change creates is stored.
    if (model.forgetsUnknown && input.effect.creates !== undefined && !input.effect.keyIn) return undefined
    const sampled =
      model.isSampledIfEmpty && hasRecords(records) ? undefined : sampleRecord(input, records, key, shownAbove(input))
    if (!sampled) return undefined
    const isForgotten = model.forgetsUnknown && input.effect.keyIn !== undefined
    return { key, record: sampled, ...(isForgotten && { collection: withoutChanges(records) }) }
  },
  hide: ({ hidden = [] }, values) => (hidden.length > 0 ? without(values, hidden) : values),
  keepHidden({ hidden = [], keeps = [] }, changed, before) {
    if (hidden.length + keeps.length === 0) return changed
    const isKept = (name: string) => hidden.includes(name) || (keeps.includes(name) && !Object.hasOwn(changed, name))
    return { ...changed, ...Object.fromEntries(Object.entries(before).filter(([name]) => isKept(name))) }
  },
  rename({ aliases = [] }, values) {
    if (aliases.length === 0) return values
    const shown = aliases.flatMap(([name, own, types]): [string, unknown][] => {
      const value = ownValue(values, own)
      return value === undefined ? [] : [[name, types ? toTyped(value, types) : value]]
    })
    return { ...values, ...Object.fromEntries(shown) }
  },
  withOtherKey(values, name, toEnsured) {
    const key = values[name]
    // A key may be a string in one answer and a number in another.
    const typed = typeof key === 'string' ? Number(key) : String(key)
    const other = toEnsured({ ...values, [name]: typed })
    return other instanceof Refusal || other[name] !== typed ? undefined : other
  },
  list: listPage,
  pageExample,
  answer(input, answer, key) {
    const fixed = answerFixed(input, answer)
    const { keyName, starts } = answer
    if (fixed instanceof Refusal) return fixed
    const shown = key === undefined || keyName === undefined ? fixed : showKey(input, answer, fixed, keyName, key)
    return starts && !(shown instanceof Refusal) ? start(input, answer, starts, shown) : shown
  },
  start,
  addMissing(input, missing, change) {
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
    const values = (input.relations ?? relations).toStorable(input, records.place ? records.place(written) : written)
    if (values instanceof Refusal) return values
    storeRecord(records, key, { ...values, [property]: key })
    const answer = showRecord(input, new StoredRecord(values))
    return answer instanceof Refusal ? answer : { ...answer, status: effect.creates ?? answer.status }
  },
  removeBelow({ contract, world, server, effect }, collection, record) {
    if ((effect as KeyedEffect).detaches) return
    removeBelow(contract, world, server, collection, record)
  },
}

/** Adds the record that an answer names. What else the answer says of it, it has, too. */
function start(
  input: EffectInput,
  answer: FixedBody,
  { collection, keyName, properties, serviceWritten = [] }: StartedRecord,
  fixed: Answer,
) {
  const { contract, world, server, sampler } = input
  const model = modelOf(contract, collection)
  const records = storedOf(contract, world, server, collection)
  const key = sampler ? sampler.makeKey(contract, model, records) : makeKey(records, model.keyKind)
  if (key === undefined) return fixed
  const shown = showKey(input, answer, withOwnValues(input, fixed), keyName, key)
  const body = shown instanceof Refusal ? undefined : shown.content?.value?.()
  if (!isObject(body)) return fixed
  const given = properties.map(([name, own]): [string, unknown] => [own, ownValue(body, name)])
  const known = Object.fromEntries(given.filter(([, value]) => value !== undefined))
  const values: Values = { ...fill(serviceWritten, input.context.now, known), ...known, [model.key]: key }
  const stored = toStorable({ ...input, model } as EffectInput<CreateEffect>, values)
  if (!(stored instanceof Refusal) && stored[model.key] === key)
    records.add(withBeginning(model, stored, input.context.now))
  return shown
}

/** The key that a creation sends, if it is the one of an example. */
function exampleKeyOf(input: EffectInput<CreateEffect>): string | undefined {
  const { effect, model, request } = input
  if (!effect.exampleKeys) return undefined
  const given = effect.parameter === undefined ? givenValues(input) : request.path
  const name = effect.parameter ?? effect.keyName ?? model.key
  const key = given instanceof Refusal ? undefined : String(ownValue(given as Values, name))
  return key !== undefined && effect.exampleKeys.includes(key) ? key : undefined
}

function withOwnNames(given: Values, aliases: readonly Alias[]): Values {
  if (aliases.length === 0) return given
  const own = Object.entries(given).map(([name, value]): [string, unknown] => {
    const [, property = name, types] = aliases.find(([sent]) => sent === name) ?? []
    return [property, types ? toTyped(value, types) : value]
  })
  return Object.fromEntries(own)
}

/** The values with objects in place of the texts that lists have. */
function withObjects(given: Values, listed: readonly ListedTexts[]): Values {
  return listed.reduce((values: Values, { from, property, name }) => {
    const { [from]: sent, ...others } = values
    if (sent === undefined) return values
    const toObject = (each: unknown) => (typeof each === 'string' ? { [name]: each } : each)
    return { ...others, [property]: [sent ?? []].flat().map(toObject) }
  }, given)
}

/** A change in which the objects that are merged have the properties that it does not name, too. */
function merge(merges: readonly MergedObject[], before: Values, given: Values): Values {
  const merged = merges.flatMap(({ property, unset = [] }): [string, unknown][] => {
    const [was, after] = [ownValue(before, property), ownValue(given, property)]
    if (unset.includes(after)) return [[property, {}]]
    if (!isObject(after)) return []
    const all = Object.entries({ ...(isObject(was) ? was : {}), ...after })
    return [[property, Object.fromEntries(all.filter(([, value]) => !unset.includes(value)))]]
  })
  return { ...given, ...Object.fromEntries(merged) }
}

/** The same body with the key, in the type that its schema allows. */
function showKey(
  { contract, sampler }: EffectInput,
  { ensure }: FixedBody,
  fixed: Answer,
  name: string,
  key: Key,
): Outcome {
  const body = fixed.content?.value?.()
  const isWhole = name === ''
  if (!isWhole && !isObject(body)) return fixed
  const shown = [key, String(key), Number(key)]
    .map((each): ExactValue => (isWhole || !isObject(body) ? each : { ...body, [name]: each }))
    .find((each) => !ensure || !sampler || sampler.ensure(contract, ensure, each, 0) === each)
  if (shown === undefined) return fixed
  return { ...fixed, content: textContent(writeByShape(shown, contract.shapes, 0)) }
}

/** The records that a path is below, by parameter. */
type Owners = Map<string, LinkOwner>

function openPlaced(
  input: EffectInput,
  name: string,
  values: PathScope['values'],
  owners: Owners,
  effect?: KeyedEffect,
  placement?: Placement,
): PlacedRecords {
  const { contract, world, server, request } = input
  const links: PlacedLink[] = []
  const lists: PlacedLink[] = []
  const counts: ((size: number) => void)[] = []
  const placed = values.flatMap(({ parameter, property, collection, link, shown, counted }): PlacedValue[] => {
    const owner = owners.get(parameter)
    if (counted && owner) counts.push(openCount(input, counted, owner))
    if (shown && owner) lists.push(openShown(input, shown, owner))
    if (link && owner) {
      links.push(openLink(input, property, link, owner))
      return []
    }
    const given = owner?.key ?? request.path[parameter]
    const stored = collection === undefined ? undefined : storedOf(contract, world, server, collection)
    return [{ property, value: stored?.toKey(given) ?? String(given) }]
  })
  const stored = storedOf(contract, world, server, name)
  const model = modelOf(contract, name)
  const { isNumbered, keyKind, scope } = model
  // Other records may have the key alone, so that no two owners have the same one.
  if (String(effect?.kind) === 'create' && scope && keyKind !== 'integer')
    while (stored.get(toKey(stored.nextKey, keyKind), [])) stored.skipKey()
  const progress = model.progress && openProgress(model, input.context.now)
  return new PlacedRecords(stored, placed, effect, { ...placement, links, shown: lists, isNumbered, counts, progress })
}

/** A record that the path is below. @returns a refusal if there is none */
function findOwner(
  input: EffectInput,
  { collection: name, parameter, values }: Owner,
  owners: Owners,
): LinkOwner | Refusal {
  const model = modelOf(input.contract, name)
  const key = input.request.path[parameter] as Key
  const records = openPlaced(input, name, values, owners)
  const record = records.get(key)
  const found = { collection: name, records, key }
  if (record && !isRemoved(record)) return found
  const named = record ? undefined : findNamed(model, records, key)
  if (named) return { ...found, key: named.values[model.key] as Key }
  const isSampled = model.sample !== undefined && !(model.isSampledIfEmpty && hasRecords(records))
  if (!record && isSampled) return found
  return new Refusal('not_found', `There is no record with ${nameOfKey(model)} ${shorten(String(key))} in ${name}`)
}

/** Whether any record is stored that was not removed. */
function hasRecords(records: Records): boolean {
  return records.select([]).some((record) => !isRemoved(record))
}

/** The only record that has a text in another of the properties that name it. Numbers could be keys of others. */
export function findNamed(model: CollectionModel, records: Records, value: Key): StoredRecord | undefined {
  const { otherKeys = [], ownKeys = [], keyKind, keyPlan } = model
  if (typeof value !== 'string' || value === '') return undefined
  const isNumber = /^\d+$/.test(value)
  const isOwn = ownKeys.some((own) => own.keyKind === 'integer')
  // Keys of another form than numbers cannot be meant.
  if (isNumber && (keyKind === 'integer' || (keyKind === 'string' && keyPlan === undefined && !isOwn))) return undefined
  const names = isNumber ? ownKeys.map(({ property }) => property) : otherKeys
  const found = names.flatMap((property) =>
    [value, ...(isNumber ? [Number(value)] : [])].flatMap((each) => records.select([{ property, values: [each] }], 2)),
  )
  const kept = new Set(found.filter((record) => !isRemoved(record)))
  return kept.size === 1 ? [...kept][0] : undefined
}

/** The name of the key property without braces. */
function nameOfKey({ key }: CollectionModel): string {
  return key.replace(/^\{(.+)\}$/, '$1')
}

function removeBelow(
  contract: RequestContract,
  world: StoredWorld,
  server: string,
  collection: string,
  record: Values,
): void {
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
          removeBelow(contract, world, server, model.name, values)
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

function without(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))
}
