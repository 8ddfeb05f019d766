/** Query parameters that the operation does not document, so that they have no effect. */
import { quote } from '../../../contract/violations.js'
import type { ConsumerRule } from '../consumer-rule.js'
import { generalizePlace } from '../violated-places.js'

export const unknownParameter: ConsumerRule = {
  id: 'unknown-parameter',
  severity: 'warning',
  looksAt: 'an undocumented query parameter',
  help: 'Remove it, or use a documented one: the service may ignore it now and refuse it later',
  isExpectable: false,
  *analyze({ exchange, operation, contract }) {
    if (!operation || exchange.request.query === '') return
    const documented = operation.parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name)
    // An operation that requires no key accepts one.
    const keys = Object.values(contract.schemes).flatMap((scheme) =>
      scheme.kind === 'apiKey' && scheme.in === 'query' ? scheme.name : [],
    )
    for (const name of new Set(new URLSearchParams(exchange.request.query).keys())) {
      if (documented.includes(name) || keys.includes(name)) continue
      const known = documented.length === 0 ? 'it has none' : `it has ${documented.join(', ')}`
      yield {
        at: generalizePlace('query', name),
        message: `${operation.id} has no query parameter ${quote(name)}; ${known}`,
      }
    }
  },
}
