/** A verb that deletes, after the name of a collection or a record: `POST /book/delete` */

import { allMethods, does, example, type Rule } from '../../rule.js'
import { isMany } from '../many-records.js'
import { namesOneRecord } from '../one-record.js'
import { isOfAll, named, takesPart } from '../rpc-verb.js'

export const rule: Rule = {
  id: 'rpc-remove',
  says: 'effect',
  from: 'name',
  methods: allMethods,
  providers: 60,
  right: { backed: 0.86, low: 0.8 },
  find(input) {
    const { rpc } = input
    if (rpc?.kind !== 'remove') return undefined
    const { resource, isOfItem } = rpc
    if (takesPart(input, rpc))
      return does('action', 'low', `it takes something from a record of ${resource.home}`, resource)
    const isOfSeveral = !isOfItem && (isMany(input) || isOfAll(input))
    if (isOfSeveral && !namesOneRecord(input, 'body') && !namesOneRecord(input, 'query'))
      return example('it deletes several records', 'low', 'bulk-remove')
    return named('remove', resource, 'deletes a record of')
  },
}
