/** A POST that takes what GET takes and returns the same changes nothing: `POST /mood` */

import { example, type Rule } from '../../rule.js'
import { asksTheSame, isTwin } from '../questions.js'

export const rule: Rule = {
  id: 'part-post-asks-as-get',
  says: 'effect',
  from: 'schema',
  methods: ['POST'],
  providers: 35,
  right: { medium: 0.8 },
  find(input) {
    const get = input.other('GET')
    if (!get || !(isTwin(input, get) || asksTheSame(get, input))) return undefined
    return example('it asks what GET asks')
  },
}
