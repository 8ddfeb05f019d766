/** Fills in the properties that the service writes and a request does not set. */
import type { CreateEffect, Fill, KeyedEffect } from '../contract/effect.js'
import { createNamed, ownValue } from '../json/own-value.js'
import type { Values } from '../state/stored-record.js'
import type { EffectInput } from './effects/effect.js'

const nothing: Values = {}

/** @param fills @default those of the effect */
export function fill(
  { effect, context: { now }, filler }: EffectInput<CreateEffect | KeyedEffect>,
  fills: readonly Fill[] = effect.fills,
): Values {
  let values: Record<string, unknown> | undefined
  for (const { property, with: kind, value, as } of fills) {
    if (kind === 'key') continue
    values ??= createNamed()
    values[property] = kind === 'now' ? (filler?.writeTime(now, as) ?? new Date(now).toISOString()) : value
  }
  // Most records have none: an object of another kind here makes each creation slower.
  return values ?? nothing
}

/** The properties of a record that only the service writes, and that a change keeps. */
export function keptValues(values: Values, fills: readonly Fill[]): Values {
  const owned = fills.filter((each) => each.owned && !each.again)
  const entries = owned.map(({ property }) => [property, ownValue(values, property)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}
