/** The only required query parameter, a property of the record that is returned, selects it: `GET /books/resolve?title=x` */

import { lookupParameter } from '../../../facts/facts.js'
import { does, type Rule } from '../../rule.js'

export const rule: Rule = {
  id: 'part-get-by-query',
  says: 'effect',
  from: 'schema',
  methods: ['GET'],
  providers: 3,
  right: { medium: 1 },
  find(input) {
    const { document, resource, above } = input
    const named = !resource && above?.kind === 'collection' ? lookupParameter(document, input, above.record) : undefined
    return named !== undefined && above
      ? does('read', 'medium', `the query parameter "${named}" selects the record of ${above.home}`, above)
      : undefined
  },
}
