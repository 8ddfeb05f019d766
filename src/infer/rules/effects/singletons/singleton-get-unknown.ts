/** A GET without a described answer reads what exists once, by its name: `GET /settings` */

import { isOnce } from '../../../../lexicon/kinds.js'
import { segmentVerb } from '../../../facts/facts.js'
import { does, type Rule } from '../../rule.js'
import { lastWord } from '../computed.js'

export const rule: Rule = {
  id: 'singleton-get-unknown',
  says: 'effect',
  from: 'name',
  methods: ['GET'],
  providers: 38,
  right: { low: 0.6 },
  find(input) {
    const { owner, success, verb, node } = input
    if (!success || success.flat !== undefined || input.answersFile) return undefined
    const isNamed = isOnce(lastWord(input)) || (owner && verb === 'read' && !segmentVerb(node))
    return isNamed ? does('read', 'low', 'its name is that of something that exists once') : undefined
  },
}
