/** An event after a collection, with no answer, happened to one of its records: `POST /players/playing` */

import { isNoSignal } from '../../../../lexicon/operation-names.js'
import { wordsOf } from '../../../../lexicon/words.js'
import { nameOf, segmentVerb } from '../../../facts/facts.js'
import { does, type Rule, type RuleInput } from '../../rule.js'

export const rule: Rule = {
  id: 'part-post-signals',
  says: 'effect',
  from: 'name',
  methods: ['POST'],
  providers: 14,
  right: { low: 1 },
  find(input) {
    const { above } = input
    return above?.kind === 'collection' && above.item && isSignal(input)
      ? does('action', 'low', `its name says what happened to a record of ${above.home}`, above)
      : undefined
  },
}

/** Whether an operation after a collection only signals an event of one record and returns nothing. */
function isSignal({ node, verb, success, body }: RuleInput): boolean {
  const isSaid = /(ing|ed)$/.test(nameOf(node)) || segmentVerb(node)?.kind === 'action'
  const isOther = wordsOf(nameOf(node)).some(isNoSignal)
  return isSaid && !isOther && verb === 'action' && success?.flat === undefined && !body.isList
}
