/** POST below a record does something to it, if no rule of a verb has decided: `POST /books/{id}/mark-as-lent` */

import { flattenSchema } from '../../../../schemas/flatten-schema.js'
import { nameOf, segmentVerb } from '../../../facts/facts.js'
import { answersAbove } from '../../../paths/node-kind.js'
import type { Resource } from '../../../paths/resource.js'
import { does, example, type Rule, type RuleInput } from '../../rule.js'

export const rule: Rule = {
  id: 'part-post-acts',
  says: 'effect',
  from: 'habit',
  methods: ['POST'],
  providers: 149,
  right: { backed: 0.92, medium: 0, low: 0.75 },
  find(input) {
    const { node, owner, verb, words } = input
    if (!owner) return undefined
    const pathVerb = segmentVerb(node)
    const isExport = node.step.isVerb && /^export/i.test(nameOf(node))
    const isComputed = (pathVerb?.kind === 'compute' && !isExport) || (pathVerb === undefined && verb === 'compute')
    if (isComputed && !words.has('status') && !answersAbove(node, input, input.factsOf))
      return example('its name says that it computes', 'low')
    if (pathVerb === undefined && verb === 'update' && !isForeign(input, owner))
      return does('update', 'medium', `its name says that it changes a record of ${owner.home}`, owner)
    const sure = pathVerb || verb === 'action' ? 'high' : 'low'
    return does('action', sure, `it does something to a record of ${owner.home}`, owner)
  },
}

/** Whether the body shares no property with the records of a resource: `POST /users/{id}/password` */
function isForeign({ document, body }: RuleInput, { record }: Resource): boolean {
  const names = [...(body.flat?.properties.keys() ?? [])]
  if (!record || names.length === 0) return false
  const { properties } = flattenSchema(document, record)
  return properties.size > 0 && !names.some((name) => properties.has(name))
}
