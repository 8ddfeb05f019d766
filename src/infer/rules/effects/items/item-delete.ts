/** DELETE removes a record, or takes it out of use if it says so: `DELETE /books/{id}` */

import { saysUnused } from '../../../../lexicon/stages.js'
import { does, type Rule } from '../../rule.js'

export const rule: Rule = {
  id: 'item-delete',
  says: 'effect',
  from: 'habit',
  methods: ['DELETE'],
  providers: 267,
  right: { backed: 0.96, high: 0.8, low: 0.83 },
  find: ({ node, operation: { value } }) =>
    saysUnused(String((value as { summary?: string }).summary ?? ''))
      ? does('action', 'medium', `it takes the record of {${node.step.parameter}} out of use`)
      : does('remove', 'high', `it deletes the record of {${node.step.parameter}}`),
}
