/** Sets values of a record that follow from its other ones: times of events, and texts. */
import type { CollectionModel, MadeValue } from '../../contract/contract.js'
import type { CreateEffect, KeyedEffect, NestedWritten } from '../../contract/effects/effect.js'
import type { ExactValue } from '../../json/exact-value.js'
import { valueAt, withNested } from '../../json/nested.js'
import { isObject, ownValue } from '../../json/own-value.js'
import { isSameJson } from '../../json/same-json.js'
import type { Values } from '../../state/stored-record.js'
import type { EffectInput } from './effect-input.js'
import { keptValues, writeTime } from './service-written.js'

/** @param before the values before a change. A time that the request itself sets is kept */
export function withEvents(
  { model, context }: EffectInput<CreateEffect | KeyedEffect>,
  values: Values,
  before: Values | undefined,
): Values {
  const changes: [string, unknown][] = []
  for (const { property, value, time, as, isNullable, kept = [] } of model.events ?? []) {
    const [state, was] = [ownValue(values, property), before && ownValue(before, property)]
    const [given, had] = [ownValue(values, time), before && ownValue(before, time)]
    if (state === was || (given != null && given !== had)) continue
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
    if (!isObject(given) || Array.isArray(given) || given === had) continue
    const was = isObject(had) ? had : undefined
    const filled = serviceWritten.flatMap(({ property: name, with: kind, value, as, only }): [string, unknown][] => {
      if (only && !only[1].includes(given[only[0]])) return []
      if (kind === 'constant') return [[name, as === 'sample' ? writeTime(now, as, value) : value]]
      return [[name, as ? writeTime(now, as) : new Date(now).toISOString()]]
    })
    const unchanged = serviceWritten.filter(({ again }) => !again)
    const whole = { ...Object.fromEntries(filled), ...(was && keptValues(was, unchanged)), ...given }
    all = { ...all, [property]: withNestedWritten(whole, inner, now, was) }
  }
  return all
}

/** @param before the values before a change: a text that was made from them is made again */
export function withMade({ made = [] }: CollectionModel, values: Values, before: Values | undefined): Values {
  return made.reduce((all, each) => {
    if (each.isVersion) return withVersion(each.pointer, all, before)
    const [own, text] = [valueAt(all, each.pointer), make(each, all)]
    const isOwn = before !== undefined && own !== undefined && own !== make(each, before)
    return text === undefined || text === own || isOwn ? all : withNested(all, each.pointer, text)
  }, values)
}

/** Counts a change. What callers send as the version is the one that they know. */
function withVersion(pointer: string[], values: Values, before: Values | undefined): Values {
  const version = before && valueAt(before, pointer)
  if (typeof version !== 'number') return values
  const known = withNested(values, pointer, version)
  return isSameJson(known as ExactValue, before as ExactValue) ? known : withNested(known, pointer, version + 1)
}

function make({ parts, counts }: MadeValue, values: Values): string | number | undefined {
  if (counts !== undefined) {
    const list = ownValue(values, counts)
    return Array.isArray(list) ? list.length : undefined
  }
  const made = parts.map((part) => (typeof part === 'string' ? part : valueAt(values, part)))
  return made.every((part) => typeof part === 'string' || typeof part === 'number') ? made.join('') : undefined
}
