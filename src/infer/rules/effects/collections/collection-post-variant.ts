/** A POST below a collection that answers with the key of its records, which no other path reads: `POST /sites/static` */
import { does, type Rule } from '../../rule.js'

export const rule: Rule = {
  id: 'collection-post-variant',
  says: 'effect',
  from: 'schema',
  methods: ['POST'],
  providers: 0,
  find({ node, resource, above, success, verb, answersKey }) {
    if (above?.kind !== 'collection' || !above.item || resource?.item || node.operations.length > 1) return undefined
    if (!success?.flat || !answersKey(above) || (verb !== undefined && verb !== 'create')) return undefined
    return does('create', 'medium', `it answers with the key of a record of ${above.home}`, above)
  },
}
