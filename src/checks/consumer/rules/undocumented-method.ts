/** Calls of a documented path with an undocumented method. */
import type { ConsumerRule } from '../consumer-rule.js'

export const undocumentedMethod: ConsumerRule = {
  id: 'undocumented-method',
  severity: 'error',
  looksAt: 'a call of a documented path with an undocumented method',
  help: 'Use a method that is documented for this path',
  isExpectable: true,
  *analyze({ exchange, operation, message }) {
    if (operation || exchange.refused !== 'method_not_allowed') return
    yield { at: '', message: message ?? `The document has no ${exchange.request.method} for this path` }
  },
}
