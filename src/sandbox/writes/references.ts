/**
 * Puts the records to which a request refers by their keys where answers have them: in the body before it is read as a record
 * (`referInBody`), then in what is stored (`withReferences`). Before anything is stored, `refuseUnknown` refuses keys of no record.
 * A record keeps the other record as it was then.
 */
import type { CreateEffect, KeyedEffect, Reference } from '../../contract/effects/effect.js'
import { quote } from '../../contract/violations.js'
import { countCharacters } from '../../json/copy.js'
import type { ExactValue } from '../../json/exact-value.js'
import { valueAt } from '../../json/nested.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { pickByShape } from '../../json/prune-by-shape.js'
import { toTyped } from '../../json/typed-value.js'
import type { UnknownReference } from '../../state/journal.js'
import type { StoredRecord, Values } from '../../state/stored-record.js'
import { Refusal } from '../outcome.js'
import { type EffectInput, modelOf, storedOf } from './effect-input.js'
import { shownValues } from './links.js'
import { isRemoved } from './sampled-record.js'

/** The record in a body, in which the keys of other records are these records. */
export function referInBody(input: EffectInput, given: unknown): unknown {
  const toOther = createToOther(input)
  return referencesOf(input).reduce((value, each) => {
    if (each.in || !each.keys) return value
    return changeWithin(value, each.within ?? [], (object) => {
      const sent = ownValue(object, each.from)
      const isGiven = each.from !== each.property && Object.hasOwn(object, each.property)
      return sent == null || isGiven ? object : { ...object, [each.property]: toOther(each, sent) }
    })
  }, given)
}

/**
 * The values of a record that a request changes, with what a change would leave as it was: records that only answers
 * have, the relations that paths show, and for a new record its owners.
 */
export function withReferences(
  input: EffectInput<CreateEffect | KeyedEffect>,
  values: Values,
  before: Values | undefined,
): Values {
  const { contract, world, server, request, effect } = input
  const toOther = createToOther(input)
  const body = valueAt(request.body.value, effect.given ?? [])
  let changed = values
  for (const each of referencesOf(input)) {
    const { from, within = [], property, keys, relation, collection } = each
    const key = request.path[from]
    if (each.in && !before && key !== undefined) {
      // Deeper in a record, a property may only have the name of a parameter: what is sent counts.
      const isSent = (object: Values) => within.length > 0 && Object.hasOwn(object, property)
      const set = (object: Values) =>
        isSent(object) ? object : { ...object, [property]: keys ? toOther(each, key) : key }
      changed = changeWithin(changed, within, set, true) as Values
    }
    if (each.in || within.length > 0 || !isObject(body)) continue
    const sent = ownValue(body, from)
    if (sent === undefined) continue
    const isShown = keys && from !== property && !Object.hasOwn(body, property) && sent !== null
    if (isShown) changed = { ...changed, [property]: toOther(each, sent) }
    if (relation === undefined || collection === undefined) continue
    const stored = storedOf(contract, world, server, collection)
    const related = [sent].flat().flatMap((one) => stored.toKey(one) ?? [])
    const { [relation]: _, ...others } = changed
    changed = related.length > 0 ? { ...others, [relation]: related } : others
  }
  return changed
}

/**
 * Adds what a request refers to that does not exist to its exchange. Must be called before anything is written.
 * @returns a refusal if the document says that such a request is refused
 */
export function refuseUnknown(input: EffectInput<CreateEffect | KeyedEffect>): Refusal | undefined {
  const { request, effect } = input
  const body = valueAt(request.body.value, effect.given ?? [])
  const unknown: UnknownReference[] = []
  let refusal: Refusal | undefined
  for (const each of referencesOf(input)) {
    const { collection, from, property, within = [], unknown: status } = each
    if (each.in || collection === undefined) continue
    for (const { object, at } of objectsIn(body, within, effect.given ?? [])) {
      if (from !== property && Object.hasOwn(object, property)) continue
      const sent = ownValue(object, from)
      const value = [sent].flat().find((one) => isKey(one) && !isKnown(input, each, one))
      if (value === undefined) continue
      const place = [...at, Array.isArray(sent) ? `${from}[]` : from].join('.')
      unknown.push({ at: place, collection })
      if (status === undefined) continue
      const message = `${place} is ${quote(value)}, but there is no such record in ${collection}`
      refusal ??= new Refusal(status === 404 ? 'not_found' : 'invalid_request', message, { status })
    }
  }
  noteUnknown(input.context.progress, unknown, refusal !== undefined)
  return refusal
}

