/** Properties in a body that the operation does not have: nobody keeps them. */

import { bodyContentFor } from '../../../contract/body-content.js'
import { quote } from '../../../contract/violations.js'
import { parseExactJson } from '../../../json/exact-json.js'
import { pruneByShape } from '../../../json/prune-by-shape.js'
import type { ConsumerRule } from '../consumer-rule.js'
import { requestHeader } from '../exchange-headers.js'
import { placeOf } from '../violated-places.js'

export const unknownField: ConsumerRule = {
  id: 'unknown-field',
  severity: 'warning',
  looksAt: 'a property in the body that the operation does not take',
  help: 'Leave it out: the service may drop it, or refuse it one day',
  isExpectable: false,
  *analyze({ exchange, operation, contract }) {
    const { body } = exchange.request
    const content = operation && bodyContentFor(operation, requestHeader(exchange, 'content-type'))
    if (!content || body === undefined) return
    const dropped: string[] = []
    try {
      pruneByShape(parseExactJson(body).exact, contract.shapes, content.shape, (path) => dropped.push(path))
    } catch {
      // Not JSON: another rule's.
      return
    }
    for (const path of dropped) {
      yield { at: placeOf('body', path), message: `${operation.id} takes no property ${quote(path)}; it was dropped` }
    }
  },
}
