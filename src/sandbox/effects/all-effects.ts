/** Every effect, for contracts that are compiled when the program starts. */
import { action } from './action.js'
import { create } from './create.js'
import type { Effects } from './effect.js'
import { example } from './example.js'
import { list } from './list.js'
import { read } from './read.js'
import { remove } from './remove.js'
import { replace } from './replace.js'
import { undescribed } from './undescribed.js'
import { update } from './update.js'

export const allEffects: Required<Effects> = {
  list,
  create,
  read,
  replace,
  update,
  remove,
  action,
  example,
  undescribed,
}
