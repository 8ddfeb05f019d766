/** Sets the values that corrections name, in the record of a request and in those that it refers to. */
import type { ChosenChange, ChosenValue, CreateEffect, KeyedEffect } from '../../contract/effects/effect.js'
import { quote, shorten } from '../../contract/violations.js'
import type { ExactValue } from '../../json/exact-value.js'
import { valueAt, withNested } from '../../json/nested.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { isSameJson } from '../../json/same-json.js'
import { toTyped } from '../../json/typed-value.js'
import { withinOf } from '../../state/identity.js'
import type { StoredRecord, Values } from '../../state/stored-record.js'
import { Refusal } from '../outcome.js'
import { type EffectInput, modelOf, storedOf } from './effect-input.js'
import { toValid } from './ensured.js'
import { isRemoved } from './sampled-record.js'
import { writeTime } from './service-written.js'

type Input = EffectInput<CreateEffect | KeyedEffect>

/** Refuses a change of a record that does not have what the change needs. @param before the values before the change */
export function refuseState({ effect, model }: Input, before: Values | undefined): Refusal | undefined {
  for (const { property, values, status = 409 } of (before && effect.needs) ?? []) {
    const state = before && ownValue(before, property)
    if (state === undefined || values.some((each) => isSameJson(state as ExactValue, each as ExactValue))) continue
    const record = `the record with ${model.key} ${shorten(String(before?.[model.key]))}`
    const allowed = values.map(quote).join(' or ')
    return new Refusal('conflict', `The ${property} of ${record} must be ${allowed} (got ${quote(state)})`, { status })
  }
  return undefined
}

/**
 * The values of a record with those that a correction names.
 * @param before the values before a change
 * @returns a refusal if the record does not have what the change needs
 */
export function withChosen(input: Input, values: Values, before?: Values): Values | Refusal {
  const { changes = [], needs, related } = input.effect
  if (changes.length === 0 && !needs && !related) return values
  const refused = refuseState(input, before)
  if (refused) return refused
  const ofOrder = (isLast: boolean) => changes.filter((each) => (each.isLast ?? false) === isLast)
  const changed = change(input, values, ofOrder(false), before ?? values)
  const wrong = changeRelated(input, changed)
  return wrong ?? change(input, changed, ofOrder(true), before ?? values)
}

/** Changes the records whose keys a record has. */
export function changeRelated(input: Input, values: Values): Refusal | undefined {
  for (const { property, collection, changes } of input.effect.related ?? []) {
    for (const shown of [ownValue(values, property)].flat()) {
      const { model, record } = findRelated(input, collection, shown)
      if (!record) continue
      const stored = storedOf(input.contract, input.world, input.server, collection)
      const next = change(input, record.values, changes, values)
      const effect = { kind: 'action', collection, hidden: model.hidden } as KeyedEffect
      const kept = toValid({ ...input, model, effect }, next, record.values)
      if (kept instanceof Refusal) return kept
      const { key, scope } = stored.context
      stored.replace(kept[key] as string, kept, scope && withinOf(kept, scope))
    }
  }
  return undefined
}

/** @param source the record whose values the changes may name */
function change(input: Input, values: Values, changes: readonly ChosenChange[], source: Values): Values {
  return changes.reduce((all, { pointer, value, types = [], isFirst }) => {
    if (isFirst && valueAt(all, pointer) !== undefined) return all
    if (value.from === 'none') return withoutNested(all, pointer)
    const isFurther = pointer.at(-1) === '-'
    const place = isFurther ? pointer.slice(0, -1) : pointer
    const before = valueAt(all, place)
    const operator = value.from === 'add' || value.from === 'without' ? value.value : value
    const operand = sourceOf(input, operator, source, all)
    if (operand === undefined) return all
    const list = Array.isArray(before) ? before : []
    const made = isFurther
      ? [...list, ...[operand].flat()]
      : value.from === 'without'
        ? list.filter((each) => !has(each, operand))
        : toTyped(value.from === 'add' ? (Number(before) || 0) + Number(operand) : operand, types)
    return withNested(all, place, made)
  }, values)
}

/** @param record the values that the answer shows of the record */
export function chosenValue(
  input: EffectInput,
  value: ChosenValue,
  record: Values,
  types: readonly string[] = [],
): unknown {
  const found = sourceOf(input as Input, value, record, record)
  return found === undefined ? undefined : toTyped(found, types)
}

/** Whether an item of a list is the value, or has it in a property. */
function has(item: unknown, value: unknown): boolean {
  return (isObject(item) ? Object.values(item) : [item]).some((each) => String(each) === String(value))
}

/** @param now the values after the changes before this one */
function sourceOf(input: Input, value: ChosenValue, source: Values, now: Values): unknown {
  const { request, sent, context } = input
  const inner = (each: ChosenValue) => sourceOf(input, each, source, now)
  if (value.from === 'constant') return value.value
  if (value.from === 'text') {
    const parts = value.parts.map(inner)
    return parts.includes(undefined) ? undefined : parts.join('')
  }
  if (value.from === 'list') return value.parts.map(inner).filter((each) => each !== undefined)
  if (value.from === 'object') {
    const entries = value.properties.map(([name, each]) => [name, inner(each)] as const)
    const given = entries.filter(([, each]) => each !== undefined)
    return given.length === 0 && entries.length > 0 ? undefined : Object.fromEntries(given)
  }
  if (value.from === 'now') return value.as ? writeTime(context.now, value.as) : new Date(context.now).toISOString()
  if (value.from === 'record') return valueAt(source, value.pointer)
  if (value.from === 'related') {
    const { record } = findRelated(input, value.collection, ownValue(now, value.property))
    return record && valueAt(record.values, value.pointer)
  }
  if (value.from !== 'request') return undefined
  const [name = ''] = value.pointer
  if (value.in === 'header') return sent.header(name)
  return value.in === 'body' ? valueAt(request.body.value, value.pointer) : ownValue(request[value.in], name)
}

/** The record with a key, which may be in an object that shows the record. */
function findRelated({ contract, world, server }: Input, collection: string, shown: unknown) {
  const model = modelOf(contract, collection)
  const key = isObject(shown) ? ownValue(shown, model.key) : shown
  const stored = storedOf(contract, world, server, collection)
  const found = stored.select([{ property: model.key, values: [key, String(key), Number(key)] }], 1)
  const record: StoredRecord | undefined = found.find((each) => !isRemoved(each))
  return { model, record }
}

export function withoutNested(values: Values, [name = '', ...others]: readonly string[]): Values {
  const { [name]: inner, ...kept } = values
  if (others.length === 0) return kept
  return isObject(inner) ? { ...values, [name]: withoutNested(inner, others) } : values
}
