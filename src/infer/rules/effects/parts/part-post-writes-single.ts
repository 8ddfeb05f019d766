/** POST writes what GET reads on the same path and exists once: `POST /settings` */

import { segmentVerb } from '../../../facts/facts.js'
import { does, type Rule } from '../../rule.js'

export const rule: Rule = {
  id: 'part-post-writes-single',
  says: 'effect',
  from: 'habit',
  methods: ['POST'],
  providers: 47,
  right: { medium: 1 },
  find({ node, resource, other, verb }) {
    const isSet = ['PUT', 'PATCH', 'DELETE'].some((each) => other(each)) && (verb === 'create' || verb === 'replace')
    const isRead = other('GET')?.answersObject === true || isSet
    if (resource?.kind !== 'singleton' || !isRead || segmentVerb(node)?.isCertain || verb === 'action') return undefined
    const isReplaced = verb === 'replace' || (verb === 'create' && !other('PUT') && !other('PATCH'))
    return does(isReplaced ? 'replace' : 'update', 'medium', 'it writes a record that exists once')
  },
}
