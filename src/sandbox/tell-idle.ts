/** Notes once for each operation and world what a request has that has no effect. Contracts without such parts need none. */
import type { Operation } from '../contract/contract.js'
import { findIdle, type Idle, idleIn } from '../contract/effects/find-idle.js'
import { createApply } from './apply.js'

export const createTellingApply: typeof createApply = (options) => {
  const apply = createApply(options)
  const idleOf = new Map<Operation, Idle[]>()
  const told = new WeakMap<object, Set<Idle>>()
  return (input, inCommit, run) => {
    const { operation, world, valid, context } = input
    const idle = idleOf.get(operation) ?? findIdle(operation, options.contract)
    idleOf.set(operation, idle)
    if (idle.length > 0) {
      const known = told.get(world) ?? new Set()
      told.set(world, known)
      const found = idleIn(idle, valid.query).filter((each) => !known.has(each))
      for (const each of found) known.add(each)
      if (found.length > 0) context.progress.notes = [...context.progress.notes, ...found.map(({ note }) => note)]
    }
    return apply(input, inCommit, run)
  }
}
