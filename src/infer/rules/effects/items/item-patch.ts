/** PATCH changes a record: `PATCH /books/{id}` */

import { does, type Rule } from '../../rule.js'

export const rule: Rule = {
  id: 'item-patch',
  says: 'effect',
  from: 'habit',
  methods: ['PATCH'],
  providers: 97,
  right: { backed: 1, high: 1, low: 1 },
  find: ({ node }) => does('update', 'high', `it changes the record of {${node.step.parameter}}`),
}
