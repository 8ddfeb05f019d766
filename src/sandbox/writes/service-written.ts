/** Sets what the service writes in a record: keys, times and constants, and values that follow from other ones. */
import type { CollectionModel, MadeValue } from '../../contract/contract.js'
import {
  type CreateEffect,
  type KeyedEffect,
  type NestedWritten,
  type ServiceWritten,
  sampleTime,
  type TimeForm,
} from '../../contract/effects/effect.js'
import { timeForms } from '../../contract/time-forms.js'
import type { ExactValue } from '../../json/exact-value.js'
import { valueAt, withNested } from '../../json/nested.js'
import { createNamed, isObject, ownValue } from '../../json/own-value.js'
import { isSameJson } from '../../json/same-json.js'
import type { Values } from '../../state/stored-record.js'
import type { EffectInput } from './effect-input.js'

const nothing: Values = {}

/** @param now milliseconds since 1970 @param given the values of the record */
export function fill(serviceWritten: readonly ServiceWritten[], now: number, given: Values): Values {
  let values: Record<string, unknown> | undefined
  for (const { property, with: kind, value, only, as } of serviceWritten) {
    if (kind === 'key' || (only && !only[1].includes(given[only[0]]))) continue
    values ??= createNamed()
    if (as) values[property] = writeTime(now, as, value)
    else values[property] = kind === 'now' ? new Date(now).toISOString() : value
  }
  // Most records have none. A shared object keeps the hidden class stable, which makes creations faster.
  return values ?? nothing
}

/** The properties of a record that only the service writes, and that a change keeps. */
export function keptValues(values: Values, serviceWritten: readonly ServiceWritten[]): Values {
  const owned = serviceWritten.filter((each) => each.owned)
  const entries = owned.map(({ property }) => [property, ownValue(values, property)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/**
 * @param now milliseconds since 1970
 * @param sample the sample whose times are replaced, for the form `sample`
 * @example writeTime(1767225600000, 'seconds') // 1767225600
 */
export function writeTime(now: number, form: TimeForm, sample?: unknown): unknown {
  if (form === 'sample') return withTime(sample, now)
  return timeForms[form](now)
}

/** Replaces each time in a sample by that of the clock. */
function withTime(value: unknown, now: number): unknown {
  if (Array.isArray(value)) return value.map((each) => withTime(each, now))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withTime(each, now)]))
  if (value === new Date(sampleTime).toISOString()) return new Date(now).toISOString()
  return Object.values(timeForms).find((write) => write(sampleTime) === value)?.(now) ?? value
}

/** @param before the values before a change. A time that the request itself sets is kept */
export function withEvents(
  { model, context }: EffectInput<CreateEffect | KeyedEffect>,
  values: Values,
  before: Values | undefined,
): Values {
  const changes: [string, unknown][] = []
  for (const { property, value, time, as, isNullable, isCount, kept = [] } of model.events ?? []) {
    const [state, was] = [ownValue(values, property), before && ownValue(before, property)]
    const [given, had] = [ownValue(values, time), before && ownValue(before, time)]
    if (state === was || (given != null && given !== had)) continue
    if (isCount) {
      const step = state === value ? 1 : was === value ? -1 : 0
      if (step !== 0) changes.push([time, Math.max(0, Number(given ?? 0) + step)])
      continue
    }
    const isKept = (each: unknown) => each === value || kept.includes(each)
    if (state === value) changes.push([time, as ? writeTime(context.now, as) : new Date(context.now).toISOString()])
    else if (isKept(was) && !isKept(state)) changes.push([time, isNullable ? null : undefined])
  }
  if (changes.length === 0) return values
  const all = Object.entries({ ...values, ...Object.fromEntries(changes) })
  return Object.fromEntries(all.filter(([, value]) => value !== undefined))
}

/** Fills in what the service writes in objects that a request gives. @param before the values before a change */
export function withNestedWritten(
  values: Values,
  nested: readonly NestedWritten[],
  now: number,
  before: Values | undefined,
): Values {
  let all = values
  for (const { property, serviceWritten, nested: inner = [] } of nested) {
    const [given, had] = [ownValue(all, property), before && ownValue(before, property)]
    if (given === undefined || given === had) continue
    const was = isObject(had) ? had : undefined
    const fillOne = (given: unknown) => {
      if (!isObject(given)) return given
      const filled = serviceWritten.flatMap(({ property: name, with: kind, value, as, only }): [string, unknown][] => {
        if (only && !only[1].includes(given[only[0]])) return []
        if (kind === 'constant') return [[name, as === 'sample' ? writeTime(now, as, value) : value]]
        return [[name, as ? writeTime(now, as) : new Date(now).toISOString()]]
      })
      const unchanged = serviceWritten.filter(({ again }) => !again)
      const whole = { ...Object.fromEntries(filled), ...(was && keptValues(was, unchanged)), ...given }
      return withNestedWritten(whole, inner, now, was)
    }
    all = { ...all, [property]: Array.isArray(given) ? given.map(fillOne) : fillOne(given) }
  }
  return all
}

/** @param before the values before a change: a text that was made from them is made again */
export function withMade({ made = [] }: CollectionModel, values: Values, before: Values | undefined): Values {
  return made.reduce((all, each) => {
    if (each.isVersion) return withVersion(each.pointer, all, before)
    const [own, text] = [valueAt(all, each.pointer), make(each, all)]
    // A slug stays when its name changes, as addresses do.
    if (each.slugOf !== undefined) return before || own != null || !text ? all : withNested(all, each.pointer, text)
    const isOwn = before !== undefined && own !== undefined && own !== make(each, before)
    return text === undefined || text === own || isOwn ? all : withNested(all, each.pointer, text)
  }, values)
}

/** Counts a change. What callers send as the version is the one that they know. */
function withVersion(pointer: string[], values: Values, before: Values | undefined): Values {
  const version = before && valueAt(before, pointer)
  const isText = typeof version === 'string' && /^\d+$/.test(version)
  // Where it is a text, nothing else sets the first one.
  const isFirst = !before && pointer.length > 1 && valueAt(values, pointer) === undefined
  if (isFirst && isObject(valueAt(values, pointer.slice(0, -1)))) return withNested(values, pointer, '1')
  if (typeof version !== 'number' && !isText) return values
  const known = withNested(values, pointer, version)
  const next = isText ? String(Number(version) + 1) : Number(version) + 1
  return isSameJson(known as ExactValue, before as ExactValue) ? known : withNested(known, pointer, next)
}

/** The key of a new record that is made of its other values. @returns undefined if keys are made otherwise */
export function keyOfValues({ key, made = [] }: CollectionModel, values: Values): string | undefined {
  const found = made.find(({ pointer, slugOf }) => slugOf !== undefined && pointer.join('/') === key)
  return found && (make(found, values) as string | undefined)
}

function make({ parts, counts, slugOf }: MadeValue, values: Values): string | number | undefined {
  if (slugOf !== undefined) {
    return String(ownValue(values, slugOf) ?? '')
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join('-')
  }
  if (counts !== undefined) {
    const list = ownValue(values, counts)
    return Array.isArray(list) ? list.length : undefined
  }
  const made = parts.map((part) => (typeof part === 'string' ? part : valueAt(values, part)))
  const [only] = made
  if (made.length === 1 && typeof only === 'number') return only
  return made.every((part) => typeof part === 'string' || typeof part === 'number') ? made.join('') : undefined
}
