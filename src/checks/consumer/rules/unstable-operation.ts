/** Calls of operations that may still change. */
import type { ConsumerRule } from '../consumer-rule.js'

export const unstableOperation: ConsumerRule = {
  id: 'unstable-operation',
  severity: 'warning',
  looksAt: 'a call of an operation that is marked experimental or beta',
  help: 'Expect changes without notice, or wait until it is stable',
  isExpectable: false,
  *analyze({ operation }) {
    const { stability } = operation?.lifecycle ?? {}
    if (!operation || stability === undefined || stability === 'stable') return
    yield { at: '', message: `${operation.id} is marked ${stability}: it may change or be removed without notice` }
  },
}
