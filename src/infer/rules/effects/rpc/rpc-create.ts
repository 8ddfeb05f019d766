/** A verb that adds, after the name of a collection: `POST /book/create` */

import { allMethods, example, type Rule } from '../../rule.js'
import { isMany } from '../many-records.js'
import { named } from '../rpc-verb.js'

export const rule: Rule = {
  id: 'rpc-create',
  says: 'effect',
  from: 'name',
  methods: allMethods,
  providers: 81,
  right: { backed: 1, high: 1, low: 0.58 },
  find(input) {
    const { rpc } = input
    // GET is safe (RFC 9110, section 9.2.1), and lists what is new.
    if (rpc?.kind !== 'create' || rpc.isOfItem || input.method === 'GET') return undefined
    const { resource } = rpc
    if (resource.kind === 'singleton') return undefined
    if (isMany(input)) return example('it adds many records at once', 'medium', 'bulk-create')
    return named('create', resource, 'adds a record to')
  },
}
