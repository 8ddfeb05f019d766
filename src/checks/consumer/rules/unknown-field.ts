/** Properties in a body that the operation does not document, so that they are dropped. */

import { bodyContentFor } from '../../../contract/body-content.js'
import { quote } from '../../../contract/violations.js'
import { parseExactJson } from '../../../json/exact-json.js'
import { pruneByShape } from '../../../json/prune-by-shape.js'
import type { ConsumerRule } from '../consumer-rule.js'
import { requestHeader } from '../exchange-headers.js'
import { generalizePlace } from '../violated-places.js'

export const unknownField: ConsumerRule = {
  id: 'unknown-field',
  severity: 'warning',
  looksAt: 'an undocumented property in the body',
  help: 'Remove it: the service may drop it now and refuse it later',
  isExpectable: false,
  *analyze({ exchange, operation, contract }) {
    const { body } = exchange.request
    const content = operation && bodyContentFor(operation, requestHeader(exchange, 'content-type'))
    if (!content || body === undefined) return
    const dropped: string[] = []
    try {
      pruneByShape(parseExactJson(body).exact, contract.shapes, content.shape, (path) => dropped.push(path))
    } catch {
      // `invalid-body` reports a body that is not JSON.
      return
    }
    for (const path of dropped) {
      yield {
        at: generalizePlace('body', path),
        message: `${operation.id} documents no property ${quote(path)}; it was dropped`,
      }
    }
  },
}
