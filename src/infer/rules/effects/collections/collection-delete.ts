/** DELETE of a collection removes many records, or one if its name says so: `DELETE /books` */

import { isPlural, nounOf, wordsOf } from '../../../../lexicon/words.js'
import { does, example, type Rule } from '../../rule.js'
import { lastWord } from '../computed.js'
import { isMany } from '../many-records.js'

export const rule: Rule = {
  id: 'collection-delete',
  says: 'effect',
  from: 'habit',
  methods: ['DELETE'],
  providers: 99,
  right: { medium: 0.7, low: 1 },
  find(input) {
    const noun = wordsOf(input.operation.called).at(-1) ?? ''
    const isOfOne = input.verb === 'remove' && noun === nounOf(lastWord(input)) && isPlural(lastWord(input))
    return isOfOne && !isMany(input)
      ? does('remove', 'low', 'its name says that it deletes one record')
      : example('it deletes the records of a whole collection', 'medium', 'bulk-remove')
  },
}
