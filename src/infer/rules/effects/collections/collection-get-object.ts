/** GET of a collection without a list in its answer lists, reads or computes, by its name: `GET /books` */

import { isPlural } from '../../../../lexicon/words.js'
import { does, example, type Rule } from '../../rule.js'
import { calculated, isComputed, lastWord } from '../computed.js'

export const rule: Rule = {
  id: 'collection-get-object',
  says: 'effect',
  from: 'habit',
  methods: ['GET'],
  providers: 232,
  right: { medium: 0.5, low: 0.83 },
  find(input) {
    const { success, answersObject, verb } = input
    if (isComputed(input) || verb === 'compute') return calculated(input)
    const isKnown = success?.flat !== undefined && !(answersObject && success.flat.properties.size === 0)
    if (!isKnown || input.saysList)
      return does('list', 'low', 'its path is that of a collection, and its body is not described')
    if (!answersObject) return example('it returns no list of the records of this path')
    if (isPlural(lastWord(input))) return does('list', 'low', 'its path is that of a collection')
    return does('read', 'low', 'it returns one object')
  },
}
