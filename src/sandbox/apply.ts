/** Fourth step: what the operation does to the world, and what it answers. */
import type { Effect, EffectKind } from '../contract/contract.js'
import type { Answer, Applied } from './applied.js'
import { create, read, remove, replace, update } from './apply-keyed.js'
import { list } from './apply-list.js'
import type { Refusal } from './refusal.js'

export function apply(applied: Applied): Answer | Refusal {
  return effects[applied.effect.kind](applied as never)
}

const effects: { [Kind in EffectKind]: (applied: Applied<Extract<Effect, { kind: Kind }>>) => Answer | Refusal } = {
  list,
  create,
  read,
  replace,
  update,
  remove,
  example: ({ effect }) => effect,
  undescribed: ({ operation: { method, path } }) => ({
    reason: 'not_described',
    message: `The document does not say what ${method} ${path} answers`,
  }),
}
