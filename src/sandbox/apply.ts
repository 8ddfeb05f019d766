/** Fourth step: applies the effect of the operation to the world. */
import type { CollectionModel, Operation, RequestContract } from '../contract/contract.js'
import type { Later } from '../state/commits/store.js'
import type { StoredWorld } from '../state/stored-world.js'
import { Memo } from './memo.js'
import type { WrittenOutcome } from './outcome.js'
import type { SandboxRequest } from './request/request.js'
import { writeAnswer } from './responses/write-answer.js'
import type { ValidRequest } from './validate.js'
import type { Worlds } from './worlds.js'
import type {
  ApplyEffect,
  EffectInput,
  Effects,
  Relations,
  RequestContext,
  WrittenList,
} from './writes/effect-input.js'
import type { UseExtras } from './writes/extras.js'
import type { Sampler } from './writes/sampler.js'

export interface ApplyInput {
  request: SandboxRequest
  operation: Operation
  world: StoredWorld
  valid: ValidRequest
  context: RequestContext
}

/** Returns a promise only if the store waits. The effect may run more than once, always with the same time. */
export type Apply = (input: ApplyInput) => Later<WrittenOutcome>

export interface ApplyOptions {
  contract: RequestContract
  effects: Effects
  sampler?: Sampler | undefined
  undoTo?: EffectInput['undoTo']
  relations?: Relations | undefined
  /** A contract without uploads and operations on many records needs none. */
  useExtras?: UseExtras | undefined
  worlds: Worlds
}

/** Maximum bytes of cached lists, over all worlds. */
const maxListBytes = 16 * 1024 * 1024
/** Bytes that a cached list takes in addition to its texts. */
const perList = 300

export function createApply({ contract, effects, sampler, undoTo, relations, useExtras, worlds }: ApplyOptions): Apply {
  const lists = new Memo<WrittenList>(
    maxListBytes,
    ({ text, bytes }, key) => perList + 2 * (key.length + text.length) + bytes.length,
  )

  const models = new Map<unknown, CollectionModel>(contract.collections.map((model) => [model.name, model]))
  return function apply({ request, operation, world, valid, context }) {
    const { effect } = operation
    const { server = '', query } = request
    // `effects` has every effect of the contract.
    const run = effects[effect.kind] as ApplyEffect<typeof effect>
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
      sampler,
      undoTo,
      relations,
    }
    const { extras } = operation
    if (extras && useExtras) return worlds.attempt(world, () => useExtras(extras, input, () => run(input)), context)
    return worlds.attempt(world, () => writeAnswer(input, run), context)
  }
}
