/** PATCH or PUT of a collection with a filter changes the records that it chooses: `PATCH /books?where={…}` */

import { hasRole } from '../../../../lexicon/parameters.js'
import { example, type Rule } from '../../rule.js'

export const rule: Rule = {
  id: 'collection-change-chosen',
  says: 'effect',
  from: 'name',
  methods: ['PATCH', 'PUT'],
  providers: 0,
  find: ({ operation }) =>
    operation.parameters.some(({ value }) => value.in === 'query' && hasRole(value.name, 'filter'))
      ? example('it changes the records that its query chooses', 'medium', 'bulk-replace')
      : undefined,
}
