/** Reads the record in the body of a request. */
import type { Alias, CreateEffect, KeyedEffect, ListedTexts, MergedObject } from '../../contract/effects/effect.js'
import { valueAt } from '../../json/nested.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { toTyped } from '../../json/typed-value.js'
import type { Values } from '../../state/stored-record.js'
import { Refusal } from '../outcome.js'
import type { EffectInput } from './effect-input.js'
import { referInBody } from './references.js'

/** @param before what an update changes */
export function givenValues(input: EffectInput<CreateEffect | KeyedEffect>, before?: Values): Values | Refusal {
  return input.request.body.codec ? toValues(givenValue(input, before)) : {}
}

/** The values of a record: a schema may allow anything, but a record is an object. */
export function toValues(value: unknown): Values | Refusal {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Values
  return new Refusal('invalid_request', 'The record must be an object')
}

/** The record in a body, with the records that it refers to. @param before what an update merges it with */
export function givenValue(input: EffectInput<CreateEffect | KeyedEffect>, before?: Values): unknown {
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
  const isMerged = before && 'merges' in effect
  return isMerged ? merge(effect.merges ?? [], before, own) : own
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
