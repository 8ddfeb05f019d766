/** A POST whose name says that it reads many records lists them: `POST /books/batch-retrieve` */

import { isReading, saysMany } from '../../../../lexicon/verbs.js'
import { wordsOf } from '../../../../lexicon/words.js'
import { nameOf } from '../../../facts/facts.js'
import { does, type Rule } from '../../rule.js'

export const rule: Rule = {
  id: 'part-post-reads-many',
  says: 'effect',
  from: 'name',
  methods: ['POST'],
  providers: 8,
  right: { low: 1 },
  find({ node, list, above, words }) {
    const said = [...wordsOf(nameOf(node)), ...words]
    const isBatch = said.some(saysMany) && said.some(isReading)
    if (!isBatch || !list?.hasRecords) return undefined
    const resource = above?.kind === 'collection' ? above : undefined
    return does('list', 'low', 'its name says that it reads many records', resource)
  },
}
