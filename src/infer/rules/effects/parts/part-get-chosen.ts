/** One record of a collection is chosen by a word: `GET /books/latest` */

import { choosesRecord } from '../../../../lexicon/record-names.js'
import { nameOf } from '../../../facts/facts.js'
import { does, type Rule } from '../../rule.js'

export const rule: Rule = {
  id: 'part-get-chosen',
  says: 'effect',
  from: 'name',
  methods: ['GET'],
  providers: 12,
  right: { low: 1 },
  find({ node, above, answersObject, list }) {
    if (!choosesRecord(nameOf(node)) || above?.kind !== 'collection' || !answersObject || list?.isEnvelope)
      return undefined
    return does('read', 'medium', `it returns one record of ${above.home}`, above)
  },
}
