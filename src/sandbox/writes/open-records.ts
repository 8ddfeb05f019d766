/** Opens the records that the path of a request selects. */
import type { CollectionModel } from '../../contract/contract.js'
import type { CreateEffect, KeyedEffect, Owner, PathScope, RecordAccess } from '../../contract/effects/effect.js'
import { shorten } from '../../contract/violations.js'
import { ownValue } from '../../json/own-value.js'
import { toKey } from '../../state/stored-collection.js'
import type { Key, StoredRecord, Values } from '../../state/stored-record.js'
import { Refusal } from '../outcome.js'
import { type EffectInput, modelOf, storedOf } from './effect-input.js'
import { givenValues } from './given-values.js'
import { type LinkOwner, openCount, openLink } from './links.js'
import {
  type PlacedLink,
  PlacedRecords,
  type PlacedValue,
  type Placement,
  type Records,
  type ShownIn,
} from './records.js'
import { isRemoved } from './sampled-record.js'

/** @returns a refusal if a record that the path is below does not exist */
export function openRecords(input: EffectInput): Records | Refusal {
  const { world, server } = input
  const { place, collection } = input.effect as RecordAccess
  return place ? openPath(input, place, collection) : world.collection(collection, server)
}

/** The records of a collection that a path selects. @returns a refusal if a record that the path is below is missing */
export function openPath(
  input: EffectInput,
  { values, owners, hides, named = [] }: PathScope,
  name: string,
): PlacedRecords | Refusal {
  const keys: Owners = new Map()
  for (const owner of owners) {
    const found = findOwner(input, owner, keys)
    if (found instanceof Refusal) return found
    keys.set(owner.parameter, found)
  }
  const replaces = exampleKeyOf(input as EffectInput<CreateEffect>)
  const isShown = /^(true|1)$/.test(String(input.request.query[hides?.unless ?? '']))
  const isHidden = hides && !isShown ? (each: Values) => ownValue(each, hides.property) === hides.value : undefined
  const open = (each: string) => storedOf(input.contract, input.world, input.server, each)
  const shown = named.map(({ property, collection, shown: list, counted }): ShownIn => {
    const write: ShownIn = (record, isLinked, before) => {
      if (before && before[property] !== record[property]) write(before, false)
      const records = open(collection)
      const key = records.toKey(record[property]) as Key
      if (!records.get(key)) return
      const owner = { collection, records, key }
      if (list) openLink(input, list.property, list, owner).write(record, isLinked)
      if (counted) openCount(input, counted, owner)(open(name).count([{ property, values: [key] }]))
    }
    return write
  })
  return openPlaced(input, name, values, keys, input.effect as KeyedEffect, { replaces, isHidden }, shown)
}

/** The key that a creation sends, if it is the one of an example. */
function exampleKeyOf(input: EffectInput<CreateEffect>): string | undefined {
  const { exampleKeys, parameter, keyName } = input.effect
  if (!exampleKeys) return undefined
  const given = parameter === undefined ? givenValues(input) : input.request.path
  const key = given instanceof Refusal ? '' : String(ownValue(given as Values, parameter ?? keyName ?? input.model.key))
  return exampleKeys.includes(key) ? key : undefined
}

/** The records that a path is below, by parameter. */
type Owners = Map<string, LinkOwner>

function openPlaced(
  input: EffectInput,
  name: string,
  values: PathScope['values'],
  owners: Owners,
  effect?: KeyedEffect,
  placement?: Pick<Placement, 'replaces' | 'isHidden'>,
  lists: ShownIn[] = [],
): PlacedRecords {
  const { contract, world, server, request } = input
  const links: PlacedLink[] = []
  const counts: ((size: number) => void)[] = []
  const placed = values.flatMap(({ parameter, property, collection, link, shown, counted }): PlacedValue[] => {
    const owner = owners.get(parameter)
    if (counted && owner) counts.push(openCount(input, counted, owner))
    if (shown && owner) lists.push(openLink(input, shown.property, shown, owner).write)
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
  if ((effect?.kind as string | undefined) === 'create' && scope && keyKind !== 'integer')
    while (stored.get(toKey(stored.nextKey, keyKind), [])) stored.skipKey()
  const progress = model.progress && input.openProgress?.(model, input.context.now)
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
  const named = record ? undefined : findNamed(model, records, key)
  if (named) return { ...found, key: named.values[model.key] as Key }
  const isSampled = model.sample !== undefined && !(model.isSampledIfEmpty && hasRecords(records))
  if (record ? !isRemoved(record) : isSampled) return found
  // Without the braces of a key that only paths have.
  const property = model.key.replace(/^\{(.+)\}$/, '$1')
  return new Refusal('not_found', `There is no record with ${property} ${shorten(String(key))} in ${name}`)
}

/** Whether any record is stored that was not removed. */
export function hasRecords(records: Records): boolean {
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
  const [only, ...others] = new Set(found.filter((record) => !isRemoved(record)))
  return others.length === 0 ? only : undefined
}
