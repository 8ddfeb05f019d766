/** Every effect, for contracts that are compiled when the program starts. */
import {
  type CreateEffect,
  type Fill,
  type KeyedEffect,
  type Setting,
  sampleTime,
  type TimeForm,
} from '../../contract/effect.js'
import { isObject } from '../../json/is-object.js'
import { action } from './action.js'
import { create } from './create.js'
import type { ApplyEffect, Effects } from './effect.js'
import { example } from './example.js'
import { list } from './list.js'
import { read } from './read.js'
import { remove } from './remove.js'
import { replace } from './replace.js'
import { undescribed } from './undescribed.js'
import { update } from './update.js'

export const allEffects: Required<Effects> = {
  list,
  create: withTimes(create),
  read,
  replace: withTimes(replace),
  update: withTimes(update),
  remove,
  action: withTimes(action),
  example,
  undescribed,
}

/** Times of other forms than a date-time are constants of the request, so that the effects need not know the forms. */
function withTimes<E extends CreateEffect | KeyedEffect>(apply: ApplyEffect<E>): ApplyEffect<E> {
  return (input) => {
    const { effect, context } = input
    const sets = 'sets' in effect ? effect.sets : undefined
    if (![...effect.fills, ...(sets ?? [])].some(({ as }) => as)) return apply(input)
    const write = <Each extends Fill | Setting>(each: Each): Each =>
      each.as ? { ...each, with: 'constant', value: writeTime(context.now, each.as, each.value) } : each
    return apply({ ...input, effect: { ...effect, fills: effect.fills.map(write), sets: sets?.map(write) } })
  }
}

function writeTime(now: number, form: TimeForm, sample?: unknown): unknown {
  if (form === 'sample') return withTime(sample, now)
  if (form === 'date') return new Date(now).toISOString().replace(/T.*/, '')
  return form === 'seconds' ? Math.floor(now / 1000) : now
}

const forms: readonly TimeForm[] = ['date', 'seconds', 'milliseconds']

/** A sample in which each time is that of the clock. */
function withTime(value: unknown, now: number): unknown {
  if (Array.isArray(value)) return value.map((each) => withTime(each, now))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withTime(each, now)]))
  if (value === new Date(sampleTime).toISOString()) return new Date(now).toISOString()
  const form = forms.find((each) => writeTime(sampleTime, each) === value)
  return form ? writeTime(now, form) : value
}
