/** DELETE removes a record, or takes it out of use if it says so: `DELETE /books/{id}` */

import { saysUnused } from '../../../../lexicon/stages.js'
import { does, type Rule } from '../../rule.js'

export const rule: Rule = {
  id: 'item-delete',
  says: 'effect',
  from: 'habit',
  methods: ['DELETE'],
  providers: 267,
  right: { high: 0.95, medium: 0.95, low: 0.95 },
  find: ({ node, operation: { value } }) =>
    saysUnused(String((value as { summary?: string }).summary ?? ''))
      ? does('action', 'medium', `it takes the record of {${node.step.parameter}} out of use`)
      : does('remove', 'high', `it deletes the record of {${node.step.parameter}}`),
}
