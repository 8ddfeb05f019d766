/** A POST that takes what GET takes and returns the same changes nothing: `POST /topics` */

import { does, example, type Rule } from '../../rule.js'
import { asksTheSame } from '../questions.js'

export const rule: Rule = {
  id: 'collection-post-asks-as-get',
  says: 'effect',
  from: 'schema',
  methods: ['POST'],
  providers: 7,
  right: { medium: 1 },
  find(input) {
    const get = input.other('GET')
    if (!get || !asksTheSame(get, input)) return undefined
    return input.list?.hasRecords && input.resource?.item
      ? does('list', 'medium', 'it asks what GET asks')
      : example('it asks what GET asks')
  },
}
