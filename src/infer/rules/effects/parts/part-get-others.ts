/** A list after a collection has some of its records: `GET /books/sync` */

import { segmentVerb } from '../../../facts/facts.js'
import { does, type Rule } from '../../rule.js'

export const rule: Rule = {
  id: 'part-get-others',
  says: 'effect',
  from: 'schema',
  methods: ['GET'],
  providers: 17,
  right: { medium: 0.67 },
  find({ list, resource, node, above, success, saysList, answersFile }) {
    if (resource || above?.kind !== 'collection') return undefined
    if (success && !success.flat && !answersFile && saysList)
      return does('list', 'low', `it returns some records of ${above.home}`, above)
    const verb = segmentVerb(node)
    if (!list?.hasRecords || verb?.kind === 'compute') return undefined
    return verb?.isCertain || list.pointer.length === 0 || list.isEnvelope
      ? does('list', 'medium', `it returns records of ${above.home}`, above)
      : undefined
  },
}
