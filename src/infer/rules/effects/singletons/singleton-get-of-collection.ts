/** A GET that returns the record of a collection elsewhere reads one: `GET /random-book` */

import { saysRead } from '../../../../lexicon/operation-names.js'
import { does, type Rule } from '../../rule.js'

export const rule: Rule = {
  id: 'singleton-get-of-collection',
  says: 'effect',
  from: 'schema',
  methods: ['GET'],
  providers: 15,
  right: { low: 0.5 },
  find({ shownCollection: shown, owner, operation }) {
    const { called, value } = operation
    return shown && shown !== owner && saysRead(called || `${value.summary}`)
      ? does('read', 'low', `it returns a record of ${shown.home}`, shown)
      : undefined
  },
}
