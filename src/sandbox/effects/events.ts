/** Sets the times of events: when a record was completed, closed or archived. Drops out with `relations.ts`. */
import type { CreateEffect, KeyedEffect } from '../../contract/effects/effect.js'
import { ownValue } from '../../json/own-value.js'
import type { Values } from '../../state/stored-record.js'
import type { EffectInput } from './effect-input.js'
import { writeTime } from './service-written.js'

/** @param before the values before a change. A time that the request itself sets is kept */
export function withEvents(
  { model, context }: EffectInput<CreateEffect | KeyedEffect>,
  values: Values,
  before: Values | undefined,
): Values {
  const changes: [string, unknown][] = []
  for (const { property, value, time, as, isNullable } of model.events ?? []) {
    const isNow = ownValue(values, property) === value
    const wasBefore = before !== undefined && ownValue(before, property) === value
    if (isNow === wasBefore) continue
    const [given, had] = [ownValue(values, time), before && ownValue(before, time)]
    const isSent = given != null && given !== had
    if (isNow && !isSent) changes.push([time, as ? writeTime(context.now, as) : new Date(context.now).toISOString()])
    if (!isNow && !isSent) changes.push([time, isNullable ? null : undefined])
  }
  if (changes.length === 0) return values
  const all = Object.entries({ ...values, ...Object.fromEntries(changes) })
  return Object.fromEntries(all.filter(([, value]) => value !== undefined))
}
