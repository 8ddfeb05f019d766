/** DELETE removes what exists once, or detaches it from a record: `DELETE /books/{id}/cover` */

import { firstVerb } from '../../../../lexicon/operation-names.js'
import { isResetting } from '../../../../lexicon/verbs.js'
import { does, example, type Rule } from '../../rule.js'

export const rule: Rule = {
  id: 'singleton-delete',
  says: 'effect',
  from: 'habit',
  methods: ['DELETE'],
  providers: 95,
  right: { medium: 1, low: 0.94 },
  find({ resource, owner, operation }) {
    if (owner && isResetting(firstVerb(operation.called)))
      return does('action', 'medium', `its name says what it does to a record of ${owner.home}`, owner)
    if (resource?.kind === 'singleton') return does('remove', 'medium', 'it deletes a record that exists once')
    if (owner) return does('action', 'low', `it takes something from a record of ${owner.home}`, owner)
    return example('it deletes nothing that is known to be kept', 'low')
  },
}
