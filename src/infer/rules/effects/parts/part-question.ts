/** A question after a collection lists records of it: `GET /books/autocomplete` */

import { isAsking } from '../../../../lexicon/verbs.js'
import { nameOf } from '../../../facts/facts.js'
import { does, type Rule } from '../../rule.js'

export const rule: Rule = {
  id: 'part-question',
  says: 'effect',
  from: 'name',
  methods: ['GET', 'POST'],
  providers: 11,
  right: { medium: 1, low: 1 },
  find({ node, list, success, resource, above, answersFile }) {
    if (!isAsking(nameOf(node)) || above?.kind !== 'collection' || resource?.kind === 'collection') return undefined
    if (answersFile || (!list?.hasRecords && success?.flat !== undefined && !above.item)) return undefined
    return does('list', 'medium', `it asks for records of ${above.home}`, above)
  },
}
