/** PATCH changes what exists once: `PATCH /settings` */

import { wordsOf } from '../../../../lexicon/words.js'
import { segmentVerb } from '../../../facts/facts.js'
import { does, example, type Rule } from '../../rule.js'
import { isBatch } from '../many-records.js'

export const rule: Rule = {
  id: 'singleton-patch',
  says: 'effect',
  from: 'habit',
  methods: ['PATCH'],
  providers: 44,
  right: { backed: 0, high: 1, low: 1 },
  find(input) {
    const { resource, owner, other, node } = input
    if (isBatch(input)) return example('it changes many records at once', 'medium', 'bulk-replace')
    const verb = segmentVerb(node)
    const effect = verb?.kind === 'action' && wordsOf(node.step.text ?? '').length === 1 ? 'action' : 'update'
    if (owner && !other('GET') && verb)
      return does(effect, 'medium', `its name says how it changes a record of ${owner.home}`, owner)
    return resource && does('update', 'high', 'it changes a record that exists once')
  },
}
