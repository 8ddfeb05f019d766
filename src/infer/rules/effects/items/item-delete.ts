/** DELETE removes a record: `DELETE /books/{id}` */

import { does, type Rule } from '../../rule.js'

export const rule: Rule = {
  id: 'item-delete',
  says: 'effect',
  from: 'habit',
  methods: ['DELETE'],
  providers: 267,
  right: 0.95,
  find: ({ node }) => does('remove', 'high', `it deletes the record of {${node.step.parameter}}`),
}
