/** Calls of paths that are not documented. */
import type { ConsumerRule } from '../consumer-rule.js'

export const undocumentedPath: ConsumerRule = {
  id: 'undocumented-path',
  severity: 'error',
  looksAt: 'a call of an undocumented path',
  help: 'Call a documented path, below the base address of one of the servers',
  isExpectable: true,
  *analyze({ exchange, operation, message }) {
    if (operation || exchange.refused !== 'not_found') return
    yield { at: '', message: message ?? 'The document has no such path' }
  },
}
