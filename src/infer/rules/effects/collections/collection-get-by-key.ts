/** A required query parameter that the answer has too selects one record: `GET /books?isbn=1` */

import { selectingParameter } from '../../../facts/facts.js'
import { does, type Rule } from '../../rule.js'
import { calculated, isComputed } from '../computed.js'

export const rule: Rule = {
  id: 'collection-get-by-key',
  says: 'effect',
  from: 'schema',
  methods: ['GET'],
  providers: 44,
  right: { medium: 0.83, low: 1 },
  find(input) {
    const computes = input.verb === 'compute' || input.verb === 'action' || isComputed(input)
    if (computes && !input.list && selectingParameter(input) !== undefined) return calculated(input)
    const named = input.success?.flat?.items ? undefined : selectingParameter(input)
    return named === undefined || !input.answersObject || input.list?.isEnvelope
      ? undefined
      : does('read', 'medium', `the query parameter "${named}" selects what it returns`)
  },
}
