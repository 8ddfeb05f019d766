/** Lets documented operations of HEAD answer as GET does, without the body (RFC 9110, section 9.3.2). */
import type { Effect } from '../../contract/effect.js'
import { chooseSuccess } from '../choose-success.js'
import type { DescribedOperation } from '../describe-operations.js'
import type { ExplainedOperation } from './explain-operation.js'

/**
 * Sets the effects of these operations.
 * @param explanations in the order of the operations
 * @returns the explanations with those of them
 */
export function mirrorHeads(
  described: readonly DescribedOperation[],
  effects: Map<DescribedOperation, Effect>,
  explanations: readonly ExplainedOperation[],
): ExplainedOperation[] {
  return explanations.map((explanation, index) => {
    const head = described[index]
    if (head?.method !== 'HEAD' || head.value['x-sandbox-effect'] !== undefined) return explanation
    const place = described.findIndex(({ method, path }) => method === 'GET' && path === head.path)
    const get = described[place]
    const [effect, known, success] = [get && effects.get(get), explanations[place], chooseSuccess(head)]
    if (!known || !success || success.isError || (effect?.kind !== 'list' && effect?.kind !== 'read'))
      return explanation
    effects.set(head, { ...effect, status: success.status })
    const { method, path, operationId } = explanation
    return { ...known, method, path, operationId, reason: 'it is GET without the body' }
  })
}
