/** Keeps the record that each effect changed as it was then: when its exchange is there, others may have changed it. */
import type { Operation } from '../../contract/contract.js'
import type { Effect } from '../../contract/effects/effect.js'
import type { Values } from '../../state/stored-record.js'
import type { ApplyEffect, EffectInput, Effects } from '../effects/effect.js'
import type { Progress } from '../finish.js'
import { Refusal } from '../outcome.js'
import { findByPath } from './find-record.js'

/** By the progress of the request. */
export type ChangedRecords = WeakMap<Partial<Progress>, Values>

export interface FollowedEffects {
  effects: Effects
  changed: ChangedRecords
}

/** @param operations ids of those that are followed */
export function followEffects(effects: Effects, operations: ReadonlySet<string>): FollowedEffects {
  const changed: ChangedRecords = new WeakMap()

  function follow(apply: ApplyEffect<Effect>): ApplyEffect<Effect> {
    return (input) => {
      if (!operations.has(input.operation.id)) return apply(input)
      const before = input.effect.kind === 'remove' ? findOne(input) : undefined
      const outcome = apply(input)
      const record = before ?? (outcome instanceof Refusal && isCreation(input.operation) ? undefined : findOne(input))
      // A store may let an effect run again: what the last run changed is committed.
      if (record) changed.set(input.context.progress, record)
      else changed.delete(input.context.progress)
      return outcome
    }
  }

  const all = Object.entries(effects).map(([kind, apply]) => [kind, follow(apply as ApplyEffect<Effect>)])
  return { effects: Object.fromEntries(all) as Effects, changed }
}

const isCreation = ({ effect }: Operation) => effect.kind === 'create'

/** The newest record of a creation, else that of the path. */
function findOne({ operation, effect, world, sent }: EffectInput): Values | undefined {
  if (!isCreation(operation)) return findByPath(operation, { request: sent, server: sent.server }, world)
  return 'collection' in effect ? world.collection(effect.collection, sent.server).select([], 1)[0]?.values : undefined
}
