/** Applies what an operation does to the record of the user who is logged in: the subject of the token in the request. */
import type { UserUse } from '../../contract/effects/effect.js'
import { type Key, passes } from '../../state/stored-record.js'
import { claimsOf } from '../credentials/open-keys.js'
import type { Outcome } from '../outcome.js'
import { applyEffect } from './all-effects.js'
import { type EffectInput, modelOf, storedOf } from './effect-input.js'
import { isRemoved } from './sampled-record.js'

export function applyUser({ names, effect }: UserUse, input: EffectInput): Outcome {
  const model = modelOf(input.contract, effect.collection)
  const subject = subjectOf(input)
  const stored = storedOf(input.contract, input.world, input.server, effect.collection)
  const users = subject === undefined ? [] : names.map((property) => ({ property, values: [subject, Number(subject)] }))
  const [user] = users.flatMap((filter) => stored.select([filter])).filter((each) => !isRemoved(each))
  if (!user) return applyEffect(input)
  const key = user.values[model.key] as Key
  const path = { ...input.request.path, [effect.parameter]: key }
  const outcome = applyEffect({ ...input, effect, model, request: { ...input.request, path } })
  // A token stays valid when its user gets another name.
  const changed = stored.get(key)
  const isNamed = users.some((filter) => changed && passes(changed, filter))
  if (changed && !isNamed && !isRemoved(changed))
    stored.replace(key, { ...changed.values, [effect.parameter]: subject })
  return outcome
}

/** Whom the token of a request is for. Undefined if it has none that says so. */
function subjectOf({ contract, sent }: EffectInput): string | undefined {
  const headers = Object.values(contract.schemes).map((each) => (each.kind === 'apiKey' ? each.name : 'authorization'))
  const subjects = headers.map((name) => claimsOf((sent.header(name) ?? '').replace(/^[\w-]+ +/, ''))?.sub)
  return subjects.find((each): each is string => typeof each === 'string')
}
