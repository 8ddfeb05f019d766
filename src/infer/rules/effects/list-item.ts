/** What is sent becomes an item of the record above, because nothing shows it alone: `POST /balancers/{id}/rules` */

import { segmentVerb } from '../../facts/facts.js'
import { findOwnList } from '../../facts/find-own-property.js'
import { does, type Rule } from '../rule.js'
import { recordAbove } from './record-above.js'

export const rule: Rule = {
  id: 'list-item',
  says: 'effect',
  from: 'schema',
  methods: ['POST'],
  providers: 6,
  find(input) {
    const { document, node, resource, body, other, verb } = input
    const owner = recordAbove(input)
    const isShown = other('GET') || (resource !== owner && resource?.item)
    if (!owner?.record || isShown || !body.flat || segmentVerb(node)?.isCertain) return undefined
    if (verb === 'update' || verb === 'replace' || verb === 'remove' || verb === 'list') return undefined
    const adds = findOwnList(document, owner.record, node, body.flat)
    return (
      adds && { ...does('action', 'medium', `it adds to ${adds.property} of a record of ${owner.home}`, owner), adds }
    )
  },
}
