/** Another verb, after the name of a collection or a record: `POST /books.archive`, `POST /books/{id}/cancel` */

import { isDetaching } from '../../../../lexicon/verbs.js'
import { wordsOf } from '../../../../lexicon/words.js'
import { nameOf } from '../../../facts/facts.js'
import { allMethods, does, example, type Rule } from '../../rule.js'
import { isMany } from '../many-records.js'
import { namesOneRecord } from '../one-record.js'
import { isOfAll, takesPart } from '../rpc-verb.js'

export const rule: Rule = {
  id: 'rpc-act',
  says: 'effect',
  from: 'name',
  methods: allMethods,
  providers: 147,
  right: { medium: 1, low: 0.92 },
  find(input) {
    const { rpc, node } = input
    if (rpc?.kind !== 'action') return undefined
    const { resource, isOfItem } = rpc
    if (input.method === 'GET' && !namesOneRecord(input, 'query') && !/[?#]/.test(input.operation.path))
      return undefined
    if (!isOfItem && (isMany(input) || isOfAll(input))) return example('it does something to many records', 'medium')
    const isNamed = node.parent?.step.isNoun || namesOneRecord(input, 'query') || namesOneRecord(input, 'body')
    if (!isOfItem && !isNamed) return undefined
    const isRemoved = isDetaching(wordsOf(nameOf(node))[0] ?? '') && !takesPart(input, rpc)
    const effect = isRemoved ? 'remove' : 'action'
    return does(effect, 'medium', `its name says what it does to a record of ${resource.home}`, resource)
  },
}
