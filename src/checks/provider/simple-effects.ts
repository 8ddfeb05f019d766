/** Which effects the sequences of a check know. */
import type { Contract, Operation } from '../../contract/contract.js'
import type { Effect } from '../../contract/effect.js'

/**
 * A contract in which only operations on whole records at the top of a document have an effect. All others are checked one
 * by one, like those that are answered by example.
 */
export function withSimpleEffects(contract: Contract): Contract {
  const operations = contract.operations.map((operation): Operation => {
    const { effect } = operation
    return isSimple(effect) ? operation : { ...operation, effect: toExample(effect) }
  })
  return { ...contract, operations }
}

function isSimple(effect: Effect): boolean {
  if (!('collection' in effect)) return true
  if (effect.place || effect.around || effect.kind === 'action') return false
  if (effect.kind === 'list') return true
  if (effect.given || effect.answer) return false
  return effect.kind === 'create' ? effect.parameter === undefined : effect.parameter !== '' && !effect.keyIn
}

/** An effect of which nothing is expected but a success. */
export function toExample(effect: Effect): Effect {
  if (!('status' in effect)) return effect
  const { status, mediaType, headers } = effect
  return {
    kind: 'example',
    status,
    ...(mediaType !== undefined && { mediaType }),
    ...(headers && { headers }),
  }
}
