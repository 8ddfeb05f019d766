/** Every effect, for contracts that are compiled when the program starts. */
import type { CreateEffect, Effect, FieldChange, KeyedEffect, ServiceWritten } from '../../contract/effects/effect.js'
import { list } from '../lists/list.js'
import { Refusal } from '../outcome.js'
import { action } from './action.js'
import { withCorrectedRecord } from './chosen-values.js'
import { create } from './create.js'
import type { ApplyEffect, Effects } from './effect-input.js'
import { example } from './example.js'
import { showChosen } from './property-choice.js'
import { read } from './read.js'
import { remove } from './remove.js'
import { replace } from './replace.js'
import { writeTime } from './service-written.js'
import { undescribed } from './undescribed.js'
import { update } from './update.js'

export const allEffects: Required<Effects> = {
  list: withChoice(list),
  create: withChoice(withTimes(create)),
  read: withChoice(read),
  replace: withChoice(withTimes(replace)),
  update: withChoice(withTimes(update)),
  remove: withTimes(remove),
  action: withChoice(withTimes(action)),
  example: withChoice(example),
  undescribed,
}

/** Writes times that are not date-times as constants, and adds corrections, so that the effects need not know of either. */
function withTimes<E extends CreateEffect | KeyedEffect>(apply: ApplyEffect<E>): ApplyEffect<E> {
  return (sent) => {
    const input = withCorrectedRecord(sent)
    const { effect, context } = input
    const sets = 'sets' in effect ? effect.sets : undefined
    if (![...effect.serviceWritten, ...(sets ?? [])].some(({ as }) => as)) return apply(input)
    const write = <Each extends ServiceWritten | FieldChange>(each: Each): Each =>
      each.as ? { ...each, with: 'constant', value: writeTime(context.now, each.as, each.value) } : each
    return apply({
      ...input,
      effect: { ...effect, serviceWritten: effect.serviceWritten.map(write), sets: sets?.map(write) },
    })
  }
}

/** The effect, with an answer that shows what the request chooses. */
function withChoice<E extends Effect>(apply: ApplyEffect<E>): ApplyEffect<E> {
  return (input) => {
    const outcome = apply(input)
    const choice = 'choice' in input.effect ? input.effect.choice : undefined
    const isSent = choice && input.request.query[choice.parameter] !== undefined
    return isSent && !(outcome instanceof Refusal) ? showChosen(input, choice, outcome) : outcome
  }
}
