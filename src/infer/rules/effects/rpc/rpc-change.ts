/** A verb that changes or replaces, after the name of a collection or a record: `POST /book/update` */

import { nameOf } from '../../../facts/facts.js'
import { allMethods, does, example, type Rule } from '../../rule.js'
import { isMany } from '../many-records.js'
import { named } from '../rpc-verb.js'

export const rule: Rule = {
  id: 'rpc-change',
  says: 'effect',
  from: 'name',
  methods: allMethods,
  providers: 50,
  right: { medium: 0.83, low: 1 },
  find(input) {
    const { rpc } = input
    if (rpc?.kind !== 'update' && rpc?.kind !== 'replace') return undefined
    const { resource, kind, isOfItem } = rpc
    const isUpsert = /^upsert/i.test(nameOf(input.node))
    if (kind === 'replace' && !isUpsert && !isOfItem && !input.isShown(resource) && !isMany(input))
      return does('create', 'low', 'its name says that it puts a record, and nothing reads it', resource)
    if (!isOfItem && isMany(input)) return example('it changes many records at once', 'medium', 'bulk-replace')
    return named(kind === 'replace' && !isOfItem ? 'replace' : 'update', resource, 'changes a record of', 'medium')
  },
}
