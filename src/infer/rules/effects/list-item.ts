/**
 * What is sent becomes an item of the record above, because nothing shows it alone: `POST /balancers/{id}/rules`. A DELETE takes
 * it from there: `DELETE /balancers/{id}/rules/{ruleId}`
 */

import { placeOf } from '../../../schemas/flatten-schema.js'
import { segmentVerb } from '../../facts/facts.js'
import { findOwnList } from '../../facts/find-own-property.js'
import { operationAt, type PathNode } from '../../paths/path-tree.js'
import type { Resource } from '../../paths/resource.js'
import { does, type Rule, type RuleInput, type Verdict } from '../rule.js'

export const rule: Rule = {
  id: 'list-item',
  says: 'effect',
  from: 'schema',
  methods: ['POST', 'DELETE'],
  providers: 6,
  find(input) {
    const { method, node, resource, resources, verb } = input
    const list = method === 'DELETE' ? node.parent : node
    const owner = list?.parent && resources.byItem.get(list.parent)
    const isOther =
      verb === 'update' || verb === 'replace' || (verb === 'remove' && method === 'POST') || verb === 'list'
    if (!list || !owner?.record || isOther || segmentVerb(list)?.isCertain) return undefined
    const item = resource === owner ? undefined : resource?.item
    if (operationAt(list, 'GET') || (item && operationAt(item, 'GET'))) return undefined
    const adds = findAdds(input, list, owner)
    if (!adds) return undefined
    const at = `${adds.property} of a record of ${owner.home}`
    const { parameter } = node.step
    if (method === 'POST') return { ...does('action', 'medium', `it adds to ${at}`, owner), adds }
    return parameter === undefined
      ? undefined
      : { ...does('action', 'medium', `it takes {${parameter}} from ${at}`, owner), drops: [adds.property, parameter] }
  },
}

/** The list of a record to which a POST adds. What has a key of its own is an item if the answer shows the record above. */
function findAdds({ document, factsOf }: RuleInput, list: PathNode, owner: Resource): Verdict['adds'] {
  const post = operationAt(list, 'POST')
  const { body, success } = (post && factsOf(post)) ?? {}
  const { record } = owner
  if (!body?.flat || !record) return undefined
  const isOwner = success?.schema !== undefined && placeOf(document, success.schema) === placeOf(document, record)
  return findOwnList(document, record, list, body.flat, isOwner)
}
