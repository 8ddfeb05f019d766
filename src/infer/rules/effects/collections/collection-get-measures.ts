/** A list that is measured or counted, and that nothing writes, is calculated: `GET /metrics` */

import { isPlural, wordsOf } from '../../../../lexicon/words.js'
import { nameOf } from '../../../facts/facts.js'
import type { Rule, RuleInput } from '../../rule.js'
import { calculated, isComputed, isCounted, isMeasured } from '../computed.js'

export const rule: Rule = {
  id: 'collection-get-measures',
  says: 'effect',
  from: 'name',
  methods: ['GET'],
  providers: 76,
  right: { medium: 0.73 },
  find: (input) =>
    (isMeasured(input) && !showsPages(input)) || isCounted(input)
      ? calculated(input, ', and nothing writes it')
      : undefined,
}

/** Whether it returns pages of records, and is not named like a statistic: `/analytics/sessions/{id}/events` */
function showsPages({ list, node }: RuleInput): boolean {
  return (
    list?.isPaged === true && list.hasRecords && isPlural(wordsOf(nameOf(node)).at(-1) ?? '') && !isComputed({ node })
  )
}
