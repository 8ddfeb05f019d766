/** A POST with a list of records adds or replaces many: `POST /books` with `[{…}, {…}]` */

import { example, type Rule } from '../../rule.js'
import { isMany } from '../many-records.js'

export const rule: Rule = {
  id: 'collection-post-many',
  says: 'effect',
  from: 'schema',
  methods: ['POST'],
  providers: 58,
  right: { medium: 0.62 },
  find(input) {
    if (!isMany(input)) return undefined
    const isReplaced = (input.verb === 'update' || input.verb === 'replace') && !input.saysUpsert
    return example('its body has many records', 'medium', isReplaced ? 'bulk-replace' : 'bulk-create')
  },
}
