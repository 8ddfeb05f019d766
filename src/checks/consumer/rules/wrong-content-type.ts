/** Bodies with a content type that the document does not allow. */
import type { ConsumerRule } from '../consumer-rule.js'

export const wrongContentType: ConsumerRule = {
  id: 'wrong-content-type',
  severity: 'error',
  looksAt: 'a body whose content type or encoding the operation does not accept',
  help: 'Send the documented Content-Type, and no Content-Encoding; mark a test of another one with "Sandbox-Expect: 4XX"',
  isExpectable: true,
  *analyze({ exchange, isForced, message }) {
    if (isForced || exchange.refused !== 'unsupported_media_type') return
    yield { at: 'header Content-Type', message: message ?? 'The operation does not accept this content type' }
  },
}
