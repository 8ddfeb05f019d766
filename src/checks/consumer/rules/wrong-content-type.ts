/** Bodies with a content type that the document does not allow. */
import { bodyContentFor } from '../../../contract/body-content.js'
import type { ConsumerRule } from '../consumer-rule.js'
import { requestHeader } from '../exchange-headers.js'

export const wrongContentType: ConsumerRule = {
  id: 'wrong-content-type',
  severity: 'error',
  looksAt: 'a body whose content type or encoding the operation does not accept',
  help: 'Send the documented Content-Type, and no Content-Encoding; mark a test of another one with "Sandbox-Expect: 4XX"',
  isExpectable: true,
  *analyze({ exchange, operation, isForced, message }) {
    if (isForced || exchange.refused !== 'unsupported_media_type') return
    const type = requestHeader(exchange, 'content-type')
    const isAccepted = operation && bodyContentFor(operation, type) !== undefined
    yield {
      at: `header ${isAccepted ? 'Content-Encoding' : 'Content-Type'}`,
      kind: type === undefined ? 'missing' : 'not-accepted',
      message: message ?? 'The operation does not accept this content type',
    }
  },
}
