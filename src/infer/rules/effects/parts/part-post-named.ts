/** The verb of the path adds to the collection, or changes the record before it: `POST /books/{id}/updateTitle` */

import { segmentVerb } from '../../../facts/facts.js'
import { does, example, type Rule } from '../../rule.js'

export const rule: Rule = {
  id: 'part-post-named',
  says: 'effect',
  from: 'name',
  methods: ['POST'],
  providers: 31,
  right: { medium: 0.7, low: 1 },
  find({ node, above, owner }) {
    const pathVerb = segmentVerb(node)
    if (!pathVerb) return undefined
    if (above?.kind === 'collection') {
      if (pathVerb.kind === 'create')
        return does('create', 'medium', `its name says that it adds to ${above.home}`, above)
      if (pathVerb.kind === 'remove') return example('it deletes records of a collection', 'low', 'bulk-remove')
    }
    if (owner && node.parent?.step.parameter !== undefined) {
      if (pathVerb.kind === 'update' || pathVerb.kind === 'replace')
        return does('update', 'medium', `its name says that it changes a record of ${owner.home}`, owner)
    }
    return undefined
  },
}
