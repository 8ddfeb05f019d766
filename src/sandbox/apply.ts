/** Applies the effect of the operation to the world. */
import type { CollectionModel, Operation, RequestContract } from '../contract/contract.js'
import type { Effect } from '../contract/effects/effect.js'
import type { Later } from '../state/commits/store.js'
import type { StoredWorld } from '../state/stored-world.js'
import type { ApplyOperation } from './http/apply-http.js'
import { Memo } from './memo.js'
import type { WrittenOutcome } from './outcome.js'
import type { SandboxRequest } from './request/request.js'
import { writeAnswer } from './responses/write-answer.js'
import type { ValidRequest } from './validate.js'
import type { Worlds } from './worlds.js'
import type { ApplyEffect, EffectInput, Effects, RequestContext, WrittenList } from './writes/effect-input.js'

export interface ApplyInput {
  request: SandboxRequest
  operation: Operation
  world: StoredWorld
  valid: ValidRequest
  context: RequestContext
}

/**
 * Returns a promise only if the store waits. The effect may run more than once, always with the same time.
 * @param inCommit called each time with the outcome, before its changes are committed
 * @param run in place of what the operation does
 */
export type Apply = (
  input: ApplyInput,
  inCommit?: (outcome: WrittenOutcome) => void,
  run?: ApplyEffect<Effect>,
) => Later<WrittenOutcome>

export interface ApplyOptions {
  contract: RequestContract
  effects: Effects
  /** Applies operations that do more than their effect. A contract without such operations needs none. */
  applyOperation?: ApplyOperation | undefined
  openProgress?: EffectInput['openProgress']
  showChosen?: EffectInput['showChosen']
  worlds: Worlds
}

/** Maximum bytes of cached lists, over all worlds. */
const maxListBytes = 16 * 1024 * 1024
/** Bytes that a cached list takes in addition to its texts. */
const perList = 300

export function createApply({
  contract,
  effects,
  applyOperation,
  openProgress,
  showChosen,
  worlds,
}: ApplyOptions): Apply {
  const lists = new Memo<WrittenList>(
    maxListBytes,
    ({ text, bytes }, key) => perList + 2 * (key.length + text.length) + bytes.length,
  )

  const models = new Map<unknown, CollectionModel>(contract.collections.map((model) => [model.name, model]))
  return function apply({ request, operation, world, valid, context }, inCommit, run) {
    const { effect, extras } = operation
    const { server = '', query } = request
    const input: EffectInput = {
      contract,
      operation,
      effect,
      model: models.get('collection' in effect && effect.collection) as CollectionModel,
      world,
      server,
      query,
      request: valid,
      sent: request,
      context,
      lists,
      openProgress,
      showChosen,
    }
    // `effects` has every effect of the contract: those of `writes/all-effects.ts`, or fewer in a small bundle.
    const own = run ?? (effects[effect.kind] as ApplyEffect<typeof effect>)
    const once = () => {
      const outcome = extras && applyOperation ? applyOperation(extras, input, run) : writeAnswer(input, own)
      inCommit?.(outcome)
      return outcome
    }
    return worlds.attempt(world, once, context)
  }
}
