/** GET of an object that asks for nothing reads what exists once: `GET /station` */

import { isPlural } from '../../../../lexicon/words.js'
import { does, type Rule } from '../../rule.js'
import { lastWord } from '../computed.js'

export const rule: Rule = {
  id: 'singleton-get',
  says: 'effect',
  from: 'habit',
  methods: ['GET'],
  providers: 210,
  right: { low: 0.65 },
  find(input) {
    const { owner, node, list, saysList } = input
    if (owner && saysList)
      return does('list', 'low', `its summary says that it lists what belongs to a record of ${owner.home}`)
    if (owner) return does('read', 'low', `it returns a part of a record of ${owner.home}`)
    const word = lastWord(input)
    if (node.step.text !== undefined && isPlural(word) && word !== 'savings' && !list)
      return does('list', 'low', 'its name is that of several things')
    return does('read', 'low', 'it returns an object, and asks for nothing')
  },
}
