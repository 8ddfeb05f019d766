/** A GET whose name means something calculated computes: `GET /sales/chart` */

import { example, type Rule } from '../../rule.js'
import { calculated, isComputed, isMeasured, lastWord } from '../computed.js'

export const rule: Rule = {
  id: 'singleton-get-computed',
  says: 'effect',
  from: 'name',
  methods: ['GET'],
  providers: 268,
  right: { medium: 0.86 },
  find(input) {
    const isStatus = input.owner !== undefined && lastWord(input) === 'status'
    if ((isComputed(input) && !isStatus) || isMeasured(input)) return calculated(input)
    return input.verb === 'compute' ? example('its name says that it computes') : undefined
  },
}