/** The objects to which names lead, also through the items of lists. */
function objectsIn(
  value: unknown,
  [name, ...others]: readonly string[],
  at: readonly string[],
): { object: Values; at: readonly string[] }[] {
  if (Array.isArray(value)) {
    const list = [...at.slice(0, -1), `${at.at(-1) ?? ''}[]`]
    return value.flatMap((each) => objectsIn(each, name === undefined ? [] : [name, ...others], list))
  }
  if (!isObject(value)) return []
  return name === undefined ? [{ object: value, at }] : objectsIn(ownValue(value, name), others, [...at, name])
}

/** An empty text often removes a reference. */
function isKey(value: unknown): boolean {
  return value !== '' && ['string', 'number', 'bigint'].includes(typeof value)
}

/** Whether a request could read the record with a key. */
function isKnown(input: EffectInput, reference: Reference, sent: unknown): boolean {
  const { contract, world, server } = input
  const { collection = '' } = reference
  const { key, otherKeys = [], sample, isShown, isSampledIfEmpty } = modelOf(contract, collection)
  const stored = storedOf(contract, world, server, collection)
  const names = [key, ...otherKeys]
  const named = names.flatMap((property) => stored.select([{ property, values: [sent, String(sent), Number(sent)] }]))
  if (named.some((record) => !isRemoved(record)) || findReferred(input, reference, sent)) return true
  const isSampled = sample !== undefined && !isShown && !(isSampledIfEmpty && stored.select([], 1).length > 0)
  return isSampled && named.length === 0
}

/** Notes what a request refers to that does not exist. The effect may run more than once, and a list has several keys. */
export function noteUnknown(
  progress: EffectInput['context']['progress'],
  unknown: readonly UnknownReference[],
  isRefused: boolean,
): void {
  for (const { at, collection } of unknown) {
    const { unknownReferences: known = [], notes } = progress
    const isNew = !known.some((each) => each.at === at && each.collection === collection)
    if (isNew) progress.unknownReferences = [...known, { at, collection }]
    const note = `${at} has a key of no record in ${collection}, so the record was made up`
    if (!isRefused && !notes.includes(note)) progress.notes = [...notes, note]
  }
}

function referencesOf({ effect }: EffectInput): readonly Reference[] {
  return ('references' in effect && effect.references) || []
}

/** Changes each object to which names lead, through the items of lists. */
function changeWithin(
  value: unknown,
  [name, ...others]: readonly string[],
  change: (object: Values) => Values,
  isAdded = false,
): unknown {
  if (Array.isArray(value)) return value.map((each) => changeWithin(each, name ? [name, ...others] : [], change))
  if (!isObject(value)) return value
  if (name === undefined) return change(value)
  const inner = ownValue(value, name) ?? (isAdded ? {} : undefined)
  return inner === undefined ? value : { ...value, [name]: changeWithin(inner, others, change, isAdded) }
}

/** Characters of all records that one request shows where it refers to them. Of others only the key is shown. */
const maxCharacters = 256 * 1024

/** What shows the record with a key, or the records with keys. */
function createToOther(input: EffectInput): (reference: Reference, sent: unknown) => unknown {
  let left = maxCharacters
  const toOne = (reference: Reference, sent: unknown): unknown => {
    if (typeof sent === 'object' || typeof sent === 'boolean') return sent
    const { keys = [], shape = 0 } = reference
    const known = findReferred(input, reference, sent)
    if (known) {
      const shown = pickByShape(shownValues(known.values) as ExactValue, input.contract.shapes, shape)
      left -= countCharacters(shown)
      if (left >= 0) return shown
    }
    const typed = keys.map(([property, types]) => ({ property, types, value: toTyped(sent, types) }))
    const isFitting = ({ types, value }: (typeof typed)[number]) =>
      typeof value === 'string'
        ? types.includes('string')
        : types.some((type) => type === 'integer' || type === 'number')
    const fitting = typed.find(isFitting)
    const { property, value } = fitting ?? typed[0] ?? { property: '', value: sent }
    return { [property]: value }
  }
  return (reference, sent) =>
    reference.isList ? [sent].flat().map((each) => toOne(reference, each)) : toOne(reference, sent)
}

/** The stored record that has a key, first among those that belong to the same records as the one that is changed. */
function findReferred(
  { contract, world, server, request, effect }: EffectInput,
  { collection, keys = [] }: Reference,
  sent: unknown,
): StoredRecord | undefined {
  if (collection === undefined) return undefined
  const stored = storedOf(contract, world, server, collection)
  const place = ('place' in effect && effect.place?.values) || []
  const isNear = ({ values }: StoredRecord) =>
    place.every(({ property, parameter }) => {
      const own = ownValue(values, property)
      return own === undefined || [own].flat().some((each) => String(each) === String(request.path[parameter]))
    })
  for (const [property, types] of keys) {
    const found = stored.select([{ property, values: [toTyped(sent, types)] }]).filter((each) => !isRemoved(each))
    const best = found.find(isNear) ?? found[0]
    if (best) return best
  }
  return undefined
}
