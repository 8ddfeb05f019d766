/** A GET that asks what POST asks on the same path computes: `GET /page` */

import { example, type Rule } from '../../rule.js'
import { asksTheSame, hasInput, isTwin } from '../questions.js'

export const rule: Rule = {
  id: 'singleton-get-twin',
  says: 'effect',
  from: 'name',
  methods: ['GET'],
  providers: 13,
  right: { medium: 1 },
  find(input) {
    const twin = input.other('POST')
    return twin && (asksTheSame(input, twin) || (isTwin(input, twin) && hasInput(input)))
      ? example('POST asks the same, so that it computes')
      : undefined
  },
}
